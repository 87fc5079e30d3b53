//===- ScalarExpr.cpp - Tensor elements as expressions --------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ScalarExpr.h"

#include "grout/Interfaces/LinalgTileKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseSet.h"
#include <cmath>

using namespace mlir;
using namespace grout;
using Kind = ScalarExpr::Kind;

/// Limits on the number of tensors that are followed one behind the other, on
/// the ops in the body of a linalg op, and on expressions. Attention needs a
/// fraction of them.
static constexpr unsigned kMaxDepth = 96;
static constexpr unsigned kMaxBodyOps = 64;
static constexpr unsigned kMaxExprs = 8192;

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

bool ScalarExpr::dependsOn(ArrayRef<unsigned> list) const {
  return llvm::any_of(list, [&](unsigned factor) {
    return llvm::is_contained(factors, factor);
  });
}

const ScalarExpr *grout::stripCasts(const ScalarExpr *expr) {
  while (expr->is<arith::ExtFOp>() || expr->is<arith::TruncFOp>())
    expr = expr->operands[0];
  return expr;
}

/// Does the same as getFloatConstant, with a bound on the depth of operands.
static std::optional<double> foldFloat(const ScalarExpr *expr, unsigned depth) {
  constexpr unsigned maxDepth = 6;
  if (expr->kind == Kind::constant) {
    auto value = dyn_cast<FloatAttr>(expr->constant);
    return value ? std::optional(value.getValueAsDouble()) : std::nullopt;
  }
  SmallVector<double, 2> values;
  if (expr->kind != Kind::apply || expr->operands.size() > 2 ||
      depth == maxDepth)
    return std::nullopt;
  for (const ScalarExpr *operand : expr->operands) {
    std::optional<double> value = foldFloat(operand, depth + 1);
    if (!value)
      return std::nullopt;
    values.push_back(*value);
  }
  if (expr->is<arith::ExtFOp>() || expr->is<arith::TruncFOp>())
    return values[0];
  if (expr->is<arith::NegFOp>())
    return -values[0];
  if (expr->is<math::SqrtOp>())
    return std::sqrt(values[0]);
  if (expr->is<math::RsqrtOp>())
    return 1 / std::sqrt(values[0]);
  if (expr->is<arith::MulFOp>())
    return values[0] * values[1];
  if (expr->is<arith::DivFOp>())
    return values[0] / values[1];
  return std::nullopt;
}

std::optional<double> grout::getFloatConstant(const ScalarExpr *expr) {
  return foldFloat(expr, 0);
}

std::optional<bool> grout::getBoolConstant(const ScalarExpr *expr) {
  if (expr->kind != Kind::constant || !expr->type.isInteger(1))
    return std::nullopt;
  return !cast<IntegerAttr>(expr->constant).getValue().isZero();
}

std::vector<const ScalarExpr *> grout::getParts(const ScalarExpr *expr) {
  std::vector<const ScalarExpr *> parts;
  llvm::DenseSet<const ScalarExpr *> seen;
  SmallVector<std::pair<const ScalarExpr *, bool>> stack = {{expr, false}};
  while (!stack.empty()) {
    auto [top, isDone] = stack.pop_back_val();
    if (isDone) {
      parts.push_back(top);
      continue;
    }
    if (!seen.insert(top).second)
      continue;
    stack.push_back({top, true});
    for (const ScalarExpr *operand : top->operands)
      stack.push_back({operand, false});
  }
  return parts;
}

bool grout::contains(const ScalarExpr *expr, const ScalarExpr *part) {
  return llvm::is_contained(getParts(expr), part);
}

//===----------------------------------------------------------------------===//
// Unique expressions
//===----------------------------------------------------------------------===//

static std::vector<std::vector<unsigned>> toKey(const FactorIndex &index) {
  std::vector<std::vector<unsigned>> key;
  for (const FactorList &list : index)
    key.emplace_back(list.begin(), list.end());
  return key;
}

static void addFactors(FactorList &factors, ArrayRef<unsigned> more) {
  for (unsigned factor : more)
    if (!llvm::is_contained(factors, factor))
      factors.push_back(factor);
}

