//===- IndexSumTest.cpp - Sums against the expressions they are of --------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/IR/IndexSum.h"
#include "Points.h"

#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>
#include <random>

using namespace mlir;

namespace grout::scop {
namespace {

int64_t evaluate(AffineExpr expr, ArrayRef<int64_t> point) {
  SmallVector<AffineExpr> constants;
  for (int64_t value : point)
    constants.push_back(getAffineConstantExpr(value, expr.getContext()));
  return cast<AffineConstantExpr>(expr.replaceDims(constants)).getValue();
}

class IndexSumTest : public testing::Test {
protected:
  int64_t pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }

  /// What views make of subscripts: sums, multiples, quotients and remainders,
  /// in each other.
  AffineExpr makeExpr(unsigned numDims, unsigned depth) {
    if (depth == 0)
      return pick(0, 3) ? getAffineDimExpr(pick(0, numDims - 1), &context)
                        : getAffineConstantExpr(pick(0, 12), &context);
    AffineExpr expr = makeExpr(numDims, depth - 1);
    // Few numbers, so that divisors often divide factors and each other.
    int64_t number = (1 << pick(0, 2)) * pick(1, 3);
    switch (pick(0, 3)) {
    case 0:
      return expr + makeExpr(numDims, depth - 1);
    case 1:
      return expr * number;
    case 2:
      return expr.floorDiv(number);
    default:
      return expr % number;
    }
  }

  SmallVector<int64_t> makeExtents() {
    SmallVector<int64_t> extents;
    for (int64_t i = 0, e = pick(1, 3); i != e; ++i)
      extents.push_back(pick(1, 6));
    return extents;
  }

  static std::string toString(AffineExpr expr) {
    std::string text;
    llvm::raw_string_ostream(text) << expr;
    return text;
  }

  MLIRContext context;
  std::mt19937 random{7};
};

TEST_F(IndexSumTest, IsWhatItIsTheSumOf) {
  for (int round = 0; round != 5000; ++round) {
    SmallVector<int64_t> extents = makeExtents();
    AffineExpr expr = makeExpr(extents.size(), pick(1, 6));
    AffineExpr sum = IndexSum(expr, extents).getExpr();
    forEachPoint(extents, [&](ArrayRef<int64_t> point) {
      ASSERT_EQ(evaluate(sum, point), evaluate(expr, point))
          << toString(expr) << " became " << toString(sum);
    });
    if (HasFatalFailure())
      return;
  }
}

TEST_F(IndexSumTest, AddsTimesAFactor) {
  for (int round = 0; round != 5000; ++round) {
    SmallVector<int64_t> extents = makeExtents();
    AffineExpr divided = makeExpr(extents.size(), pick(1, 3));
    int64_t divisor = pick(2, 6), factor = pick(-2, 6);
    // Half of them have parts that add joins.
    bool joins = pick(0, 1);
    AffineExpr lhs = joins ? divided % divisor : divided;
    AffineExpr rhs = joins ? divided.floorDiv(divisor)
                           : makeExpr(extents.size(), pick(1, 3));
    IndexSum sum(lhs, extents);
    sum.add(IndexSum(rhs, extents), joins ? divisor : factor);
    AffineExpr expected = lhs + rhs * (joins ? divisor : factor);
    forEachPoint(extents, [&](ArrayRef<int64_t> point) {
      ASSERT_EQ(evaluate(sum.getExpr(), point), evaluate(expected, point))
          << toString(expected) << " became " << toString(sum.getExpr());
    });
    if (HasFatalFailure())
      return;
  }
}

TEST_F(IndexSumTest, QuotientIsNoMultipleOfWhatDividendAndDivisorAre) {
  AffineExpr d0 = getAffineDimExpr(0, &context);
  // The quotient is of 0..3: a multiple of neither 2 nor 11.
  AffineExpr quotient = (d0 * 2 + 12).floorDiv(22);
  AffineExpr expr = quotient % 2;
  AffineExpr sum = IndexSum(expr, {33}).getExpr();
  for (int64_t i = 0; i != 33; ++i)
    EXPECT_EQ(evaluate(sum, {i}), evaluate(expr, {i})) << i;
}

} // namespace
} // namespace grout::scop
