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

/// The threads of a block, and the blocks of each kernel, in their order.
struct LaunchShape {
  int64_t threads = 0;
  llvm::SmallVector<int64_t> blocks;

  int64_t getNumBlocks() const;
};

/// Adds function `name` to `module`, whose blocks are shared out to `kernels`,
/// one or more of which none uses what another computes. Its parameters are
/// `buffers`, to which it adds, and then those of `sync`, which one kernel
/// alone may have. `getPlace` gives the place of an argument of a kernel's
/// body. Fails with a diagnostic at what cannot be compiled for `target`.
mlir::FailureOr<LaunchShape>
emitLaunch(llvm::ArrayRef<KernelOp> kernels, mlir::Location loc,
           llvm::StringRef name, mlir::gpu::GPUModuleOp module,
           LaunchBuffers &buffers, const TargetSpec &target,
           const TileSynchronisation &sync,
           llvm::function_ref<ArrayPlace(mlir::Value array)> getPlace);

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOGPU_LAUNCHEMITTER_H
