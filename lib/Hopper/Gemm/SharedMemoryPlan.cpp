//===- SharedMemoryPlan.cpp - Shared memory of a block --------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "SharedMemoryPlan.h"

#include "GemmRoles.h"
#include "GroupTasks.h"
#include "grout/Target/IR/Grout.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

/// A stage is freed only after the MMAs of the next stage have been issued. So
/// a warp with a single stage would wait for itself.
static constexpr int64_t kMinStages = 2;
/// With fewer stages, loads would be late in every step.
static constexpr int64_t kFewStages = 3;
/// Limits the space of the barriers.
static constexpr int64_t kMaxStages = 16;

/// Returns the bytes of a step of `body` in shared memory.
static int64_t getStageBytes(const BodyPlan &body) {
  return body.getStepBytes(Loader::independent) +
         body.getStepBytes(Loader::waiting);
}

/// Whether each cluster of `kernel` has at most one tile.
static bool hasSingleTiles(const GemmPlan &kernel) {
  return kernel.hasFixedTasks && kernel.isOneWave;
}

namespace {

/// Tries layouts until one fits.
class SharedMemoryPlanner {
public:
  SharedMemoryPlanner(GemmPlan &kernel, const TargetSpec &target);

  LogicalResult plan();

private:
  bool layOut(int64_t stagingBytes, int64_t stagedSteps);
  bool layOutStages();
  /// Sets the rings, whose barriers begin at `offset`. Returns the offset
  /// behind them.
  int64_t layOutRings(int64_t offset, int64_t stagingBuffers);

  bool stage(int64_t bytes) { return layOut(bytes, /*stagedSteps=*/0); }
  /// Puts staging buffers in the ring: in the rows of A that only one warpgroup
  /// reads. They are in the last step; or, if no later tile waits for the
  /// stages, in enough steps that no buffer is filled twice.
  bool stageInRing(int64_t steps) { return layOut(/*stagingBytes=*/0, steps); }

  GemmPlan &kernel;
  const TargetSpec &target;
  /// The body with the largest steps.
  const BodyPlan *largest = nullptr;
  /// The number of stages to try.
  int64_t stages = kMaxStages;
  /// How often a tile fills a staging buffer, at most.
  int64_t copies = 0;
  /// The smallest numbers among the bodies.
  int64_t rowBlocks = std::numeric_limits<int64_t>::max();
  int64_t buffersInStage = std::numeric_limits<int64_t>::max();
};

} // namespace

SharedMemoryPlanner::SharedMemoryPlanner(GemmPlan &kernel,
                                         const TargetSpec &target)
    : kernel(kernel), target(target) {
  for (const BodyPlan &body : kernel.bodies) {
    if (getStageBytes(body) > kernel.stageRing.bytes) {
      kernel.stageRing.bytes = getStageBytes(body);
      largest = &body;
    }
    stages = std::min(stages, body.tiling.getStages());
    kernel.exchangeRing.bytes =
        std::max(kernel.exchangeRing.bytes, body.getExchangeBytes());
    rowBlocks = std::min(rowBlocks, body.rowBlocks);
    if (body.arePartialSums)
      continue;
    kernel.stagingRing.bytes =
        std::max(kernel.stagingRing.bytes, body.getStagingBytes());
    copies = std::max(copies, body.getNumStaged());
  }
  stages = std::max(stages, kMinStages);
  for (const BodyPlan &body : kernel.bodies)
    buffersInStage = std::min(buffersInStage,
                              body.getBuffersInStage(kernel.stagingRing.bytes));
}

