//===- LaunchOps.cpp - Ops of the launch dialect --------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Launch/IR/Launch.h"

#include "LaunchResidency.h"
#include "WrittenBuffers.h"
#include "grout/Dialect/Launch/IR/BufferPlaces.h"
#include "grout/Dialect/Launch/IR/LaunchOrder.h"
#include "grout/Dialect/TSync/IR/TSync.h"
#include "grout/Interfaces/VerifyTiles.h"
#include "grout/Runtime/ArtifactLimits.h"
#include "grout/Runtime/DeviceABI.h"
#include "grout/Support/ElementTypes.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::launch;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Parses edges, such as `full(%a), tile(%b)`.
static ParseResult
parseEdges(OpAsmParser &parser,
           SmallVectorImpl<OpAsmParser::UnresolvedOperand> &after,
           DenseI32ArrayAttr &edges) {
  SmallVector<int32_t> kinds;
  auto parseEdge = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef word;
    if (parser.parseKeyword(&word))
      return failure();
    std::optional<Edge> edge = symbolizeEdge(word);
    if (!edge)
      return parser.emitError(loc) << "unknown edge '" << word << "'";
    if (parser.parseLParen() || parser.parseOperand(after.emplace_back()) ||
        parser.parseRParen())
      return failure();
    kinds.push_back(static_cast<int32_t>(*edge));
    return success();
  };
  if (parser.parseCommaSeparatedList(parseEdge))
    return failure();
  edges = parser.getBuilder().getDenseI32ArrayAttr(kinds);
  return success();
}

static void printEdges(OpAsmPrinter &printer, Operation *, OperandRange after,
                       DenseI32ArrayAttr edges) {
  llvm::interleaveComma(
      llvm::zip_equal(after, edges.asArrayRef()), printer, [&](auto edge) {
        printer << stringifyEdge(static_cast<Edge>(std::get<1>(edge))) << "("
                << std::get<0>(edge) << ")";
      });
}

#define GET_OP_CLASSES
#include "grout/Dialect/Launch/IR/LaunchOps.cpp.inc"

bool grout::launch::isElementType(Type type) {
  return findElementType(type).has_value();
}

//===----------------------------------------------------------------------===//
// Shared by all launches
//===----------------------------------------------------------------------===//

/// Checks that the branch of `launch` exists, that `launch` has an edge from
/// each of its tokens, and that it waits for the work before the plan, of which
/// nothing is known, before it does anything.
static LogicalResult verifyEdges(LaunchOpInterface launch) {
  if (launch.getBranch() >= artifact::kMaxBranches)
    return launch->emitOpError()
           << "is on branch " << static_cast<int64_t>(launch.getBranch())
           << "; a plan has the branches 0 to " << artifact::kMaxBranches - 1;
  if (launch.getEdges().size() != launch.getAfter().size())
    return launch->emitOpError()
           << "has " << launch.getAfter().size() << " tokens, but "
           << launch.getEdges().size() << " edges";
  for (auto [token, edge] :
       llvm::zip_equal(launch.getAfter(), launch.getEdges())) {
    if (!symbolizeEdge(edge))
      return launch->emitOpError() << "has an unknown edge " << edge;
    if (edge == static_cast<int32_t>(Edge::full) ||
        !token.getDefiningOp<StartOp>())
      continue;
    if (edge != static_cast<int32_t>(Edge::programmatic) ||
        !launch.waitsAtEntry())
      return launch->emitOpError("starts before what precedes the plan has "
                                 "ended, so it must wait for that first: by an "
                                 "edge programmatic, and without early reads");
    if (launch.triggersBeforeWait())
      return launch->emitOpError(
          "triggers others before it has waited for what "
          "precedes the plan, of which they know nothing");
  }
  return success();
}

/// Checks that `numbers`, the attribute `name`, are numbers of `count` buffers,
/// in ascending order.
static LogicalResult verifyNumbers(Operation *op, StringRef name,
                                   ArrayRef<int64_t> numbers, size_t count) {
  int64_t last = -1;
  for (int64_t number : numbers) {
    if (number <= last || number >= static_cast<int64_t>(count))
      return op->emitOpError() << name << " must be ascending numbers of "
                               << count << " buffers, but has " << number;
    last = number;
  }
  return success();
}

