//===- KernelPlan.cpp - The shape of a Hopper kernel ----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/TGemmToNVVM/KernelPlan.h"

#include "EpilogueMath.h"
#include "TensorMaps.h"
#include "grout/Conversion/TGemmToNVVM/DeviceBuilder.h"
#include "grout/Conversion/TGemmToNVVM/FactorLoader.h"
#include "grout/Dialect/TGemm/Transforms/ProductModel.h"
#include "grout/Target/Hopper/TilingLimits.h"
#include "grout/Target/IR/Grout.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/MathExtras.h"

#define DEBUG_TYPE "convert-tiles-to-kernels"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

/// A stage is freed only after the next one's products are issued, so fewer
/// than two would wait for themselves.
static constexpr int64_t kMinStages = 2;
/// Bounds the space that barriers take.
static constexpr int64_t kMaxStages = 16;
/// Registers that one wgmma needs besides its accumulators, as ptxas says.
static constexpr int64_t kProductRegisters = 26;
/// Bytes of shared memory that the system takes for each block.
static constexpr int64_t kSystemSharedBytes = 1024;

//===----------------------------------------------------------------------===//
// Derived quantities
//===----------------------------------------------------------------------===//

int64_t BodyPlan::getStepBytes(Loader loader) const {
  int64_t bytes = 0;
  for (const FactorPlan &factor : factors)
    if (factor.loader == loader)
      bytes += factor.chunkBytes * getChunksPerStep();
  return bytes;
}

int64_t BodyPlan::getNumAccumulators() const {
  return rowBlocks * getNumProducts() * tiling.getMmaN() / 2;
}

int64_t BodyPlan::getNumResultAccumulators() const {
  return getNumAccumulators() / tiling.getSplitK();
}

int64_t BodyPlan::getExchangeBytes() const {
  return hopper::getExchangeBytes(op, tiling) / warpgroups;
}

int64_t KernelPlan::getBlocksPerProcessor(int64_t sharedMemory) const {
  int64_t byRegisters =
      kernelabi::kProcessorRegisters / (getBlockSize() * registers.initial);
  int64_t byMemory =
      (sharedMemory + kSystemSharedBytes) / (sharedBytes + kSystemSharedBytes);
  return std::min(byRegisters, byMemory);
}

int64_t BodyPlan::getInputRegisters() const {
  // A thread has two columns of each group of 8, in two rows.
  int64_t groups = result.mmaColumns / 8;
  int64_t count = 0;
  for (const InputPlan &input : inputs)
    if (input.mmaColumnStride && !input.isEarly)
      count += groups * (input.mmaRowStride ? 2 : 1) *
               (input.readsPairs ? input.getPairRegisters() : 2);
  return count;
}

int64_t BodyPlan::getEarlyRegisters(const InputPlan &input) const {
  int64_t columns = tiling.getResultMmaN();
  if (input.dependsOnColumnAlone())
    return llvm::divideCeil(columns, kSharedColumns) * input.getPairRegisters();
  int64_t rows = 2 * rowBlocks;
  return input.mmaColumnStride ? rows * columns / 8 * input.getPairRegisters()
                               : rows;
}

int64_t BodyPlan::getStagingBytes() const {
  return (isSwapped() ? result.mmaColumns : kMmaRows) * result.rowBytes;
}

int64_t BodyPlan::getNumStaged() const {
  return rowBlocks *
         llvm::divideCeil(tiling.getResultMmaN(), result.mmaColumns);
}

/// Registers of a thread for blocks with `warpgroups` consumer warpgroups,
/// whose products have up to `columns` columns. Those at the start must be
/// enough for one product, too.
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

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

/// Takes over the tiling of `op`, and the rows of a block that each consumer
/// warpgroup computes.
static LogicalResult planTiling(tgemm::ProductOpInterface op, BodyPlan &body,
                                const TargetSpec &target) {
  std::optional<tgemm::TilingAttr> tiling = op.getTiling();
  if (!tiling)
    return op.emitOpError() << "cannot be compiled for " << target.name
                            << ": it has no tiling; run tgemm-assign-tiling";
  std::string problem = findTilingProblem(op, *tiling, target);
  if (!problem.empty())
    return op.emitOpError()
           << "cannot be compiled for " << target.name << ": it " << problem;
  body.tiling = *tiling;
  body.warpgroups = hopper::getConsumerWarpgroups(*tiling);
  body.rowBlocks = tiling->getMmaM() / (kMmaRows * body.warpgroups);
  return success();
}

