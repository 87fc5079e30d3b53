//===- AffineConversion.cpp - Affine maps to relations and back -----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Isl/AffineConversion.h"

#include "grout/Isl/AffineSets.h"
#include "llvm/Support/MathExtras.h"
#include <isl/aff.h>

using namespace mlir;

namespace grout {
namespace detail {

/// Accepts any text. The constructor of isl::id would parse it.
isl::id makeId(isl::ctx ctx, llvm::StringRef name) {
  return isl::manage(isl_id_alloc(ctx.get(), name.str().c_str(), nullptr));
}

isl::space makeSpace(isl::ctx ctx, llvm::StringRef name, unsigned rank) {
  isl::space unit = isl::space::unit(ctx);
  if (name.empty())
    return unit.add_unnamed_tuple(rank);
  return unit.add_named_tuple(makeId(ctx, name), rank);
}

llvm::SmallVector<isl::aff> getDims(const isl::space &space) {
  isl::multi_aff identity = space.identity_multi_aff_on_domain();
  llvm::SmallVector<isl::aff> dims;
  for (unsigned i = 0, e = identity.size(); i != e; ++i)
    dims.push_back(identity.at(i));
  return dims;
}

isl::aff makeSize(const isl::space &space, int64_t value,
                  const std::string &parameter) {
  if (!ShapedType::isDynamic(value))
    return space.zero_aff_on_domain().add_constant(
        isl::val(space.ctx(), static_cast<long>(value)));
  isl::id id = makeId(space.ctx(), parameter);
  return space.add_param(id).param_aff_on_domain(id);
}

isl::set whereNotNegative(const isl::aff &value) {
  isl::pw_aff zero =
      isl::manage(isl_aff_get_domain_space(value.get())).zero_aff_on_domain();
  return isl::pw_aff(value).ge_set(zero);
}

isl::set whereInRange(const isl::aff &value, const isl::aff &size) {
  return whereNotNegative(value).intersect(
      isl::pw_aff(value).lt_set(isl::pw_aff(size)));
}

static isl::aff makeConstant(const isl::space &space, int64_t value) {
  return makeSize(space, value, "");
}

/// Returns the sum of functions that may depend on different parameters. isl
/// does not align parameters itself.
static isl::aff addAligned(isl::aff lhs, isl::aff rhs) {
  lhs = isl::manage(
      isl_aff_align_params(lhs.release(), isl_aff_get_domain_space(rhs.get())));
  rhs = isl::manage(
      isl_aff_align_params(rhs.release(), isl_aff_get_domain_space(lhs.get())));
  return lhs.add(rhs);
}

isl::aff toAff(AffineExpr expr, const isl::space &space,
               llvm::ArrayRef<isl::aff> dims,
               llvm::ArrayRef<isl::aff> symbols) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    if (dim.getPosition() >= dims.size())
      fail(AnalysisErrorKind::Invalid, "an affine dimension is out of range");
    return dims[dim.getPosition()];
  }
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    if (symbol.getPosition() >= symbols.size())
      fail(AnalysisErrorKind::Invalid, "an affine symbol has no meaning here");
    return symbols[symbol.getPosition()];
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return makeConstant(space, constant.getValue());

  auto binary = cast<AffineBinaryOpExpr>(expr);
  isl::aff lhs = toAff(binary.getLHS(), space, dims, symbols);
  if (expr.getKind() == AffineExprKind::Add)
    return addAligned(lhs, toAff(binary.getRHS(), space, dims, symbols));

