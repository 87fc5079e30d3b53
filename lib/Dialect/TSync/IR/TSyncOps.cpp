//===- TSyncOps.cpp - Ops of the tsync dialect ----------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Analysis/AffineRange.h"
#include "grout/Dialect/TSync/IR/TSync.h"

#include "grout/Interfaces/VerifyTiles.h"
#include "grout/Runtime/DeviceABI.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace grout;
using namespace grout::tsync;

#define GET_OP_CLASSES
#include "grout/Dialect/TSync/IR/TSyncOps.cpp.inc"

//===----------------------------------------------------------------------===//
// ChainOp
//===----------------------------------------------------------------------===//

SmallVector<TileKernelOpInterface> ChainOp::getKernels() {
  return llvm::to_vector(getBody().front().getOps<TileKernelOpInterface>());
}

unsigned ChainOp::getLaunchOf(TileKernelOpInterface kernel) {
  unsigned launch = 0;
  if (!isOneLaunch())
    for (TileKernelOpInterface earlier : getKernels()) {
      if (earlier == kernel)
        break;
      launch += earlier.isLaunchedWithNext() ? 0 : 1;
    }
  return launch;
}

SmallVector<SmallVector<TileKernelOpInterface>> ChainOp::getLaunches() {
  SmallVector<SmallVector<TileKernelOpInterface>> launches;
  bool startsNext = true;
  for (TileKernelOpInterface kernel : getKernels()) {
    if (startsNext)
      launches.emplace_back();
    launches.back().push_back(kernel);
    startsNext = !isOneLaunch() && !kernel.isLaunchedWithNext();
  }
  return launches;
}

/// The tile kernel after `kernel` in its block, or null.
static TileKernelOpInterface getNextKernel(TileKernelOpInterface kernel) {
  Operation *op = kernel->getNextNode();
  while (op && !isa<TileKernelOpInterface>(op))
    op = op->getNextNode();
  return dyn_cast_or_null<TileKernelOpInterface>(op);
}

/// Whether `second` is `first`, or comes after it in the same launch.
static bool reachesInLaunch(TileKernelOpInterface first,
                            TileKernelOpInterface second) {
  while (first && first != second)
    first = first.isLaunchedWithNext() ? getNextKernel(first)
                                       : TileKernelOpInterface();
  return first == second;
}

bool ChainOp::areLaunchedTogether(TileKernelOpInterface first,
                                  TileKernelOpInterface second) {
  return isOneLaunch() || reachesInLaunch(first, second) ||
         reachesInLaunch(second, first);
}

bool ChainOp::dependsOnKernels(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != &getBody().front())
    return false;
  if (isa<TileKernelOpInterface>(op))
    return true;
  return llvm::any_of(op->getOperands(),
                      [&](Value operand) { return dependsOnKernels(operand); });
}

void ChainOp::inlineKernels(RewriterBase &rewriter) {
  for (DependenceOp dependence : llvm::make_early_inc_range(getDependences()))
    rewriter.eraseOp(dependence);
  Block &body = getBody().front();
  Operation *yield = body.getTerminator();
  SmallVector<Value> results(yield->getOperands());
  rewriter.eraseOp(yield);
  rewriter.inlineBlockBefore(&body, *this);
  rewriter.replaceOp(*this, results);
}

bool ChainOp::isSynchronisedByTile() {
  return waitsForTiles(tsync::getLaunchWait(getMode())) ||
         llvm::any_of(getKernels(),
                      [](TileKernelOpInterface kernel) {
                        return kernel.isPartOfNext();
                      }) ||
         llvm::any_of(getDependences(), [](DependenceOp dependence) {
           return dependence.isByTile();
         });
}

FailureOr<int64_t> ChainOp::getProvedResidents() {
  if (std::optional<int64_t> residents = getResidents())
    return *residents;
  if (!isSynchronisedByTile())
    return 1;
  return emitOpError("cannot be compiled: nothing has proved that its tiles "
                     "wait for what they read and cannot deadlock; run "
                     "tsync-verify");
}

Mode ChainOp::getKernelMode(TileKernelOpInterface kernel) {
  SmallVector<Mode> modes;
  for (DependenceOp dependence : getDependences())
    if (areLaunchedTogether(dependence.getConsumerKernel(), kernel) &&
        !dependence.isWithinLaunch())
      modes.push_back(dependence.getEffectiveMode());
  // The strictest mode comes first.
  for (Mode mode : getEdgeModes())
    if (llvm::is_contained(modes, mode))
      return mode;
  return getMode();
}

