//===- FunctionBuffers.cpp - Buffers for tensors of a function ------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "FunctionBuffers.h"

#include "grout/Dialect/Scop/IR/Scop.h"
#include "grout/Dialect/TSync/IR/TSync.h"
#include "grout/Runtime/ArtifactLimits.h"
#include "grout/Support/ElementTypes.h"
#include "grout/Support/Reshapes.h"
#include "grout/Support/StridedView.h"
#include "grout/Target/IR/Grout.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::launch;

//===----------------------------------------------------------------------===//
// Unsupported functions
//===----------------------------------------------------------------------===//

/// Whether `op` may stand in a function outside of chains: it makes a view, or
/// concatenates tensors that kernels write into one tensor.
static bool isViewLike(Operation *op) {
  return isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
             tensor::CollapseShapeOp, tensor::ConcatOp, tensor::EmptyOp>(op) ||
         op->hasTrait<OpTrait::ConstantLike>();
}

/// Refuses `op`, which is neither a kernel nor a view.
static LogicalResult refuseOp(Operation *op) {
  InFlightDiagnostic diag = op->emitError();
  diag << "cannot be compiled: there is no kernel for '" << op->getName()
       << "'";
  if (isa_and_nonnull<linalg::LinalgDialect>(op->getDialect()))
    return diag << ", as no pass before made one of it";
  diag.attachNote() << "functions hold ops of linalg on tensors of static "
                       "extents, tgemm.matmul, scop.kernel, tsync.chain, "
                       "other ops with TileKernelOpInterface, and ops that "
                       "pad, slice, insert or reshape tensors";
  if (OpTrait::hasElementwiseMappableTraits(op))
    diag.attachNote() << "upstream's --convert-elementwise-to-linalg makes "
                         "linalg of ops like this one";
  return diag;
}

/// Returns the bytes of a tensor in an artifact, or UINT64_MAX if there are
/// more.
static uint64_t getSaturatedBytes(RankedTensorType type) {
  uint64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  for (int64_t extent : type.getShape())
    bytes = llvm::SaturatingMultiply<uint64_t>(bytes, extent);
  return bytes;
}

static LogicalResult checkSignatureType(func::FuncOp func, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return func.emitError() << "cannot be compiled: " << type
                            << " in its signature is not a static tensor";
  if (!isElementType(tensor.getElementType()))
    return func.emitError()
           << "cannot be compiled: element type " << tensor.getElementType()
           << " is not supported; tensors of a signature are of "
           << joinNames(getElementTypeNames(), "or");
  if (tensor.getRank() > artifact::kMaxRank)
    return func.emitError()
           << "cannot be compiled: " << type << " in its signature has rank "
           << tensor.getRank() << "; at most " << artifact::kMaxRank
           << " is supported";
  if (getSaturatedBytes(tensor) > artifact::kMaxTensorBytes)
    return func.emitError()
           << "cannot be compiled: " << type << " in its signature has more "
           << "than " << artifact::kMaxTensorBytes << " bytes";
  return success();
}

/// Checks that an artifact can hold the name of `func` and the tensors of its
/// signature.
static LogicalResult checkSignature(func::FuncOp func) {
  if (func.getSymName().size() > artifact::kMaxNameLength)
    return func.emitError()
           << "cannot be compiled: its name has " << func.getSymName().size()
           << " characters; at most " << artifact::kMaxNameLength
           << " are supported";
  for (TypeRange types :
       {TypeRange(func.getArgumentTypes()), TypeRange(func.getResultTypes())})
    for (Type type : types)
      if (failed(checkSignatureType(func, type)))
        return failure();
  return success();
}

/// The memref of a plan for a tensor of a function's signature.
static MemRefType getBufferType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return MemRefType::get(tensor.getShape(), tensor.getElementType());
}

bool launch::isLaunchWithoutChain(Operation *op) {
  auto kernel = dyn_cast<TileKernelOpInterface>(op);
  return isa<scop::LaunchOp>(op) || (kernel && kernel.runsWithoutTiles());
}

