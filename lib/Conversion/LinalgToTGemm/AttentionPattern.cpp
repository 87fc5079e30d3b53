//===- AttentionPattern.cpp - linalg ops that are attention ---------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "AttentionPattern.h"

#include "AttentionOperands.h"
#include "AttentionOutput.h"
#include "Contraction.h"
#include "SoftmaxExpr.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <cmath>

using namespace mlir;
using namespace grout;

namespace {

/// A product, with the indices of its loops and inputs.
struct IndexedProduct {
  IndexedProduct(linalg::LinalgOp op, IndexFactors &factors);

  FactorIndex getInputIndex(unsigned number);
  /// Return the factors of loops of one kind, in their order in the result.
  FactorList getReductions();
  FactorList getParallel(bool inLhs, bool inRhs);

  linalg::LinalgOp op;
  FactorIndex loops;
};

/// The rows of probabilities: positions of queries, and heads of one group.
struct Rows {
  FactorList queries, heads;
};

/// One attempt to match attention. It ends when an index factor must be
/// divided.
class AttentionMatcher {
public:
  AttentionMatcher(IndexedProduct &product, ScalarExprBuilder &exprs,
                   IndexFactors &factors, std::string &reason)
      : product(product), exprs(exprs), factors(factors), reason(reason) {}

  /// Matches attention if input `number` holds the probabilities.
  FailureOr<Attention> match(unsigned number);

private:
  LogicalResult refuse(StringRef why) {
    reason = why.str();
    return failure();
  }
  LogicalResult matchRows(const Rows &rows, const ScalarExpr *part,
                          const Softmax &softmax);
  LogicalResult matchWithoutKeys(const Softmax &softmax);
  bool isBetterThan(const AttentionMatcher &other) const;
  LogicalResult matchScoreProduct(const ScalarExpr *part,
                                  const Softmax &softmax);
  LogicalResult matchFirstProduct(const ScalarExpr *element);
  LogicalResult checkUsers(const AttentionResult &result);

