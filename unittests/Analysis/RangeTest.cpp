//===- RangeTest.cpp - What 64 bits compute is what the proofs say --------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "RandomProgram.h"
#include "grout/Analysis/AffineRange.h"
#include "grout/Isl/AffineConversion.h"
#include "llvm/ADT/APInt.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace grout::test {
namespace {

/// Bits that no expression of these tests outgrows.
constexpr unsigned kManyBits = 1024;

/// The constants at which code of 32 and 64 bits goes wrong.
constexpr int64_t kExtremes[] = {
    -1,        0,         1,         2,         3,
    7,         INT32_MAX, INT32_MIN, 1LL << 32, 1LL << 60,
    1LL << 61, 1LL << 62, INT64_MAX, INT64_MIN, INT64_MAX - 1};

/// A constant, which is extreme once in a while.
int64_t pickConstant(Random &random) {
  if (random.oneIn(3))
    return kExtremes[random.pick(0, std::size(kExtremes) - 1)];
  return random.pick(-9, 9);
}

AffineExpr makeExpr(Random &random, unsigned numDims, unsigned depth) {
  if (depth == 0 || random.oneIn(5))
    return random.oneIn(3)
               ? getAffineConstantExpr(pickConstant(random), getContext())
               : getAffineDimExpr(random.pick(0, numDims - 1), getContext());
  AffineExpr lhs = makeExpr(random, numDims, depth - 1);
  AffineExpr constant =
      getAffineConstantExpr(pickConstant(random), getContext());
  constexpr AffineExprKind kinds[] = {AffineExprKind::Mul, AffineExprKind::Mod,
                                      AffineExprKind::FloorDiv,
                                      AffineExprKind::CeilDiv};
  if (random.oneIn(2))
    return getAffineBinaryOpExpr(AffineExprKind::Add, lhs,
                                 makeExpr(random, numDims, depth - 1));
  return getAffineBinaryOpExpr(kinds[random.pick(0, 3)], lhs, constant);
}

/// The value of `expr`, whatever it takes; none where it divides by less than
/// 1.
std::optional<llvm::APInt> evaluateWide(AffineExpr expr,
                                        llvm::ArrayRef<int64_t> point) {
  auto wide = [](int64_t value) {
    return llvm::APInt(kManyBits, value, /*isSigned=*/true);
  };
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return wide(point[dim.getPosition()]);
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return wide(constant.getValue());
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<llvm::APInt> lhs = evaluateWide(binary.getLHS(), point);
  std::optional<llvm::APInt> rhs = evaluateWide(binary.getRHS(), point);
  if (!lhs || !rhs)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return *lhs + *rhs;
  if (expr.getKind() == AffineExprKind::Mul)
    return *lhs * *rhs;
  if (!rhs->isStrictlyPositive())
    return std::nullopt;
  using llvm::APIntOps::RoundingSDiv;
  llvm::APInt floor = RoundingSDiv(*lhs, *rhs, llvm::APInt::Rounding::DOWN);
  if (expr.getKind() == AffineExprKind::FloorDiv)
    return floor;
  if (expr.getKind() == AffineExprKind::CeilDiv)
    return RoundingSDiv(*lhs, *rhs, llvm::APInt::Rounding::UP);
  return *lhs - floor * *rhs;
}

/// Calls `visit` with each point of a box of `extents`.
void forEachPoint(llvm::ArrayRef<int64_t> extents,
                  llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit) {
  llvm::SmallVector<int64_t> point(extents.size(), 0);
  while (true) {
    visit(point);
    int dim = static_cast<int>(extents.size()) - 1;
    while (dim >= 0 && ++point[dim] == extents[dim])
      point[dim--] = 0;
    if (dim < 0)
      return;
  }
}

/// Where a range is given, 64 bits hold every value, and the range has it.
TEST(RangeTest, AgreesWithBigIntegers) {
  int given = 0, refused = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    llvm::SmallVector<int64_t> extents = {random.pick(1, 4), random.pick(1, 5)};
    AffineExpr expr = makeExpr(random, 2, random.pick(1, 4));
    llvm::Expected<IntegerRange> range =
        getRange(expr, getIndexRanges(extents));
    if (!range) {
      ++refused;
      llvm::consumeError(range.takeError());
      continue;
    }
    ++given;
    forEachPoint(extents, [&](llvm::ArrayRef<int64_t> point) {
      std::optional<llvm::APInt> value = evaluateWide(expr, point);
      ASSERT_TRUE(value);
      ASSERT_TRUE(value->isSignedIntN(64));
      ASSERT_EQ(value->getSExtValue(), evaluate(expr, point));
      ASSERT_GE(value->getSExtValue(), range->low);
      ASSERT_LE(value->getSExtValue(), range->high);
    });
    if (HasFatalFailure())
      return;
  }
  EXPECT_GT(given, 500);
  EXPECT_GT(refused, 500);
}

} // namespace
} // namespace grout::test
