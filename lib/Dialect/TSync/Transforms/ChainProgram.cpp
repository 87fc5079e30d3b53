//===- ChainProgram.cpp - A chain as a tile program -----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TSync/Transforms/ChainProgram.h"

#include "grout/Interfaces/LinalgTileKernel.h"
#include "grout/Interfaces/VerifyTiles.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace grout;
using namespace grout::tsync;

/// Appends to `views` the views by which `op` makes its result from its source,
/// the last view first. Fails if they are not static.
static LogicalResult addViews(Operation *op, SmallVectorImpl<View> &views) {
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    if (llvm::any_of(slice.getStaticOffsets(), ShapedType::isDynamic) ||
        llvm::any_of(slice.getStaticSizes(), ShapedType::isDynamic) ||
        llvm::any_of(slice.getStaticStrides(), ShapedType::isDynamic))
      return failure();
    // A slice that drops dimensions is a slice, then a reshape.
    if (slice.getDroppedDims().any())
      views.push_back(View::reshape(slice.getResultType().getShape(),
                                    slice.getStaticSizes()));
    views.push_back(View::slice(slice.getStaticOffsets(),
                                slice.getStaticSizes(),
                                slice.getStaticStrides()));
    return success();
  }
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) {
    auto source = cast<RankedTensorType>(op->getOperand(0).getType());
    auto result = cast<RankedTensorType>(op->getResult(0).getType());
    if (!source.hasStaticShape() || !result.hasStaticShape())
      return failure();
    views.push_back(View::reshape(result.getShape(), source.getShape()));
    return success();
  }
  return failure();
}

SemaphorePolicy tsync::toSemaphorePolicy(PolicyAttr policy) {
  SemaphorePolicy result;
  result.semaphore = policy.getSemaphore();
  result.shape = llvm::to_vector(policy.getShape());
  result.counts = llvm::to_vector(policy.getCounts());
  result.waitLower = policy.getLower();
  result.waitUpper = policy.getUpper();
  if (AffineMap guard = policy.getGuard())
    result.guards = llvm::to_vector(guard.getResults());
  return result;
}

PolicyAttr tsync::toPolicyAttr(const SemaphorePolicy &policy) {
  MLIRContext *context = policy.semaphore.getContext();
  AffineMap guard;
  if (!policy.guards.empty())
    guard = AffineMap::get(policy.waitLower.getNumDims() - 1, 0, policy.guards,
                           context);
  return PolicyAttr::get(context, policy.semaphore, policy.shape, policy.counts,
                         policy.waitLower, policy.waitUpper, guard);
}

TileKernel tsync::toTileKernel(TileKernelOpInterface kernel, unsigned position,
                               ArrayRef<int64_t> grid) {
  TileKernel result;
  result.name = (kernel->getName().stripDialect() + Twine(position)).str();
  std::replace(result.name.begin(), result.name.end(), '.', '_');
  result.grid = llvm::to_vector(grid);
  result.steps = kernel.getStepCount();
  result.stepsInOrder = kernel.getStepsInOrder();
  return result;
}

/// Returns the time of the tiles of kernel `position`, whose time in `chain` is
/// `time`. Adds the number of the launch in modes in which launches do not mix
/// their tiles.
static AffineMap getTime(ChainOp chain, AffineMap time, unsigned position) {
  if (getLaunchWait(chain.getMode()) == LaunchWait::Never)
    return time;
  unsigned launch = chain.getLaunchOf(chain.getKernels()[position]);
  return time.insertResult(getAffineConstantExpr(launch, chain.getContext()),
                           0);
}

/// Returns the waits for launches that `kernel` does. On GPUs,
/// ProgrammaticLaunch emits code for them.
static LaunchWaits getLaunchWaits(TileKernelOpInterface kernel,
                                  LaunchWait wait) {
  LaunchWaits launch;
  launch.atStart = wait == LaunchWait::BeforeStart;
  // A result that only the same launch reads may be written earlier.
  launch.beforeWrites = wait == LaunchWait::BeforeUse && !kernel.isPartOfNext();
  launch.beforeEnd = startsEarly(wait);
  return launch;
}

