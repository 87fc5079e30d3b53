//===- IndexSum.cpp - Subscripts as sums ----------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/IR/IndexSum.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// Returns the divisor of a division or remainder, or the factor of a product.
/// It is a constant in pure affine expressions.
static int64_t getDivisor(AffineBinaryOpExpr expr) {
  return cast<AffineConstantExpr>(expr.getRHS()).getValue();
}

IntegerRange scop::getRange(AffineExpr expr, ArrayRef<int64_t> extents) {
  llvm::Expected<IntegerRange> range =
      grout::getRange(expr, getIndexRanges(extents));
  if (range)
    return *range;
  llvm::consumeError(range.takeError());
  return {INT64_MIN, INT64_MAX};
}

/// Returns `expr` / `divisor`, as one division if `expr` is a division, too.
static AffineExpr getQuotient(AffineExpr expr, int64_t divisor) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (binary && binary.getKind() == AffineExprKind::FloorDiv)
    return binary.getLHS().floorDiv(getDivisor(binary) * divisor);
  return expr.floorDiv(divisor);
}

/// Removes the multiples of `divisor` from the sum `expr`, and returns them.
static AffineExpr takeMultiples(AffineExpr &expr, int64_t divisor) {
  // This does not use AffineExpr::isMultipleOf. That takes a quotient for a
  // multiple of every number of which both dividend and divisor are multiples:
  // for example, 4 floordiv 4 for a multiple of 2.
  if (expr.getLargestKnownDivisor() % divisor == 0)
    return std::exchange(expr, getAffineConstantExpr(0, expr.getContext()));
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || binary.getKind() != AffineExprKind::Add)
    return getAffineConstantExpr(0, expr.getContext());
  AffineExpr lhs = binary.getLHS(), rhs = binary.getRHS();
  AffineExpr multiples = takeMultiples(lhs, divisor);
  multiples = multiples + takeMultiples(rhs, divisor);
  expr = lhs + rhs;
  return multiples;
}

static AffineExpr simplify(AffineExpr expr, ArrayRef<int64_t> extents) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return expr;
  AffineExpr lhs = simplify(binary.getLHS(), extents);
  AffineExpr rhs = simplify(binary.getRHS(), extents);
  bool isFloorDiv = binary.getKind() == AffineExprKind::FloorDiv;
  if (isFloorDiv || binary.getKind() == AffineExprKind::Mod) {
    int64_t divisor = getDivisor(binary);
    AffineExpr rest = lhs;
    AffineExpr multiples = takeMultiples(rest, divisor);
    AffineExpr quotient = rest.floorDiv(divisor);
    // The quotient is always the same.
    if (auto [low, high] = scop::getRange(quotient, extents); low == high)
      return isFloorDiv ? multiples.floorDiv(divisor) + low
                        : rest - low * divisor;
  }
  AffineExpr result = isFloorDiv
                          ? getQuotient(lhs, getDivisor(binary))
                          : getAffineBinaryOpExpr(binary.getKind(), lhs, rhs);
  // Once a sum is taken apart, its parts may be in range.
  return result == expr ? expr : simplify(result, extents);
}

IndexSum::IndexSum(AffineExpr expr, ArrayRef<int64_t> extents)
    : context(expr.getContext()) {
  addExpr(simplify(expr, extents), 1);
}

void IndexSum::addTerm(AffineExpr term, int64_t factor) {
  int64_t &sum = terms[term];
  sum += factor;
  if (sum == 0)
    terms.erase(term);
}

void IndexSum::addExpr(AffineExpr expr, int64_t factor) {
  if (auto value = dyn_cast<AffineConstantExpr>(expr)) {
    constant += value.getValue() * factor;
    return;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (binary && binary.getKind() == AffineExprKind::Add) {
    addExpr(binary.getLHS(), factor);
    addExpr(binary.getRHS(), factor);
  } else if (binary && binary.getKind() == AffineExprKind::Mul) {
    addExpr(binary.getLHS(), factor * getDivisor(binary));
  } else {
    addTerm(expr, factor);
  }
}

bool IndexSum::joinDivision() {
  for (auto [term, factor] : terms) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(term);
    if (!binary || binary.getKind() != AffineExprKind::Mod)
      continue;
    AffineExpr divided = binary.getLHS();
    int64_t divisor = getDivisor(binary);
    AffineExpr quotient = getQuotient(divided, divisor);
    for (auto [other, otherFactor] : terms) {
      if (otherFactor != factor * divisor)
        continue;
      // n (x / n) + x mod n = x
      AffineExpr joined;
      auto otherBinary = dyn_cast<AffineBinaryOpExpr>(other);
      if (other == quotient)
        joined = divided;
      // n ((x / n) mod m) + x mod n = x mod n m
      else if (otherBinary && otherBinary.getKind() == AffineExprKind::Mod &&
               otherBinary.getLHS() == quotient)
        joined = divided % (getDivisor(otherBinary) * divisor);
      else
        continue;
      AffineExpr remainder = term;
      int64_t times = factor;
      terms.erase(other);
      terms.erase(remainder);
      addExpr(joined, times);
      return true;
    }
  }
  return false;
}

void IndexSum::add(const IndexSum &other, int64_t factor) {
  for (auto [term, otherFactor] : other.terms)
    addTerm(term, otherFactor * factor);
  constant += other.constant * factor;
  while (joinDivision()) {
  }
}

int64_t IndexSum::getFactor(unsigned iterator) const {
  return terms.lookup(getAffineDimExpr(iterator, context));
}

unsigned IndexSum::getNumDivisions() const {
  return llvm::count_if(
      terms, [](const auto &term) { return !isa<AffineDimExpr>(term.first); });
}

bool IndexSum::walksAsOne(unsigned outer, int64_t innerExtent) const {
  if (getFactor(outer) != getFactor(outer + 1) * innerExtent)
    return false;
  return llvm::all_of(terms, [&](const auto &term) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(term.first);
    if (!binary)
      return true;
    IndexSum divided(context);
    divided.addExpr(binary.getLHS(), 1);
    return divided.walksAsOne(outer, innerExtent);
  });
}

AffineExpr IndexSum::getDivisions() const {
  AffineExpr sum;
  for (auto [term, factor] : terms)
    if (!isa<AffineDimExpr>(term))
      sum = sum ? sum + term * factor : term * factor;
  return sum;
}

AffineExpr IndexSum::getExpr() const {
  AffineExpr sum = getAffineConstantExpr(constant, context);
  for (auto [term, factor] : terms)
    sum = sum + term * factor;
  return sum;
}