  // MLIR keeps the constant of a product or division on the right.
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (!constant)
    fail(AnalysisErrorKind::Invalid,
         "semi-affine expressions are not supported");
  isl::val factor(space.ctx(), static_cast<long>(constant.getValue()));
  if (expr.getKind() == AffineExprKind::Mul)
    return lhs.scale(factor);
  if (constant.getValue() <= 0)
    fail(AnalysisErrorKind::Invalid, "division by a constant below 1");
  switch (expr.getKind()) {
  case AffineExprKind::FloorDiv:
    return lhs.scale_down(factor).floor();
  case AffineExprKind::CeilDiv:
    return lhs.scale_down(factor).ceil();
  case AffineExprKind::Mod:
    return lhs.mod(factor);
  default:
    fail(AnalysisErrorKind::Invalid, "unknown affine expression");
  }
}

isl::map toMap(AffineMap map, const isl::space &space) {
  if (map.getNumSymbols() != 0)
    fail(AnalysisErrorKind::Invalid, "an affine map has symbols");
  llvm::SmallVector<isl::aff> dims = getDims(space);
  if (map.getNumDims() != dims.size())
    fail(AnalysisErrorKind::Invalid,
         "an affine map has " + std::to_string(map.getNumDims()) +
             " dimensions where " + std::to_string(dims.size()) +
             " are needed");
  isl::aff_list results(space.ctx(), map.getNumResults());
  for (AffineExpr expr : map.getResults())
    results = results.add(toAff(expr, space, dims));
  return isl::multi_aff(space.add_unnamed_tuple(map.getNumResults()), results)
      .as_map();
}

} // namespace detail

llvm::Expected<Relation>
fromAffineMap(const IslContext &context, AffineMap map,
              llvm::StringRef domainName,
              llvm::ArrayRef<std::string> symbolNames) {
  return detail::guarded(context, [&] {
    isl::space space =
        detail::makeSpace(context.get(), domainName, map.getNumDims());
    llvm::SmallVector<isl::aff> dims = detail::getDims(space), symbols;
    for (const std::string &name : symbolNames)
      symbols.push_back(detail::makeSize(space, ShapedType::kDynamic, name));
    isl::aff_list results(context.get(), map.getNumResults());
    for (AffineExpr expr : map.getResults())
      results = results.add(detail::toAff(expr, space, dims, symbols));
    isl::space mapSpace = space.add_unnamed_tuple(map.getNumResults());
    for (const std::string &name : symbolNames)
      mapSpace = mapSpace.add_param(detail::makeId(context.get(), name));
    return detail::wrap(context, isl::multi_aff(mapSpace, results).as_map());
  });
}

//===----------------------------------------------------------------------===//
// isl to MLIR
//===----------------------------------------------------------------------===//

namespace {

/// Converts an isl::aff to an affine expression. Its divisions are integer
/// divisions of others.
class ExprBuilder {
public:
  ExprBuilder(MLIRContext *context, unsigned numDims,
              llvm::ArrayRef<std::string> symbolNames)
      : context(context), numDims(numDims), symbolNames(symbolNames) {}

  /// Builds an expression with integer coefficients.
  AffineExpr build(const isl::aff &aff) {
    int numDivs = isl_aff_dim(aff.get(), isl_dim_div);
    int subtracted = -1;
    for (int i = 0; i < numDivs; ++i)
      if (coefficient(aff, isl_dim_div, i) == -1)
        subtracted = i;
    if (subtracted < 0)
      return buildNumerator(aff);
    // isl often has x - floor(a / m), which is floor((m * x - a + m - 1) / m).
    isl::aff rest = isl::manage(
        isl_aff_set_coefficient_si(aff.copy(), isl_dim_div, subtracted, 0));
    isl::aff argument = isl::manage(isl_aff_get_div(aff.get(), subtracted));
    isl::val m = isl::manage(isl_aff_get_denominator_val(argument.get()));
    int64_t divisor = detail::toInt64(m);
    AffineExpr numerator =
        simplify(buildNumerator(rest) * divisor -
                 buildNumerator(argument.scale(m)) + (divisor - 1));
    return numerator.floorDiv(divisor);
  }

private:
  AffineExpr simplify(AffineExpr expr) {
    return simplifyAffineExpr(expr, numDims, symbolNames.size());
  }