/// Refuses `kernel`, whose tiles are not known.
static LogicalResult refuseWithoutTiles(TileKernelOpInterface kernel) {
  for (Type type : kernel->getOperandTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type);
        tensor && llvm::is_contained(tensor.getShape(), 0))
      return kernel->emitOpError() << "has no tiles: " << type
                                   << " has no elements, as it has extent 0";
  if (kernel->getName().getDialectNamespace() == "linalg")
    return kernel->emitOpError()
           << "has no tile shape: in a chain, it needs "
           << kLinalgTileSizesAttrName
           << " with a positive size for each of its loops; outside of one, "
              "Grout chooses its tiles";
  if (kernel->getName().getDialectNamespace() != "tgemm")
    return kernel->emitOpError(
        "has no tiles: its TileKernelOpInterface::getTileGrid fails; an op "
        "with tiles returns their grid, and others stay outside of chains");
  return kernel->emitOpError(
      "has no tile shape: give it one, or run the passes that assign tilings");
}

FailureOr<ChainProgram> ChainProgram::get(ChainOp chain) {
  ChainProgram result;
  Block *block = &chain.getBody().front();
  TileProgram &program = result.program;
  llvm::DenseMap<Value, unsigned> tensors, writes;
  llvm::DenseMap<Operation *, unsigned> positions;

  for (TileKernelOpInterface kernel : chain.getKernels()) {
    FailureOr<SmallVector<int64_t>> grid = kernel.getTileGrid();
    if (failed(grid))
      return refuseWithoutTiles(kernel);
    if (failed(verifyTileAnswers(kernel)))
      return failure();
    unsigned position = result.kernels.size();
    positions[kernel] = position;
    result.kernels.push_back(kernel);
    program.kernels.push_back(toTileKernel(kernel, position, *grid));
    LaunchWait wait = chain.getLaunchWait(kernel);
    if (wait != LaunchWait::Never) {
      LaunchWaits launch = getLaunchWaits(kernel, wait);
      launch.isWithPrevious =
          position != 0 && result.kernels[position - 1].isLaunchedWithNext();
      program.launches.push_back(launch);
    }

    for (OpOperand &operand : kernel->getOpOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.get().getType());
      if (!type || !chain.dependsOnKernels(operand.get()))
        continue;
      ElementAccess access =
          toElementAccess(kernel.getOperandAccess(operand), type);
      Value root = operand.get();
      while (!tensors.contains(root)) {
        Operation *op = root.getDefiningOp();
        if (failed(addViews(op, access.views))) {
          InFlightDiagnostic diag = kernel->emitOpError()
                                    << "reads another kernel of the chain "
                                       "through an op that is not a static "
                                       "view (operand "
                                    << operand.getOperandNumber() << ")";
          diag.attachNote(op->getLoc()) << "this op";
          return diag;
        }
        root = op->getOperand(0);
      }
      unsigned producer = positions[root.getDefiningOp()];
      program.reads.push_back(
          {position, operand.getOperandNumber(), tensors[root], access,
           chain.isReadAfterLaunches(kernel, operand.getOperandNumber()),
           kernel.isReadAfterSteps(operand)});
      result.reads.push_back({producer, position, &operand, access,
                              cast<OpResult>(root), writes[root]});
    }

    for (OpResult value : kernel->getResults()) {
      auto type = cast<RankedTensorType>(value.getType());
      unsigned tensor = program.tensors.size();
      tensors[value] = tensor;
      writes[value] = program.writes.size();
      TensorInfo info;
      info.shape = llvm::to_vector(type.getShape());
      info.elementBits = type.getElementTypeBitWidth();
      info.buffer = tensor;
      info.isOutput =
          llvm::is_contained(block->getTerminator()->getOperands(), value);
      program.tensors.push_back(info);
      program.writes.push_back(
          {position, value.getResultNumber(), tensor,
           toElementAccess(kernel.getResultAccess(value), type)});
    }
  }

  for (DependenceOp dependence : chain.getDependences()) {
    std::optional<PolicyAttr> policy = dependence.getPolicy();
    if (!policy || !dependence.isByTile())
      continue;
    SynchronisedEdge edge;
    edge.producer = positions[dependence.getProducerKernel()];
    edge.consumer = positions[dependence.getConsumerKernel()];
    edge.operand = dependence.getOperand();
    edge.policy = toSemaphorePolicy(*policy);
    edge.isAfterSteps = dependence.getConsumerKernel().isReadAfterSteps(
        dependence.getConsumerOperand());
    program.edges.push_back(std::move(edge));
    result.edges.push_back(dependence);
  }
  if (std::optional<ArrayAttr> order = chain.getOrder())
    for (auto [position, map] : llvm::enumerate(*order))
      program.order.push_back(
          getTime(chain, cast<AffineMapAttr>(map).getValue(), position));
  return result;
}
