//===- StridedAccess.cpp - Accesses as functions of loops -----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/ThreadMapping/StridedAccess.h"

#include "grout/Dialect/Scop/IR/IndexSum.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

void scop::setElement(StridedAccess &access, AffineExpr element,
                      ArrayRef<int64_t> extents) {
  IndexSum sum(element.getContext());
  sum.add(IndexSum(element, extents), 1);
  access.offset = sum.getConstant();
  access.strides.clear();
  for (unsigned loop = 0, e = extents.size(); loop != e; ++loop)
    access.strides.push_back(sum.getFactor(loop));
  access.rest = sum.getDivisions();
}

/// Whether `expr` is a multiple of `factor` wherever `loop` is a multiple of
/// `width`.
static bool isMultiple(AffineExpr expr, unsigned loop, int64_t width,
                       int64_t factor) {
  AffineExpr dim = getAffineDimExpr(loop, expr.getContext());
  return expr.replace(dim, dim * width).getLargestKnownDivisor() % factor == 0;
}

/// Returns by how much `expr` grows from one point of `loop` to the next,
/// within `width` points that begin at a multiple of `width`. Returns none if
/// that is not always the same.
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
  // The `width` points have the same quotient: they end where the next quotient
  // begins, or before.
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