/// Whether `launch` is the first user of `semaphores`, if there are any.
static bool isFirstUser(Operation *launch, Value semaphores) {
  return semaphores &&
         llvm::none_of(semaphores.getUsers(), [&](Operation *user) {
           return user->isBeforeInBlock(launch);
         });
}

/// Whether the kernel of `launch` waits for launches before it reads anything.
/// With `early` inputs, even if there are none, it waits later.
static bool waitsAtEntry(LaunchOpInterface launch,
                         std::optional<ArrayRef<int64_t>> early) {
  return launch.hasEdge(Edge::programmatic) && !early;
}

//===----------------------------------------------------------------------===//
// PlanOp
//===----------------------------------------------------------------------===//

std::optional<unsigned> PlanOp::getInPlaceInput(unsigned output) {
  std::optional<ArrayRef<int64_t>> inputs = getInPlace();
  if (!inputs || (*inputs)[output] < 0)
    return std::nullopt;
  return (*inputs)[output];
}

bool PlanOp::isEmptyOutput(unsigned number) {
  return number >= getNumInputs() && !getInPlaceInput(number - getNumInputs());
}

/// Checks which outputs of `plan` take the place of inputs.
static LogicalResult verifyInPlace(PlanOp plan, ArrayRef<int64_t> inputs) {
  Block::BlockArgListType arguments = plan.getBody().front().getArguments();
  int64_t numInputs = plan.getNumInputs();
  if (inputs.size() != arguments.size() - numInputs)
    return plan.emitOpError()
           << "in_place has " << inputs.size() << " numbers for "
           << arguments.size() - numInputs << " outputs";
  for (size_t output = 0; output != inputs.size(); ++output) {
    int64_t input = inputs[output];
    if (input == -1)
      continue;
    auto refuse = [&] {
      return plan.emitOpError()
             << "output " << output << " cannot be in place of input " << input
             << ": ";
    };
    if (input < 0 || input >= numInputs)
      return refuse() << "there are " << numInputs << " inputs";
    if (llvm::is_contained(inputs.take_front(output), input))
      return refuse() << "another output is";
    if (arguments[input].getType() != arguments[numInputs + output].getType())
      return refuse() << "it is " << arguments[numInputs + output].getType()
                      << ", not " << arguments[input].getType();
    if (!arguments[input].use_empty())
      return refuse() << "launches use that, instead of the output";
  }
  return success();
}

LogicalResult PlanOp::verify() {
  Block &block = getBody().front();
  if (getNumInputs() > block.getNumArguments())
    return emitOpError() << "has " << block.getNumArguments()
                         << " arguments, fewer than its " << getNumInputs()
                         << " inputs";
  for (BlockArgument argument : block.getArguments()) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type || !type.hasStaticShape() || !type.getLayout().isIdentity())
      return emitOpError() << "argument " << argument.getArgNumber()
                           << " must be a dense static memref, but is "
                           << argument.getType();
  }
  for (Operation &op : block)
    if (!isa<BufferOp, PartOp, StartOp, SemaphoresOp, LaunchOpInterface>(op))
      return op.emitOpError("is not allowed in a plan");
  std::optional<ArrayRef<int64_t>> inPlace = getInPlace();
  return inPlace ? verifyInPlace(*this, *inPlace) : success();
}

/// Checks that `kernel` has an argument for its semaphores, unless it declares
/// them itself.
static LogicalResult verifySemaphores(KernelOp kernel) {
  bool isGiven =
      llvm::any_of(kernel.getArgs().getAsRange<ArgAttr>(), [](ArgAttr arg) {
        return arg.getKind() == ArgKind::semaphores;
      });
  if (isGiven && !kernel.getSemaphores())
    return kernel.emitOpError("has an argument for semaphores, but uses none");
  if (isGiven && kernel.ownsSemaphores())
    return kernel.emitOpError("is the first that uses its semaphores, and has "
                              "them itself");
  if (!isGiven && kernel.getSemaphores() && !kernel.ownsSemaphores())
    return kernel.emitOpError("uses semaphores of another launch, but no "
                              "argument passes them");
  return success();
}

