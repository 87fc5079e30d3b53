//===- KernelGenerator.h - What makes kernels for a target ------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_PIPELINES_KERNELGENERATOR_H
#define GROUT_PIPELINES_KERNELGENERATOR_H

#include "grout/Pipelines/Pipelines.h"
#include "grout/Target/Target.h"

namespace grout {

/// The parts of the pipeline that depend on the target. Everything else is the
/// same for all of them.
class KernelGenerator : public TargetInterface {
public:
  /// What linalg is left in functions becomes memory-bound kernels, each with
  /// a schedule that is proved.
  virtual void
  addMemoryBoundPasses(mlir::OpPassManager &function,
                       const GroutPipelineOptions &options) const = 0;

  /// Memory-bound kernels get the tiles that they have in chains.
  virtual void addTilingPasses(mlir::OpPassManager &function,
                               const GroutPipelineOptions &options) const = 0;

  /// Kernels come to be in the dialects that the target's code is made from.
  virtual void addKernelPasses(mlir::OpPassManager &module,
                               const GroutPipelineOptions &options) const = 0;

  /// What speaks against a watchdog on waits, as findDebugSyncProblem says.
  virtual std::string
  findDebugSyncProblem(const Target &target,
                       const GroutPipelineOptions &options) const = 0;

protected:
  /// Whether passes may change memory-bound kernels before their schedules are
  /// steered: not for what is compared with others on kernels as they were
  /// written.
  static bool restructuresKernels(const GroutPipelineOptions &options) {
    return options.scopTree != "akg" && options.scopTree != "from-ir" &&
           options.scopTree != "none";
  }
};

} // namespace grout

#endif // GROUT_PIPELINES_KERNELGENERATOR_H
