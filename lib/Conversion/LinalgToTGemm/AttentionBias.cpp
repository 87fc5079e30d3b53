//===- AttentionBias.cpp - The bias of attention --------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "AttentionBias.h"

#include "grout/Conversion/Common/Accumulation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace grout;
using Kind = ScalarExpr::Kind;

/// Adding something to a score as low as this hardly changes it.
static constexpr double kLowNumber = -1e9;

/// Returns the value in the bias that stands for the number of `mask`, a mask
/// of `scores`. The score of the product is added to the bias, and must not
/// change this value: a row with only masked keys has equal weights then, as
/// with the number itself. If terms of `scores` may be as low as the number,
/// returns the number.
static float getMasked(const ScoreMask &mask, const Scores &scores) {
  if (!std::isfinite(mask.value))
    return -INFINITY;
  bool hasTermsInside = mask.termsAround != scores.terms.size();
  if (mask.value <= kAbsorbing || (hasTermsInside && mask.value <= kLowNumber))
    return std::max(float(mask.value), std::numeric_limits<float>::lowest());
  return -1e30f;
}

//===----------------------------------------------------------------------===//
// Tensors that are there
//===----------------------------------------------------------------------===//

/// Returns a tensor with exactly the elements on which `expr` depends, in which
/// elements of neighbouring keys are neighbours.
static std::optional<AttentionBias> findTensor(const ScalarExpr *expr,
                                               const Attention &attention,
                                               MLIRContext *context) {
  for (const TensorElement &element : expr->elements) {
    FactorList memory = flatten(element.index);
    if (!isa<RankedTensorType>(element.value.getType()) ||
        !isGemmFloat(getElementTypeOrSelf(element.value)) ||
        memory.size() != expr->factors.size())
      continue;
    std::optional<AffineMap> map =
        findProjectedLayout(memory, attention.dims, context);
    if (map && (!expr->dependsOn(attention.dims[3]) ||
                map->getDimPosition(map->getNumResults() - 1) == 3))
      return AttentionBias{element.value, *map};
  }
  return std::nullopt;
}

/// Returns the only term of `scores`, if that is a tensor already.
static std::optional<AttentionBias> findOnlyTerm(OpBuilder &builder,
                                                 Location loc,
                                                 const Attention &attention,
                                                 const IndexFactors &factors) {
  const Scores &scores = attention.scores;
  if (!scores.masks.empty() || scores.terms.size() != 1 ||
      scores.terms[0].factor != 1)
    return std::nullopt;
  // Before widening, the tensor has fewer bytes.
  const ScalarExpr *term = scores.terms[0].expr;
  std::optional<AttentionBias> bias;
  if (term->is<arith::ExtFOp>())
    bias = findTensor(term->operands[0], attention, builder.getContext());
  if (!bias)
    bias = findTensor(term, attention, builder.getContext());
  if (bias)
    bias->tensor = reshapeTo(builder, loc, bias->tensor,
                             getShape(bias->map, attention.dims, factors));
  return bias;
}

//===----------------------------------------------------------------------===//
// Tensors that are computed
//===----------------------------------------------------------------------===//

namespace {

/// Builds a linalg.generic with one loop for each index factor.
class BiasBuilder {
public:
  BiasBuilder(OpBuilder &builder, Location loc, const Attention &attention,
              const IndexFactors &factors)
      : builder(builder), loc(loc), attention(attention), factors(factors) {}

  FailureOr<AttentionBias> build();

private:
  bool plan();
  SmallVector<int64_t> getExtents(ArrayRef<unsigned> list) {
    return llvm::map_to_vector(
        list, [&](unsigned factor) { return factors.getExtent(factor); });
  }
  AffineMap getAccess(ArrayRef<unsigned> memory);
  void buildBody(OpBuilder &body, ValueRange arguments);
  Value buildPart(OpBuilder &body, const ScalarExpr *expr);
  Value buildIndex(OpBuilder &body, const ScalarExpr *expr);
  Value buildTerm(OpBuilder &body, const ScoreTerm &term);
  Value buildMask(OpBuilder &body, const ScoreMask &mask, Value bias);
  Value getFloat(OpBuilder &body, float value) {
    return arith::ConstantOp::create(body, loc, body.getF32FloatAttr(value));
  }