/// Checks that arguments of `kernel` for symmetric memory fit its exchange.
static LogicalResult verifyExchangeArgs(KernelOp kernel) {
  std::optional<ExchangeAttr> exchange = kernel.getExchange();
  for (ArgAttr arg : kernel.getArgs().getAsRange<ArgAttr>()) {
    if (arg.getKind() != ArgKind::peer && arg.getKind() != ArgKind::rank)
      continue;
    if (!exchange)
      return kernel.emitOpError()
             << "has an argument of kind " << stringifyArgKind(arg.getKind())
             << ", but no exchange with other ranks";
    if (arg.getRank() >= exchange->getRanks())
      return kernel.emitOpError()
             << "has an argument for rank " << arg.getRank() << " of "
             << exchange->getRanks();
  }
  return success();
}

static bool haveCommonBytes(ExchangeAttr a, ExchangeAttr b) {
  if (a.getOffset() < 0 || b.getOffset() < 0)
    return false;
  return a.getOffset() < b.getOffset() + b.getBytes() &&
         b.getOffset() < a.getOffset() + a.getBytes();
}

/// Checks that all exchanges of `plan` have the same ranks, and that those with
/// common bytes clear them and do not follow each other.
static LogicalResult verifyExchanges(PlanOp plan) {
  SmallVector<KernelOp> all;
  for (auto kernel : plan.getBody().front().getOps<KernelOp>())
    if (kernel.getExchange())
      all.push_back(kernel);
  for (auto [number, kernel] : llvm::enumerate(all)) {
    ExchangeAttr exchange = *kernel.getExchange();
    int64_t ranks = all.front().getExchange()->getRanks();
    if (exchange.getRanks() != ranks)
      return kernel.emitOpError()
             << "exchanges data of " << exchange.getRanks()
             << " ranks, but an earlier launch of " << ranks;
    for (size_t other = 0; other != number; ++other) {
      ExchangeAttr before = *all[other].getExchange();
      if (!haveCommonBytes(before, exchange))
        continue;
      // The first launch of a run follows the last of the run before.
      bool follow =
          number - other == 1 || (other == 0 && number + 1 == all.size());
      if (follow || !before.getCleared() || !exchange.getCleared())
        return kernel.emitOpError()
               << "has symmetric memory of "
               << (follow ? "the launch before or behind it"
                          : "another launch, and not both clear it")
               << ", which has " << before.getBytes() << " bytes at "
               << before.getOffset();
    }
  }
  return success();
}

/// Whether `launch` exchanges data with the same launch on other ranks.
static bool isCollective(LaunchOpInterface launch) {
  if (auto kernel = dyn_cast<KernelOp>(*launch))
    return kernel.getExchange().has_value();
  auto tiles = dyn_cast<TilesOp>(*launch);
  return tiles && llvm::any_of(tiles.getKernels(), [](auto kernel) {
           return kernel.isCollective();
         });
}

int64_t launch::getPlaceSets(PlanOp plan) {
  return llvm::count_if(plan.getLaunches(), isCollective) > 1 ? 1 : 2;
}

/// Checks that collective launches of `plan` run one after another, so that all
/// ranks run them in the same order.
static LogicalResult verifyCollectives(PlanOp plan, LaunchOrder &order) {
  LaunchOpInterface last;
  for (LaunchOpInterface launch : plan.getLaunches()) {
    if (!isCollective(launch))
      continue;
    if (last && !order.endsBefore(last, launch)) {
      InFlightDiagnostic diag =
          launch->emitOpError("exchanges data with other ranks, and may run "
                              "beside a launch that does so, too; add an edge "
                              "between them");
      diag.attachNote(last->getLoc()) << "which is this one";
      return diag;
    }
    last = launch;
  }
  return success();
}

/// Checks that the semaphores that tiles of `launch` post and wait for exist.
static LogicalResult verifySemaphores(TilesOp launch) {
  int64_t available = 0;
  if (Value semaphores = launch.getSemaphores())
    available = semaphores.getDefiningOp<SemaphoresOp>().getCount();
  auto check = [&](Operation *op, int64_t base, int64_t count) {
    if (count <= available && base <= available - count)
      return success();
    op->emitOpError() << "begins at semaphore " << base << ", and has " << count
                      << ", but its launch uses " << available;
    return failure();
  };
  Block &body = launch.getBody().front();
  for (auto post : body.getOps<tsync::PostTilesOp>())
    if (failed(check(post, post.getBase(), computeProduct(post.getShape()))))
      return failure();
  for (auto wait : body.getOps<tsync::WaitTilesOp>())
    if (failed(
            check(wait, wait.getBase(), wait.getPolicy().getNumSemaphores())))
      return failure();
  return success();
}

