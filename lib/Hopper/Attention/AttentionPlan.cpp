//===- AttentionPlan.cpp - The shape of a Hopper attention kernel ---------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "AttentionPlan.h"

#include "AttentionRoles.h"
#include "grout/Hopper/Attention/AttentionModel.h"
#include "grout/Target/IR/Grout.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

/// Alignment of addresses and strides in a tensor map, in bytes.
static constexpr int64_t kRowAlignment = kernelabi::kTensorMapGranule;

int64_t AttentionPlan::getQueryChunkBytes() const {
  return rowGroups * kMmaRows * kRowBytes;
}

int64_t AttentionPlan::getStepChunkBytes() const {
  return tiling.getN() * kRowBytes;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

namespace {

/// A tensor of (b, h, i, d) with its place in memory, in any order of
/// dimensions: extents, and bytes between neighbours.
struct Strided {
  BufferView view;
  int64_t offset;
  std::array<int64_t, 4> extents, strides;
};

} // namespace

static FailureOr<Strided> getStrided(tgemm::AttentionOp op, Value tensor,
                                     AffineMap layout, LaunchTensors &tensors) {
  FailureOr<BufferView> view = tensors.getView(tensor, op);
  if (failed(view))
    return failure();
  int64_t bytes = view->elementType.getIntOrFloatBitWidth() / 8;
  Strided strided;
  strided.view = *view;
  strided.offset = view->offset * bytes;
  for (auto [position, expr] : llvm::enumerate(layout.getResults())) {
    unsigned dim = cast<AffineDimExpr>(expr).getPosition();
    strided.extents[dim] = view->shape[position];
    strided.strides[dim] = view->strides[position] * bytes;
  }
  return strided;
}

namespace {

/// A tensor as TMA addresses it; dimensions are innermost first.
struct RowGeometry {
  SmallVector<int64_t> sizes, strides;
};

} // namespace

/// Fails with a diagnostic if TMA cannot copy rows of `strided`.
static FailureOr<RowGeometry> getGeometry(tgemm::AttentionOp op, StringRef name,
                                          const Strided &strided) {
  // Innermost first: element, head, position, batch.
  SmallVector<int64_t> sizes = {strided.extents[3], strided.extents[1],
                                strided.extents[2], strided.extents[0]};
  SmallVector<int64_t> strides = {strided.strides[1], strided.strides[2],
                                  strided.strides[0]};
  bool fits =
      strided.offset % kRowAlignment == 0 &&
      (sizes[0] == 1 || strided.strides[3] * 8 ==
                            strided.view.elementType.getIntOrFloatBitWidth());
  for (auto [index, stride] : llvm::enumerate(strides)) {
    // If there is a single element, any stride will do.
    if (sizes[index + 1] == 1)
      stride = kRowAlignment;
    fits &= stride % kRowAlignment == 0;
  }
  if (!fits) {
    InFlightDiagnostic diag = emitTargetError(op);
    diag << name << " must have rows of neighbouring elements that start at "
         << "multiples of " << kRowAlignment << " bytes, but its strides are (";
    llvm::interleaveComma(strided.view.strides, diag);
    diag << ") elements of " << strided.view.elementType;
    if (strided.view.offset)
      diag << " from element " << strided.view.offset;
    return diag;
  }
  return RowGeometry{sizes, strides};
}

/// Adds a tensor map of `strided`. A copy takes one chunk of `heads` times
/// `positions` rows.
static FailureOr<unsigned> addTensorMap(tgemm::AttentionOp op, StringRef name,
                                        const Strided &strided, int64_t heads,
                                        int64_t positions,
                                        KernelParams &params) {
  FailureOr<RowGeometry> geometry = getGeometry(op, name, strided);
  if (failed(geometry))
    return failure();
  return params.addTensorMap(
      strided.view.buffer, strided.offset, geometry->sizes, geometry->strides,
      {kChunk, heads, positions, 1}, launch::Swizzle::b128);
}

/// Adds the address of a tensor that threads access element by element.
static StridedTensor addAddress(const Strided &strided, KernelParams &params) {
  StridedTensor tensor;
  tensor.param = params.addBufferAddress(strided.view.buffer);
  tensor.offset = strided.offset;
  llvm::copy(strided.strides, tensor.strides);
  tensor.elementType = cast<FloatType>(strided.view.elementType);
  return tensor;
}

static LogicalResult planBias(AttentionPlan &plan, LaunchTensors &tensors) {
  if (!plan.op.getBias())
    return success();
  FailureOr<BufferView> view = tensors.getView(plan.op.getBias(), plan.op);
  if (failed(view))
    return failure();
  int64_t bytes = view->elementType.getIntOrFloatBitWidth() / 8;
  StridedTensor bias;
  bias.param = plan.params.addBufferAddress(view->buffer);
  bias.offset = view->offset * bytes;
  bias.elementType = cast<FloatType>(view->elementType);
  for (auto [expr, stride] :
       llvm::zip_equal(plan.op.getBiasMap()->getResults(), view->strides))
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      bias.strides[dim.getPosition()] = stride * bytes;
  plan.bias = bias;
  return success();
}

static LogicalResult planTensors(AttentionPlan &plan, LaunchTensors &tensors) {
  tgemm::AttentionOp op = plan.op;
  // Each warpgroup's rows are loaded and stored by a copy of their own.
  int64_t heads = plan.tiling.getHeads(), queries = plan.getRowGroupQueries();
  static constexpr StringLiteral kNames[] = {"its query", "its key",
                                             "its value"};
  unsigned *maps[] = {&plan.queryParam, &plan.keyParam, &plan.valueParam};
  for (unsigned number = 0; number != 3; ++number) {
    FailureOr<Strided> strided = getStrided(
        op, op->getOperand(number), op.getOperandLayout(number), tensors);
    if (failed(strided))
      return failure();
    bool isQuery = number == 0;
    FailureOr<unsigned> map =
        addTensorMap(op, kNames[number], *strided, isQuery ? heads : 1,
                     isQuery ? queries : plan.tiling.getN(), plan.params);
    if (failed(map))
      return failure();
    *maps[number] = *map;
    bool isFetched =
        plan.loadsNeedLaunches && isa<BlockArgument>(strided->view.buffer);
    plan.fetchesKeys |= number == 1 && isFetched;
    plan.fetchesValues |= number == 2 && isFetched;
  }
  FailureOr<Strided> result =
      getStrided(op, op.getResult(), op.getResultLayout(), tensors);
  if (failed(result))
    return failure();
  if (plan.isSplit()) {
    // Threads store vectors of elements.
    if (failed(getGeometry(op, "its result", *result)))
      return failure();
    plan.result = addAddress(*result, plan.params);
    return planBias(plan, tensors);
  }
  FailureOr<unsigned> map =
      addTensorMap(op, "its result", *result, heads, queries, plan.params);
  if (failed(map))
    return failure();
  plan.resultParam = *map;
  return planBias(plan, tensors);
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

static LogicalResult checkOp(tgemm::AttentionOp op, const TargetSpec &target) {
  if (!op.getTiling())
    return emitTargetError(op)
           << "it has no tiling; run tgemm-assign-attention-tiling";
  std::string problem = findAttentionProblem(op);
  if (problem.empty())
    problem = findAttentionTilingProblem(op, *op.getTiling(), target);
  if (!problem.empty())
    return emitTargetError(op) << problem;
  return success();
}

/// Plans the waits and posts of the kernel.
static void planSynchronisation(AttentionPlan &plan, launch::TilesOp launch,
                                LaunchTensors &tensors) {
  SemaphoreLayout layout(launch);
  plan.programmatic = ProgrammaticLaunch::get(launch);
  for (const SemaphoreWait &wait : layout.getWaits(plan.op))
    plan.waits.push_back(wait.inBlocks());
  plan.posts = llvm::to_vector(layout.getPosts(plan.op));
  auto needsLaunches = [&](unsigned operand) {
    return plan.programmatic.loadsEarly &&
           tensors.dependsOnTiles(plan.op->getOperand(operand)) &&
           !layout.isWaitedFor(plan.op, operand);
  };
  plan.loadsNeedLaunches = llvm::any_of(llvm::seq<unsigned>(3), needsLaunches);
  plan.biasNeedsLaunches = plan.op.getBias() && needsLaunches(3);
}

/// Plans the rings, and the places of their barriers.
static void layOutRings(AttentionPlan &plan) {
  BarrierLayout layout(plan.memory.barrierOffset);
  int64_t stages = plan.tiling.getStages();
  plan.queryRing.size = plan.resultRing.size = 1;
  plan.keyRing.size = plan.valueRing.size = stages;
  plan.keyRing.offset = plan.memory.keyOffset;
  plan.keyRing.bytes = plan.memory.keyChunks * plan.getStepChunkBytes();
  plan.valueRing.offset = plan.memory.valueOffset;
  plan.valueRing.bytes = plan.memory.valueChunks * plan.getStepChunkBytes();
  plan.queryRing.full = layout.add(1, {{kAttentionLoader}});
  plan.resultRing.full = layout.add(1, {{plan.getConsumers()}});
  plan.keyRing.full = layout.add(stages, {{kAttentionLoader}});
  plan.valueRing.full = layout.add(stages, {{kAttentionLoader}});
  plan.keyRing.empty = layout.add(stages, {{plan.getStageReaders()}});
  plan.valueRing.empty = layout.add(stages, {{plan.getStageReaders()}});
  assert(layout.getEnd() == plan.sharedBytes && "the model forgets barriers");
}

FailureOr<AttentionPlan> hopper::planAttention(launch::TilesOp launch,
                                               LaunchTensors &tensors,
                                               const TargetSpec &target) {
  AttentionPlan plan;
  plan.name = launch.getName().str();
  plan.op = cast<tgemm::AttentionOp>(launch.getKernels().front());
  if (failed(checkOp(plan.op, target)))
    return failure();
  plan.tiling = *plan.op.getTiling();
  plan.grid = *plan.op.getTileGrid();
  plan.steps = plan.op.getStepCount();
  plan.blockSteps = plan.op.getStepsInOrder().value_or(plan.steps);
  plan.rowGroups = getRowGroups(plan.tiling);
  plan.warpgroups = plan.rowGroups * plan.getSharers();
  plan.clusterSize = plan.tiling.getSplits();
  plan.registers = *chooseAttentionRegisters(plan.op, plan.tiling);
  plan.memory = layOutAttention(plan.op, plan.tiling);
  plan.sharedBytes = plan.memory.sharedBytes;
  layOutRings(plan);
  if (plan.getNumBlocks() > kernelabi::kMaxGridX)
    return emitTargetError(plan.op) << "it has too many tiles";

  planSynchronisation(plan, launch, tensors);
  if (failed(planTensors(plan, tensors)))
    return failure();
  if (plan.usesSemaphores())
    plan.addSyncState(launch);
  return plan;
}
