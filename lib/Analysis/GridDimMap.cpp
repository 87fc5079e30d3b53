//===- GridDimMap.cpp - Semaphore coordinates of one grid dimension -------===//
//
// Part of Grout. Makes guesses, which DerivePolicy.cpp verifies.
//
//===----------------------------------------------------------------------===//

#include "GridDimMap.h"

#include "grout/Isl/AffineConversion.h"
#include <isl/aff.h>
#include <optional>

using namespace mlir;

namespace grout::detail {

//===----------------------------------------------------------------------===//
// Formulas
//===----------------------------------------------------------------------===//

isl::map GridDimMap::getMap(isl::ctx ctx, const GridSize &size) const {
  isl::space space = makeSpace(ctx, "", 1);
  llvm::SmallVector<isl::aff> dims = getDims(space);
  isl::aff_list results(ctx, coordinates.size());
  for (AffineExpr expr : coordinates)
    results = results.add(toAff(expr, space, dims));
  return isl::multi_aff(space.add_unnamed_tuple(coordinates.size()), results)
      .as_map()
      .intersect_domain(whereInRange(dims[0], size.on(space)));
}

bool GridDimMap::hasUniformFibre(isl::ctx ctx, const GridSize &size) const {
  // { [coordinates..., j...] -> [t] } must reach every t once, and be the
  // inverse of getMap once the j's are forgotten.
  isl::space space =
      makeSpace(ctx, "", coordinates.size() + fibreExtents.size());
  llvm::SmallVector<isl::aff> dims = getDims(space);
  llvm::SmallVector<AffineExpr> bounds(extents);
  bounds.append(fibreExtents);
  isl::set box = isl::set::universe(space);
  for (auto [dim, bound] : llvm::zip_equal(dims, bounds))
    box = box.intersect(
        whereInRange(dim, toAff(bound, space, {}, {size.on(space)})));
  isl::map lattice =
      isl::multi_aff(toAff(fibre, space, dims)).as_map().intersect_domain(box);
  if (!lattice.is_injective())
    return false;
  isl::map fibres = isl::manage(isl_map_project_out(
      lattice.release(), isl_dim_in, coordinates.size(), fibreExtents.size()));
  return fibres.is_equal(getMap(ctx, size).reverse());
}

int64_t GridDimMap::countValues(int64_t size) const {
  int64_t product = 1;
  for (AffineExpr extent : extents)
    product *= evaluate(extent.replaceSymbols(
                            {getAffineConstantExpr(size, extent.getContext())}),
                        {});
  return product;
}

//===----------------------------------------------------------------------===//
// Constants, read off the relation
//===----------------------------------------------------------------------===//

namespace {

std::optional<int64_t> minOf(const isl::set &set) {
  if (set.is_empty())
    return std::nullopt;
  return toInt64(set.min_val(getDims(set.space())[0]));
}

isl::set above(const isl::set &set, int64_t bound) {
  // Intersect, instead of bounding in place. Bounding leaves disjuncts without
  // points, for which isl 0.25 then computes a minimum of 0.
  return set.intersect(isl::manage(isl_set_lower_bound_si(
      isl::set::universe(set.space()).release(), isl_dim_set, 0, bound + 1)));
}

/// Returns { [t] -> [t + distance] }.
isl::map shift(isl::ctx ctx, int64_t distance) {
  isl::aff dim = getDims(makeSpace(ctx, "", 1))[0];
  return isl::multi_aff(
             dim.add_constant(isl::val(ctx, static_cast<long>(distance))))
      .as_map();
}

/// Numbers that describe an equivalence relation on an interval.
struct Shape {
  /// The lengths of the first runs of consecutive equivalent tiles, each with
  /// the position of a boundary of runs of that length.
  llvm::SmallVector<std::pair<int64_t, int64_t>> runs;
  /// The smallest positive distance of two equivalent tiles.
  std::optional<int64_t> stride;
  /// The first t for which t - stride and t are not equivalent.
  std::optional<int64_t> block;
  /// The distance of the first two runs that are equivalent.
  std::optional<int64_t> period;
};

Shape measure(isl::map together) {
  isl::ctx ctx = together.ctx();
  // Measured for a sample of the parameters. The guesses are verified for all
  // parameters.
  unsigned numParams = isl_map_dim(together.get(), isl_dim_param);
  for (unsigned i = 0; i < numParams; ++i)
    together =
        isl::manage(isl_map_fix_si(together.release(), isl_dim_param, i, 96));
  together = isl::manage(
      isl_map_project_out(together.release(), isl_dim_param, 0, numParams));

  Shape shape;
  isl::set tiles = together.domain();
  std::optional<int64_t> first = minOf(tiles);
  if (!first)
    return shape;
  int64_t last = toInt64(tiles.max_val(getDims(tiles.space())[0]));

  // Tiles t such that t - distance and t both exist and are not equivalent.
  auto boundaries = [&](int64_t distance) {
    isl::map pairs =
        shift(ctx, distance).intersect_domain(tiles).intersect_range(tiles);
    return pairs.subtract(together).range();
  };
  isl::set ends = boundaries(1);
  std::optional<int64_t> end1 = minOf(ends);
  shape.runs.push_back(
      {end1.value_or(last + 1) - *first, end1.value_or(last + 1)});
  if (end1) {
    int64_t end2 = minOf(above(ends, *end1)).value_or(last + 1);
    shape.runs.push_back({end2 - *end1, *end1});
    // The next run that is equivalent to the first one.
    isl::set firstTile = isl::manage(isl_set_fix_si(
        isl::set::universe(tiles.space()).release(), isl_dim_set, 0, *first));
    if (auto again = minOf(above(firstTile.apply(together), *end1 - 1)))
      shape.period = *again - *first;
  }
  shape.stride = minOf(above(together.deltas(), 0));
  if (shape.stride)
    shape.block = minOf(boundaries(*shape.stride));
  return shape;
}

} // namespace

//===----------------------------------------------------------------------===//
// Guesses
//===----------------------------------------------------------------------===//

std::vector<GridDimMap> guessGridDimMaps(const isl::map &together,
                                         MLIRContext *context) {
  AffineExpr t = getAffineDimExpr(0, context);
  AffineExpr n = getAffineSymbolExpr(0, context);
  auto d = [&](unsigned i) { return getAffineDimExpr(i, context); };
  auto c = [&](int64_t value) { return getAffineConstantExpr(value, context); };

  std::vector<GridDimMap> guesses;
  guesses.push_back({{t}, {n}, d(0), {}});

  Shape shape = measure(together);
  for (auto [run, boundary] : shape.runs) {
    if (run < 2)
      continue;
    int64_t offset = (run - boundary % run) % run;
    guesses.push_back({{(t + offset).floorDiv(run)},
                       {(n + offset).ceilDiv(run)},
                       d(0) * run + d(1) - offset,
                       {c(run)}});
    if (shape.period && *shape.period % run == 0)
      guesses.push_back({{t.floorDiv(run) % (*shape.period / run)},
                         {c(*shape.period / run)},
                         d(0) * run + d(1) + d(2) * *shape.period,
                         {c(run), n.floorDiv(*shape.period)}});
  }
  if (shape.stride && *shape.stride > 1) {
    int64_t stride = *shape.stride;
    guesses.push_back({{t % stride},
                       {c(stride)},
                       d(0) + d(1) * stride,
                       {n.floorDiv(stride)}});
    if (shape.block && *shape.block % stride == 0)
      guesses.push_back({{t.floorDiv(*shape.block), t % stride},
                         {n.ceilDiv(*shape.block), c(stride)},
                         d(0) * *shape.block + d(1) + d(2) * stride,
                         {c(*shape.block / stride)}});
  }
  guesses.push_back({{}, {}, d(0), {n}});
  return guesses;
}

} // namespace grout::detail
