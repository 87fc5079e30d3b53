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

/// What targets' memory-bound kernels differ in.
struct MemoryBoundOptions {
  /// Terms from which on a sum of f32 is made in f64; 0: never.
  int64_t longSum = 0;
  /// Ops of linalg that have a tile shape stay as they are.
  bool keepsTiledOps = false;
  /// Reductions with few results are shared out to all processors.
  bool splitsReductions = false;
  /// What steers schedules, as scop-schedule's `tree`.
  std::string tree = "none";
  /// Kernels that need not wait for each other share a launch.
  bool sharesLaunches = false;
};

/// The parts of the pipeline that depend on the target. Everything else is the
/// same for all of them.
class KernelGenerator : public TargetInterface {
public:
  /// How linalg that is left in functions becomes memory-bound kernels.
  virtual MemoryBoundOptions
  getMemoryBoundOptions(const GroutPipelineOptions &options) const = 0;

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
};

} // namespace grout

#endif // GROUT_PIPELINES_KERNELGENERATOR_H
