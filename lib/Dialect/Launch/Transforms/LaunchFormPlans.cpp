//===- LaunchFormPlans.cpp - From functions to plans ----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ChainTriggers.h"
#include "FunctionBuffers.h"
#include "grout/Dialect/Launch/IR/BufferParts.h"
#include "grout/Dialect/Launch/Transforms/Passes.h"
#include "grout/Dialect/Scop/IR/Scop.h"
#include "grout/Dialect/TSync/Transforms/ChainSemaphores.h"
#include "grout/Support/SymbolNames.h"
#include "grout/Target/IR/Grout.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/DebugLog.h"
#include <vector>

#define DEBUG_TYPE "launch-form-plans"

namespace grout::launch {
#define GEN_PASS_DEF_LAUNCHFORMPLANS
#include "grout/Dialect/Launch/Transforms/Passes.h.inc"
} // namespace grout::launch

using namespace mlir;
using namespace grout;
using namespace grout::launch;

namespace {

/// The body of a launch that is being built.
class LaunchBody {
public:
  explicit LaunchBody(const FunctionBuffers &buffers)
      : buffers(buffers), block(std::make_unique<Block>()),
        builder(buffers.getPlan().getContext()) {
    builder.setInsertionPointToEnd(block.get());
  }

  /// Copies `kernel`, and the ops between kernels that it needs.
  Operation *addKernel(TileKernelOpInterface kernel);
  /// Makes its kernels post and wait as `semaphores` of their chain say.
  void addSemaphores(const tsync::ChainSemaphores &semaphores,
                     ArrayRef<TileKernelOpInterface> kernels,
                     ArrayRef<Operation *> copies);
  /// Whether any of its kernels posts or waits.
  bool usesSemaphores() const { return hasSemaphores; }
  /// Ends the body with a yield of all that its kernels compute.
  void finish(Location loc);

  ArrayRef<Value> getInputs() const { return inputs; }
  ArrayRef<Value> getOutputs() const { return outputs; }
  std::unique_ptr<Block> takeBlock() { return std::move(block); }

private:
  void addValue(Value value);
  Operation *clone(Operation *op);

  const FunctionBuffers &buffers;
  std::unique_ptr<Block> block;
  OpBuilder builder;
  IRMapping mapping;
  SmallVector<Value> inputs, outputs;
  /// The values that are written to the outputs.
  SmallVector<Value> results;
  bool hasSemaphores = false;
};

/// Makes the plan of one function.
class PlanFormer {
public:
  PlanFormer(func::FuncOp func, const FunctionBuffers &buffers,
             const TargetSpec &target)
      : func(func), buffers(buffers), target(target),
        name(getSymbolSafeName(func.getName())), plan(buffers.getPlan()) {}

  LogicalResult run();

private:
  LogicalResult addChain(tsync::ChainOp chain);
  void addKernels(Operation *op);
  TilesOp addLaunch(LaunchBody &body, Location loc, StringRef launchName);
  /// Adds edges of kind `edge` to `launch`, from each other launch that
  /// computed one of `inputs`.
  void addDataEdges(TilesOp launch, ArrayRef<Value> inputs, Edge edge);
  void addCollectiveEdge(TilesOp launch, Edge edge);
  void addFirstEdges(tsync::ChainOp chain, TilesOp launch,
                     ArrayRef<LaunchBody> bodies);
  void addChainEdges(tsync::ChainOp chain,
                     ArrayRef<TileKernelOpInterface> kernels, TilesOp launch,
                     TilesOp previous);

  func::FuncOp func;
  const FunctionBuffers &buffers;
  TargetSpec target;
  std::string name;
  PlanOp plan;
  /// Returns the last launches before `launch` that write `buffer`, or parts of
  /// it.
  SmallVector<TilesOp> getWritersBefore(TilesOp launch, Value buffer);