  IndexedProduct &product;
  ScalarExprBuilder &exprs;
  IndexFactors &factors;
  std::string &reason;
  Attention attention;
  AttentionCandidates candidates;
  linalg::LinalgOp first;
  /// How many ops the chosen tensors leave out.
  unsigned distance = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

IndexedProduct::IndexedProduct(linalg::LinalgOp op, IndexFactors &factors)
    : op(op) {
  for (auto [loop, extent] : llvm::enumerate(op.getStaticLoopRanges()))
    loops.push_back(factors.getLoop(op, loop, extent));
}

FactorIndex IndexedProduct::getInputIndex(unsigned number) {
  return getIndex(op.getMatchingIndexingMap(op.getDpsInputOperand(number)),
                  loops);
}

FactorList IndexedProduct::getReductions() {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  FactorList list;
  for (unsigned loop : reductions)
    llvm::append_range(list, loops[loop]);
  return list;
}

FactorList IndexedProduct::getParallel(bool inLhs, bool inRhs) {
  FactorList list;
  AffineMap result = op.getIndexingMapMatchingResult(op->getResult(0));
  for (unsigned number = 0; number != result.getNumResults(); ++number) {
    unsigned loop = result.getDimPosition(number);
    auto reads = [&](unsigned input) {
      return op.getMatchingIndexingMap(op.getDpsInputOperand(input))
          .isFunctionOfDim(loop);
    };
    if (reads(0) == inLhs && reads(1) == inRhs)
      llvm::append_range(list, loops[loop]);
  }
  return list;
}

static bool isIndexedSimply(linalg::LinalgOp op) {
  return llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
    return map.isProjectedPermutation();
  });
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

static bool haveCommon(ArrayRef<unsigned> some, ArrayRef<unsigned> others) {
  return llvm::any_of(some, [&](unsigned factor) {
    return llvm::is_contained(others, factor);
  });
}

/// Matches `element` as the product of queries and keys.
LogicalResult AttentionMatcher::matchFirstProduct(const ScalarExpr *element) {
  const TensorElement &place = element->elements.front();
  first = place.value.getDefiningOp<linalg::LinalgOp>();
  IndexedProduct scores(first, factors);
  AffineMap written = first.getIndexingMapMatchingResult(first->getResult(0));
  for (unsigned number = 0; number != written.getNumResults(); ++number)
    scores.loops[written.getDimPosition(number)] = place.index[number];
  FactorIndex inputs[] = {scores.getInputIndex(0), scores.getInputIndex(1)};
  const FactorList &keys = attention.dims[3];
  bool keysAreFirst = haveCommon(flatten(inputs[0]), keys);
  if (keysAreFirst == haveCommon(flatten(inputs[1]), keys))
    return refuse("not one factor of the scores depends on the key");
  attention.keySize = scores.getReductions();
  auto getCandidates = [&](unsigned number) {
    return getOperandCandidates(
        exprs.get(first->getOperand(number), inputs[number]), /*scales=*/true);
  };
  candidates.key = getCandidates(keysAreFirst ? 0 : 1);
  candidates.query = getCandidates(keysAreFirst ? 1 : 0);
  return success();
}

/// Returns the parts of the scores that may be the product of queries and keys.
/// Other products may be of biases: for example, of queries and relative
/// positions.
static SmallVector<const ScalarExpr *> getProducts(const Softmax &softmax,
                                                   const FactorList &keys) {
  SmallVector<const ScalarExpr *> products;
  for (const ScalarExpr *part : getParts(softmax.scores)) {
    if (part->kind != ScalarExpr::Kind::element || !part->dependsOn(keys))
      continue;
    auto op = part->elements.front().value.getDefiningOp<linalg::LinalgOp>();
    if (op && isSumOfProducts(op) && isIndexedSimply(op))
      products.push_back(part);
  }
  return products;
}

/// Matches `part` of the scores as the product of queries and keys.
LogicalResult AttentionMatcher::matchScoreProduct(const ScalarExpr *part,
                                                  const Softmax &softmax) {
  auto &[batches, heads, queries, keys] = attention.dims;
  FailureOr<Scores> scores = matchScores(softmax.scores, softmax.factor, part,
                                         queries, keys, factors, reason);
  if (failed(scores) || failed(matchFirstProduct(part)))
    return failure();
  attention.scores = *scores;
  return success();
}

/// Checks that scores and probabilities are not used elsewhere: each op that
/// depends on the scores must be a part of attention's result, or unused.
LogicalResult AttentionMatcher::checkUsers(const AttentionResult &result) {
  llvm::DenseSet<Operation *> seen;
  SmallVector<Operation *> stack = {first};
  while (!stack.empty()) {
    for (Operation *user : stack.pop_back_val()->getUsers()) {
      if (result.ops.contains(user) || !seen.insert(user).second)
        continue;
      if (user->hasTrait<OpTrait::IsTerminator>() ||
          !isMemoryEffectFree(user) ||
          !isa_and_nonnull<func::FuncOp>(user->getParentOp()))
        return refuse("scores or probabilities are used elsewhere");
      stack.push_back(user);
    }
  }
  return success();
}

/// Returns the ways to distinguish queries from heads among the rows of the
/// probabilities: all rows are queries, or the outermost or the innermost
/// factor numbers heads that read the same keys.
static SmallVector<Rows, 3> getRows(const FactorList &rows) {
  SmallVector<Rows, 3> ways = {{rows, {}}};
  if (rows.size() < 2)
    return ways;
  ways.push_back({FactorList(llvm::drop_begin(rows)), {rows.front()}});
  ways.push_back({FactorList(llvm::drop_end(rows)), {rows.back()}});
  return ways;
}

/// Matches the result of rows without keys, if there may be such rows.
LogicalResult AttentionMatcher::matchWithoutKeys(const Softmax &softmax) {
  if (attention.scores.hasKeyInEachRow())
    return success();
  double value = softmax.withoutKeys.value_or(1);
  if (value != 0 && !std::isnan(value))
    return refuse("rows without keys have neither 0 nor NaN");
  attention.zeroWithoutKeys = value == 0;
  return success();
}

/// Matches everything that depends on which rows are queries.
LogicalResult AttentionMatcher::matchRows(const Rows &rows,
                                          const ScalarExpr *part,
                                          const Softmax &softmax) {
  attention.dims[2] = rows.queries;
  if (failed(matchScoreProduct(part, softmax)))
    return failure();
  if (failed(matchWithoutKeys(softmax)))
    return failure();
  FactorList batch = product.getParallel(true, true);
  llvm::append_range(batch, rows.heads);
  FailureOr<unsigned> found =
      chooseTensors(candidates, batch,
                    getElementTypeOrSelf(product.op->getOperand(0)), attention);
  if (failed(found))
    return refuse("no order of dimensions in memory fits");
  distance = *found;
  if (!std::isfinite(static_cast<float>(attention.scores.scale)))
    return refuse("the scale is not finite in f32");
  return success();
}

/// Whether this match leaves fewer terms and masks to the bias than `other`; or
/// as many, and its tensors leave out more ops.
bool AttentionMatcher::isBetterThan(const AttentionMatcher &other) const {
  auto countBias = [](const Scores &scores) {
    return scores.terms.size() + scores.masks.size();
  };
  return std::make_pair(countBias(other.attention.scores), distance) >
         std::make_pair(countBias(attention.scores), other.distance);
}

FailureOr<Attention> AttentionMatcher::match(unsigned number) {
  FactorList &keys = attention.dims[3];
  keys = product.getReductions();
  Value probabilities = product.op->getOperand(number);
  const ScalarExpr *expr =
      exprs.get(probabilities, product.getInputIndex(number));
  std::optional<Softmax> softmax = matchSoftmax(expr, keys);
  if (keys.empty() || !softmax || !softmax->scores->dependsOn(keys))
    return failure();
  attention.valueSize = product.getParallel(number == 1, number == 0);
  AttentionResult result =
      followResult(product.op, product.loops, *softmax, exprs, factors);
  if (!softmax->isDivided)
    return refuse("exponentials are not divided by their sum");
  candidates.result = result.candidates;
  candidates.value =
      getOperandCandidates(exprs.get(product.op->getOperand(1 - number),
                                     product.getInputIndex(1 - number)),
                           /*scales=*/false);

  std::optional<AttentionMatcher> best;
  reason = "the scores are no product";
  SmallVector<const ScalarExpr *> products = getProducts(*softmax, keys);
  for (const Rows &rows :
       getRows(product.getParallel(number == 0, number == 1)))
    for (const ScalarExpr *part : products) {
      AttentionMatcher way = *this;
      if (succeeded(way.matchRows(rows, part, *softmax)) &&
          (!best || way.isBetterThan(*best)))
        best.emplace(way);
    }
  if (!best || failed(best->checkUsers(result)))
    return failure();
  return best->attention;
}

FailureOr<Attention> AttentionSearch::match(linalg::LinalgOp op,
                                            std::string &reason) {
  if (!isSumOfProducts(op) || !isIndexedSimply(op))
    return failure();
  // Each attempt but the last divides a factor.
  constexpr unsigned maxAttempts = 32;
  for (unsigned attempt = 0; attempt != maxAttempts; ++attempt) {
    reason.clear();
    IndexedProduct product(op, factors);
    exprs = std::make_unique<ScalarExprBuilder>(
        factors, product.getReductions(), op.getContext());
    FailureOr<Attention> attention = failure();
    for (unsigned number = 0; number != 2 && failed(attention); ++number)
      attention =
          AttentionMatcher(product, *exprs, factors, reason).match(number);
    if (!factors.takeChange())
      return attention;
  }
  reason = "reshapes divide too many dimensions";
  return failure();
}
