//===- Members.cpp - Ops that a scop kernel can contain -------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Members.h"

#include "grout/Conversion/Common/ComputeBound.h"
#include "grout/Dialect/Scop/IR/Scop.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

bool grout::scop::isView(Operation *op) {
  // It has been checked that slices are static.
  if (isa<tensor::ExtractSliceOp>(op))
    return true;
  if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return false;
  return llvm::all_of(
      llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()),
      [](Type type) { return cast<RankedTensorType>(type).hasStaticShape(); });
}

/// Returns the strides of the dimensions in `group`. The last one is
/// contiguous.
static SmallVector<int64_t> getGroupStrides(ArrayRef<int64_t> group,
                                            ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(group.size(), 1);
  for (int i = static_cast<int>(group.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * shape[group[i + 1]];
  return strides;
}

/// Returns the map from indices of an expanded shape to those of the collapsed
/// one.
static AffineMap getCollapseMap(ArrayRef<ReassociationIndices> groups,
                                ArrayRef<int64_t> expanded,
                                MLIRContext *context) {
  SmallVector<AffineExpr> results;
  for (const ReassociationIndices &group : groups) {
    AffineExpr sum = getAffineConstantExpr(0, context);
    for (auto [dim, stride] :
         llvm::zip_equal(group, getGroupStrides(group, expanded)))
      sum = sum + getAffineDimExpr(dim, context) * stride;
    results.push_back(sum);
  }
  return AffineMap::get(expanded.size(), 0, results, context);
}

/// Returns the map from indices of a collapsed shape to those of the expanded
/// one.
static AffineMap getExpandMap(ArrayRef<ReassociationIndices> groups,
                              ArrayRef<int64_t> expanded,
                              MLIRContext *context) {
  // A tensor of rank 0 is expanded to dimensions of extent 1, whose indices are
  // 0.
  if (groups.empty())
    return AffineMap::get(
        0, 0,
        SmallVector<AffineExpr>(expanded.size(),
                                getAffineConstantExpr(0, context)),
        context);
  SmallVector<AffineExpr> results;
  for (auto [position, group] : llvm::enumerate(groups)) {
    AffineExpr index = getAffineDimExpr(position, context);
    for (auto [dim, stride] :
         llvm::zip_equal(group, getGroupStrides(group, expanded))) {
      AffineExpr part = index.floorDiv(stride);
      // The outermost index does not wrap around.
      results.push_back(dim == group.front() ? part : part % expanded[dim]);
    }
  }
  return AffineMap::get(groups.size(), 0, results, context);
}

/// Returns the map from indices of a slice to those of its source.
static AffineMap getSliceMap(tensor::ExtractSliceOp slice) {
  MLIRContext *context = slice.getContext();
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  SmallVector<AffineExpr> results;
  unsigned numKept = 0;
  for (auto [dim, offset, stride] :
       llvm::enumerate(slice.getStaticOffsets(), slice.getStaticStrides())) {
    AffineExpr index = getAffineConstantExpr(offset, context);
    if (!dropped.test(dim))
      index = getAffineDimExpr(numKept++, context) * stride + index;
    results.push_back(index);
  }
  return AffineMap::get(numKept, 0, results, context);
}

AffineMap grout::scop::getViewMap(Operation *view) {
  MLIRContext *context = view->getContext();
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(view))
    return getSliceMap(slice);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(view))
    return getCollapseMap(expand.getReassociationIndices(),
                          expand.getResultType().getShape(), context);
  auto collapse = cast<tensor::CollapseShapeOp>(view);
  return getExpandMap(collapse.getReassociationIndices(),
                      collapse.getSrcType().getShape(), context);
}