  OpBuilder &builder;
  Location loc;
  const Attention &attention;
  const IndexFactors &factors;
  /// All expressions that are computed or read, operands first.
  std::vector<const ScalarExpr *> parts;
  llvm::DenseMap<const ScalarExpr *, Value> values;
  SmallVector<const ScalarExpr *> reads;
  SmallVector<unsigned> dims;
  FactorList loops;
};

} // namespace

/// Whether `expr` is read from a tensor.
static bool isRead(const ScalarExpr *expr) {
  return expr->kind == Kind::element || expr->kind == Kind::reduce ||
         expr->kind == Kind::softmax;
}

static bool isTensor(const TensorElement &element) {
  return isa<RankedTensorType>(element.value.getType());
}

/// Collects the parts of `expr` that are computed or read.
static void collectParts(const ScalarExpr *expr,
                         std::vector<const ScalarExpr *> &parts) {
  if (llvm::is_contained(parts, expr))
    return;
  if (!isRead(expr))
    for (const ScalarExpr *operand : expr->operands)
      collectParts(operand, parts);
  parts.push_back(expr);
}

/// Finds the loops and the reads. Returns false if there is no tensor to read.
bool BiasBuilder::plan() {
  for (const ScoreTerm &term : attention.scores.terms)
    collectParts(term.expr, parts);
  for (const ScoreMask &mask : attention.scores.masks)
    for (const MaskCondition &condition : mask.conditions)
      collectParts(condition.expr, parts);
  FactorList used;
  for (const ScalarExpr *part : parts) {
    llvm::append_range(used, part->factors);
    if (!isRead(part))
      continue;
    if (part->elements.empty())
      return false;
    if (isTensor(part->elements.front()))
      reads.push_back(part);
  }
  for (auto [dim, list] : llvm::enumerate(attention.dims)) {
    if (llvm::none_of(list, [&](unsigned factor) {
          return llvm::is_contained(used, factor);
        }))
      continue;
    dims.push_back(dim);
    llvm::append_range(loops, list);
  }
  return llvm::all_of(
      used, [&](unsigned factor) { return llvm::is_contained(loops, factor); });
}

/// Emits an index: the sum of the indices of its loops, each times its stride.
Value BiasBuilder::buildIndex(OpBuilder &body, const ScalarExpr *expr) {
  Value sum = arith::ConstantIndexOp::create(body, loc, 0);
  int64_t stride = 1;
  for (unsigned factor : llvm::reverse(expr->index)) {
    Value index = linalg::IndexOp::create(
        body, loc, llvm::find(loops, factor) - loops.begin());
    Value scale = arith::ConstantIndexOp::create(body, loc, stride);
    if (stride != 1)
      index = arith::MulIOp::create(body, loc, index, scale);
    sum = stride == 1 ? index : arith::AddIOp::create(body, loc, sum, index);
    stride *= factors.getExtent(factor);
  }
  return sum;
}

Value BiasBuilder::buildPart(OpBuilder &body, const ScalarExpr *expr) {
  if (expr->kind == Kind::constant)
    return arith::ConstantOp::create(body, loc, expr->constant);
  if (expr->kind == Kind::index)
    return buildIndex(body, expr);
  if (isRead(expr)) // A scalar from outside.
    return expr->elements.front().value;
  Operation *op = body.clone(*expr->op);
  for (auto [operand, part] :
       llvm::zip_equal(op->getOpOperands(), expr->operands))
    operand.set(values.lookup(part));
  return op->getResult(0);
}