const ScalarExpr *ScalarExprBuilder::getUnique(const Key &key,
                                               ScalarExpr expr) {
  std::unique_ptr<ScalarExpr> &unique = exprs[key];
  if (unique)
    return unique.get();
  for (const ScalarExpr *operand : expr.operands)
    addFactors(expr.factors, operand->factors);
  if (expr.kind == Kind::reduce)
    llvm::erase_if(expr.factors, [&](unsigned factor) {
      return llvm::is_contained(keys, factor);
    });
  unique = std::make_unique<ScalarExpr>(std::move(expr));
  return unique.get();
}

const ScalarExpr *ScalarExprBuilder::getElement(Value tensor,
                                                const FactorIndex &index) {
  ScalarExpr expr(Kind::element, getElementTypeOrSelf(tensor.getType()));
  for (const FactorList &list : index)
    addFactors(expr.factors, list);
  Key key{int(Kind::element), {tensor.getAsOpaquePointer()}, toKey(index)};
  const ScalarExpr *unique = getUnique(key, std::move(expr));
  if (unique->elements.empty())
    unique->elements.push_back({tensor, index});
  return unique;
}

const ScalarExpr *ScalarExprBuilder::getConstant(TypedAttr constant) {
  ScalarExpr expr(Kind::constant, constant.getType());
  expr.constant = constant;
  return getUnique({int(Kind::constant), {constant.getAsOpaquePointer()}, {}},
                   std::move(expr));
}

const ScalarExpr *
ScalarExprBuilder::getApply(Operation *op,
                            ArrayRef<const ScalarExpr *> operands) {
  ScalarExpr expr(Kind::apply, op->getResult(0).getType(), op);
  expr.operands.assign(operands.begin(), operands.end());
  std::vector<const void *> parts = {
      op->getName().getAsOpaquePointer(),
      op->getAttrDictionary().getAsOpaquePointer(),
      expr.type.getAsOpaquePointer()};
  parts.insert(parts.end(), operands.begin(), operands.end());
  return getUnique({int(Kind::apply), parts, {}}, std::move(expr));
}

//===----------------------------------------------------------------------===//
// Bodies of linalg ops
//===----------------------------------------------------------------------===//

/// Whether every iteration reads one element of `operand`, whose indices are
/// loops or 0.
static bool isReadSimply(linalg::LinalgOp op, OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!map.isProjectedPermutation(/*allowZeroInResults=*/true))
    return false;
  for (auto [expr, extent] :
       llvm::zip_equal(map.getResults(), op.getShape(&operand)))
    if (isa<AffineConstantExpr>(expr) && extent != 1)
      return false;
  return true;
}

const ScalarExpr *ScalarExprBuilder::getRead(linalg::LinalgOp op,
                                             OpOperand &operand,
                                             const FactorIndex &loops,
                                             unsigned depth) {
  if (!isa<RankedTensorType>(operand.get().getType()))
    return getOutside(operand.get());
  if (!isReadSimply(op, operand))
    return nullptr;
  FactorIndex index;
  for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    index.push_back(dim ? loops[dim.getPosition()] : FactorList());
  }
  return get(operand.get(), index, depth + 1);
}

/// Returns the expression of a scalar that is defined outside of the op that
/// uses it.
const ScalarExpr *ScalarExprBuilder::getOutside(Value scalar) {
  TypedAttr constant;
  if (matchPattern(scalar, m_Constant(&constant)))
    return getConstant(constant);
  return getElement(scalar, {});
}

/// Whether `op` can be a part of an expression.
static bool isScalarOp(Operation &op) {
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
             op.getDialect()) &&
         isPure(&op) && op.getNumRegions() == 0 && op.getNumResults() == 1;
}

/// Returns the factors of an index that is computed as gathers do it. Gathers
/// count negative indices from the end, but the index of a loop is never
/// negative.
static const FactorList *getLoopIndex(const ScalarExpr *expr) {
  while (expr->is<arith::IndexCastOp>() || expr->is<arith::SelectOp>()) {
    if (expr->is<arith::IndexCastOp>()) {
      expr = expr->operands[0];
      continue;
    }
    const ScalarExpr *condition = expr->operands[0];
    if (!condition->is<arith::CmpIOp>() ||
        cast<arith::CmpIOp>(condition->op).getPredicate() !=
            arith::CmpIPredicate::slt ||
        condition->operands[0] != expr->operands[2] ||
        condition->operands[1]->kind != Kind::constant ||
        !matchPattern(condition->operands[1]->constant, m_Zero()))
      return nullptr;
    expr = expr->operands[2];
  }
  return expr->kind == Kind::index ? &expr->index : nullptr;
}