Value grout::scop::getViewed(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isView(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

bool grout::scop::isStatement(Operation *op) {
  if (isa<tensor::ScatterOp>(op))
    return true;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return false;
  StringRef reason = linalgOp.hasPureTensorSemantics()
                         ? getComputeBound(linalgOp)
                         : "is not on tensors";
  if (reason.empty())
    return true;
  op->emitRemark() << "not converted to scop: it " << reason;
  return false;
}

/// Checks the type of an operand: a tensor or a scalar.
static LogicalResult checkType(Operation *op, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  Type element = tensor ? tensor.getElementType() : type;
  if (!isa<FloatType>(element) && !element.isSignlessInteger())
    return op->emitOpError() << "has elements of type " << element
                             << "; scop takes signless integers and floats, "
                                "such as i64 and f32";
  if (!tensor)
    return success();
  if (!tensor.hasStaticShape())
    return op->emitOpError()
           << "has dynamic extents, in " << type << "; scop takes static ones";
  if (tensor.getEncoding())
    return op->emitOpError() << "has a tensor with an encoding, " << type;
  if (llvm::is_contained(tensor.getShape(), 0))
    return op->emitOpError() << "has a tensor without elements, " << type;
  if (!getSize(tensor.getShape(), element))
    return op->emitOpError()
           << "has a tensor of more than 2^63 bytes, " << type;
  return success();
}

SmallVector<Operation *> grout::scop::getGathered(Operation *op) {
  SmallVector<Operation *> ops;
  op->walk([&](tensor::ExtractOp extract) {
    Operation *source = extract.getTensor().getDefiningOp();
    while (source) {
      ops.push_back(source);
      source = isView(source) ? source->getOperand(0).getDefiningOp() : nullptr;
    }
  });
  return ops;
}

/// Checks the ops in the body of `op`.
static LogicalResult checkBody(linalg::LinalgOp op) {
  Block *block = op.getBlock();
  for (Operation &inner : block->without_terminator()) {
    auto extract = dyn_cast<tensor::ExtractOp>(inner);
    if (extract && failed(checkType(op, extract.getTensor().getType())))
      return failure();
    for (Value operand : inner.getOperands()) {
      if (extract && operand == extract.getTensor())
        continue;
      if (isa<TensorType>(operand.getType()))
        return inner.emitOpError("uses a tensor in a statement of scop, which "
                                 "takes elements of them");
      if (operand.getParentBlock() != block && !getScalarConstant(operand) &&
          !isa<FloatType, IndexType>(operand.getType()) &&
          !operand.getType().isSignlessInteger())
        return inner.emitOpError() << "uses a value of type "
                                   << operand.getType() << " from outside";
    }
    if (!isMemoryEffectFree(&inner) || inner.getNumRegions() != 0)
      return inner.emitOpError("is not allowed in a statement of scop, which "
                               "holds ops without effects and regions only");
  }
  return success();
}

/// Checks a linalg op whose operands have been checked.
static LogicalResult checkLinalgOp(linalg::LinalgOp op) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  if (!getSize(extents))
    return op.emitOpError("has loops of more than 2^63 iterations");
  for (AffineMap map : op.getIndexingMapsArray())
    for (AffineExpr expr : map.getResults())
      if (map.getNumSymbols() != 0 || !expr.isPureAffine())
        return op.emitOpError("has an indexing map that is not affine");
  return checkBody(op);
}

/// Checks a scatter whose operands have been checked. A constant place outside
/// of the tensor is an error.
static LogicalResult checkScatter(tensor::ScatterOp op) {
  DenseIntElementsAttr indices;
  if (!matchPattern(op.getIndices(), m_Constant(&indices)))
    return success();
  ArrayRef<int64_t> dims = op.getScatterDims();
  for (auto [number, index] : llvm::enumerate(indices.getValues<APInt>())) {
    int64_t dim = dims[number % dims.size()];
    int64_t extent = op.getDestType().getDimSize(dim);
    if (index.isNegative() || index.uge(extent))
      return op->emitOpError() << "replaces elements at "
                               << index.getSExtValue() << " in dimension "
                               << dim << ", which has an extent of " << extent;
  }
  return success();
}

LogicalResult grout::scop::checkStatement(Operation *op) {
  for (Type type : op->getOperandTypes())
    if (failed(checkType(op, type)))
      return failure();
  if (auto scatter = dyn_cast<tensor::ScatterOp>(op))
    return checkScatter(scatter);
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp ? checkLinalgOp(linalgOp) : success();
}

TypedAttr grout::scop::getScalarConstant(Value value) {
  TypedAttr attr;
  if (!matchPattern(value, m_Constant(&attr)))
    return {};
  if (auto dense = dyn_cast<DenseElementsAttr>(attr))
    return dense.isSplat() ? dense.getSplatValue<TypedAttr>() : TypedAttr();
  return isa<IntegerAttr, FloatAttr>(attr) ? attr : TypedAttr();
}