Value BiasBuilder::buildTerm(OpBuilder &body, const ScoreTerm &term) {
  Value value = values.lookup(term.expr);
  unsigned width = value.getType().getIntOrFloatBitWidth();
  if (width < 32)
    value = arith::ExtFOp::create(body, loc, body.getF32Type(), value);
  if (width > 32)
    value = arith::TruncFOp::create(body, loc, body.getF32Type(), value);
  if (term.factor != 1)
    value = arith::MulFOp::create(body, loc, value,
                                  getFloat(body, float(term.factor)));
  return value;
}

Value BiasBuilder::buildMask(OpBuilder &body, const ScoreMask &mask,
                             Value bias) {
  Value masked = getFloat(body, getMasked(mask, attention.scores));
  for (const MaskCondition &condition : mask.conditions) {
    Value holds = values.lookup(condition.expr);
    bias = condition.value
               ? arith::SelectOp::create(body, loc, holds, bias, masked)
               : arith::SelectOp::create(body, loc, holds, masked, bias);
  }
  return bias;
}

void BiasBuilder::buildBody(OpBuilder &body, ValueRange arguments) {
  for (auto [read, argument] : llvm::zip(reads, arguments))
    values[read] = argument;
  for (const ScalarExpr *part : parts)
    if (!values.contains(part))
      values[part] = buildPart(body, part);
  Value bias;
  auto mask = [&](size_t termsAround) {
    for (const ScoreMask &mask : llvm::reverse(attention.scores.masks))
      if (mask.termsAround == termsAround)
        bias = buildMask(body, mask, bias ? bias : getFloat(body, 0));
  };
  const SmallVector<ScoreTerm> &terms = attention.scores.terms;
  for (size_t number = terms.size(); number != 0; --number) {
    mask(number);
    Value value = buildTerm(body, terms[number - 1]);
    bias = bias ? arith::AddFOp::create(body, loc, bias, value) : value;
  }
  mask(0);
  linalg::YieldOp::create(body, loc, bias);
}

/// Returns the map by which the loops read a tensor with index factors
/// `memory`.
AffineMap BiasBuilder::getAccess(ArrayRef<unsigned> memory) {
  SmallVector<AffineExpr> exprs;
  for (unsigned factor : memory)
    exprs.push_back(getAffineDimExpr(llvm::find(loops, factor) - loops.begin(),
                                     builder.getContext()));
  return AffineMap::get(loops.size(), 0, exprs, builder.getContext());
}

FailureOr<AttentionBias> BiasBuilder::build() {
  if (!plan())
    return failure();
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (const ScalarExpr *read : reads) {
    const TensorElement &element = read->elements.front();
    FactorList memory = flatten(element.index);
    inputs.push_back(
        reshapeTo(builder, loc, element.value, getExtents(memory)));
    maps.push_back(getAccess(memory));
  }
  maps.push_back(getAccess(loops));
  Value empty = tensor::EmptyOp::create(builder, loc, getExtents(loops),
                                        builder.getF32Type());
  auto generic = linalg::GenericOp::create(
      builder, loc, empty.getType(), inputs, empty, maps,
      SmallVector<utils::IteratorType>(loops.size(),
                                       utils::IteratorType::parallel),
      [&](OpBuilder &body, Location, ValueRange arguments) {
        buildBody(body, arguments.drop_back());
      });
  SmallVector<AffineExpr> exprs;
  for (unsigned dim : dims)
    exprs.push_back(getAffineDimExpr(dim, builder.getContext()));
  auto map = AffineMap::get(4, 0, exprs, builder.getContext());
  return AttentionBias{reshapeTo(builder, loc, generic.getResult(0),
                                 getShape(map, attention.dims, factors)),
                       map};
}

FailureOr<AttentionBias> grout::buildBias(OpBuilder &builder, Location loc,
                                          const Attention &attention,
                                          const IndexFactors &factors) {
  if (std::optional<AttentionBias> bias =
          findOnlyTerm(builder, loc, attention, factors))
    return *bias;
  return BiasBuilder(builder, loc, attention, factors).build();
}
