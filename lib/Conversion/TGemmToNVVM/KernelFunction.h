//===- KernelFunction.h - The function of a Hopper kernel -------*- C++ -*-===//
//
// Part of Grout. The parts around a kernel's code: its signature, its shared
// memory, its tensor maps.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_TGEMMTONVVM_KERNELFUNCTION_H
#define GROUT_LIB_CONVERSION_TGEMMTONVVM_KERNELFUNCTION_H

#include "grout/Conversion/TGemmToNVVM/DeviceBuilder.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace grout::hopper {

/// How a kernel is launched.
struct KernelShape {
  /// The threads of a block, and the blocks of a cluster.
  int64_t threads, cluster;
  /// The registers of a thread at the start.
  int64_t registers;
};

/// Creates an empty function `name` with parameters for `args`, a list of
/// launch.arg.
mlir::LLVM::LLVMFuncOp
createKernelFunction(mlir::OpBuilder &builder, mlir::Location loc,
                     llvm::StringRef name, llvm::ArrayRef<mlir::Attribute> args,
                     const KernelShape &shape);

/// Declares the dynamic shared memory in `module`, if it is not there yet, and
/// returns its name.
llvm::StringRef declareSharedMemory(mlir::gpu::GPUModuleOp module);

/// Returns the address of the dynamic shared memory `name`, as an i32.
mlir::Value emitSharedAddress(DeviceBuilder &b, llvm::StringRef name);

/// Emits, for one thread, prefetches of the tensor maps among `params`, so that
/// the first copies need not wait for them. `args` are the launch.args of
/// `params`.
void emitTensorMapPrefetches(DeviceBuilder &b,
                             llvm::ArrayRef<mlir::Attribute> args,
                             mlir::ValueRange params);

/// Makes one thread's initialisation of barriers visible to all threads of the
/// cluster, and to TMA.
void emitBarrierInitFence(DeviceBuilder &b);

/// Makes the executing thread's writes to shared memory visible to TMA.
void emitSharedProxyFence(DeviceBuilder &b);

} // namespace grout::hopper

#endif // GROUT_LIB_CONVERSION_TGEMMTONVVM_KERNELFUNCTION_H