LogicalResult PlanOp::verifyRegions() {
  for (auto kernel : getBody().front().getOps<KernelOp>())
    if (failed(verifySemaphores(kernel)) || failed(verifyExchangeArgs(kernel)))
      return failure();
  if (failed(verifyExchanges(*this)))
    return failure();
  for (auto tiles : getBody().front().getOps<TilesOp>())
    if (failed(verifySemaphores(tiles)))
      return failure();
  LaunchOrder order(*this);
  if (failed(order.verify()) || failed(verifyCollectives(*this, order)) ||
      failed(verifyResidency(*this, order)) ||
      failed(verifyBufferPlaces(*this, order)))
    return failure();
  return verifyWrittenBuffers(*this);
}

//===----------------------------------------------------------------------===//
// BufferOp
//===----------------------------------------------------------------------===//

/// Checks the place of `buffer` in the workspace, if it has one.
static LogicalResult verifyOffset(BufferOp buffer) {
  int64_t offset = buffer.getOffset().value_or(0);
  if (offset == 0)
    return success();
  if (offset % kernelabi::kBufferAlignment == 0 &&
      offset <= kMaxWorkspaceBytes - buffer.getAlignedBytes())
    return success();
  return buffer.emitOpError()
         << "is at byte " << offset << " of the workspace; "
         << "a place is a multiple of " << kernelabi::kBufferAlignment
         << ", and a workspace has up to 2^40 bytes";
}

/// Checks the place of `buffer` in an output of its plan.
static LogicalResult verifyHost(BufferOp buffer) {
  auto plan = cast<PlanOp>(buffer->getParentOp());
  uint64_t number = *buffer.getArgument();
  auto refuse = [&] {
    return buffer.emitOpError() << "is in argument " << number << ", which ";
  };
  if (!buffer.getOffset())
    return buffer.emitOpError()
           << "is in argument " << number << ", but at none of its bytes";
  if (number >= plan.getBody().getNumArguments() || !plan.isEmptyOutput(number))
    return refuse() << "is no output of the plan that holds nothing at first";
  Type element = getElementTypeOrSelf(buffer.getHost().getType());
  if (!isElementType(element))
    return refuse() << "has elements of " << element
                    << ", which an artifact cannot hold";
  int64_t offset = *buffer.getOffset();
  int64_t bytes = getBytes(buffer.getHost());
  if (offset % kernelabi::kBufferAlignment != 0 || buffer.getBytes() > bytes ||
      offset > bytes - buffer.getBytes())
    return refuse() << "has " << bytes << " bytes, at byte " << offset
                    << "; a place is a multiple of "
                    << kernelabi::kBufferAlignment
                    << ", and a buffer ends where its output does";
  return success();
}

LogicalResult BufferOp::verify() {
  auto type = cast<MemRefType>(getResult().getType());
  if (!type.getLayout().isIdentity())
    return emitOpError("must be dense");
  if (std::optional<ElementsAttr> value = getValue()) {
    ShapedType valueType = value->getShapedType();
    if (valueType.getShape() != type.getShape() ||
        valueType.getElementType() != type.getElementType())
      return emitOpError() << "value of type " << valueType << " does not fit "
                           << type;
    if (getOffset())
      return emitOpError("is a constant, which has no place in the workspace");
  }
  return getArgument() ? verifyHost(*this) : verifyOffset(*this);
}

