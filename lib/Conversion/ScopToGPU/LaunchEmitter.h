//===- LaunchEmitter.h - One function for the kernels of a launch -*- C++ -*-=//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_SCOPTOGPU_LAUNCHEMITTER_H
#define GROUT_LIB_CONVERSION_SCOPTOGPU_LAUNCHEMITTER_H

#include "EmitContext.h"
#include "KernelEmitter.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace grout {
struct TargetSpec;
} // namespace grout

namespace grout::scop {

/// The number of threads of a block, and the number of blocks of each kernel.
struct LaunchShape {
  int64_t threads = 0;
  llvm::SmallVector<int64_t> blocks;

  int64_t getNumBlocks() const;
};

/// Adds function `name` to `module`. Its blocks are distributed to `kernels`,
/// none of which may use a result of another. Its parameters are `buffers`, to
/// which this adds buffers, and then those of `sync`, which only a single
/// kernel may have. `getPlace` returns the place of an argument of a kernel's
/// body. Fails with a diagnostic if a kernel cannot be compiled for `target`.
mlir::FailureOr<LaunchShape>
emitLaunch(llvm::ArrayRef<KernelOp> kernels, mlir::Location loc,
           llvm::StringRef name, mlir::gpu::GPUModuleOp module,
           LaunchBuffers &buffers, const TargetSpec &target,
           const TileSynchronisation &sync,
           llvm::function_ref<ArrayPlace(mlir::Value array)> getPlace);

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOGPU_LAUNCHEMITTER_H