/// Checks that all ops of `func` can be in a plan.
static LogicalResult checkOps(func::FuncOp func) {
  if (!func.getBody().hasOneBlock())
    return func.emitError("cannot be compiled: its body must be one block");
  for (Operation &op : func.getBody().front().without_terminator()) {
    if (isa<tsync::ChainOp>(op) || isLaunchWithoutChain(&op))
      continue;
    if (auto fill = dyn_cast<linalg::FillOp>(op)) {
      // The fill becomes part of the kernels whose sums start from it.
      if (!matchPattern(fill.value(), m_Constant()))
        return op.emitError() << "cannot be compiled: '" << op.getName()
                              << "' fills with a value that is not a constant";
    } else if (!isViewLike(&op)) {
      return refuseOp(&op);
    }
  }
  return success();
}

/// Returns, for each result of `func`, the number of the argument that holds
/// it, or -1; null if no argument holds a result.
static DenseI64ArrayAttr getInPlace(func::FuncOp func) {
  SmallVector<int64_t> numbers(func.getNumResults(), -1);
  for (auto [result, number] : llvm::enumerate(numbers))
    if (std::optional<unsigned> argument = getInPlaceArgument(func, result))
      number = *argument;
  if (llvm::all_equal(numbers) && (numbers.empty() || numbers.front() == -1))
    return {};
  return DenseI64ArrayAttr::get(func.getContext(), numbers);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

Value launch::getYielded(Value value) {
  while (auto result = dyn_cast<OpResult>(value)) {
    if (!isa<tsync::ChainOp, scop::LaunchOp>(result.getOwner()))
      break;
    value = result.getOwner()->getRegion(0).front().getTerminator()->getOperand(
        result.getResultNumber());
  }
  return value;
}

/// Returns the kernel's result or the concatenation of which `value` is a
/// reshape; null if there is none.
static Value getMade(Value value) {
  Value before;
  do {
    before = value;
    value = getReshaped(getYielded(value));
  } while (value != before);
  return isa_and_nonnull<TileKernelOpInterface, tensor::ConcatOp>(
             value.getDefiningOp())
             ? value
             : Value();
}

/// Refuses `op`.
static LogicalResult refuse(Operation *op, const Twine &reason) {
  return op->emitError() << "cannot be compiled: " << reason;
}

/// Returns the tensor that `value` is, or is a part of: an argument, or a
/// kernel's result. `value` is an operand of a kernel or of the function's
/// terminator.
static Value getWhole(Value value) {
  Value before;
  do {
    before = value;
    value = getReshaped(getYielded(value));
    if (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>())
      value = slice.getSource();
  } while (value != before);
  return value;
}

/// Returns the operand that the kernel updates in place to compute its result
/// `value`; null if the result has memory of its own.
static OpOperand *getUpdated(Value value) {
  auto result = dyn_cast<OpResult>(value);
  auto kernel =
      result ? dyn_cast<TileKernelOpInterface>(result.getOwner()) : nullptr;
  return kernel ? kernel.getUpdatedOperand(result) : nullptr;
}

/// Returns the value whose memory the kernel's result `value` uses: an
/// argument, or a result that is not an update.
static Value getMemoryOwner(Value value) {
  while (OpOperand *updated = getUpdated(value))
    value = getWhole(updated->get());
  return value;
}

/// Whether `argument` of `func` also holds a result.
static bool isInPlace(func::FuncOp func, BlockArgument argument) {
  return argument.getOwner() == &func.getBody().front() &&
         func.getArgAttr(argument.getArgNumber(),
                         GroutDialect::getInPlaceAttrName());
}

/// Refuses `kernel`, which updates an argument whose value the caller keeps.
static LogicalResult refuseArgument(Operation *kernel) {
  return refuse(kernel, "updates an argument that is not in place of a result "
                        "(grout.in_place)");
}

/// Refuses a kernel of `func` that updates an argument which is not in place of
/// a result, or a tensor that is also used elsewhere.
static LogicalResult checkUpdates(func::FuncOp func) {
  llvm::MapVector<Value, OpOperand *> updates;
  func.walk([&](TileKernelOpInterface kernel) {
    for (OpResult result : kernel->getResults())
      if (OpOperand *updated = kernel.getUpdatedOperand(result))
        updates.try_emplace(getWhole(updated->get()), updated);
  });
  if (updates.empty())
    return success();
  for (auto [whole, updated] : updates)
    if (auto argument = dyn_cast<BlockArgument>(whole);
        argument && !isInPlace(func, argument))
      return refuseArgument(updated->getOwner());
  // For each value that is concatenated, the concatenation in whose memory it
  // is.
  llvm::DenseMap<Value, tensor::ConcatOp> concatenations;
  func.walk([&](tensor::ConcatOp op) {
    for (Value part : op.getInputs())
      concatenations[getWhole(part)] = op;
  });
  WalkResult checked = func.walk([&](Operation *op) {
    if (!isa<TileKernelOpInterface, tensor::ConcatOp, func::ReturnOp>(op))
      return WalkResult::advance();
    for (OpOperand &operand : op->getOpOperands()) {
      Value whole = getWhole(operand.get());
      auto it = updates.find(whole);
      if (tensor::ConcatOp concat = concatenations.lookup(whole);
          it == updates.end() && concat && concat != op)
        it = updates.find(concat);
      if (it == updates.end() || it->second == &operand)
        continue;
      InFlightDiagnostic diag =
          it->second->getOwner()->emitError()
          << "cannot be compiled: it updates in place what is used elsewhere";
      diag.attachNote(op->getLoc()) << "which is here";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(checked.wasInterrupted());
}

LogicalResult FunctionBuffers::addResult(OpOperand &operand) {
  Value value = operand.get();
  unsigned index = operand.getOperandNumber();
  BlockArgument buffer = plan.getBody().front().addArgument(
      getBufferType(value.getType()), value.getLoc());
  Operation *terminator = operand.getOwner();
  Value made = getMade(value);
  if (!made) {
    // A part of a result must not be returned: nothing would write the caller's
    // buffer.
    Value reshaped = getReshaped(value);
    if (auto chain = reshaped.getDefiningOp<tsync::ChainOp>())
      return refuse(chain.getBody().front().getTerminator(),
                    "returns a part of a kernel's result");
    return refuse(terminator,
                  "result " + Twine(index) + " is not made by a tile kernel");
  }
  Value memory = getMemoryOwner(made);
  if (std::optional<unsigned> argument = getInPlaceArgument(func, index)) {
    if (memory != func.getArgument(*argument))
      return refuse(terminator, "result " + Twine(index) +
                                    " is to be in place of argument " +
                                    Twine(*argument) +
                                    ", but is not that with elements replaced "
                                    "by tensor.scatter");
    buffers[memory] = buffer;
    return success();
  }
  if (isa<BlockArgument>(memory))
    return refuseArgument(made.getDefiningOp());
  if (!returned.try_emplace(memory, buffer).second)
    return refuse(terminator, "result " + Twine(index) + " is returned twice");
  return success();
}

LogicalResult FunctionBuffers::addResults() {
  Operation *terminator = func.getBody().front().getTerminator();
  for (OpOperand &value : terminator->getOpOperands())
    if (failed(addResult(value)))
      return failure();
  return success();
}

Value FunctionBuffers::createBuffer(Value value, StringRef bufferName) {
  if (Value buffer = returned.lookup(value))
    return buffer;
  auto builder = OpBuilder::atBlockEnd(&plan.getBody().front());
  return BufferOp::create(builder, value.getLoc(),
                          getBufferType(value.getType()),
                          builder.getStringAttr(bufferName), ElementsAttr());
}

/// Returns the view of the result of `op` that holds its operand `number`.
static StridedView getPart(tensor::ConcatOp op, unsigned number) {
  auto part = StridedView::getDense(op.getResultType().getShape());
  for (Value before : op.getInputs().take_front(number))
    part.offset +=
        cast<RankedTensorType>(before.getType()).getDimSize(op.getDim()) *
        part.strides[op.getDim()];
  part.shape = llvm::to_vector(
      cast<RankedTensorType>(op.getInputs()[number].getType()).getShape());
  return part;
}

LogicalResult FunctionBuffers::addConcatenation(tensor::ConcatOp op) {
  if (!op.getResultType().hasStaticShape())
    return refuse(op, "this concatenation has a dynamic extent");
  Value whole = buffers[op] = createBuffer(op, "concatenation");
  auto builder = OpBuilder::atBlockEnd(&plan.getBody().front());
  for (auto [number, operand] : llvm::enumerate(op.getInputs())) {
    std::optional<StridedView> part = getPart(op, number);
    Value made = operand, before;
    do {
      before = made;
      made = getYielded(made);
      Operation *reshape = made.getDefiningOp();
      if (!isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
              reshape))
        continue;
      part = getSourceView(reshape, *part);
      made = reshape->getOperand(0);
    } while (part && made != before);
    std::string input =
        "input " + std::to_string(number) + " of this concatenation ";
    if (!part || !isa_and_nonnull<TileKernelOpInterface>(made.getDefiningOp()))
      return refuse(op, input + "is not made by a tile kernel");
    if (getUpdated(made))
      return refuse(op, input + "is an update of another tensor");
    if (returned.contains(made) || buffers.contains(made))
      return refuse(op, input + "is a result of the function, or in another "
                                "concatenation");
    auto layout =
        StridedLayoutAttr::get(op.getContext(), part->offset, part->strides);
    auto type = MemRefType::get(part->shape, getElementTypeOrSelf(op.getType()),
                                layout);
    buffers[made] = PartOp::create(builder, made.getLoc(), type, whole);
  }
  return success();
}

void FunctionBuffers::addBuffers(Operation *kernel) {
  std::string bufferName = "kernel" + std::to_string(numKernels++);
  for (OpResult result : kernel->getResults())
    if (!getUpdated(result) && !buffers.contains(result))
      buffers[result] = createBuffer(result, bufferName);
}

FailureOr<FunctionBuffers> FunctionBuffers::create(func::FuncOp func) {
  if (failed(checkOps(func)) || failed(checkSignature(func)) ||
      failed(checkUpdates(func)))
    return failure();
  FunctionBuffers result(func);
  OpBuilder builder(func);
  result.plan =
      PlanOp::create(builder, func.getLoc(), func.getSymNameAttr(),
                     builder.getI64IntegerAttr(func.getNumArguments()),
                     getInPlace(func), /*reference=*/FlatSymbolRefAttr(),
                     /*rounded_to=*/TypeAttr());
  Block &body = result.plan.getBody().emplaceBlock();
  for (BlockArgument argument : func.getArguments())
    result.buffers[argument] =
        body.addArgument(getBufferType(argument.getType()), argument.getLoc());
  if (failed(result.addResults())) {
    result.plan.erase();
    return failure();
  }
  WalkResult added = func.walk([&](tensor::ConcatOp op) {
    return WalkResult(result.addConcatenation(op));
  });
  if (added.wasInterrupted()) {
    result.plan.erase();
    return failure();
  }
  // Kernels that are in no chain come first.
  auto addKernels = [&](bool inChain) {
    func.walk([&](TileKernelOpInterface kernel) {
      if ((kernel->getParentOfType<tsync::ChainOp>() != nullptr) == inChain)
        result.addBuffers(kernel);
    });
  };
  addKernels(/*inChain=*/false);
  addKernels(/*inChain=*/true);
  func.walk([&](TileKernelOpInterface kernel) {
    for (OpResult made : kernel->getResults())
      if (getUpdated(made))
        result.buffers[made] = result.buffers.lookup(getMemoryOwner(made));
  });
  return result;
}