int64_t launch::getBytes(Value memory) {
  auto type = cast<MemRefType>(memory.getType());
  return type.getNumElements() *
         llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

int64_t BufferOp::getBytes() { return launch::getBytes(getResult()); }

BlockArgument BufferOp::getHost() {
  std::optional<uint64_t> argument = getArgument();
  return argument ? getOperation()->getBlock()->getArgument(*argument)
                  : BlockArgument();
}

int64_t BufferOp::getAlignedBytes() {
  return llvm::alignTo(getBytes(), kernelabi::kBufferAlignment);
}

//===----------------------------------------------------------------------===//
// PartOp
//===----------------------------------------------------------------------===//

LogicalResult PartOp::verify() {
  auto source = cast<MemRefType>(getSource().getType());
  auto part = cast<MemRefType>(getResult().getType());
  if (getSource().getDefiningOp<PartOp>())
    return emitOpError("must be of a whole buffer, not of a part");
  if (auto buffer = getSource().getDefiningOp<BufferOp>();
      buffer && buffer.getValue())
    return emitOpError("must not be of a constant");
  if (source.getElementType() != part.getElementType())
    return emitOpError() << "has elements of " << part.getElementType()
                         << ", but its buffer has " << source.getElementType();
  SmallVector<int64_t> strides;
  int64_t last = 0;
  if (failed(part.getStridesAndOffset(strides, last)) ||
      ShapedType::isDynamic(last) ||
      llvm::any_of(strides, ShapedType::isDynamic))
    return emitOpError() << "must have static strides, but is " << part;
  bool isInside = last >= 0;
  for (auto [extent, stride] : llvm::zip_equal(part.getShape(), strides)) {
    int64_t reach = 0;
    isInside &= extent > 0 && stride > 0 &&
                !llvm::MulOverflow(extent - 1, stride, reach) &&
                !llvm::AddOverflow(last, reach, last);
  }
  if (!isInside || last >= source.getNumElements())
    return emitOpError() << "is not inside of " << source << ": " << part;
  return success();
}

//===----------------------------------------------------------------------===//
// TilesOp
//===----------------------------------------------------------------------===//

SmallVector<TileKernelOpInterface> TilesOp::getKernels() {
  return llvm::to_vector(getBody().front().getOps<TileKernelOpInterface>());
}

YieldOp TilesOp::getYield() {
  return cast<YieldOp>(getBody().front().getTerminator());
}

bool TilesOp::ownsSemaphores() { return isFirstUser(*this, getSemaphores()); }

SmallVector<Value> TilesOp::getReads() { return getInputs(); }

SmallVector<Value> TilesOp::getWrites() { return getOutputs(); }

bool TilesOp::waitsAtEntry() { return ::waitsAtEntry(*this, getEarly()); }

bool TilesOp::triggersBeforeWait() {
  return getTrigger() == Trigger::before_wait;
}

bool TilesOp::readsEarly(Value buffer) {
  if (!getEarly())
    return false;
  auto constant = buffer.getDefiningOp<BufferOp>();
  return (constant && constant.getValue()) ||
         llvm::any_of(*getEarly(), [&](int64_t input) {
           return getInputs()[input] == buffer;
         });
}

/// Whether `earlier` posts the array of semaphores that begins with semaphore
/// number `base` of those that `launch` uses.
static bool posts(TilesOp earlier, TilesOp launch, uint64_t base) {
  return earlier.getSemaphores() == launch.getSemaphores() &&
         llvm::any_of(
             earlier.getBody().front().getOps<tsync::PostTilesOp>(),
             [&](tsync::PostTilesOp post) { return post.getBase() == base; });
}

/// Whether tiles of `launch` wait for tiles of `earlier` before they read
/// `tensor`, or a view of it.
static bool areReadsWaitedFor(TilesOp launch, TilesOp earlier, Value tensor) {
  auto waits = launch.getBody().front().getOps<tsync::WaitTilesOp>();
  return llvm::all_of(tensor.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (!isa<TileKernelOpInterface>(user))
      return llvm::all_of(user->getResults(), [&](Value made) {
        return areReadsWaitedFor(launch, earlier, made);
      });
    return llvm::any_of(waits, [&](tsync::WaitTilesOp wait) {
      return wait.getKernel() == user &&
             wait.getOperand() == use.getOperandNumber() &&
             posts(earlier, launch, wait.getBase());
    });
  });
}

bool TilesOp::waitsForTiles(Value buffer, Operation *earlier) {
  auto tiles = dyn_cast<TilesOp>(earlier);
  return tiles &&
         llvm::all_of(llvm::zip_equal(getBody().getArguments(), getInputs()),
                      [&](auto input) {
                        auto [tensor, of] = input;
                        return of != buffer ||
                               areReadsWaitedFor(*this, tiles, tensor);
                      });
}