bool ChainOp::isReadAfterLaunches(TileKernelOpInterface kernel,
                                  unsigned operand) {
  if (getLaunchWait(kernel) != LaunchWait::BeforeUse ||
      !dependsOnKernels(kernel->getOperand(operand)))
    return false;
  DependenceOp dependence = findDependence(kernel, operand);
  return !dependence || !dependence.isByTile();
}

DependenceOp ChainOp::findDependence(TileKernelOpInterface kernel,
                                     unsigned operand) {
  for (DependenceOp dependence : getDependences())
    if (dependence.getConsumerKernel() == kernel &&
        dependence.getOperand() == operand)
      return dependence;
  return {};
}

LogicalResult ChainOp::verify() {
  if (getSelectsEdges() && !startsEarly(tsync::getLaunchWait(getMode())))
    return emitOpError() << "selects modes of edges in mode overlap or pdl, "
                            "not in mode "
                         << stringifyMode(getMode());
  std::optional<ArrayAttr> order = getOrder();
  if (order && !order->empty()) {
    unsigned rank = cast<AffineMapAttr>((*order)[0]).getValue().getNumResults();
    for (Attribute attr : *order) {
      AffineMap map = cast<AffineMapAttr>(attr).getValue();
      if (map.getNumResults() != rank)
        return emitOpError("needs an order whose times all have one rank");
      if (map.getNumSymbols() != 0)
        return emitOpError("needs an order without symbols");
      if (llvm::Error error = checkDivisors(map))
        return emitOpError() << "order: " << llvm::toString(std::move(error));
    }
  }
  if (getResidents() && static_cast<int64_t>(*getResidents()) <= 0)
    return emitOpError("needs at least one resident tile");
  return success();
}

