//===- VectorAccess.cpp - Accesses of vectors -----------------------------===//
//
// Part of Grout. Exact proofs of strides and alignment.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/ScopToLoops/VectorAccess.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

isl::map grout::scop::getTimes(isl::ctx ctx, KernelOp kernel,
                               StmtOp statement) {
  isl::space space = grout::detail::makeSpace(ctx, statement.getSymName(),
                                              statement.getNumIterators());
  isl::map times = grout::detail::toMap(
      kernel.getSchedule()->getMap(statement.getSymName()), space);
  for (auto [dim, extent] :
       llvm::zip_equal(grout::detail::getDims(space), statement.getExtents()))
    times = times.intersect_domain(grout::detail::whereInRange(
        dim, grout::detail::makeSize(space, extent, "")));
  return times;
}

isl::map grout::scop::getAccessRelation(isl::ctx ctx, StmtOp statement,
                                        AffineMap map) {
  return grout::detail::toMap(
      map, grout::detail::makeSpace(ctx, statement.getSymName(),
                                    statement.getNumIterators()));
}

/// Returns { [time...] -> [time...] }, from each time to the next along
/// dimension `dim`.
static isl::map getNextTime(isl::ctx ctx, unsigned rank, unsigned dim) {
  isl::space space = grout::detail::makeSpace(ctx, "", rank);
  isl::aff_list next(ctx, rank);
  for (auto [position, time] : llvm::enumerate(grout::detail::getDims(space)))
    next =
        next.add(position == dim ? time.add_constant(isl::val(ctx, 1L)) : time);
  return isl::multi_aff(space.add_unnamed_tuple(rank), next).as_map();
}

/// Returns { [time...] : a vector starts there }.
static isl::set getFirstTimes(isl::ctx ctx, unsigned rank,
                              const VectorLoop &loop) {
  isl::space space = grout::detail::makeSpace(ctx, "", rank);
  isl::aff time = grout::detail::getDims(space)[loop.dim];
  isl::aff lane =
      time.add_constant(isl::val(ctx, -static_cast<long>(loop.first)))
          .mod(isl::val(ctx, static_cast<long>(loop.width)));
  return lane.eq_set(grout::detail::makeSize(space, 0, ""));
}

/// Returns { S[i...] -> [address] }, in elements from the start of the array.
static isl::map getAddress(const isl::space &space, MemRefType type,
                           AffineMap map) {
  auto [strides, offset] = type.getStridesAndOffset();
  AffineExpr address = getAffineConstantExpr(0, map.getContext());
  for (auto [index, stride] : llvm::zip_equal(map.getResults(), strides))
    address = address + index * stride;
  return grout::detail::toMap(
      AffineMap::get(map.getNumDims(), 0, address, map.getContext()), space);
}

/// Whether all of `values`, which have one dimension, are multiples of
/// `modulus` after `subtracted` is subtracted; with modulus 0, whether they are
/// 0.
static bool areMultiples(const isl::set &values, int64_t subtracted,
                         int64_t modulus) {
  isl::space space = values.space();
  isl::aff value = grout::detail::getDims(space)[0].add_constant(
      isl::val(values.ctx(), -static_cast<long>(subtracted)));
  if (modulus != 0)
    value = value.mod(isl::val(values.ctx(), static_cast<long>(modulus)));
  return values.is_subset(value.eq_set(grout::detail::makeSize(space, 0, "")));
}

/// Whether vectors of `element` have the same layout in memory as arrays.
static bool hasWholeBytes(Type element) {
  unsigned bits = element.getIntOrFloatBitWidth();
  return bits >= 8 && llvm::isPowerOf2_32(bits);
}

VectorAccessKind grout::scop::classifyAccess(isl::ctx ctx, KernelOp kernel,
                                             StmtOp statement, MemRefType type,
                                             AffineMap map,
                                             const VectorLoop &loop) {
  if (!type.getLayout().isIdentity())
    return VectorAccessKind::Scattered;
  isl::map times = getTimes(ctx, kernel, statement);
  unsigned rank = times.range_tuple_dim();
  // An iteration of the loop has only one time: later dimensions may depend on
  // that time, but have no loops.
  unsigned within = rank - loop.dim - 1;
  isl::map iterations = isl::manage(
      isl_map_project_out(times.copy(), isl_dim_out, loop.dim + 1, within));
  isl::map next =
      iterations.apply_range(getNextTime(ctx, loop.dim + 1, loop.dim))
          .apply_range(iterations.reverse());
  isl::map address = getAddress(
      isl::manage(isl_map_get_space(times.get())).domain(), type, map);
  isl::set strides = next.apply_domain(address).apply_range(address).deltas();
  if (areMultiples(strides, 0, 0))
    return VectorAccessKind::Uniform;

  if (!areMultiples(strides, 1, 0) || !hasWholeBytes(type.getElementType()))
    return VectorAccessKind::Scattered;
  int64_t bytes = loop.width * type.getElementTypeBitWidth() / 8;
  if (loop.baseAlignment % bytes != 0)
    return VectorAccessKind::Scattered;
  isl::set firstAddresses =
      times.intersect_range(getFirstTimes(ctx, rank, loop))
          .domain()
          .apply(address);
  return areMultiples(firstAddresses, 0, loop.width)
             ? VectorAccessKind::Contiguous
             : VectorAccessKind::Scattered;
}