/// Checks that `tensor`, which errors call `what`, has the shape and element
/// type of a buffer of type `type`.
static LogicalResult verifyTensor(TilesOp op, const Twine &what, Type tensor,
                                  Type type) {
  auto ofTensor = dyn_cast<RankedTensorType>(tensor);
  auto ofBuffer = cast<MemRefType>(type);
  if (ofTensor && ofTensor.hasStaticShape() &&
      ofTensor.getElementType() == ofBuffer.getElementType() &&
      ofTensor.getNumElements() == ofBuffer.getNumElements() &&
      (ofBuffer.getLayout().isIdentity() ||
       ofTensor.getShape() == ofBuffer.getShape()))
    return success();
  return op.emitOpError() << what << " is " << tensor
                          << ", which is not all of " << type;
}

LogicalResult TilesOp::verify() {
  if (failed(verifyEdges(*this)))
    return failure();
  if (std::optional<ArrayRef<int64_t>> early = getEarly())
    if (failed(verifyNumbers(*this, "early", *early, getInputs().size())))
      return failure();
  if (static_cast<int64_t>(getResidents()) <= 0)
    return emitOpError("needs at least one resident tile");
  if (!getStartsEarly() && llvm::any_of(getEdges(), [](int32_t edge) {
        return edge != static_cast<int32_t>(Edge::full);
      }))
    return emitOpError("starts when launches before have ended, and takes full "
                       "edges only");
  if (getTrigger() == Trigger::at_entry && getEarly() &&
      cast<LaunchOpInterface>(**this).hasEdge(Edge::programmatic))
    return emitOpError(
        "triggers the next launch at its entry, but waits for launches later");
  return success();
}

LogicalResult TilesOp::verifyRegions() {
  Block &block = getBody().front();
  if (block.getNumArguments() != getInputs().size())
    return emitOpError() << "has " << getInputs().size()
                         << " inputs, but its body takes "
                         << block.getNumArguments();
  for (auto [argument, input] :
       llvm::zip_equal(block.getArguments(), getInputs()))
    if (failed(verifyTensor(*this, "argument " + Twine(argument.getArgNumber()),
                            argument.getType(), input.getType())))
      return failure();
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield || yield.getValues().size() != getOutputs().size())
    return emitOpError() << "has " << getOutputs().size()
                         << " outputs, and must yield as many tensors";
  for (auto [value, output] :
       llvm::zip_equal(yield->getOpOperands(), getOutputs()))
    if (failed(verifyTensor(*this, "output " + Twine(value.getOperandNumber()),
                            value.get().getType(), output.getType())))
      return failure();
  SmallVector<TileKernelOpInterface> kernels = getKernels();
  if (kernels.empty())
    return emitOpError("has no tile kernel");
  for (TileKernelOpInterface kernel : kernels)
    if (failed(verifyTileAnswers(kernel)))
      return failure();
  if (std::optional<ArrayAttr> order = getOrder();
      order && order->size() != kernels.size())
    return emitOpError() << "has " << kernels.size()
                         << " tile kernels, but an order for " << order->size();
  return success();
}

void YieldOp::build(OpBuilder &, OperationState &) {}

//===----------------------------------------------------------------------===//
// KernelOp
//===----------------------------------------------------------------------===//

bool KernelOp::ownsSemaphores() { return isFirstUser(*this, getSemaphores()); }

SmallVector<Value> KernelOp::getReads() {
  SmallVector<Value> reads;
  for (auto [number, buffer] : llvm::enumerate(getBuffers()))
    if (!llvm::is_contained(getWritten(), static_cast<int64_t>(number)))
      reads.push_back(buffer);
  return reads;
}

SmallVector<Value> KernelOp::getWrites() {
  return llvm::map_to_vector(
      getWritten(), [&](int64_t number) { return getBuffers()[number]; });
}

bool KernelOp::waitsForTiles(Value, Operation *) {
  // The code of the kernel has the waits.
  return true;
}

bool KernelOp::waitsAtEntry() { return ::waitsAtEntry(*this, getEarly()); }

bool KernelOp::triggersBeforeWait() { return getTriggersBeforeWait(); }

bool KernelOp::readsEarly(Value buffer) {
  return llvm::any_of(
      getEarly().value_or(ArrayRef<int64_t>()),
      [&](int64_t number) { return getBuffers()[number] == buffer; });
}

SmallVector<int64_t> KernelOp::getGrid(unsigned body) {
  SmallVector<int64_t> grid;
  for (Attribute extent : cast<ArrayAttr>(getGrids()[body]))
    grid.push_back(cast<IntegerAttr>(extent).getInt());
  return grid;
}

