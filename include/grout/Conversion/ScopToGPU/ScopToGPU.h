//===- ScopToGPU.h - Scop kernels as launches -------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_SCOPTOGPU_SCOPTOGPU_H
#define GROUT_CONVERSION_SCOPTOGPU_SCOPTOGPU_H

#include "grout/Conversion/Common/PlanBuilder.h"
#include "grout/Target/TargetSpec.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace grout::scop {

/// Adds one function for `op`, a scop.kernel or scop.launch whose kernels are
/// on tensors and scheduled, to `module`, and its launch to `plan`. Its name is
/// `name`, and says how many kernels there are if there are several. A kernel
/// in a chain runs as the mode of that says, with the semaphores of `layout`.
/// Fails with a diagnostic that names what cannot be compiled.
mlir::LogicalResult addScopLaunch(mlir::Operation *op, llvm::StringRef name,
                                  PlanBuilder &plan,
                                  mlir::gpu::GPUModuleOp module,
                                  const TargetSpec &target,
                                  const SemaphoreLayout &layout = {});

} // namespace grout::scop

#endif // GROUT_CONVERSION_SCOPTOGPU_SCOPTOGPU_H
