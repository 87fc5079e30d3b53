//===- KernelFunction.h - The function of a Hopper kernel -------*- C++ -*-===//
//
// Part of Grout. What is around the code of a kernel: its signature, its shared
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
  /// Threads of a block, and blocks of a cluster.
  int64_t threads, cluster;
  /// Registers of a thread at the start.
  int64_t registers;
};

/// Creates an empty function `name` that takes `args`, a list of launch.arg.
mlir::LLVM::LLVMFuncOp
createKernelFunction(mlir::OpBuilder &builder, mlir::Location loc,
                     llvm::StringRef name, llvm::ArrayRef<mlir::Attribute> args,
                     const KernelShape &shape);

/// Declares the dynamic shared memory in `module`, if it is not there yet, and
/// returns its name.
llvm::StringRef declareSharedMemory(mlir::gpu::GPUModuleOp module);

/// The address of the dynamic shared memory `name`, as an i32.
mlir::Value emitSharedAddress(DeviceBuilder &b, llvm::StringRef name);

/// Has one thread fetch the tensor maps among `params`, which are those of
/// `args`, so that the first copies need not wait for them.
void emitTensorMapPrefetches(DeviceBuilder &b,
                             llvm::ArrayRef<mlir::Attribute> args,
                             mlir::ValueRange params);

/// Has what one thread did to barriers be seen by all, and by TMA.
void emitBarrierInitFence(DeviceBuilder &b);

/// Has TMA see what the executing thread wrote to shared memory.
void emitSharedProxyFence(DeviceBuilder &b);

} // namespace grout::hopper

#endif // GROUT_LIB_CONVERSION_TGEMMTONVVM_KERNELFUNCTION_H