/// Returns the element that a gather reads, if its indices are those of loops
/// over whole dimensions.
const ScalarExpr *
ScalarExprBuilder::getExtract(tensor::ExtractOp op,
                              ArrayRef<const ScalarExpr *> indices,
                              unsigned depth) {
  FactorIndex index;
  auto type = op.getTensor().getType();
  for (auto [expr, extent] : llvm::zip_equal(indices, type.getShape())) {
    const FactorList *list = getLoopIndex(expr);
    if (!list || factors.getExtent(*list) != extent)
      return nullptr;
    index.push_back(*list);
  }
  return get(op.getTensor(), index, depth + 1);
}

const ScalarExpr *ScalarExprBuilder::getIndex(const FactorList &loop) {
  ScalarExpr expr(Kind::index, IndexType::get(context));
  expr.index = expr.factors = loop;
  return getUnique({int(Kind::index), {}, toKey({loop})}, std::move(expr));
}

/// Returns the expression of an op in a body, given those of the values before
/// it; null if it is not known.
const ScalarExpr *ScalarExprBuilder::getScalar(Operation &op,
                                               const FactorIndex &loops,
                                               const Values &values,
                                               unsigned depth) {
  if (auto index = dyn_cast<linalg::IndexOp>(op))
    return getIndex(loops[index.getDim()]);
  auto extract = dyn_cast<tensor::ExtractOp>(op);
  SmallVector<const ScalarExpr *> operands;
  for (Value operand : extract ? extract.getIndices() : op.getOperands()) {
    operands.push_back(getValue(operand, op.getBlock(), values));
    if (!operands.back())
      return nullptr;
  }
  if (extract && extract.getTensor().getParentBlock() == op.getBlock())
    return nullptr;
  if (extract)
    return getExtract(extract, operands, depth);
  if (!isScalarOp(op))
    return nullptr;
  TypedAttr constant;
  if (matchPattern(&op, m_Constant(&constant)))
    return getConstant(constant);
  return getApply(&op, operands);
}

/// Returns the expression of a value that is used in `body`.
const ScalarExpr *ScalarExprBuilder::getValue(Value value, Block *body,
                                              const Values &values) {
  return value.getParentBlock() == body ? values.lookup(value)
                                        : getOutside(value);
}

const ScalarExpr *ScalarExprBuilder::getBody(linalg::LinalgOp op, Value wanted,
                                             const FactorIndex &loops,
                                             Values values, unsigned depth) {
  Block *body = op.getBlock();
  if (body->getOperations().size() > kMaxBodyOps)
    return nullptr;
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (!values.contains(argument) && !argument.use_empty())
      values[argument] = getRead(op, operand, loops, depth);
  }
  for (Operation &scalarOp : body->without_terminator())
    if (scalarOp.getNumResults() == 1)
      values[scalarOp.getResult(0)] = getScalar(scalarOp, loops, values, depth);
  return getValue(wanted, body, values);
}

/// Returns the op that combines each element of a row with the combination of
/// the elements before it; null if there is none.
static Operation *findCombiner(linalg::LinalgOp op, unsigned result) {
  Value soFar = op.getRegionOutputArgs()[result];
  Value yielded = op.getBlock()->getTerminator()->getOperand(result);
  Operation *combiner = yielded.getDefiningOp();
  if (!combiner || combiner->getBlock() != op.getBlock() ||
      !isa<arith::MaximumFOp, arith::MaxNumFOp, arith::AddFOp, arith::OrIOp,
           arith::AndIOp>(combiner) ||
      llvm::count(combiner->getOperands(), soFar) != 1)
    return nullptr;
  return combiner;
}