  /// The launch of each kernel; and, for each buffer, its writers in order.
  llvm::DenseMap<Operation *, TilesOp> launches;
  llvm::MapVector<Value, SmallVector<TilesOp, 1>> writers;
  TilesOp lastCollective;
  unsigned numChains = 0, numKernels = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

void LaunchBody::addValue(Value value) {
  if (mapping.contains(value))
    return;
  Value yielded = getYielded(value);
  if (!mapping.contains(yielded)) {
    if (Value buffer = buffers.lookup(yielded)) {
      inputs.push_back(buffer);
      mapping.map(yielded,
                  block->addArgument(yielded.getType(), yielded.getLoc()));
    } else if (Operation *op = yielded.getDefiningOp()) {
      clone(op);
    }
  }
  mapping.map(value, mapping.lookup(yielded));
}

Operation *LaunchBody::clone(Operation *op) {
  for (Value operand : op->getOperands())
    addValue(operand);
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured)
    addValue(value);
  return builder.clone(*op, mapping);
}

Operation *LaunchBody::addKernel(TileKernelOpInterface kernel) {
  Operation *copy = clone(kernel);
  for (auto [result, copied] :
       llvm::zip_equal(kernel->getResults(), copy->getResults())) {
    outputs.push_back(buffers.lookup(result));
    results.push_back(copied);
  }
  return copy;
}

void LaunchBody::addSemaphores(const tsync::ChainSemaphores &semaphores,
                               ArrayRef<TileKernelOpInterface> kernels,
                               ArrayRef<Operation *> copies) {
  for (auto [kernel, copy] : llvm::zip_equal(kernels, copies)) {
    semaphores.emit(builder, kernel, copy);
    hasSemaphores |= semaphores.areUsedBy(kernel);
  }
}

void LaunchBody::finish(Location loc) {
  YieldOp::create(builder, loc, results);
}

TilesOp PlanFormer::addLaunch(LaunchBody &body, Location loc,
                              StringRef launchName) {
  body.finish(loc);
  auto builder = OpBuilder::atBlockEnd(&plan.getBody().front());
  auto launch = TilesOp::create(builder, loc, launchName, body.getInputs(),
                                body.getOutputs());
  launch.getBody().push_back(body.takeBlock().release());
  for (Value output : launch.getOutputs())
    writers[output].push_back(launch);
  return launch;
}

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

SmallVector<TilesOp> PlanFormer::getWritersBefore(TilesOp launch,
                                                  Value buffer) {
  SmallVector<TilesOp> last;
  for (auto &[written, launches] : writers) {
    if (!mayOverlap(written, buffer))
      continue;
    ArrayRef<TilesOp> all = launches;
    // If `launch` updates the buffer, it is the last writer. Take the one
    // before it.
    if (all.back() == launch)
      all = all.drop_back();
    if (!all.empty())
      last.push_back(all.back());
  }
  return last;
}

void PlanFormer::addDataEdges(TilesOp launch, ArrayRef<Value> inputs,
                              Edge edge) {
  for (Value input : inputs)
    for (TilesOp writer : getWritersBefore(launch, input))
      cast<LaunchOpInterface>(*launch).addEdge(writer.getToken(), edge);
}

/// Adds an edge of kind `edge` to `launch` from the collective launch before.
/// All ranks then run collective launches in the same order.
void PlanFormer::addCollectiveEdge(TilesOp launch, Edge edge) {
  auto edges = cast<LaunchOpInterface>(*launch);
  if (lastCollective && !edges.isAfter(lastCollective.getToken()))
    edges.addEdge(lastCollective.getToken(), edge);
  lastCollective = launch;
}

/// Adds the edges of `launch`, the first of `chain`. `bodies` are those of all
/// launches of the chain. `launch` also waits for the inputs of later launches
/// that use semaphores, if launches before the chain compute these inputs:
/// tiles of those later launches wait only for tiles of the chain.
void PlanFormer::addFirstEdges(tsync::ChainOp chain, TilesOp launch,
                               ArrayRef<LaunchBody> bodies) {
  bool hasWriters = llvm::any_of(bodies, [&](const LaunchBody &body) {
    return llvm::any_of(body.getInputs(), [&](Value input) {
      return !getWritersBefore(launch, input).empty();
    });
  });
  bool isEarly =
      getLaunchWait(chain.getMode()) != tsync::LaunchWait::BeforeStart &&
      target.hasProgrammaticLaunch &&
      !(hasWriters && startsInOrder(chain.getLaunches().front(), target));
  launch.setStartsEarly(isEarly);
  for (const LaunchBody &body : bodies)
    if (&body == &bodies.front() || body.usesSemaphores())
      addDataEdges(launch, body.getInputs(),
                   isEarly ? Edge::programmatic : Edge::full);
}

/// Adds the edges of `launch`, which runs `kernels`, from launches of its
/// chain. `previous` is the launch before it.
void PlanFormer::addChainEdges(tsync::ChainOp chain,
                               ArrayRef<TileKernelOpInterface> kernels,
                               TilesOp launch, TilesOp previous) {
  auto edges = cast<LaunchOpInterface>(*launch);
  tsync::LaunchWait wait = chain.getLaunchWait(kernels.front());
  if (!startsEarly(wait) || !target.hasProgrammaticLaunch) {
    addDataEdges(launch, launch.getReads(), Edge::full);
    // Tiles may only wait for tiles of launches that have started.
    if (chain.isSynchronisedByTile())
      edges.addEdge(previous.getToken(), Edge::full);
    return;
  }
  launch.setStartsEarly(true);
  bool waitsBeforeUse = wait == tsync::LaunchWait::BeforeUse;
  // A launch without semaphores needs no other edges in the chain.
  if (waitsBeforeUse && !launch.getSemaphores()) {
    addDataEdges(launch, launch.getReads(), Edge::programmatic);
    return;
  }
  if (waitsBeforeUse)
    edges.addEdge(previous.getToken(), Edge::programmatic);
  for (tsync::DependenceOp dependence : chain.getDependences()) {
    TileKernelOpInterface consumer = dependence.getConsumerKernel();
    if (!llvm::is_contained(kernels, consumer) || dependence.isWithinLaunch())
      continue;
    TilesOp producer = launches.lookup(dependence.getProducerKernel());
    edges.addEdge(producer.getToken(),
                  dependence.isByTile() ? Edge::tile : Edge::programmatic);
  }
  if (!edges.isAfter(previous.getToken()))
    edges.addEdge(previous.getToken(), Edge::launch_order);
}

/// Reports the edges of `launch`, after all have been added.
static void reportEdges(TilesOp launch) {
  LDBG_OS([&](llvm::raw_ostream &os) {
    os << launch.getName() << (launch.getStartsEarly() ? " starts early" : "")
       << ", with edges from [";
    llvm::interleaveComma(
        llvm::zip_equal(launch.getAfter(), launch.getEdges()), os,
        [&](const auto &edge) {
          auto [token, kind] = edge;
          os << token.template getDefiningOp<TilesOp>().getName() << " ("
             << stringifyEdge(static_cast<Edge>(kind)) << ")";
        });
    os << "], for " << launch.getLoc();
  });
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Returns the tile orders of the `count` kernels from kernel `first` of
/// `chain` on; null if the chain has no orders.
static ArrayAttr getOrder(tsync::ChainOp chain, size_t first, size_t count) {
  std::optional<ArrayAttr> order = chain.getOrder();
  if (!order)
    return {};
  return ArrayAttr::get(chain.getContext(),
                        order->getValue().slice(first, count));
}

/// Refuses `chain` if its launches are to start early on a CPU.
static LogicalResult checkMode(tsync::ChainOp chain, const TargetSpec &target) {
  if (target.code != CodeFormat::Native)
    return success();
  auto refuse = [&](Operation *op, tsync::Mode mode, StringRef instead) {
    return op->emitOpError()
           << "cannot be compiled for " << target.name
           << ": it has no programmatic dependent launch, as mode "
           << stringifyMode(mode) << " needs; use " << instead;
  };
  for (tsync::DependenceOp dependence : chain.getDependences())
    if (tsync::Mode mode = dependence.getEffectiveMode();
        startsEarly(getLaunchWait(mode)))
      return refuse(dependence, mode, "serial");
  if (startsEarly(getLaunchWait(chain.getMode())))
    return refuse(chain, chain.getMode(), "serial or persistent");
  return success();
}

/// Whether launches of `chain` share their semaphores. They do if they overlap,
/// or if tiles wait for tiles of other launches anyway.
static bool sharesSemaphores(tsync::ChainOp chain, const TargetSpec &target) {
  return target.hasProgrammaticLaunch ||
         llvm::any_of(
             chain.getDependences(), [](tsync::DependenceOp dependence) {
               return dependence.isByTile() && !dependence.isWithinLaunch();
             });
}

LogicalResult PlanFormer::addChain(tsync::ChainOp chain) {
  if (failed(checkMode(chain, target)))
    return failure();
  if (!chain.getOrder() && chain.isSynchronisedByTile())
    return chain.emitOpError(
        "cannot be compiled: it has no tile order; run tsync-assign-order");
  FailureOr<tsync::ChainSemaphores> semaphores =
      tsync::ChainSemaphores::get(chain);
  if (failed(semaphores))
    return failure();
  FailureOr<int64_t> residents = chain.getProvedResidents();
  if (failed(residents))
    return failure();
  SmallVector<SmallVector<TileKernelOpInterface>> ofLaunches =
      chain.getLaunches();
  std::vector<LaunchBody> bodies;
  for (ArrayRef<TileKernelOpInterface> kernels : ofLaunches) {
    LaunchBody &body = bodies.emplace_back(buffers);
    SmallVector<Operation *> copies;
    for (TileKernelOpInterface kernel : kernels)
      copies.push_back(body.addKernel(kernel));
    body.addSemaphores(*semaphores, kernels, copies);
  }

  bool isOneLaunch = chain.isOneLaunch();
  std::string ofChain = name + "_chain" + std::to_string(numChains++);
  size_t position = 0;
  TilesOp previous;
  Value ofLaunch;
  for (auto [index, kernels] : llvm::enumerate(ofLaunches)) {
    Location loc = isOneLaunch && kernels.size() > 1 ? chain.getLoc()
                                                     : kernels.back().getLoc();
    TilesOp launch = addLaunch(
        bodies[index], loc,
        isOneLaunch ? ofChain : ofChain + "_kernel" + std::to_string(index));
    for (TileKernelOpInterface kernel : kernels)
      launches[kernel] = launch;
    if (ArrayAttr order = getOrder(chain, position, kernels.size()))
      launch.setOrderAttr(order);
    if (bodies[index].usesSemaphores()) {
      if (!ofLaunch || !sharesSemaphores(chain, target)) {
        OpBuilder builder(launch);
        ofLaunch = SemaphoresOp::create(builder, chain.getLoc(),
                                        semaphores->getCount());
      }
      launch.getSemaphoresMutable().assign(ofLaunch);
      launch.setResidents(*residents);
    }
    launch.setTrigger(chooseTrigger(kernels, target));
    if (previous)
      addChainEdges(chain, kernels, launch, previous);
    else
      addFirstEdges(chain, launch, bodies);
    if (llvm::any_of(kernels,
                     [](auto kernel) { return kernel.isCollective(); }))
      addCollectiveEdge(launch, target.hasProgrammaticLaunch
                                    ? Edge::programmatic
                                    : Edge::full);
    reportEdges(launch);
    previous = launch;
    position += kernels.size();
  }
  return success();
}

void PlanFormer::addKernels(Operation *op) {
  SmallVector<TileKernelOpInterface> kernels;
  if (auto kernel = dyn_cast<TileKernelOpInterface>(op))
    kernels.push_back(kernel);
  else
    llvm::append_range(kernels, scop::getLaunchedKernels(op));
  std::string launchName = name + "_kernel" + std::to_string(numKernels++);
  if (kernels.size() != 1)
    launchName += "_and_" + std::to_string(kernels.size() - 1) + "_more";
  LaunchBody body(buffers);
  for (TileKernelOpInterface kernel : kernels)
    body.addKernel(kernel);
  TilesOp launch = addLaunch(body, op->getLoc(), launchName);
  launch.setStartsEarly(target.hasProgrammaticLaunch);
  Edge edge = target.hasProgrammaticLaunch ? Edge::programmatic : Edge::full;
  addDataEdges(launch, launch.getReads(), edge);
  if (llvm::any_of(kernels, [](auto kernel) { return kernel.isCollective(); }))
    addCollectiveEdge(launch, edge);
  reportEdges(launch);
}

LogicalResult PlanFormer::run() {
  for (Operation &op : func.getBody().front()) {
    if (auto chain = dyn_cast<tsync::ChainOp>(op)) {
      if (failed(addChain(chain)))
        return failure();
    } else if (isLaunchWithoutChain(&op)) {
      addKernels(&op);
    }
  }
  return success();
}

namespace {

struct LaunchFormPlans
    : grout::launch::impl::LaunchFormPlansBase<LaunchFormPlans> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<const Target *> of = getTarget(getOperation());
    if (failed(of))
      return signalPassFailure();
    for (auto func :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      if (func.isExternal())
        continue;
      FailureOr<FunctionBuffers> buffers = FunctionBuffers::create(func);
      if (failed(buffers))
        return signalPassFailure();
      if (failed(PlanFormer(func, *buffers, (*of)->getSpec()).run()))
        return signalPassFailure();
      func.erase();
    }
  }
};

} // namespace
