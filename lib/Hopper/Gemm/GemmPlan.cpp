//===- GemmPlan.cpp - The shape of a GEMM kernel -------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Hopper/Gemm/GemmPlan.h"

#include "BodyPlan.h"
#include "GemmRoles.h"
#include "SharedMemoryPlan.h"
#include "grout/Hopper/Gemm/TilingLimits.h"
#include "grout/Target/IR/Grout.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/MathExtras.h"

#define DEBUG_TYPE "convert-tiles-to-kernels"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

/// Registers that one wgmma needs besides its accumulators, as ptxas reports.
static constexpr int64_t kProductRegisters = 26;
/// If all tiles of a kernel run at once, and the epilogues of its bodies have
/// more ops than this, those with more than `kMostUnrolledOps` become loops. A
/// loop takes a fraction of the code, but models whose kernels have fewer ops
/// were slower with loops (see docs/HopperKernels.md, Measurements).
static constexpr int64_t kMostKernelOps = 4096;
static constexpr int64_t kMostUnrolledOps = 256;
/// An estimate of the registers that the loops of an epilogue take: counters,
/// the ring's position, and addresses.
static constexpr int64_t kLoopRegisters = 12;
/// Bytes of shared memory that the system takes for each block.
static constexpr int64_t kSystemSharedBytes = 1024;

Role GemmPlan::getStorer() const {
  return getRankSum() ? Role::consumers(1) : kStorer;
}

int64_t GemmPlan::getBlocksPerProcessor(int64_t sharedMemory) const {
  int64_t byRegisters =
      kernelabi::kProcessorRegisters / (getThreads() * registers.initial);
  int64_t byMemory =
      (sharedMemory + kSystemSharedBytes) / (sharedBytes + kSystemSharedBytes);
  return std::min(byRegisters, byMemory);
}

/// Returns the registers of a thread for blocks with `warpgroups` consumer
/// warpgroups, whose MMAs have up to `columns` columns. The registers at the
/// start must be enough for one MMA, too.
static FailureOr<kernelabi::RegisterShare> getRegisters(int64_t warpgroups,
                                                        int64_t columns) {
  int64_t product = llvm::alignTo(columns / 2 + kProductRegisters, 8);
  const kernelabi::RegisterShare &share =
      kernelabi::kRegisterShares[warpgroups - 1];
  if (product <= share.initial)
    return share;
  if (warpgroups == 1)
    return kernelabi::kWideRegisterShare;
  return failure();
}

/// Checks that `body` has clusters of the same size as the other bodies of
/// `kernel`, and no other split-K. Updates the kernel's cluster.
static LogicalResult planCluster(GemmPlan &kernel, const BodyPlan &body) {
  int64_t size = body.tiling.getClusterSize();
  int64_t splits = body.tiling.getSplitK();
  tgemm::ProductOpInterface op = body.op;
  if (kernel.bodies.empty())
    kernel.clusterSize = size;
  if (size != kernel.clusterSize)
    return emitTargetError(op)
           << "its tiles take clusters of " << size
           << " blocks, but other tiles of its kernel clusters of "
           << kernel.clusterSize;
  kernel.sharesBarriers = kernel.hasCluster();
  kernel.multicasts |= size != splits;
  if (splits == 1)
    return success();
  if (kernel.splits != 1 && splits != kernel.splits)
    return emitTargetError(op)
           << "it has split-K by " << splits
           << ", but another tile kernel of its launch by " << kernel.splits;
  kernel.splits = splits;
  return success();
}

/// Whether all tiles of `kernel`, as far as their number is known, run at once.
static bool isOneWave(const GemmPlan &kernel, const TargetSpec &target) {
  int64_t tiles = 0;
  for (const BodyPlan &body : kernel.bodies) {
    if (body.parts || body.groups)
      return false;
    tiles += llvm::product_of(body.grid);
  }
  return tiles <= target.getResidentClusters(kernel.clusterSize);
}

/// Returns how many ops an epilogue has if it is no loop.
static int64_t getUnrolledOps(const BodyPlan &body) {
  Region &epilogue = tgemm::ProductOpInterface(body.op).getEpilogue();
  if (epilogue.empty())
    return 0;
  // All row blocks of a warpgroup have the same code.
  int64_t elements = kMmaRows * body.tiling.getResultMmaN() / kWarpgroupThreads;
  return elements * llvm::range_size(epilogue.front().without_terminator());
}

/// Whether an epilogue has so much code that it should be a loop, and so many
/// MMA columns that a loop has several iterations.
static bool canRollEpilogue(const BodyPlan &body) {
  return getUnrolledOps(body) > kMostUnrolledOps &&
         body.tiling.getResultMmaN() >= 32;
}