const ScalarExpr *ScalarExprBuilder::computeReduction(linalg::LinalgOp op,
                                                      unsigned result,
                                                      FactorIndex loops,
                                                      unsigned depth) {
  Operation *combiner = findCombiner(op, result);
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  if (!combiner || reductions.size() != 1 ||
      op.getStaticLoopRanges()[reductions[0]] != factors.getExtent(keys))
    return nullptr;
  for (const FactorList &loop : loops)
    if (llvm::any_of(loop, [&](unsigned factor) {
          return llvm::is_contained(keys, factor);
        }))
      return nullptr;
  OpOperand *output = op.getDpsInitOperand(result);
  const ScalarExpr *init = getRead(op, *output, loops, depth);
  loops[reductions[0]] = keys;
  // Intermediate values of the accumulators depend on the order of the loops,
  // so they are not known.
  Values values;
  for (Value soFar : op.getRegionOutputArgs())
    values[soFar] = nullptr;
  Value soFar = op.getRegionOutputArgs()[result];
  Value term = combiner->getOperand(combiner->getOperand(0) == soFar ? 1 : 0);
  const ScalarExpr *operand = getBody(op, term, loops, values, depth);
  if (!operand || !init || init->kind != Kind::constant)
    return nullptr;
  ScalarExpr expr(Kind::reduce, term.getType(), combiner);
  expr.operands = {operand};
  expr.constant = init->constant;
  return getUnique({int(Kind::reduce),
                    {combiner->getName().getAsOpaquePointer(), operand,
                     init->constant.getAsOpaquePointer()},
                    {}},
                   std::move(expr));
}

/// Returns the index of each loop of `op` when it computes the element at
/// `index`; none if that is not clear.
static std::optional<FactorIndex> getLoops(linalg::LinalgOp op, AffineMap map,
                                           const FactorIndex &index) {
  FactorIndex loops;
  loops.resize(op.getNumLoops());
  llvm::SmallBitVector found(op.getNumLoops());
  for (auto [expr, list] : llvm::zip_equal(map.getResults(), index)) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      loops[dim.getPosition()] = list;
      found.set(dim.getPosition());
    }
  }
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    if (!found.test(loop) && iterator == utils::IteratorType::parallel)
      return std::nullopt;
  return loops;
}

const ScalarExpr *ScalarExprBuilder::computeLinalg(linalg::LinalgOp op,
                                                   unsigned result,
                                                   const FactorIndex &index,
                                                   unsigned depth) {
  OpOperand *output = op.getDpsInitOperand(result);
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op->hasAttr(kLinalgTileSizesAttrName) ||
      linalg::isaContractionOpInterface(op) || !isReadSimply(op, *output))
    return nullptr;
  AffineMap written = op.getMatchingIndexingMap(output);
  std::optional<FactorIndex> loops = getLoops(op, written, index);
  if (!loops)
    return nullptr;
  if (op.getNumParallelLoops() == op.getNumLoops())
    return getBody(op, op.getBlock()->getTerminator()->getOperand(result),
                   *loops, Values(), depth);
  return computeReduction(op, result, *loops, depth);
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// Returns the index into the source of a reshape.
template <typename ReshapeOp>
static std::optional<FactorIndex>
getSourceIndex(ReshapeOp op, const FactorIndex &index, IndexFactors &factors) {
  RankedTensorType source = op.getSrcType(), result = op.getResultType();
  if (!source.hasStaticShape() || !result.hasStaticShape())
    return std::nullopt;
  constexpr bool expands = std::is_same_v<ReshapeOp, tensor::ExpandShapeOp>;
  FactorIndex sourceIndex;
  for (auto [group, dims] : llvm::enumerate(op.getReassociationIndices())) {
    if constexpr (expands) {
      FactorList &list = sourceIndex.emplace_back();
      for (int64_t dim : dims)
        llvm::append_range(list, index[dim]);
    } else {
      std::optional<FactorIndex> parts = factors.split(
          index[group], source.getShape().slice(dims.front(), dims.size()));
      if (!parts)
        return std::nullopt;
      llvm::append_range(sourceIndex, *parts);
    }
  }
  return sourceIndex;
}

/// Whether a slice is all of the tensor that has `shape`, apart from dimensions
/// of extent 1.
static bool isWhole(OffsetSizeAndStrideOpInterface slice,
                    ArrayRef<int64_t> shape) {
  auto areAll = [](ArrayRef<int64_t> values, int64_t value) {
    return llvm::all_of(values, [=](int64_t one) { return one == value; });
  };
  return areAll(slice.getStaticOffsets(), 0) &&
         areAll(slice.getStaticStrides(), 1) && slice.getStaticSizes() == shape;
}