/// The kernel before `op` in its launch; there may be views between.
static Operation *getPreviousKernel(Operation *op) {
  do
    op = op->getPrevNode();
  while (op && !isa<TileKernelOpInterface>(op));
  return op;
}

/// The product that `kernel` is, or whose partial sums it is.
static FailureOr<tgemm::ProductOpInterface>
getProduct(TileKernelOpInterface kernel) {
  if (auto op = dyn_cast<tgemm::ProductOpInterface>(kernel.getOperation())) {
    if (op.getStreamK() && !op.getPartialSums())
      return op.emitOpError(
          "cannot be compiled: its tiling has stream-K tiles, "
          "but it has no partial sums; run "
          "tgemm-expand-stream-k");
    return op;
  }
  for (Operation *user : kernel->getUsers())
    if (auto op = dyn_cast<tgemm::ProductOpInterface>(user))
      if (getPreviousKernel(op) == kernel)
        return op;
  return kernel->emitOpError(
      "cannot be compiled: the product that it is a part "
      "of does not follow it");
}

/// Plans where partial sums are, and, of those of a part, which steps it has.
static LogicalResult planPartialSums(BodyPlan &body, KernelParams &params,
                                     LaunchTensors &tensors) {
  body.parts = body.op.getStreamK();
  if (!body.parts)
    return success();
  body.arePartialSums = body.tileKernel != body.op;
  if (body.arePartialSums)
    body.blockSteps = body.parts->partSteps;
  FailureOr<BufferView> sums =
      tensors.getView(body.op.getPartialSums(), body.tileKernel);
  if (failed(sums))
    return failure();
  body.sumsParam = params.addBufferAddress(sums->buffer);
  body.sumsOperand = *body.op.getPartialSumsOperand();
  return success();
}

/// Whether memory takes so much longer to deliver an element of rhs of `op`
/// than its products take that it should not rest while a kernel waits.
static bool isMemoryBound(tgemm::ProductOpInterface op,
                          const TargetSpec &target) {
  if (tgemm::stayInCache(op, target))
    return false;
  int64_t flops = 2 * op.getM();
  int64_t bytes = op.getInputElementType().getWidth() / 8;
  double products = static_cast<double>(flops) / target.matrixRate;
  double memory = static_cast<double>(bytes) / target.memoryRate;
  return products < target.prefetchedShare * memory;
}

