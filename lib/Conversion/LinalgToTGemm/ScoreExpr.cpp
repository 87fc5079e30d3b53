//===- ScoreExpr.cpp - Expressions that are scores of attention -----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ScoreExpr.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace mlir;
using namespace grout;

/// The exponential of a score as low as this is 0 beside any other score.
static constexpr double kLowest = -1e4;

namespace {

/// Follows an expression from the scores to the product, and collects terms and
/// masks on the way.
class ScoreMatcher {
public:
  ScoreMatcher(const ScalarExpr *product, double factor,
               ArrayRef<unsigned> queries, ArrayRef<unsigned> keys,
               const IndexFactors &factors, std::string &reason)
      : product(product), factor(factor), initialFactor(factor),
        queries(queries), keys(keys), factors(factors), reason(reason) {}

  FailureOr<Scores> match(const ScalarExpr *expr);

private:
  /// Follows `expr` to the product.
  LogicalResult walk(const ScalarExpr *expr);
  /// Returns the operand of `expr` that contains the product; null, with a
  /// reason, if the expression does not match.
  const ScalarExpr *step(const ScalarExpr *expr);
  const ScalarExpr *stepProduct(const ScalarExpr *expr);
  const ScalarExpr *stepSum(const ScalarExpr *expr);
  const ScalarExpr *stepSelection(const ScalarExpr *expr);

  const ScalarExpr *refuse(const llvm::Twine &why) {
    reason = why.str();
    return nullptr;
  }
  /// Returns the number of the operand, from `first` on, that contains the
  /// product. None if several operands do.
  std::optional<unsigned> findPart(const ScalarExpr *expr, unsigned first = 0);

  void addTerm(const ScalarExpr *expr, double sign);
  bool addTermAsMask(const ScalarExpr *expr);
  bool changesNothing(double value) const;
  bool hidesOnlyLaterKeys() const;
  void takeCausal();
  /// Returns the conjuncts of `condition` that may be false.
  SmallVector<MaskCondition> getConditions(const MaskCondition &condition);
  std::optional<int64_t> getCausal(const MaskCondition &condition) const {
    return matchCausal(condition, queries, keys, factors);
  }
  void restrictTo(int64_t offset) {
    scores.causal = std::min(scores.causal.value_or(offset), offset);
  }

  const ScalarExpr *product;
  double factor, initialFactor;
  ArrayRef<unsigned> queries, keys;
  const IndexFactors &factors;
  std::string &reason;
  /// The expressions that contain the product.
  llvm::DenseSet<const ScalarExpr *> around;
  Scores scores;
  /// Whether very low numbers that are added to scores may be masks.
  bool takesAddedNumbers = true;
};

} // namespace

std::optional<unsigned> ScoreMatcher::findPart(const ScalarExpr *expr,
                                               unsigned first) {
  std::optional<unsigned> found;
  for (unsigned number = 0; number != expr->operands.size(); ++number) {
    if (!around.contains(expr->operands[number]))
      continue;
    if (found || number < first)
      return std::nullopt;
    found = number;
  }
  return found;
}

SmallVector<MaskCondition>
ScoreMatcher::getConditions(const MaskCondition &condition) {
  SmallVector<MaskCondition> conditions = getConjuncts(condition);
  llvm::erase_if(conditions, [&](const MaskCondition &conjunct) {
    return isAlwaysTrue(conjunct, queries, keys, factors);
  });
  return conditions;
}

const ScalarExpr *ScoreMatcher::stepProduct(const ScalarExpr *expr) {
  std::optional<unsigned> part = findPart(expr);
  if (!part || (expr->is<arith::DivFOp>() && *part != 0))
    return refuse("the scores are no linear function of the product");
  std::optional<double> constant = getFloatConstant(expr->operands[1 - *part]);
  if (!constant)
    return refuse("the product is scaled by what is no constant");
  factor *= expr->is<arith::DivFOp>() ? 1 / *constant : *constant;
  return expr->operands[*part];
}

