//===- BodyPlan.cpp - The shape of a tile kernel --------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "BodyPlan.h"

#include "EpilogueMath.h"
#include "RankSums.h"
#include "TensorMaps.h"
#include "grout/Dialect/TGemm/Transforms/ProductModel.h"
#include "grout/Hopper/Gemm/OperandLoader.h"
#include "grout/Hopper/Gemm/TilingLimits.h"
#include "grout/Hopper/Kit/DeviceBuilder.h"
#include "grout/Target/IR/Grout.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

//===----------------------------------------------------------------------===//
// Derived quantities
//===----------------------------------------------------------------------===//

int64_t BodyPlan::getStepBytes(Loader loader) const {
  int64_t bytes = 0;
  for (const OperandPlan &operand : operands)
    if (operand.loader == loader)
      bytes += operand.chunkBytes * getChunksPerStep();
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

int64_t BodyPlan::getNumStaged() const {
  return rowBlocks *
         llvm::divideCeil(tiling.getResultMmaN(), result.mmaColumns);
}

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

/// Sets the tiling of `op`, and how many rows of a block each consumer
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

/// Returns the tile kernel before `op` in its launch, past views between them.
static Operation *getPreviousKernel(Operation *op) {
  do
    op = op->getPrevNode();
  while (op && !isa<TileKernelOpInterface>(op));
  return op;
}

/// Returns `kernel` if it is a GEMM op, or the GEMM op whose partial sums it
/// computes.
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

/// Plans the place of the partial sums and, if the body computes them, the
/// steps of a part.
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

/// Whether memory takes much longer to deliver an element of rhs of `op` than
/// the MMAs with that element take. Memory should then not be idle while a
/// kernel waits.
static bool isMemoryBound(tgemm::ProductOpInterface op,
                          const TargetSpec &target) {
  if (tgemm::stayInCache(op, target))
    return false;
  int64_t flops = 2 * tgemm::getModelledRows(op);
  int64_t bytes = op.getInputElementType().getWidth() / 8;
  double products = static_cast<double>(flops) / target.matrixRate;
  double memory = static_cast<double>(bytes) / target.memoryRate;
  return products < target.prefetchThreshold * memory;
}

namespace {

/// Plans one body.
class BodyPlanner {
public:
  BodyPlanner(const BodyContext &context, TileKernelOpInterface kernel,
              tgemm::ProductOpInterface op)
      : context(context), kernel(kernel), op(op),
        numOperands(1 + op.getNumProducts()) {
    body.tileKernel = kernel;
    body.op = op;
  }

  FailureOr<BodyPlan> plan(FindOperandLoader findLoader, FindMma findMma);

private:
  bool dependsOnTiles(unsigned operand) const {
    return context.tensors.dependsOnTiles(kernel->getOperand(operand));
  }
  bool needsLaunches(unsigned operand) const {
    return context.programmatic.loadsEarly && dependsOnTiles(operand) &&
           !context.layout.isWaitedFor(kernel, operand);
  }
  bool waits(unsigned operand) const {
    return needsLaunches(operand) ||
           (!body.waits.empty() && dependsOnTiles(operand));
  }
  auto getOperands() const { return llvm::seq<unsigned>(numOperands); }

  void planSteps();
  LogicalResult planGroups();
  LogicalResult planOperands();
  LogicalResult planInputs();

  const BodyContext &context;
  TileKernelOpInterface kernel;
  tgemm::ProductOpInterface op;
  /// Operands A and B are the first operands of `kernel`.
  unsigned numOperands;
  BodyPlan body;
};

} // namespace

void BodyPlanner::planSteps() {
  body.grid = *kernel.getTileGrid();
  body.steps = op.getStepCount();
  // The proof assumes that the waits of a block cover no more than its own
  // steps.
  body.blockSteps = op.getStepsInOrder().value_or(body.steps);
  if (std::optional<int64_t> depth =
          getSumDepth(op, body.tiling, body.mmaTraits))
    body.sumSteps = std::max<int64_t>(*depth / body.tiling.getK(), 1);
  for (const SemaphoreWait &wait : context.layout.getWaits(kernel))
    body.waits.push_back(wait.inBlocks());
  body.posts = llvm::to_vector(context.layout.getPosts(kernel));
  auto operandNeedsLaunches = [&](unsigned operand) {
    return needsLaunches(operand);
  };
  body.operandsNeedLaunches = llvm::any_of(getOperands(), operandNeedsLaunches);
  body.prefetches = needsLaunches(0) &&
                    llvm::none_of(llvm::seq<unsigned>(1, numOperands),
                                  operandNeedsLaunches) &&
                    isMemoryBound(op, context.target);
}

LogicalResult BodyPlanner::planGroups() {
  Value ends = op.getGroupEnds();
  if (!ends)
    return success();
  int64_t count = *op.getNumGroups();
  if (count >= kMaxGroups)
    return emitTargetError(op) << "it has " << count << " groups of rows, but "
                               << "kernels take fewer than " << kMaxGroups;
  FailureOr<BufferView> view = context.tensors.getView(ends, op);
  if (failed(view))
    return failure();
  constexpr int64_t bytes = sizeof(int32_t);
  auto isEnds = [&](OpOperand &operand) { return operand.get() == ends; };
  unsigned operand =
      llvm::find_if(op->getOpOperands(), isEnds)->getOperandNumber();
  body.groups = {count, context.params.addBufferAddress(view->buffer),
                 view->offset * bytes, view->strides[0] * bytes,
                 needsLaunches(operand)};
  return success();
}

LogicalResult BodyPlanner::planOperands() {
  // If no operand waits, the loaders divide the operands between them. An
  // operand may have no wait of its own because the waits for other operands
  // cover it.
  bool anyWaits = llvm::any_of(
      getOperands(), [&](unsigned operand) { return waits(operand); });
  SmallVector<int64_t> grid = *op.getTileGrid();
  int64_t gridRows = grid[grid.size() - 2];
  int64_t gridColumns = grid.back();
  int64_t offset = 0;
  for (unsigned number : getOperands()) {
    bool isLhs = number == 0;
    bool isWaiting = anyWaits ? waits(number) : isLhs;
    FailureOr<OperandPlan> operand = body.operandLoader->plan(
        context.params, context.tensors, op,
        {number, isLhs ? body.tiling.getBlockM() : body.tiling.getBlockN(),
         isLhs ? body.tiling.getClusterN() : body.tiling.getClusterM(),
         isWaiting ? Loader::waiting : Loader::independent, body.mmaTraits});
    if (failed(operand))
      return failure();
    // All tiles in a row of the grid read the same rows of lhs. If several rows
    // of lhs contain the same elements, as in a convolution, other tiles read
    // some of them, too.
    operand->isReadOnce = (isLhs ? gridColumns : gridRows) == 1 &&
                          operand->isBatched == body.isBatched() &&
                          !(isLhs && op.hasSharedElements());
    operand->offset = offset;
    offset += operand->chunkBytes * body.getChunksPerStep();
    body.operands.push_back(*operand);
  }
  return success();
}

LogicalResult BodyPlanner::planInputs() {
  for (unsigned index = 0, e = op.getEpilogueInputs().size(); index != e;
       ++index) {
    FailureOr<InputPlan> input =
        planInput(context.params, context.tensors, op, body.tiling, index);
    if (failed(input))
      return failure();
    unsigned operand = op.getEpilogueInputs().getBeginOperandIndex() + index;
    input->needsLaunches = needsLaunches(operand);
    input->waitsForTiles = !body.waits.empty() && dependsOnTiles(operand);
    body.inputs.push_back(*input);
  }
  return success();
}

FailureOr<BodyPlan> BodyPlanner::plan(FindOperandLoader findLoader,
                                      FindMma findMma) {
  body.operandLoader = findLoader(op);
  if (!body.operandLoader)
    return emitTargetError(op) << "nothing loads its operands";
  if (failed(planTiling(op, body, context.target)) || failed(checkEpilogue(op)))
    return failure();
  body.mma = findMma(op.getInputElementType());
  if (!body.mma)
    return emitTargetError(op)
           << "no instruction multiplies " << op.getInputElementType();
  body.mmaTraits = *body.mma->findTraits(op.getInputElementType());
  planSteps();
  if (failed(planGroups()) || failed(planOperands()) ||
      failed(planPartialSums(body, context.params, context.tensors)))
    return failure();
  if (body.arePartialSums)
    return body;
  FailureOr<ResultPlan> result =
      planResult(context.params, context.tensors, op, body.tiling);
  if (failed(result))
    return failure();
  body.result = *result;
  if (failed(planRankSum(context.params, body, context.target)) ||
      failed(planInputs()))
    return failure();
  return body;
}

FailureOr<BodyPlan> hopper::planBody(const BodyContext &context,
                                     TileKernelOpInterface kernel,
                                     FindOperandLoader findLoader,
                                     FindMma findMma) {
  FailureOr<tgemm::ProductOpInterface> op = getProduct(kernel);
  if (failed(op))
    return failure();
  return BodyPlanner(context, kernel, *op).plan(findLoader, findMma);
}

void hopper::planEarlyInputs(BodyPlan &body, int64_t free) {
  // If no operand needs a launch before, the steps should not wait for one
  // because of an input.
  auto canBeEarly = [&](const InputPlan &input) {
    return !input.waitsForTiles &&
           (!input.needsLaunches || body.operandsNeedLaunches) &&
           llvm::is_contained({2, 4}, input.getElementBytes());
  };
  for (InputPlan &input : body.inputs)
    input.isEarly = false;
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
