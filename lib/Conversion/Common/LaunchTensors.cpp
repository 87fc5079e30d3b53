//===- LaunchTensors.cpp - Places of a launch's tensors -------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Common/LaunchTensors.h"

#include "grout/Support/StridedView.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace grout;

/// Returns the view of all of `buffer`, row-major.
static BufferView getDenseView(Value buffer, RankedTensorType type) {
  BufferView view;
  view.buffer = buffer;
  view.shape = llvm::to_vector(type.getShape());
  view.strides = computeStrides(type.getShape());
  view.elementType = type.getElementType();
  return view;
}

/// Returns the view of all of `buffer`, which may be a part of another buffer,
/// with the shape of `type`.
static BufferView getView(Value buffer, RankedTensorType type) {
  BufferView view = getDenseView(buffer, type);
  auto memory = cast<MemRefType>(buffer.getType());
  // A part has the shape of the tensor that is computed there.
  if (!memory.getLayout().isIdentity()) {
    view.strides.clear();
    LogicalResult isStrided =
        memory.getStridesAndOffset(view.strides, view.offset);
    assert(succeeded(isStrided) && type.getShape() == memory.getShape() &&
           "launch.tiles must have been verified");
    (void)isStrided;
  }
  return view;
}

/// Returns the view that `op`, a slice or a reshape, makes of `source`.
static FailureOr<BufferView> makeView(Operation *op, const BufferView &source) {
  std::optional<StridedView> strided =
      getStridedView(op, {source.offset, source.shape, source.strides});
  if (!strided)
    return failure();
  BufferView view = source;
  view.offset = strided->offset;
  view.shape = std::move(strided->shape);
  view.strides = std::move(strided->strides);
  return view;
}

LaunchTensors::LaunchTensors(launch::TilesOp launch) : launch(launch) {
  auto addView = [&](Value tensor, Value buffer) {
    views.try_emplace(
        tensor, ::getView(buffer, cast<RankedTensorType>(tensor.getType())));
  };
  Block &body = launch.getBody().front();
  for (auto [argument, buffer] :
       llvm::zip_equal(body.getArguments(), launch.getInputs()))
    addView(argument, buffer);
  for (auto [value, buffer] :
       llvm::zip_equal(launch.getYield().getValues(), launch.getOutputs()))
    addView(value, buffer);
}

/// Returns the buffer with contents `value` of the plan of `launch`. Creates it
/// before the launch if there is none.
static Value getConstant(launch::TilesOp launch, Location loc,
                         ElementsAttr value) {
  for (auto buffer : launch->getBlock()->getOps<launch::BufferOp>())
    if (buffer.getValue() == value && buffer->isBeforeInBlock(launch))
      return buffer;
  OpBuilder builder(launch);
  ShapedType type = value.getShapedType();
  return launch::BufferOp::create(
      builder, loc, MemRefType::get(type.getShape(), type.getElementType()),
      builder.getStringAttr("constant"), value);
}

FailureOr<BufferView> LaunchTensors::getView(Value tensor, Operation *user) {
  if (auto it = views.find(tensor); it != views.end())
    return it->second;
  if (!isa<RankedTensorType>(tensor.getType()))
    return user->emitOpError("cannot be compiled: it reads a value of type ")
           << tensor.getType()
           << ", but kernels read tensors alone; what is known when compiling "
              "may be an attribute";
  Operation *op = tensor.getDefiningOp();
  FailureOr<BufferView> view = failure();
  if (op && op->getNumOperands() >= 1 &&
      isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
          tensor::CollapseShapeOp>(op)) {
    FailureOr<BufferView> source = getView(op->getOperand(0), user);
    if (failed(source))
      return failure();
    view = makeView(op, *source);
  }
  ElementsAttr constant;
  if (op && matchPattern(op, m_Constant(&constant)))
    view = getDenseView(getConstant(launch, op->getLoc(), constant),
                        cast<RankedTensorType>(tensor.getType()));
  if (failed(view)) {
    InFlightDiagnostic diag = user->emitOpError(
        "cannot be compiled: it reads a tensor that is not a strided part of a "
        "buffer");
    if (op)
      diag.attachNote(op->getLoc())
          << "the tensor is made by '" << op->getName() << "'";
    return diag;
  }
  views.try_emplace(tensor, *view);
  return view;
}

std::optional<BufferView> LaunchTensors::lookupView(Value tensor) const {
  auto it = views.find(tensor);
  if (it == views.end())
    return std::nullopt;
  return it->second;
}

LogicalResult LaunchTensors::checkUpdates(TileKernelOpInterface kernel) {
  for (OpResult result : kernel->getResults()) {
    OpOperand *updated = kernel.getUpdatedOperand(result);
    if (!updated)
      continue;
    FailureOr<BufferView> before = getView(updated->get(), kernel);
    FailureOr<BufferView> after = getView(result, kernel);
    if (failed(before) || failed(after))
      return failure();
    if (before->buffer != after->buffer || before->offset != after->offset ||
        before->strides != after->strides)
      return kernel->emitOpError()
             << "cannot be compiled: it updates operand "
             << updated->getOperandNumber()
             << ", which is in another buffer than the result";
  }
  return success();
}

BufferView LaunchTensors::createBuffer(Location loc, RankedTensorType type) {
  OpBuilder builder(launch);
  Value buffer = launch::BufferOp::create(
      builder, loc, MemRefType::get(type.getShape(), type.getElementType()),
      builder.getStringAttr("scratch"), ElementsAttr());
  return getDenseView(buffer, type);
}

bool LaunchTensors::dependsOnTiles(Value tensor) {
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    return launch.getEarly() &&
           !llvm::is_contained(*launch.getEarly(),
                               int64_t(argument.getArgNumber()));
  Operation *op = tensor.getDefiningOp();
  return isa<TileKernelOpInterface>(op) ||
         llvm::any_of(op->getOperands(),
                      [&](Value operand) { return dependsOnTiles(operand); });
}
