//===- CodegenPipeline.h - Passes that depend on the target -----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_PIPELINES_CODEGENPIPELINE_H
#define GROUT_PIPELINES_CODEGENPIPELINE_H

#include "grout/Pipelines/Pipelines.h"
#include "grout/Target/Target.h"

namespace grout {

/// The options in which the memory-bound kernels of targets differ.
struct MemoryBoundOptions {
  /// The number of terms from which on a sum of f32 is computed in f64; 0:
  /// never.
  int64_t longSum = 0;
  /// Whether linalg ops with a tile shape stay as they are.
  bool keepsTiledOps = false;
  /// Whether reductions with few results are split for all processors.
  bool splitsReductions = false;
  /// The constraint tree that steers schedules: the option `tree` of
  /// scop-schedule.
  std::string tree = "none";
  /// Whether independent kernels share a launch.
  bool sharesLaunches = false;
};

/// The passes of the pipeline that depend on the target. All other passes are
/// the same for all targets.
class CodegenPipeline : public TargetInterface {
public:
  /// Returns how the linalg ops that are left in functions become memory-bound
  /// kernels.
  virtual MemoryBoundOptions
  getMemoryBoundOptions(const GroutPipelineOptions &options) const = 0;

  /// Adds the passes that give memory-bound kernels their tiles in chains.
  virtual void addTilingPasses(mlir::OpPassManager &function,
                               const GroutPipelineOptions &options) const = 0;

  /// Adds the passes that turn kernels into the dialects from which the
  /// target's code is made.
  virtual void addKernelPasses(mlir::OpPassManager &module,
                               const GroutPipelineOptions &options) const = 0;

  /// Returns why waits of kernels cannot have a watchdog, in the form of the
  /// free function findDebugSyncProblem; empty if they can.
  virtual std::string findDebugSyncProblem() const { return ""; }
};

} // namespace grout

#endif // GROUT_PIPELINES_CODEGENPIPELINE_H
