//===- StridedAccess.cpp - Accesses as functions of loops -----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "StridedAccess.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir;
using namespace grout;
using namespace grout::scop;

std::pair<int64_t, int64_t> scop::getRange(AffineExpr expr,
                                           ArrayRef<int64_t> extents) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return {constant.getValue(), constant.getValue()};
  if (auto loop = dyn_cast<AffineDimExpr>(expr))
    return {0, extents[loop.getPosition()] - 1};
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto [low, high] = getRange(binary.getLHS(), extents);
  auto [otherLow, otherHigh] = getRange(binary.getRHS(), extents);
  if (expr.getKind() == AffineExprKind::Add)
    return {low + otherLow, high + otherHigh};
  // The other is a constant.
  int64_t factor = otherLow;
  switch (expr.getKind()) {
  case AffineExprKind::Mul:
    return std::minmax(low * factor, high * factor);
  case AffineExprKind::FloorDiv:
    return {llvm::divideFloorSigned(low, factor),
            llvm::divideFloorSigned(high, factor)};
  case AffineExprKind::CeilDiv:
    return {llvm::divideCeilSigned(low, factor),
            llvm::divideCeilSigned(high, factor)};
  default:
    return {0, factor - 1};
  }
}

/// `expr` without the divisions whose quotients the extents make constant, and
/// with remainders as differences.
static AffineExpr foldDivisions(AffineExpr expr, ArrayRef<int64_t> extents) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return expr;
  AffineExpr left = foldDivisions(binary.getLHS(), extents);
  AffineExpr right = binary.getRHS();
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return left + foldDivisions(right, extents);
  case AffineExprKind::Mul:
    return left * foldDivisions(right, extents);
  case AffineExprKind::FloorDiv:
  case AffineExprKind::Mod: {
    AffineExpr quotient = left.floorDiv(right);
    auto [low, high] = getRange(quotient, extents);
    if (low == high)
      quotient = getAffineConstantExpr(low, expr.getContext());
    return expr.getKind() == AffineExprKind::FloorDiv ? quotient
                                                      : left - quotient * right;
  }
  default:
    return left.ceilDiv(right);
  }
}

void scop::setElement(StridedAccess &access, AffineExpr element,
                      ArrayRef<int64_t> extents) {
  element = simplifyAffineExpr(foldDivisions(element, extents), extents.size(),
                               /*numSymbols=*/0);
  access.offset = 0;
  access.strides.assign(extents.size(), 0);
  access.rest = {};
  SmallVector<AffineExpr> terms = {element};
  while (!terms.empty()) {
    AffineExpr term = terms.pop_back_val();
    auto binary = dyn_cast<AffineBinaryOpExpr>(term);
    if (term.getKind() == AffineExprKind::Add) {
      terms.push_back(binary.getRHS());
      terms.push_back(binary.getLHS());
      continue;
    }
    int64_t factor = 1;
    AffineExpr base = term;
    if (term.getKind() == AffineExprKind::Mul) {
      factor = cast<AffineConstantExpr>(binary.getRHS()).getValue();
      base = binary.getLHS();
    }
    if (auto constant = dyn_cast<AffineConstantExpr>(base))
      access.offset += factor * constant.getValue();
    else if (auto loop = dyn_cast<AffineDimExpr>(base))
      access.strides[loop.getPosition()] += factor;
    else
      access.rest = access.rest ? access.rest + term : term;
  }
}

/// Whether `expr` is a multiple of `factor` at multiples of `width` of `loop`.
static bool isMultiple(AffineExpr expr, unsigned loop, int64_t width,
                       int64_t factor) {
  AffineExpr dim = getAffineDimExpr(loop, expr.getContext());
  return expr.replace(dim, dim * width).getLargestKnownDivisor() % factor == 0;
}

/// By how much `expr` grows from each of the `width` points of `loop` to the
/// next, from a multiple of `width` on, if that is always the same.
static std::optional<int64_t> getStep(AffineExpr expr, unsigned loop,
                                      int64_t width) {
  if (!expr.isFunctionOfDim(loop))
    return 0;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return 1;
  std::optional<int64_t> step = getStep(binary.getLHS(), loop, width);
  if (expr.getKind() == AffineExprKind::Add) {
    std::optional<int64_t> other = getStep(binary.getRHS(), loop, width);
    return step && other ? std::optional(*step + *other) : std::nullopt;
  }
  if (!step)
    return std::nullopt;
  int64_t factor = cast<AffineConstantExpr>(binary.getRHS()).getValue();
  if (expr.getKind() == AffineExprKind::Mul)
    return *step * factor;
  // Within a quotient, as `width` steps end at the next one at the latest.
  bool isWithin = *step > 0 && factor % (*step * width) == 0 &&
                  isMultiple(binary.getLHS(), loop, width, *step * width);
  if (*step != 0 && !isWithin)
    return std::nullopt;
  switch (expr.getKind()) {
  case AffineExprKind::Mod:
    return step;
  case AffineExprKind::FloorDiv:
    return 0;
  default:
    return *step == 0 ? std::optional<int64_t>(0) : std::nullopt;
  }
}

bool StridedAccess::isVector(unsigned loop, int64_t width) const {
  for (unsigned other = 0, e = strides.size(); other != e; ++other)
    if (other != loop && strides[other] % width != 0)
      return false;
  std::optional<int64_t> step = 0;
  if (rest) {
    step = getStep(rest, loop, width);
    if (!step || !isMultiple(rest, loop, width, width))
      return false;
  }
  return strides[loop] + *step == 1 && offset % width == 0;
}
