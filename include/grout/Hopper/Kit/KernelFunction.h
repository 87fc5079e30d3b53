//===- KernelFunction.h - The function of a Hopper kernel -------*- C++ -*-===//
//
// Part of Grout. What every kind of kernel does around its own code: the
// function begins, the block starts, and its warpgroups go their ways.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_HOPPER_KIT_KERNELFUNCTION_H
#define GROUT_HOPPER_KIT_KERNELFUNCTION_H

#include "grout/Hopper/Kit/KernelContext.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace grout::hopper {

/// Adds an empty function for the kernel of `plan` to `module`. Returns a
/// builder that is at its start.
DeviceBuilder beginKernel(mlir::gpu::GPUModuleOp module, mlir::Location loc,
                          const KernelPlan &plan);

/// Emits the start of a block, for all threads. After that, threads may use the
/// barriers of `rings`, which are all that the kernel has, and the semaphores.
void emitKernelStart(KernelContext &context, const KernelPlan &plan,
                     llvm::ArrayRef<Ring> rings);

/// Emits the code of the producer warpgroup, of the consumer warpgroups and, if
/// the plan has any, of the other warpgroups, each with its registers, and the
/// end of the function.
void emitWarpgroups(const KernelContext &context, const KernelPlan &plan,
                    llvm::function_ref<void()> emitProducers,
                    llvm::function_ref<void()> emitConsumers,
                    llvm::function_ref<void()> emitOthers = {});

/// Returns the address of the dynamic shared memory, as an i32.
mlir::Value emitSharedAddress(DeviceBuilder &b);

/// Makes the executing thread's writes to shared memory visible to TMA.
void emitSharedProxyFence(DeviceBuilder &b);

} // namespace grout::hopper

#endif // GROUT_HOPPER_KIT_KERNELFUNCTION_H