LogicalResult ChainOp::verifyRegions() {
  auto yield = dyn_cast<YieldOp>(getBody().front().getTerminator());
  if (!yield || yield.getValues().getTypes() != getResultTypes())
    return emitOpError("results must be the values that its body yields");

  SmallVector<TileKernelOpInterface> kernels = getKernels();
  for (TileKernelOpInterface kernel : kernels)
    if (failed(verifyTileAnswers(kernel)))
      return failure();
  if (kernels.size() > 1)
    for (TileKernelOpInterface kernel : kernels)
      if (hasTilesChosenAtRunTime(kernel))
        return kernel->emitOpError(
            "needs a chain of its own: what its tiles write is known only when "
            "it runs, so no tile can wait for them");
  if (!kernels.empty() && kernels.back().isLaunchedWithNext())
    return kernels.back()->emitOpError(
        "is launched with the next tile kernel, but is the last of its chain");
  if (std::optional<ArrayAttr> order = getOrder()) {
    if (order->size() != kernels.size())
      return emitOpError() << "has " << kernels.size()
                           << " tile kernels, but an order for "
                           << order->size();
    for (auto [index, kernel] : llvm::enumerate(kernels)) {
      FailureOr<SmallVector<int64_t>> grid = kernel.getTileGrid();
      if (failed(grid))
        continue;
      unsigned dims =
          cast<AffineMapAttr>((*order)[index]).getValue().getNumDims();
      if (dims != grid->size())
        return emitOpError()
               << "order " << index << " takes " << dims
               << " coordinates, but that kernel's tiles have " << grid->size();
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// YieldOp
//===----------------------------------------------------------------------===//

void YieldOp::build(OpBuilder &, OperationState &) {}

//===----------------------------------------------------------------------===//
// DependenceOp
//===----------------------------------------------------------------------===//

TileKernelOpInterface DependenceOp::getProducerKernel() {
  return getProducer().getDefiningOp<TileKernelOpInterface>();
}

TileKernelOpInterface DependenceOp::getConsumerKernel() {
  return getConsumer().getDefiningOp<TileKernelOpInterface>();
}

Mode DependenceOp::getEffectiveMode() {
  return getMode().value_or((*this)->getParentOfType<ChainOp>().getMode());
}

bool DependenceOp::isWithinLaunch() {
  auto chain = (*this)->getParentOfType<ChainOp>();
  return chain.areLaunchedTogether(getProducerKernel(), getConsumerKernel());
}

bool DependenceOp::isByTile() {
  return isWithinLaunch() ||
         waitsForTiles(tsync::getLaunchWait(getEffectiveMode()));
}

OpOperand &DependenceOp::getConsumerOperand() {
  return getConsumerKernel()->getOpOperand(getOperand());
}

/// Checks that the mode of `op` is possible in its chain and with its policy.
static LogicalResult verifyMode(DependenceOp op) {
  if (!op.getMode())
    return success();
  StringRef name = stringifyMode(*op.getMode());
  if (isOneLaunch(*op.getMode()))
    return op.emitOpError() << "cannot be in mode " << name
                            << ", which is that of a chain that is one kernel";
  if (op->getParentOfType<ChainOp>().isOneLaunch())
    return op.emitOpError()
           << "cannot be in mode " << name << ": its chain is one kernel";
  if (op.isWithinLaunch())
    return op.emitOpError()
           << "cannot be in mode " << name << ": its kernels are one launch";
  if (!waitsForTiles(getLaunchWait(*op.getMode())) && op.getPolicy())
    return op.emitOpError() << "has a policy, but in mode " << name
                            << " kernels wait for kernels";
  return success();
}

/// Checks that `map`, a part of a policy, has `expected` dimensions.
static LogicalResult verifyMapDims(DependenceOp op, StringRef name,
                                   AffineMap map, size_t expected) {
  if (map.getNumDims() == expected)
    return success();
  return op.emitOpError() << name << " map takes " << map.getNumDims()
                          << " coordinates, but needs " << expected;
}

LogicalResult DependenceOp::verify() {
  TileKernelOpInterface producer = getProducerKernel();
  TileKernelOpInterface consumer = getConsumerKernel();
  if (!producer || producer->getBlock() != (*this)->getBlock())
    return emitOpError("producer must be the result of a tile kernel of this "
                       "chain");
  if (!consumer || consumer->getBlock() != (*this)->getBlock())
    return emitOpError("consumer must be the result of a tile kernel of this "
                       "chain");
  if (getOperand() >= consumer->getNumOperands())
    return emitOpError() << "consumer has no operand " << getOperand();
  if (!producer->isBeforeInBlock(consumer))
    return emitOpError("producer must come before the consumer");
  if (failed(verifyMode(*this)))
    return failure();

  std::optional<PolicyAttr> policy = getPolicy();
  if (!policy)
    return success();
  FailureOr<SmallVector<int64_t>> producerGrid = producer.getTileGrid();
  FailureOr<SmallVector<int64_t>> consumerGrid = consumer.getTileGrid();
  if (failed(producerGrid) || failed(consumerGrid))
    return emitOpError("has a policy, but its kernels have no tile shape yet");
  if (failed(verifyMapDims(*this, "semaphore", policy->getSemaphore(),
                           producerGrid->size())) ||
      failed(verifyMapDims(*this, "lower", policy->getLower(),
                           consumerGrid->size() + 1)))
    return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// PostTilesOp and WaitTilesOp
//===----------------------------------------------------------------------===//

/// Checks that `map`, a part of `op`, takes the coordinates of tiles of
/// `kernel`, and `more` others.
static LogicalResult verifyTileMap(Operation *op, StringRef name, AffineMap map,
                                   TileKernelOpInterface kernel,
                                   unsigned more) {
  FailureOr<SmallVector<int64_t>> grid = kernel.getTileGrid();
  if (failed(grid))
    return op->emitOpError("names a kernel that has no tile shape");
  if (map.getNumDims() == grid->size() + more)
    return success();
  return op->emitOpError() << name << " map takes " << map.getNumDims()
                           << " coordinates, but needs " << grid->size() + more;
}

LogicalResult PostTilesOp::verify() {
  auto kernel = getProducer().getDefiningOp<TileKernelOpInterface>();
  if (!kernel || kernel->getBlock() != (*this)->getBlock())
    return emitOpError("producer must be the result of a tile kernel of its "
                       "launch");
  if (getSemaphore().getNumResults() != getShape().size())
    return emitOpError() << "has a map to " << getSemaphore().getNumResults()
                         << " coordinates, but an array of rank "
                         << getShape().size();
  int64_t count = 1;
  for (int64_t extent : getShape()) {
    if (extent < 1 || extent > kernelabi::kMaxSemaphores / count)
      return emitOpError() << "has an array of none or of more than "
                           << kernelabi::kMaxSemaphores << " semaphores";
    count *= extent;
  }
  return verifyTileMap(*this, "semaphore", getSemaphore(), kernel, /*more=*/0);
}

LogicalResult WaitTilesOp::verify() {
  TileKernelOpInterface kernel = getKernel();
  if (!kernel || kernel->getBlock() != (*this)->getBlock())
    return emitOpError("consumer must be the result of a tile kernel of its "
                       "launch");
  if (getOperand() >= kernel->getNumOperands())
    return emitOpError() << "consumer has no operand " << getOperand();
  return verifyTileMap(*this, "lower", getPolicy().getLower(), kernel,
                       /*more=*/1);
}

//===----------------------------------------------------------------------===//
// WaitOp
//===----------------------------------------------------------------------===//

LogicalResult WaitOp::verify() {
  if (!getTask().empty() && getTask().size() != 4)
    return emitOpError() << "needs the 4 words of a task or none, got "
                         << getTask().size();
  return success();
}