/// Whether threads read all inputs of an epilogue before they compute it. In a
/// loop, they would wait for each iteration's inputs.
static bool readsInputsBefore(const BodyPlan &body) {
  return llvm::all_of(body.inputs, [&](const InputPlan &input) {
    return input.isEarly || !input.mmaColumnStride || body.readsAhead;
  });
}

/// Logs the shape of `kernel`, and which of its bodies prefetch.
static void reportPlan(const GemmPlan &kernel) {
  LDBG() << kernel.name << ": " << kernel.warpgroups
         << " consumer warpgroups of " << kernel.registers.consumer
         << " registers, " << kernel.stageRing.size << " stages of "
         << kernel.stageRing.bytes << " bytes, " << kernel.stagingRing.size
         << " staging buffers"
         << (kernel.isStagedInRing() ? " in the ring" : "") << ", clusters of "
         << kernel.clusterSize;
  for (const BodyPlan &body : kernel.bodies)
    if (body.prefetches)
      LDBG() << body.tileKernel->getLoc()
             << " fetches rhs ahead: it is bound by memory";
}

FailureOr<GemmPlan> hopper::planGemm(launch::TilesOp launch,
                                     LaunchTensors &tensors,
                                     const TargetSpec &target,
                                     FindOperandLoader findLoader,
                                     FindMma findMma) {
  GemmPlan kernel;
  kernel.name = launch.getName().str();
  kernel.programmatic = ProgrammaticLaunch::get(launch);
  SemaphoreLayout layout(launch);
  BodyContext bodyContext = {layout, kernel.programmatic, kernel.params,
                             tensors, target};
  for (TileKernelOpInterface op : launch.getKernels()) {
    FailureOr<BodyPlan> body = planBody(bodyContext, op, findLoader, findMma);
    if (failed(body) || failed(planCluster(kernel, *body)))
      return failure();
    kernel.warpgroups = std::max(kernel.warpgroups, body->warpgroups);
    kernel.startsWithoutTicket &= body->waits.empty() && !body->groups;
    if (body->groups && launch.getKernels().size() != 1)
      return emitTargetError(op)
             << "its rows are in groups, but other tile kernels are in its "
                "launch";
    if (body->rankSum && launch.getKernels().size() != 1)
      return emitTargetError(op)
             << "its result is summed over ranks, but other tile kernels are "
                "in its launch";
    kernel.bodies.push_back(std::move(*body));
  }
  kernel.hasFixedTasks =
      kernel.startsWithoutTicket && kernel.bodies.size() == 1;
  if (kernel.getRankSum()) {
    kernel.otherWarpgroups = 1;
    if (!kernel.hasFixedTasks)
      return emitTargetError(kernel.bodies.front().op)
             << "its result is summed over ranks, but its tiles wait for tiles";
  }
  MLIRContext *context = launch.getContext();
  kernel.addSyncState(launch);
  kernel.taskListParam = kernel.params.add(launch::ArgKind::task_list, context);
  kernel.taskCountParam =
      kernel.params.add(launch::ArgKind::task_count, context);

  BodyPlan &widest = *llvm::max_element(
      kernel.bodies, [](const BodyPlan &a, const BodyPlan &b) {
        return a.tiling.getMmaN() < b.tiling.getMmaN();
      });
  FailureOr<kernelabi::RegisterShare> registers = getRegisters(
      kernel.warpgroups + kernel.otherWarpgroups, widest.tiling.getMmaN());
  if (failed(registers))
    return emitTargetError(widest.op)
           << "its blocks have " << widest.tiling.getMmaN()
           << (widest.tiling.getSwapAb() ? " rows" : " columns")
           << ", too many for " << kernel.getThreads() << " threads";
  kernel.registers = *registers;
  kernel.isOneWave = isOneWave(kernel, target);
  int64_t ops = 0;
  for (const BodyPlan &body : kernel.bodies)
    ops += getUnrolledOps(body);
  // A block with many tiles fetches its code only for the first one.
  bool hasMuchCode = kernel.isOneWave && ops > kMostKernelOps;
  for (BodyPlan &body : kernel.bodies) {
    int64_t free = kernel.registers.consumer - hopper::kOtherRegisters;
    int64_t sums = getSumRegisters(body.op, body.tiling, body.mmaTraits);
    if (sums > free)
      return emitTargetError(body.op)
             << "its tiles take " << sums
             << " accumulators a thread, but at most " << free
             << " fit in blocks of " << kernel.getThreads() << " threads";
    free -= std::max(sums, body.getNumAccumulators());
    body.rollsEpilogue = hasMuchCode && canRollEpilogue(body);
    planEarlyInputs(body, body.rollsEpilogue ? free - kLoopRegisters : free);
    if (!body.rollsEpilogue || readsInputsBefore(body))
      continue;
    body.rollsEpilogue = false;
    planEarlyInputs(body, free);
  }
  if (failed(planSharedMemory(kernel, target)))
    return failure();
  reportPlan(kernel);
  return kernel;
}
