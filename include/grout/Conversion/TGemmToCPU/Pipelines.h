//===- Pipelines.h - Tile bodies to the LLVM dialect ------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_TGEMMTOCPU_PIPELINES_H
#define GROUT_CONVERSION_TGEMMTOCPU_PIPELINES_H

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace grout {

/// Adds the passes that lower the tile bodies which convert-tiles-to-kernels
/// and convert-linalg-to-reference make, in modules nested in the one that `pm`
/// runs on, to the LLVM dialect. Launch plans are left alone.
void buildCPUKernelPipeline(mlir::OpPassManager &pm);

/// Registers `grout-cpu-kernel-pipeline`.
void registerCPUKernelPipeline();

} // namespace grout

#endif // GROUT_CONVERSION_TGEMMTOCPU_PIPELINES_H