/// Returns the element of the source, if a slice is all of the tensor from
/// which it is extracted, or into which it is inserted.
const ScalarExpr *ScalarExprBuilder::computeSlice(Operation *op,
                                                  const FactorIndex &index,
                                                  unsigned depth) {
  FactorIndex source;
  if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op)) {
    if (!isWhole(extract, extract.getSourceType().getShape()))
      return nullptr;
    llvm::SmallBitVector dropped = extract.getDroppedDims();
    const FactorList *next = index.begin();
    for (unsigned dim = 0; dim != dropped.size(); ++dim)
      source.push_back(dropped.test(dim) ? FactorList() : *next++);
    return get(extract.getSource(), source, depth + 1);
  }
  auto insert = cast<tensor::InsertSliceOp>(op);
  if (!isWhole(insert, insert.getDestType().getShape()))
    return nullptr;
  llvm::SmallBitVector dropped = insert.getDroppedDims();
  for (unsigned dim = 0; dim != dropped.size(); ++dim)
    if (!dropped.test(dim))
      source.push_back(index[dim]);
  return get(insert.getSource(), source, depth + 1);
}

const ScalarExpr *ScalarExprBuilder::computeReshape(Operation *op,
                                                    const FactorIndex &index,
                                                    unsigned depth) {
  std::optional<FactorIndex> source;
  auto collapse = dyn_cast<tensor::CollapseShapeOp>(op);
  if (!collapse)
    source = getSourceIndex(cast<tensor::ExpandShapeOp>(op), index, factors);
  else if (collapse.getReassociationIndices().empty())
    // All dimensions have extent 1, and the result has rank 0.
    source.emplace().resize(collapse.getSrcType().getRank());
  else
    source = getSourceIndex(collapse, index, factors);
  return source ? get(op->getOperand(0), *source, depth + 1) : nullptr;
}

const ScalarExpr *ScalarExprBuilder::computeSoftmax(linalg::SoftmaxOp op,
                                                    const FactorIndex &index,
                                                    unsigned depth) {
  if (index[op.getDimension()] != keys)
    return nullptr;
  ScalarExpr expr(Kind::softmax, op.getInputOperandType().getElementType(), op);
  expr.operands = {get(op.getInput(), index, depth + 1)};
  Key key{int(Kind::softmax), {expr.operands[0]}, {}};
  return getUnique(key, std::move(expr));
}

/// If all elements of a constant tensor are equal, returns the element.
static TypedAttr getSplatNumber(Value tensor) {
  DenseElementsAttr elements;
  if (!matchPattern(tensor, m_Constant(&elements)) || !elements.isSplat() ||
      !isa<FloatType, IntegerType>(elements.getElementType()))
    return {};
  return cast<TypedAttr>(elements.getSplatValue<Attribute>());
}

const ScalarExpr *ScalarExprBuilder::compute(Value tensor,
                                             const FactorIndex &index,
                                             unsigned depth) {
  Operation *op = tensor.getDefiningOp();
  if (!op || depth > kMaxDepth || exprs.size() > kMaxExprs)
    return nullptr;
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return computeReshape(op, index, depth);
  if (isa<tensor::ExtractSliceOp, tensor::InsertSliceOp>(op))
    return computeSlice(op, index, depth);
  if (TypedAttr splat = getSplatNumber(tensor))
    return getConstant(splat);
  if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op))
    return computeSoftmax(softmax, index, depth);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return computeLinalg(linalgOp, cast<OpResult>(tensor).getResultNumber(),
                         index, depth);
  return nullptr;
}

const ScalarExpr *ScalarExprBuilder::get(Value tensor, const FactorIndex &index,
                                         unsigned depth) {
  std::pair<void *, std::vector<std::vector<unsigned>>> key{
      tensor.getAsOpaquePointer(), toKey(index)};
  if (auto it = known.find(key); it != known.end())
    return it->second;
  const ScalarExpr *expr = nullptr;
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (type && type.hasStaticShape())
    expr = compute(tensor, index, depth);
  if (!expr)
    expr = getElement(tensor, index);
  else
    expr->elements.push_back({tensor, index});
  return known[key] = expr;
}
