//===- AffineRange.cpp - Ranges of affine expressions ---------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Analysis/AffineRange.h"

#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace grout {

namespace {

llvm::Error refuse(AffineExpr expr, llvm::StringRef reason) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "'" << expr << "' " << reason;
  return llvm::make_error<AnalysisError>(AnalysisErrorKind::Invalid, text);
}

/// Returns the range of a sum, or of a product with the only value of `rhs`, if
/// 64 bits hold it.
std::optional<IntegerRange> combine(AffineExprKind kind, IntegerRange lhs,
                                    IntegerRange rhs) {
  IntegerRange range;
  bool overflows = kind == AffineExprKind::Add
                       ? llvm::AddOverflow(lhs.low, rhs.low, range.low) ||
                             llvm::AddOverflow(lhs.high, rhs.high, range.high)
                       : llvm::MulOverflow(lhs.low, rhs.low, range.low) ||
                             llvm::MulOverflow(lhs.high, rhs.low, range.high);
  if (overflows)
    return std::nullopt;
  if (kind == AffineExprKind::Mul && rhs.low < 0)
    std::swap(range.low, range.high);
  return range;
}

/// Returns the range of `lhs` divided by `divisor`, or modulo it.
IntegerRange getQuotients(AffineExprKind kind, IntegerRange lhs,
                          int64_t divisor) {
  switch (kind) {
  case AffineExprKind::FloorDiv:
    return {llvm::divideFloorSigned(lhs.low, divisor),
            llvm::divideFloorSigned(lhs.high, divisor)};
  case AffineExprKind::CeilDiv:
    return {llvm::divideCeilSigned(lhs.low, divisor),
            llvm::divideCeilSigned(lhs.high, divisor)};
  default:
    if (llvm::divideFloorSigned(lhs.low, divisor) ==
        llvm::divideFloorSigned(lhs.high, divisor))
      return {llvm::mod(lhs.low, divisor), llvm::mod(lhs.high, divisor)};
    return {0, divisor - 1};
  }
}

} // namespace

/// Returns the range of an operation on ranges, if 64 bits hold it.
static llvm::Expected<std::optional<IntegerRange>>
getRangeOfOperation(AffineBinaryOpExpr expr,
                    llvm::ArrayRef<IntegerRange> dims) {
  llvm::Expected<IntegerRange> lhs = getRange(expr.getLHS(), dims);
  if (!lhs)
    return lhs.takeError();
  llvm::Expected<IntegerRange> rhs = getRange(expr.getRHS(), dims);
  if (!rhs)
    return rhs.takeError();
  AffineExprKind kind = expr.getKind();
  if (kind == AffineExprKind::Add)
    return combine(kind, *lhs, *rhs);
  // MLIR keeps the constant of a product or division on the right.
  if (!isa<AffineConstantExpr>(expr.getRHS()))
    return refuse(expr, "is not affine");
  if (kind == AffineExprKind::Mul)
    return combine(kind, *lhs, *rhs);
  if (rhs->low <= 0)
    return refuse(expr, "divides by less than 1");
  return getQuotients(kind, *lhs, rhs->low);
}

llvm::Expected<IntegerRange> getRange(AffineExpr expr,
                                      llvm::ArrayRef<IntegerRange> dims) {
  std::optional<IntegerRange> range;
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    if (dim.getPosition() >= dims.size())
      return refuse(expr, "is no coordinate here");
    range = dims[dim.getPosition()];
  } else if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    range = {constant.getValue(), constant.getValue()};
  } else if (auto binary = dyn_cast<AffineBinaryOpExpr>(expr)) {
    auto ofOperation = getRangeOfOperation(binary, dims);
    if (!ofOperation)
      return ofOperation.takeError();
    range = *ofOperation;
  } else {
    return refuse(expr, "is a symbol, which has no value here");
  }
  if (!range || range->low < -kMaxAffineValue || range->high > kMaxAffineValue)
    return refuse(expr, "may be beyond 2^61, and generated code has 64 bits");
  return *range;
}

llvm::Error checkDivisors(AffineMap map) {
  AffineExpr wrong;
  map.walkExprs([&](AffineExpr expr) {
    AffineExprKind kind = expr.getKind();
    if (kind != AffineExprKind::FloorDiv && kind != AffineExprKind::CeilDiv &&
        kind != AffineExprKind::Mod)
      return;
    auto divisor =
        dyn_cast<AffineConstantExpr>(cast<AffineBinaryOpExpr>(expr).getRHS());
    if (divisor && divisor.getValue() <= 0)
      wrong = expr;
  });
  if (wrong)
    return refuse(wrong, "divides by less than 1");
  return llvm::Error::success();
}

llvm::Error checkComputable(AffineMap map, llvm::ArrayRef<IntegerRange> dims) {
  for (AffineExpr expr : map.getResults())
    if (llvm::Expected<IntegerRange> range = getRange(expr, dims); !range)
      return range.takeError();
  return llvm::Error::success();
}

IntegerRange getIndexRange(int64_t size) {
  return {0, ShapedType::isDynamic(size) ? INT32_MAX : size - 1};
}

llvm::SmallVector<IntegerRange> getIndexRanges(llvm::ArrayRef<int64_t> sizes) {
  return llvm::map_to_vector(sizes, getIndexRange);
}

} // namespace grout