static FailureOr<BodyPlan>
planBody(TileKernelOpInterface kernel, const SemaphoreLayout &layout,
         const ProgrammaticLaunch &programmatic, KernelParams &params,
         LaunchTensors &tensors, const TargetSpec &target,
         FindFactorLoader findLoader) {
  FailureOr<tgemm::ProductOpInterface> product = getProduct(kernel);
  if (failed(product))
    return failure();
  tgemm::ProductOpInterface op = *product;
  BodyPlan body;
  body.tileKernel = kernel;
  body.op = op;
  body.factorLoader = findLoader(op);
  if (!body.factorLoader)
    return emitTargetError(op) << "nothing loads its factors";
  if (failed(planTiling(op, body, target)) || failed(checkEpilogue(op)))
    return failure();
  body.grid = *kernel.getTileGrid();
  body.steps = op.getStepCount();
  // The proof takes waits to cover no more than the steps of their block.
  body.blockSteps = op.getStepsInOrder().value_or(body.steps);
  if (addsInSteps(op, body.tiling))
    body.sumSteps =
        std::max<int64_t>(*op.getSumDepth() / body.tiling.getK(), 1);
  for (const SemaphoreWait &wait : layout.getWaits(kernel))
    body.waits.push_back(wait.inBlocks());
  body.posts = llvm::to_vector(layout.getPosts(kernel));

  // Where no factor waits, both loaders share the work. One may have no wait of
  // its own because those for others cover it.
  auto dependsOnTiles = [&](unsigned operand) {
    return tensors.dependsOnTiles(kernel->getOperand(operand));
  };
  auto needsLaunches = [&](unsigned operand) {
    return programmatic.loadsEarly && dependsOnTiles(operand) &&
           !layout.isWaitedFor(kernel, operand);
  };
  auto waits = [&](unsigned operand) {
    return needsLaunches(operand) ||
           (!body.waits.empty() && dependsOnTiles(operand));
  };
  unsigned numFactors = 1 + op.getNumProducts();
  bool anyWaits = llvm::any_of(llvm::seq<unsigned>(numFactors), waits);
  body.factorsNeedLaunches =
      llvm::any_of(llvm::seq<unsigned>(numFactors), needsLaunches);
  body.prefetches =
      needsLaunches(0) &&
      llvm::none_of(llvm::seq<unsigned>(1, numFactors), needsLaunches) &&
      isMemoryBound(op, target);
  auto getLoader = [&](unsigned operand) {
    bool isWaiting = anyWaits ? waits(operand) : operand == 0;
    return isWaiting ? Loader::waiting : Loader::independent;
  };

  SmallVector<int64_t> grid = *op.getTileGrid();
  int64_t gridRows = grid[grid.size() - 2];
  int64_t gridColumns = grid.back();
  for (unsigned number = 0; number != numFactors; ++number) {
    bool isLhs = number == 0;
    FailureOr<FactorPlan> factor = body.factorLoader->plan(
        params, tensors, op,
        {number, isLhs ? body.tiling.getBlockM() : body.tiling.getBlockN(),
         isLhs ? body.tiling.getClusterN() : body.tiling.getClusterM(),
         getLoader(number)});
    if (failed(factor))
      return failure();
    // A tile reads rows of lhs, which all tiles of its row of the grid read.
    // Where these are made of fewer elements, tiles share some of them.
    factor->isReadOnce = (isLhs ? gridColumns : gridRows) == 1 &&
                         factor->isBatched == body.isBatched() &&
                         !(isLhs && op.hasSharedElements());
    body.factors.push_back(*factor);
  }
  int64_t offset = 0;
  for (FactorPlan &factor : body.factors) {
    factor.offset = offset;
    offset += factor.chunkBytes * body.getChunksPerStep();
  }

  if (failed(planPartialSums(body, params, tensors)))
    return failure();
  if (body.arePartialSums)
    return body;
  FailureOr<ResultPlan> result = planResult(params, tensors, op, body.tiling);
  if (failed(result))
    return failure();
  body.result = *result;
  for (unsigned index = 0, e = op.getEpilogueInputs().size(); index != e;
       ++index) {
    FailureOr<InputPlan> input =
        planInput(params, tensors, op, body.tiling, index);
    if (failed(input))
      return failure();
    unsigned operand = op.getEpilogueInputs().getBeginOperandIndex() + index;
    input->needsLaunches = needsLaunches(operand);
    input->waitsForTiles = !body.waits.empty() && dependsOnTiles(operand);
    body.inputs.push_back(*input);
  }
  return body;
}