int64_t SharedMemoryPlanner::layOutRings(int64_t offset,
                                         int64_t stagingBuffers) {
  Role consumers = kernel.getConsumers(), warpgroup = Role::consumers(1);
  int64_t warpgroups = kernel.warpgroups, blocks = kernel.clusterSize;
  SmallVector<BarrierUser> taskReaders = {{kIndependentLoader, blocks},
                                          {kWaitingLoader, blocks},
                                          {kernel.getStorer(), blocks},
                                          {consumers, blocks}};
  // In a cluster, the first block's scheduler writes the task to all blocks.
  if (kernel.hasCluster())
    taskReaders.push_back({kScheduler, blocks});
  SmallVector<BarrierUser> sumWriters, sumReaders;
  if (kernel.splits != 1) {
    sumWriters = {{Role::oneConsumer()}};
    sumReaders = {{warpgroup, kernel.splits - 1}};
  }

  BarrierLayout layout(offset);
  kernel.stageRing.size = stages;
  kernel.stageRing.full =
      layout.add(stages, {{kIndependentLoader}, {kWaitingLoader}});
  kernel.stageRing.empty =
      layout.add(stages, {{consumers, kernel.multicasts ? blocks : 1}});
  kernel.taskRing.size = 1;
  kernel.taskRing.full = layout.add(1, {{kScheduler}});
  kernel.taskRing.empty = layout.add(1, taskReaders);
  kernel.stagingRing.size = stagingBuffers;
  kernel.stagingRing.owners = warpgroups;
  kernel.stagingRing.full =
      layout.add(warpgroups * stagingBuffers, {{warpgroup}});
  kernel.stagingRing.empty =
      layout.add(warpgroups * stagingBuffers, {{kernel.getStorer()}});
  kernel.exchangeRing.size = 1;
  kernel.exchangeRing.owners = warpgroups;
  kernel.exchangeRing.full = layout.add(warpgroups, sumWriters);
  kernel.exchangeRing.empty = layout.add(warpgroups, sumReaders);
  return layout.getEnd();
}

/// Lays out shared memory with `stagingBytes` for each warpgroup's staging
/// buffers, or with these in the last `stagedSteps` steps of the ring. Returns
/// whether it fits.
bool SharedMemoryPlanner::layOut(int64_t stagingBytes, int64_t stagedSteps) {
  int64_t buffers = stagedSteps ? stagedSteps * buffersInStage
                                : stagingBytes / kernel.stagingRing.bytes;
  kernel.stagedSteps = stagedSteps;
  kernel.stagingRing.offset = stages * kernel.stageRing.bytes;
  kernel.exchangeRing.offset =
      kernel.stagingRing.offset + kernel.warpgroups * stagingBytes;
  kernel.taskRing.offset =
      layOutRings(kernel.exchangeRing.offset +
                      kernel.warpgroups * kernel.exchangeRing.bytes,
                  std::min(std::max<int64_t>(copies, 2), buffers));
  kernel.groupsOffset = kernel.taskRing.offset + kernelabi::kTaskBytes;
  kernel.sharedBytes = kernel.groupsOffset + getGroupTableBytes(kernel);
  return kernel.sharedBytes <= target.sharedMemory;
}

/// Lays out `stages` stages, with the best staging buffers that fit.
bool SharedMemoryPlanner::layOutStages() {
  bool isSingle = hasSingleTiles(kernel);
  bool fitsOne = copies * kernel.stagingRing.bytes <= kRowBlockBytes;
  int64_t allSteps = llvm::divideCeil(copies, buffersInStage);
  // A step can be loaded when the step that had its stage before has been
  // freed. So the kernel may keep at most as many steps as there are stages.
  bool canStageAll = isSingle && allSteps <= stages &&
                     allSteps <= kernel.bodies.front().blockSteps;
  return stage(2 * kRowBlockBytes) ||
         (isSingle && fitsOne && stage(kRowBlockBytes)) ||
         (canStageAll && stageInRing(allSteps)) ||
         (rowBlocks >= 2 && stageInRing(1)) || stage(kRowBlockBytes) ||
         stageInRing(1);
}

LogicalResult SharedMemoryPlanner::plan() {
  // The summing warpgroup sends a tile slowly. With room for all of it, the
  // consumers need not wait for that.
  int64_t most = stages;
  if (kernel.getRankSum() && !hasSingleTiles(kernel))
    for (; stages >= kFewStages; --stages)
      if (stage(copies * kernel.stagingRing.bytes))
        return success();
  stages = most;
  // One more stage is worth more than a staging buffer. The stage hides the
  // latency of loads in every step, the buffer only that of stores in the
  // epilogue.
  for (; stages >= kMinStages; --stages)
    if (layOutStages())
      return success();
  InFlightDiagnostic diag = emitTargetError(largest->op);
  diag << "a step takes " << kernel.stageRing.bytes
       << " bytes of shared memory, and " << kMinStages
       << " of them do not fit into " << target.sharedMemory
       << " bytes with the result's buffers";
  if (int64_t table = getGroupTableBytes(kernel))
    diag << " and the table of groups, which takes " << table << " bytes";
  return diag;
}

LogicalResult hopper::planSharedMemory(GemmPlan &kernel,
                                       const TargetSpec &target) {
  return SharedMemoryPlanner(kernel, target).plan();
}