const ScalarExpr *ScoreMatcher::stepSum(const ScalarExpr *expr) {
  std::optional<unsigned> part = findPart(expr);
  if (!part)
    return refuse("the scores add functions of the product");
  bool negates = expr->is<arith::SubFOp>() && *part == 1;
  bool negatesTerm = expr->is<arith::SubFOp>() && *part == 0;
  addTerm(expr->operands[1 - *part], negatesTerm ? -1 : 1);
  if (negates)
    factor = -factor;
  return expr->operands[*part];
}

/// Matches a selection between the scores and a constant.
const ScalarExpr *ScoreMatcher::stepSelection(const ScalarExpr *expr) {
  std::optional<unsigned> part = findPart(expr, /*first=*/1);
  if (!part)
    return refuse("a condition depends on the product");
  std::optional<double> constant = getFloatConstant(expr->operands[3 - *part]);
  if (!constant)
    return refuse("scores are replaced by what is no constant");
  double value = *constant * factor;
  if (!(value <= kLowest))
    return refuse("scores are replaced by a number that is not very low");
  // In a row with only masked keys, terms would change the weights.
  if (std::isfinite(value) && value > kAbsorbing && !scores.terms.empty())
    return refuse("something is added to scores that are masked by a number");
  auto conditions = getConditions({expr->operands[0], *part == 1});
  scores.masks.push_back({conditions, value, scores.terms.size()});
  return expr->operands[*part];
}

const ScalarExpr *ScoreMatcher::step(const ScalarExpr *expr) {
  if (expr->is<arith::MulFOp>() || expr->is<arith::DivFOp>())
    return stepProduct(expr);
  if (expr->is<arith::AddFOp>() || expr->is<arith::SubFOp>())
    return stepSum(expr);
  if (expr->is<arith::SelectOp>())
    return stepSelection(expr);
  if (expr->is<arith::NegFOp>()) {
    factor = -factor;
    return expr->operands[0];
  }
  if (!expr->op)
    return refuse("the scores are no function of one product");
  return refuse("the scores are computed by " +
                expr->op->getName().getStringRef());
}

/// If `expr` is 0 for some keys and minus infinity for others, adds it as a
/// mask, provided that fewer of its conditions need a bias then. It may also
/// have a very low number instead of minus infinity, provided that no condition
/// needs a bias then, and each query has a key.
bool ScoreMatcher::addTermAsMask(const ScalarExpr *expr) {
  expr = stripCasts(expr);
  if (!expr->is<arith::SelectOp>())
    return false;
  bool keeps = getFloatConstant(expr->operands[1]) == 0.0;
  std::optional<double> kept = getFloatConstant(expr->operands[keeps ? 1 : 2]);
  std::optional<double> other = getFloatConstant(expr->operands[keeps ? 2 : 1]);
  if (kept != 0.0 || !other || !(*other * factor <= kLowest))
    return false;
  MaskCondition condition{expr->operands[0], keeps};
  SmallVector<MaskCondition> conditions = getConditions(condition);
  bool areCausal = llvm::all_of(conditions, [&](auto &conjunct) {
    return getCausal(conjunct).value_or(-1) >= 0;
  });
  bool needFewer =
      conditions.size() < getConjuncts(condition).size() ||
      llvm::any_of(
          conditions,
          [&](auto &conjunct) { return getCausal(conjunct).has_value(); });
  if (std::isfinite(*other) ? !takesAddedNumbers || !areCausal : !needFewer)
    return false;
  scores.masks.push_back({conditions, *other * factor, scores.terms.size()});
  return true;
}

/// Whether the softmax stays the same if `value` is added to the scores: all
/// keys must get it, and none may have a mask's number instead.
bool ScoreMatcher::changesNothing(double value) const {
  return value == 0 || (std::isfinite(value) &&
                        llvm::all_of(scores.masks, [](const ScoreMask &mask) {
                          return !std::isfinite(mask.value);
                        }));
}