/// Decides which inputs consumers read early, with `free` registers for them:
/// first those that take few.
static void planEarlyInputs(BodyPlan &body, int64_t free) {
  // Where no factor needs a launch, steps should not wait for one.
  auto canBeEarly = [&](const InputPlan &input) {
    return !input.waitsForTiles &&
           (!input.needsLaunches || body.factorsNeedLaunches) &&
           llvm::is_contained({2, 4}, input.getElementBytes());
  };
  for (bool areMatrices : {false, true})
    for (InputPlan &input : body.inputs) {
      int64_t registers = body.getEarlyRegisters(input);
      if (input.isMatrix() != areMatrices || registers > free ||
          !canBeEarly(input))
        continue;
      input.isEarly = true;
      free -= registers;
    }
  body.readsAhead = body.getInputRegisters() <= free;
  body.inputsNeedLaunches =
      llvm::any_of(body.inputs, [](const InputPlan &input) {
        return input.needsLaunches && !input.isEarly;
      });
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Bytes of a step of `body` in shared memory.
static int64_t getStageBytes(const BodyPlan &body) {
  return body.getStepBytes(Loader::independent) +
         body.getStepBytes(Loader::waiting);
}

/// Whether no cluster of `kernel` has more than one tile.
static bool hasSingleTiles(const KernelPlan &kernel, const TargetSpec &target) {
  if (!kernel.hasFixedTasks || kernel.bodies.front().parts)
    return false;
  int64_t tiles = 1;
  for (int64_t extent : kernel.bodies.front().grid)
    tiles *= extent;
  return tiles <= target.getResidentClusters(kernel.clusterSize);
}

/// Lays out shared memory: as many stages as the tilings ask for and as fit
/// beside the staging buffers.
static LogicalResult planSharedMemory(KernelPlan &kernel,
                                      const TargetSpec &target) {
  BodyPlan *largest = nullptr;
  kernel.stages = kMaxStages;
  for (BodyPlan &body : kernel.bodies) {
    if (getStageBytes(body) > kernel.stageBytes) {
      kernel.stageBytes = getStageBytes(body);
      largest = &body;
    }
    kernel.stages = std::min(kernel.stages, body.tiling.getStages());
    kernel.exchangeBytes =
        std::max(kernel.exchangeBytes, body.getExchangeBytes());
  }
  kernel.stages = std::max(kernel.stages, kMinStages);

  constexpr int64_t kAny = std::numeric_limits<int64_t>::max();
  int64_t copies = 0, rowBlocks = kAny, buffersInStage = kAny;
  for (const BodyPlan &body : kernel.bodies) {
    rowBlocks = std::min(rowBlocks, body.rowBlocks);
    if (body.arePartialSums)
      continue;
    kernel.stagingBytes = std::max(kernel.stagingBytes, body.getStagingBytes());
    copies = std::max(copies, body.getNumStaged());
  }
  for (const BodyPlan &body : kernel.bodies)
    buffersInStage =
        std::min(buffersInStage, body.getBuffersInStage(kernel.stagingBytes));

  auto layOut = [&](int64_t stagingBytes, int64_t stagedSteps) {
    int64_t buffers = stagedSteps ? stagedSteps * buffersInStage
                                  : stagingBytes / kernel.stagingBytes;
    kernel.stagingBuffers = std::min(std::max<int64_t>(copies, 2), buffers);
    kernel.stagedSteps = stagedSteps;
    kernel.stagingOffset = kernel.stages * kernel.stageBytes;
    kernel.exchangeOffset =
        kernel.stagingOffset + kernel.warpgroups * stagingBytes;
    kernel.barrierOffset =
        kernel.exchangeOffset + kernel.warpgroups * kernel.exchangeBytes;
    // A full and an empty barrier for each stage, the task, each buffer and
    // each warpgroup's partial sums.
    int64_t barriers = 2 * (kernel.stages + 1 +
                            kernel.warpgroups * (kernel.stagingBuffers + 1));
    kernel.taskOffset = kernel.barrierOffset + barriers * kBarrierBytes;
    kernel.sharedBytes = kernel.taskOffset + kernelabi::kTaskBytes;
    return kernel.sharedBytes <= target.sharedMemory;
  };
  auto stage = [&](int64_t bytes) { return layOut(bytes, /*stagedSteps=*/0); };
  // Staging in the ring takes the rows of A that a warpgroup has to itself: in
  // the last step, or, where no other tile waits for the stages, in so many
  // that no buffer is filled twice.
  auto stageInRing = [&](int64_t steps) {
    return layOut(/*stagingBytes=*/0, steps);
  };
  // A step can be loaded if one as far back as there are stages has been freed,
  // so that no more than all of these may be kept.
  bool isSingle = hasSingleTiles(kernel, target);
  bool fitsOne = copies * kernel.stagingBytes <= kRowBlockBytes;
  int64_t allSteps = llvm::divideCeil(copies, buffersInStage);
  bool canStageAll = isSingle && allSteps <= kernel.bodies.front().blockSteps;
  // A stage more is worth a staging buffer: it hides the latency of loads in
  // every step, the buffer only that of stores in the epilogue.
  for (; kernel.stages >= kMinStages; --kernel.stages)
    if (stage(2 * kRowBlockBytes) ||
        (isSingle && fitsOne && stage(kRowBlockBytes)) ||
        (canStageAll && allSteps <= kernel.stages && stageInRing(allSteps)) ||
        (rowBlocks >= 2 && stageInRing(1)) || stage(kRowBlockBytes) ||
        stageInRing(1))
      return success();
  return emitTargetError(largest->op)
         << "a step takes " << kernel.stageBytes
         << " bytes of shared memory, and " << kMinStages
         << " of them do not fit into " << target.sharedMemory
         << " bytes with the result's buffers";
}

/// Makes sure that the blocks of `body` fit the clusters of `kernel`'s others.
static LogicalResult planCluster(KernelPlan &kernel, const BodyPlan &body) {
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

/// Reports the shape of `kernel`, and which of its bodies fetch ahead.
static void reportPlan(const KernelPlan &kernel) {
  LDBG() << kernel.name << ": " << kernel.warpgroups
         << " consumer warpgroups of " << kernel.registers.consumer
         << " registers, " << kernel.stages << " stages of "
         << kernel.stageBytes << " bytes, " << kernel.stagingBuffers
         << " staging buffers"
         << (kernel.isStagedInRing() ? " in the ring" : "") << ", clusters of "
         << kernel.clusterSize;
  for (const BodyPlan &body : kernel.bodies)
    if (body.prefetches)
      LDBG() << body.tileKernel->getLoc()
             << " fetches rhs ahead: it is bound by memory";
}

FailureOr<KernelPlan> hopper::planKernel(launch::TilesOp launch,
                                         LaunchTensors &tensors,
                                         const TargetSpec &target,
                                         FindFactorLoader findLoader) {
  KernelPlan kernel;
  kernel.name = launch.getName().str();
  kernel.programmatic = ProgrammaticLaunch::get(launch);
  KernelParams params;
  SemaphoreLayout layout(launch);
  for (TileKernelOpInterface op : launch.getKernels()) {
    FailureOr<BodyPlan> body = planBody(op, layout, kernel.programmatic, params,
                                        tensors, target, findLoader);
    if (failed(body) || failed(planCluster(kernel, *body)))
      return failure();
    kernel.warpgroups = std::max(kernel.warpgroups, body->warpgroups);
    kernel.startsWithoutTicket &= body->waits.empty();
    kernel.bodies.push_back(std::move(*body));
  }
  kernel.hasFixedTasks =
      kernel.startsWithoutTicket && kernel.bodies.size() == 1;
  MLIRContext *context = launch.getContext();
  kernel.syncStateParam = params.add(launch::ArgKind::sync_state, context);
  if (launch.getSemaphores() && !launch.ownsSemaphores())
    kernel.semaphoresParam = params.add(launch::ArgKind::semaphores, context);
  kernel.taskListParam = params.add(launch::ArgKind::task_list, context);
  kernel.taskCountParam = params.add(launch::ArgKind::task_count, context);
  kernel.args = llvm::to_vector(params.getArgs());
  kernel.buffers = llvm::to_vector(params.getBuffers());

  BodyPlan &widest = *llvm::max_element(
      kernel.bodies, [](const BodyPlan &a, const BodyPlan &b) {
        return a.tiling.getMmaN() < b.tiling.getMmaN();
      });
  FailureOr<kernelabi::RegisterShare> registers =
      getRegisters(kernel.warpgroups, widest.tiling.getMmaN());
  if (failed(registers))
    return emitTargetError(widest.op)
           << "its blocks have " << widest.tiling.getMmaN()
           << (widest.tiling.getSwapAb() ? " rows" : " columns")
           << ", too many for " << kernel.getBlockSize() << " threads";
  kernel.registers = *registers;
  for (BodyPlan &body : kernel.bodies) {
    int64_t free = kernel.registers.consumer - hopper::kOtherRegisters;
    int64_t sums = getSumRegisters(body.op, body.tiling);
    if (sums > free)
      return emitTargetError(body.op)
             << "its tiles take " << sums
             << " accumulators a thread, but at most " << free
             << " fit in blocks of " << kernel.getBlockSize() << " threads";
    planEarlyInputs(body, free - std::max(sums, body.getNumAccumulators()));
  }
  if (failed(planSharedMemory(kernel, target)))
    return failure();
  reportPlan(kernel);
  return kernel;
}