/// Checks that the numbers of `kernel` are in the ranges that the runtime
/// accepts.
static LogicalResult verifyRanges(KernelOp kernel) {
  struct Range {
    StringRef name;
    uint64_t value, smallest, largest;
  };
  const Range ranges[] = {
      {"residents", kernel.getResidents(), 1, UINT32_MAX},
      // On the CPU, a block has no threads.
      {"block", kernel.getBlock(), 0, kernelabi::kMaxBlockThreads},
      {"cluster", kernel.getCluster(), 1, kernelabi::kMaxClusterBlocks},
      {"shared_memory", kernel.getSharedMemory(), 0,
       kernelabi::kMaxDynamicSharedMemory},
      {"blocks_per_processor", kernel.getBlocksPerProcessor(), 1,
       kernelabi::kMaxBlocksPerProcessor},
      {"debug_sync_milliseconds", kernel.getDebugSyncMilliseconds(), 0,
       UINT32_MAX}};
  for (const Range &range : ranges)
    if (range.value < range.smallest || range.value > range.largest)
      return kernel.emitOpError()
             << "needs " << range.name << " between " << range.smallest
             << " and " << range.largest << ", got "
             << static_cast<int64_t>(range.value);
  return success();
}

/// Checks that `parts` add up to the blocks of `kernel`.
static LogicalResult verifyParts(KernelOp kernel, ArrayRef<int64_t> parts) {
  if (kernel.getOrder())
    return kernel.emitOpError("has parts, but no fixed grid");
  int64_t blocks = 1, sum = 0;
  for (int64_t extent : kernel.getGrid(0))
    if (llvm::MulOverflow(blocks, extent, blocks))
      return kernel.emitOpError("has a grid of more than 2^63 blocks");
  for (int64_t part : parts) {
    if (part <= 0 || part > INT32_MAX)
      return kernel.emitOpError() << "has a part of " << part << " blocks";
    sum += part;
  }
  if (sum != blocks)
    return kernel.emitOpError() << "has parts of " << sum
                                << " blocks in all, but a grid of " << blocks;
  return success();
}

LogicalResult KernelOp::verify() {
  if (failed(verifyEdges(*this)) ||
      failed(verifyNumbers(*this, "writes", getWritten(), getBuffers().size())))
    return failure();
  if (std::optional<ArrayRef<int64_t>> early = getEarly())
    if (failed(verifyNumbers(*this, "early", *early, getBuffers().size())))
      return failure();
  for (auto [index, attr] : llvm::enumerate(getArgs())) {
    auto arg = cast<ArgAttr>(attr);
    if (arg.getOperand() >= static_cast<int64_t>(getBuffers().size()))
      return emitOpError() << "argument " << index << " names buffer "
                           << arg.getOperand() << " of " << getBuffers().size();
  }
  if (getEntries().empty())
    return emitOpError("needs an entry point");
  if (failed(verifyRanges(*this)))
    return failure();
  for (Attribute attr : getGrids()) {
    auto grid = dyn_cast<ArrayAttr>(attr);
    if (!grid || grid.empty() || grid.size() > 3)
      return emitOpError("needs grids of 1 to 3 extents");
    for (Attribute extent : grid) {
      auto integer = dyn_cast<IntegerAttr>(extent);
      if (!integer || integer.getInt() <= 0 || integer.getInt() > INT32_MAX)
        return emitOpError("needs grid extents between 1 and 2^31 - 1");
    }
  }
  std::optional<ArrayAttr> order = getOrder();
  if (!order && getGrids().size() != 1)
    return emitOpError("needs exactly one grid without an order");
  if (!getParts().empty() && failed(verifyParts(*this, getParts())))
    return failure();
  if (!order) {
    if (getGrid(0).front() % getCluster() != 0)
      return emitOpError() << "cannot divide a grid of " << getGrid(0).front()
                           << " blocks into clusters of " << getCluster();
    return success();
  }
  if (order->size() != getGrids().size())
    return emitOpError() << "has " << getGrids().size() << " grids, but "
                         << order->size() << " orders";
  for (auto [body, attr] : llvm::enumerate(*order))
    if (cast<AffineMapAttr>(attr).getValue().getNumDims() !=
        getGrid(body).size())
      return emitOpError() << "order " << body
                           << " does not take the coordinates of its grid";
  return success();
}