  AffineExpr buildNumerator(const isl::aff &aff) {
    AffineExpr sum = getAffineConstantExpr(0, context);
    for (unsigned i = 0; i < numDims; ++i)
      sum =
          sum + getAffineDimExpr(i, context) * coefficient(aff, isl_dim_in, i);
    for (int i = 0, e = isl_aff_dim(aff.get(), isl_dim_param); i < e; ++i)
      if (int64_t factor = coefficient(aff, isl_dim_param, i))
        sum = sum + symbol(aff, i) * factor;
    for (int i = 0, e = isl_aff_dim(aff.get(), isl_dim_div); i < e; ++i)
      if (int64_t factor = coefficient(aff, isl_dim_div, i))
        sum = sum + division(aff, i) * factor;
    isl::val constant = isl::manage(isl_aff_get_constant_val(aff.get()));
    return sum + detail::toInt64(constant);
  }

  int64_t coefficient(const isl::aff &aff, isl_dim_type type, int pos) {
    return detail::toInt64(
        isl::manage(isl_aff_get_coefficient_val(aff.get(), type, pos)));
  }

  AffineExpr symbol(const isl::aff &aff, int pos) {
    llvm::StringRef name = isl_aff_get_dim_name(aff.get(), isl_dim_param, pos);
    const auto *found = llvm::find(symbolNames, name);
    if (found == symbolNames.end())
      detail::fail(AnalysisErrorKind::Invalid,
                   "the expression depends on parameter " + name.str());
    return getAffineSymbolExpr(found - symbolNames.begin(), context);
  }

  AffineExpr division(const isl::aff &aff, int pos) {
    isl::aff argument = isl::manage(isl_aff_get_div(aff.get(), pos));
    isl::val denominator =
        isl::manage(isl_aff_get_denominator_val(argument.get()));
    return buildNumerator(argument.scale(denominator))
        .floorDiv(detail::toInt64(denominator));
  }

  MLIRContext *context;
  unsigned numDims;
  llvm::ArrayRef<std::string> symbolNames;
};

} // namespace

llvm::Expected<AffineExpr>
toAffineExpr(isl_aff *aff, MLIRContext *context,
             llvm::ArrayRef<std::string> symbolNames) {
  try {
    isl::aff copy = isl::manage_copy(aff);
    if (!isl::manage(isl_aff_get_denominator_val(aff)).is_one())
      return llvm::make_error<AnalysisError>(
          AnalysisErrorKind::Invalid,
          "the expression has a coefficient that is not an integer");
    unsigned numDims = isl_aff_dim(aff, isl_dim_in);
    return ExprBuilder(context, numDims, symbolNames).build(copy);
  } catch (const detail::Failure &failure) {
    return llvm::make_error<AnalysisError>(failure.kind, failure.message);
  } catch (const isl::exception &error) {
    return llvm::make_error<AnalysisError>(AnalysisErrorKind::Invalid,
                                           error.what());
  }
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

int64_t evaluate(AffineExpr expr, llvm::ArrayRef<int64_t> dims) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t lhs = evaluate(binary.getLHS(), dims);
  int64_t rhs = evaluate(binary.getRHS(), dims);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return lhs + rhs;
  case AffineExprKind::Mul:
    return lhs * rhs;
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(lhs, rhs);
  case AffineExprKind::CeilDiv:
    return llvm::divideCeilSigned(lhs, rhs);
  case AffineExprKind::Mod:
    return llvm::mod(lhs, rhs);
  default:
    llvm_unreachable("not an affine expression without symbols");
  }
}

llvm::SmallVector<int64_t> evaluate(AffineMap map,
                                    llvm::ArrayRef<int64_t> dims) {
  llvm::SmallVector<int64_t> values;
  for (AffineExpr expr : map.getResults())
    values.push_back(evaluate(expr, dims));
  return values;
}

} // namespace grout