/// Adds the term `sign * factor * expr`. Adds masks in it as masks.
void ScoreMatcher::addTerm(const ScalarExpr *expr, double sign) {
  if (std::optional<double> constant = getFloatConstant(expr))
    if (changesNothing(*constant * factor))
      return;
  if (sign > 0 && addTermAsMask(expr))
    return;
  const ScalarExpr *sum = stripCasts(expr);
  if (sign > 0 && sum->is<arith::AddFOp>()) {
    for (unsigned number : {0, 1}) {
      if (addTermAsMask(sum->operands[number])) {
        addTerm(sum->operands[1 - number], sign);
        return;
      }
    }
  }
  scores.terms.push_back({expr, sign * factor});
}

/// Whether keys are only hidden by conditions j <= i + c, with c of at least 0,
/// so that each row has a key. Terms may hide keys, too.
bool ScoreMatcher::hidesOnlyLaterKeys() const {
  return scores.terms.empty() &&
         llvm::all_of(scores.masks, [&](const ScoreMask &mask) {
           return llvm::all_of(mask.conditions, [&](const auto &condition) {
             return getCausal(condition).value_or(-1) >= 0;
           });
         });
}

/// Turns conditions j <= i + c of masks into the causal offset. Keys that a
/// mask hides by a number have weights if all other scores of the row are as
/// low. So such a mask keeps its conditions, unless each row has a key.
void ScoreMatcher::takeCausal() {
  bool takesNumbers = hidesOnlyLaterKeys();
  // The number also replaces scores that masks inside of it have hidden, so
  // these keep their conditions, too.
  bool isReplaced = false;
  for (ScoreMask &mask : scores.masks) {
    isReplaced |= std::isfinite(mask.value);
    if (isReplaced && !takesNumbers)
      continue;
    llvm::erase_if(mask.conditions, [&](const MaskCondition &condition) {
      std::optional<int64_t> offset = getCausal(condition);
      if (offset)
        restrictTo(*offset);
      return offset.has_value();
    });
  }
  llvm::erase_if(scores.masks,
                 [](const ScoreMask &mask) { return mask.conditions.empty(); });
}

LogicalResult ScoreMatcher::walk(const ScalarExpr *expr) {
  scores = {};
  factor = initialFactor;
  for (expr = stripCasts(expr); expr != product; expr = stripCasts(expr)) {
    expr = step(expr);
    if (!expr)
      return failure();
  }
  scores.scale = factor;
  return success();
}

FailureOr<Scores> ScoreMatcher::match(const ScalarExpr *expr) {
  around.insert(product);
  for (const ScalarExpr *part : getParts(expr))
    if (llvm::any_of(part->operands, [&](const ScalarExpr *operand) {
          return around.contains(operand);
        }))
      around.insert(part);
  if (failed(walk(expr)))
    return failure();
  // Added low numbers may only be masks if masks hide just later keys.
  // Otherwise, match again, with such numbers as terms.
  takesAddedNumbers = hidesOnlyLaterKeys();
  if (!takesAddedNumbers && failed(walk(expr)))
    return failure();
  takeCausal();
  std::optional<double> number;
  for (const ScoreMask &mask : scores.masks) {
    if (!std::isfinite(mask.value))
      continue;
    if (number.value_or(mask.value) != mask.value) {
      reason = "scores are masked by different numbers";
      return failure();
    }
    number = mask.value;
  }
  return scores;
}

FailureOr<Scores> grout::matchScores(const ScalarExpr *expr, double factor,
                                     const ScalarExpr *product,
                                     ArrayRef<unsigned> queries,
                                     ArrayRef<unsigned> keys,
                                     const IndexFactors &factors,
                                     std::string &reason) {
  return ScoreMatcher(product, factor, queries, keys, factors, reason)
      .match(expr);
}
