//===- AccessRelation.cpp - Elements that tiles access --------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Analysis/AccessRelation.h"

#include "TileKernelSets.h"

using namespace mlir;

namespace grout {
namespace detail {

/// Returns { space : 0 <= dims[i] < sizes[i] }. A dynamic size with an empty
/// parameter name is no upper bound.
static isl::set boxSet(const isl::space &space, llvm::ArrayRef<int64_t> sizes,
                       llvm::ArrayRef<std::string> parameters) {
  llvm::SmallVector<isl::aff> dims = getDims(space);
  isl::set box = isl::set::universe(space);
  for (auto [dim, size, parameter] : llvm::zip_equal(dims, sizes, parameters))
    box = box.intersect(
        ShapedType::isDynamic(size) && parameter.empty()
            ? whereNotNegative(dim)
            : whereInRange(dim, makeSize(space, size, parameter)));
  return box;
}

static void getExtents(const TileKernel &kernel, bool withStep,
                       llvm::SmallVectorImpl<int64_t> &sizes,
                       llvm::SmallVectorImpl<std::string> &parameters) {
  for (auto [dim, size] : llvm::enumerate(kernel.grid)) {
    sizes.push_back(size);
    parameters.push_back(kernel.getGridParameter(dim));
  }
  if (withStep) {
    sizes.push_back(kernel.steps);
    parameters.push_back(kernel.getStepParameter());
  }
}

isl::set tileSet(isl::ctx ctx, const TileKernel &kernel) {
  llvm::SmallVector<int64_t> sizes;
  llvm::SmallVector<std::string> parameters;
  getExtents(kernel, /*withStep=*/false, sizes, parameters);
  return boxSet(makeSpace(ctx, kernel.name, sizes.size()), sizes, parameters);
}

isl::set stepSet(isl::ctx ctx, const TileKernel &kernel) {
  llvm::SmallVector<int64_t> sizes;
  llvm::SmallVector<std::string> parameters;
  getExtents(kernel, /*withStep=*/true, sizes, parameters);
  return boxSet(makeSpace(ctx, kernel.name, sizes.size()), sizes, parameters);
}

isl::map stepToTile(isl::ctx ctx, const TileKernel &kernel) {
  unsigned rank = kernel.grid.size();
  isl::map map = stepSet(ctx, kernel).identity();
  map = isl::manage(isl_map_project_out(map.release(), isl_dim_out, rank, 1));
  return map.set_range_tuple(makeId(ctx, kernel.name));
}

/// Returns { [element of the view] -> [element of its source] } of a reshape.
/// Splits the shapes into groups of dimensions with equal products, so that
/// most groups have one dimension on one side, and need no division.
static isl::map viewMap(isl::ctx ctx, const View::Reshape &reshape) {
  llvm::ArrayRef<int64_t> from = reshape.viewShape, to = reshape.sourceShape;
  isl::space fromSpace = makeSpace(ctx, "", from.size());
  isl::space toSpace = makeSpace(ctx, "", to.size());
  llvm::SmallVector<std::string> none(std::max(from.size(), to.size()));
  isl::map map = isl::map::universe(fromSpace.add_unnamed_tuple(to.size()));
  map = map.intersect_domain(
      boxSet(fromSpace, from, llvm::ArrayRef(none).take_front(from.size())));
  map = map.intersect_range(
      boxSet(toSpace, to, llvm::ArrayRef(none).take_front(to.size())));

  auto linear = [](const isl::space &space, llvm::ArrayRef<int64_t> shape,
                   size_t begin, size_t end) {
    llvm::SmallVector<isl::aff> dims = getDims(space);
    isl::aff sum = space.zero_aff_on_domain();
    for (size_t i = begin; i < end; ++i)
      sum = sum.scale(isl::val(space.ctx(),
                               static_cast<long>(ShapedType::isDynamic(shape[i])
                                                     ? 1
                                                     : shape[i])))
                .add(dims[i]);
    return isl::multi_aff(sum).as_map();
  };

  size_t i = 0, j = 0;
  while (i < from.size() || j < to.size()) {
    size_t beginFrom = i, beginTo = j;
    int64_t sizeFrom = i < from.size() ? from[i++] : 1;
    int64_t sizeTo = j < to.size() ? to[j++] : 1;
    while (sizeFrom != sizeTo) {
      bool growFrom = sizeFrom < sizeTo;
      if (ShapedType::isDynamic(sizeFrom) || ShapedType::isDynamic(sizeTo) ||
          (growFrom ? i == from.size() : j == to.size()))
        fail(AnalysisErrorKind::Invalid,
             "cannot reshape " + formatTuple(to) + " to " + formatTuple(from));
      if (growFrom)
        sizeFrom *= from[i++];
      else
        sizeTo *= to[j++];
    }
    map = map.intersect(
        linear(fromSpace, from, beginFrom, i)
            .apply_range(linear(toSpace, to, beginTo, j).reverse()));
  }
  return map;
}

static isl::map viewMap(isl::ctx ctx, const View::Slice &slice) {
  unsigned rank = slice.offsets.size();
  if (slice.sizes.size() != rank || slice.strides.size() != rank)
    fail(AnalysisErrorKind::Invalid, "a slice has unequal ranks");
  isl::space space = makeSpace(ctx, "", rank);
  llvm::SmallVector<isl::aff> dims = getDims(space);
  isl::aff_list results(ctx, rank);
  for (unsigned i = 0; i < rank; ++i) {
    isl::val stride(ctx, static_cast<long>(slice.strides[i]));
    results = results.add(
        dims[i].scale(stride).add(makeSize(space, slice.offsets[i], "")));
  }
  llvm::SmallVector<std::string> none(rank);
  return isl::multi_aff(space.add_unnamed_tuple(rank), results)
      .as_map()
      .intersect_domain(boxSet(space, slice.sizes, none));
}

static isl::map viewMap(isl::ctx ctx, const View::Transpose &transpose) {
  unsigned rank = transpose.permutation.size();
  isl::space space = makeSpace(ctx, "", rank);
  llvm::SmallVector<isl::aff> dims = getDims(space);
  llvm::SmallVector<isl::aff> sources(rank);
  for (auto [i, source] : llvm::enumerate(transpose.permutation)) {
    if (source < 0 || source >= static_cast<int64_t>(rank) ||
        !sources[source].is_null())
      fail(AnalysisErrorKind::Invalid, "a transpose is no permutation");
    sources[source] = dims[i];
  }
  isl::aff_list results(ctx, rank);
  for (const isl::aff &aff : sources)
    results = results.add(aff);
  return isl::multi_aff(space.add_unnamed_tuple(rank), results).as_map();
}

static isl::map viewMap(isl::ctx ctx, const View &view) {
  return std::visit([&](const auto &form) { return viewMap(ctx, form); },
                    view.form);
}

/// Returns { kernel[tile..., step] or kernel[tile...] -> root element }.
static isl::map accessMap(isl::ctx ctx, const TileKernel &kernel,
                          const ElementAccess &access, bool keepStep) {
  unsigned rank = kernel.grid.size();
  unsigned numLocals = access.localSizes.size();
  if (access.map.getNumResults() != access.shape.size())
    fail(AnalysisErrorKind::Invalid,
         "kernel " + kernel.name + ": an access map has " +
             std::to_string(access.map.getNumResults()) +
             " results for a tensor of rank " +
             std::to_string(access.shape.size()));

  // All points (tile, step, local), and the elements that they touch.
  isl::space space = makeSpace(ctx, kernel.name, rank + 1 + numLocals);
  llvm::SmallVector<int64_t> sizes;
  llvm::SmallVector<std::string> parameters;
  getExtents(kernel, /*withStep=*/true, sizes, parameters);
  for (int64_t size : access.localSizes) {
    if (ShapedType::isDynamic(size))
      fail(AnalysisErrorKind::Invalid,
           "kernel " + kernel.name + ": a tile has a dynamic size");
    sizes.push_back(size);
    parameters.emplace_back();
  }
  isl::set points = boxSet(space, sizes, parameters);
  llvm::SmallVector<isl::aff> dims = getDims(space);
  for (AffineExpr guard : access.guards)
    points = points.intersect(whereNotNegative(toAff(guard, space, dims)));
  isl::map map = toMap(access.map, space).intersect_domain(points);

  // Project out the local coordinates, and the step of a write.
  unsigned kept = rank + keepStep;
  map = isl::manage(isl_map_project_out(map.release(), isl_dim_in, kept,
                                        rank + 1 + numLocals - kept));
  map = map.set_domain_tuple(makeId(ctx, kernel.name));

  llvm::SmallVector<std::string> none(access.shape.size());
  map = map.intersect_range(
      boxSet(makeSpace(ctx, "", access.shape.size()), access.shape, none));
  for (const View &view : access.views)
    map = map.apply_range(viewMap(ctx, view));
  return map.coalesce();
}

isl::map readMap(isl::ctx ctx, const TileKernel &kernel,
                 const ElementAccess &access) {
  return accessMap(ctx, kernel, access, /*keepStep=*/true);
}

isl::map writeMap(isl::ctx ctx, const TileKernel &kernel,
                  const ElementAccess &access) {
  return accessMap(ctx, kernel, access, /*keepStep=*/false);
}

} // namespace detail

llvm::Expected<Relation> readRelation(const IslContext &context,
                                      const TileKernel &kernel,
                                      const ElementAccess &access) {
  return detail::guarded(context, [&] {
    return detail::wrap(context,
                        detail::readMap(context.get(), kernel, access));
  });
}

llvm::Expected<Relation> writeRelation(const IslContext &context,
                                       const TileKernel &kernel,
                                       const ElementAccess &access) {
  return detail::guarded(context, [&] {
    return detail::wrap(context,
                        detail::writeMap(context.get(), kernel, access));
  });
}

llvm::Expected<Relation> viewRelation(const IslContext &context,
                                      const View &view) {
  return detail::guarded(context, [&] {
    return detail::wrap(context, detail::viewMap(context.get(), view));
  });
}

} // namespace grout
