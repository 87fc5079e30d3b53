//===- MaskCondition.cpp - Conditions of masks ----------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "MaskCondition.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using Kind = ScalarExpr::Kind;

//===----------------------------------------------------------------------===//
// Conjunctions
//===----------------------------------------------------------------------===//

/// If `condition` compares a value with a constant truth value, returns an
/// equivalent condition on that value.
static std::optional<MaskCondition> skipComparison(MaskCondition condition) {
  const ScalarExpr *expr = condition.expr;
  bool isXor = expr->is<arith::XOrIOp>();
  if (!isXor && !expr->is<arith::CmpIOp>())
    return std::nullopt;
  for (unsigned number : {0, 1}) {
    std::optional<bool> constant = getBoolConstant(expr->operands[number]);
    if (!constant)
      continue;
    const ScalarExpr *other = expr->operands[1 - number];
    if (isXor)
      return MaskCondition{other, condition.value != *constant};
    auto predicate = cast<arith::CmpIOp>(expr->op).getPredicate();
    if (predicate == arith::CmpIPredicate::eq)
      return MaskCondition{other, condition.value == *constant};
    if (predicate == arith::CmpIPredicate::ne)
      return MaskCondition{other, condition.value != *constant};
  }
  return std::nullopt;
}

/// If `condition` is a selection between truth values of which one is constant,
/// returns equivalent conditions that must all hold. Else returns none.
static SmallVector<MaskCondition, 2> skipSelection(MaskCondition condition) {
  const ScalarExpr *expr = condition.expr;
  if (!expr->is<arith::SelectOp>())
    return {};
  for (bool side : {true, false}) {
    std::optional<bool> constant =
        getBoolConstant(expr->operands[side ? 1 : 2]);
    if (!constant)
      continue;
    MaskCondition other{expr->operands[side ? 2 : 1], condition.value};
    // Either both conditions have to hold; or one of them is enough, which is
    // not a conjunction, unless the other is never true.
    if (*constant != condition.value)
      return {{expr->operands[0], !side}, other};
    if (getBoolConstant(other.expr) == !condition.value)
      return {{expr->operands[0], side}};
  }
  return {};
}

SmallVector<MaskCondition> grout::getConjuncts(MaskCondition condition) {
  constexpr unsigned maxConjuncts = 16;
  SmallVector<MaskCondition> conjuncts, stack = {condition};
  while (!stack.empty()) {
    MaskCondition top = stack.pop_back_val();
    if (getBoolConstant(top.expr) == top.value)
      continue;
    if (conjuncts.size() + stack.size() > maxConjuncts)
      return {condition};
    if (std::optional<MaskCondition> other = skipComparison(top)) {
      stack.push_back(*other);
    } else if (top.value ? top.expr->is<arith::AndIOp>()
                         : top.expr->is<arith::OrIOp>()) {
      for (const ScalarExpr *operand : llvm::reverse(top.expr->operands))
        stack.push_back({operand, top.value});
    } else if (auto parts = skipSelection(top); !parts.empty()) {
      stack.append(parts.begin(), parts.end());
    } else if (llvm::none_of(conjuncts, [&](const MaskCondition &other) {
                 return other.expr == top.expr && other.value == top.value;
               })) {
      conjuncts.push_back(top);
    }
  }
  return conjuncts;
}

//===----------------------------------------------------------------------===//
// Causal masks
//===----------------------------------------------------------------------===//

namespace {

/// A linear function of indices: query * i + key * j + constant.
struct Linear {
  int64_t query = 0, key = 0, constant = 0;

  Linear plus(const Linear &other, int64_t sign) const {
    return Linear{query + sign * other.query, key + sign * other.key,
                  constant + sign * other.constant};
  }
};

/// The indices of queries and keys as lists of factors, and their extents.
struct Indices {
  Indices(ArrayRef<unsigned> queries, ArrayRef<unsigned> keys,
          const IndexFactors &factors)
      : queries(queries), keys(keys), numQueries(factors.getExtent(queries)),
        numKeys(factors.getExtent(keys)) {}

  ArrayRef<unsigned> queries, keys;
  int64_t numQueries, numKeys;
};

} // namespace

static int64_t getLargest(const Linear &linear, const Indices &indices) {
  return linear.constant +
         std::max<int64_t>(linear.query, 0) * (indices.numQueries - 1) +
         std::max<int64_t>(linear.key, 0) * (indices.numKeys - 1);
}

/// Whether `linear` is never negative, so that it is the same as a signed and
/// as an unsigned number.
static bool isNeverNegative(const Linear &linear, const Indices &indices) {
  return getLargest(Linear().plus(linear, -1), indices) <= 0;
}

/// Whether `type` holds sums of a few indices and constants.
static bool isWide(Type type) {
  return type.isIndex() ||
         (type.isInteger() && type.getIntOrFloatBitWidth() >= 32);
}

/// Returns `expr` as a linear function. Constants must be so small that sums of
/// a few of them do not overflow.
static std::optional<Linear> getLinear(const ScalarExpr *expr,
                                       const Indices &indices, unsigned depth) {
  constexpr int64_t maxConstant = int64_t(1) << 24;
  constexpr unsigned maxDepth = 6;
  if (!isWide(expr->type) || depth == maxDepth)
    return std::nullopt;
  if (expr->kind == Kind::constant) {
    auto value = dyn_cast<IntegerAttr>(expr->constant);
    if (!value || !value.getValue().isSignedIntN(32) ||
        std::abs(value.getValue().getSExtValue()) > maxConstant)
      return std::nullopt;
    return Linear{0, 0, value.getValue().getSExtValue()};
  }
  if (expr->kind == Kind::index) {
    // With only one query, or one key, its index is 0.
    if (expr->index.empty())
      return Linear{};
    if (expr->index == indices.queries)
      return Linear{1, 0, 0};
    if (expr->index == indices.keys)
      return Linear{0, 1, 0};
    return std::nullopt;
  }
  if (expr->is<arith::IndexCastUIOp>()) {
    auto linear = getLinear(expr->operands[0], indices, depth + 1);
    return linear && isNeverNegative(*linear, indices) ? linear : std::nullopt;
  }
  if (expr->is<arith::IndexCastOp>() || expr->is<arith::ExtSIOp>() ||
      expr->is<arith::TruncIOp>())
    return getLinear(expr->operands[0], indices, depth + 1);
  if (!expr->is<arith::AddIOp>() && !expr->is<arith::SubIOp>())
    return std::nullopt;
  std::optional<Linear> lhs = getLinear(expr->operands[0], indices, depth + 1);
  std::optional<Linear> rhs = getLinear(expr->operands[1], indices, depth + 1);
  if (!lhs || !rhs)
    return std::nullopt;
  return lhs->plus(*rhs, expr->is<arith::AddIOp>() ? 1 : -1);
}

/// The inequality `lhs` <= `rhs` + `added`, and whether its comparison is
/// unsigned.
struct AtMost {
  const ScalarExpr *lhs, *rhs;
  int64_t added;
  bool isUnsigned = false;
};

static std::optional<AtMost> getAtMost(MaskCondition condition) {
  auto predicate = cast<arith::CmpIOp>(condition.expr->op).getPredicate();
  if (!condition.value)
    predicate = arith::invertPredicate(predicate);
  const ScalarExpr *lhs = condition.expr->operands[0];
  const ScalarExpr *rhs = condition.expr->operands[1];
  switch (predicate) {
  case arith::CmpIPredicate::sle:
    return AtMost{lhs, rhs, 0};
  case arith::CmpIPredicate::slt:
    return AtMost{lhs, rhs, -1};
  case arith::CmpIPredicate::sge:
    return AtMost{rhs, lhs, 0};
  case arith::CmpIPredicate::sgt:
    return AtMost{rhs, lhs, -1};
  case arith::CmpIPredicate::ule:
    return AtMost{lhs, rhs, 0, /*isUnsigned=*/true};
  case arith::CmpIPredicate::ult:
    return AtMost{lhs, rhs, -1, /*isUnsigned=*/true};
  case arith::CmpIPredicate::uge:
    return AtMost{rhs, lhs, 0, /*isUnsigned=*/true};
  case arith::CmpIPredicate::ugt:
    return AtMost{rhs, lhs, -1, /*isUnsigned=*/true};
  default:
    return std::nullopt;
  }
}

/// A difference of indices that is at most `bound`.
struct BoundedDifference {
  Linear difference;
  int64_t bound;
};

static std::optional<BoundedDifference> getDifference(MaskCondition condition,
                                                      const Indices &indices) {
  // Sums of indices must not overflow, either.
  constexpr int64_t maxExtent = int64_t(1) << 24;
  if (!condition.expr->is<arith::CmpIOp>() || indices.numQueries > maxExtent ||
      indices.numKeys > maxExtent)
    return std::nullopt;
  std::optional<AtMost> atMost = getAtMost(condition);
  if (!atMost)
    return std::nullopt;
  std::optional<Linear> lhs = getLinear(atMost->lhs, indices, 0);
  std::optional<Linear> rhs = getLinear(atMost->rhs, indices, 0);
  if (!lhs || !rhs)
    return std::nullopt;
  if (atMost->isUnsigned &&
      (!isNeverNegative(*lhs, indices) || !isNeverNegative(*rhs, indices)))
    return std::nullopt;
  return BoundedDifference{lhs->plus(*rhs, -1), atMost->added};
}

std::optional<int64_t> grout::matchCausal(MaskCondition condition,
                                          ArrayRef<unsigned> queries,
                                          ArrayRef<unsigned> keys,
                                          const IndexFactors &factors) {
  auto found = getDifference(condition, {queries, keys, factors});
  if (!found || keys.empty() || found->difference.key != 1 ||
      found->difference.query != (queries.empty() ? 0 : -1))
    return std::nullopt;
  return found->bound - found->difference.constant;
}

bool grout::isAlwaysTrue(MaskCondition condition, ArrayRef<unsigned> queries,
                         ArrayRef<unsigned> keys, const IndexFactors &factors) {
  Indices indices(queries, keys, factors);
  auto found = getDifference(condition, indices);
  return found && getLargest(found->difference, indices) <= found->bound;
}
