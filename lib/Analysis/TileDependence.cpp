//===- TileDependence.cpp - Dependences between tiles ---------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Analysis/TileDependence.h"

#include "TileKernelSets.h"
#include <isl/constraint.h>
#include <optional>
#include <vector>

namespace grout {
namespace detail {

/// Returns the name of a tuple for messages.
static std::string getName(const isl::map &map) {
  return map.has_domain_tuple_id() ? map.domain_tuple_id().name() : "tile";
}

void requireSingleWriter(const isl::map &write) {
  if (write.is_injective())
    return;
  isl::map twice = write.apply_range(write.reverse());
  isl::set tiles = write.domain();
  isl::map others = twice.subtract(tiles.identity());
  PairPoint pair = samplePair(others);
  // The element: written by both tiles of the sample.
  auto elementsOf = [&](llvm::ArrayRef<int64_t> tile) {
    isl::set point = tiles;
    for (auto [i, value] : llvm::enumerate(tile))
      point =
          isl::manage(isl_set_fix_si(point.release(), isl_dim_set, i, value));
    return point.apply(write);
  };
  isl::set shared = elementsOf(pair.in).intersect(elementsOf(pair.out));
  PairPoint element = samplePair(write.intersect_range(shared));
  fail(AnalysisErrorKind::DoubleWrite,
       "element " + formatTuple(element.out) + " is written by tiles " +
           formatTile(getName(write), pair.in) + " and " +
           formatTile(getName(write), pair.out));
}

void requireNoOverwrite(const isl::map &pairs) {
  if (pairs.is_empty())
    return;
  PairPoint pair = samplePair(pairs);
  fail(AnalysisErrorKind::OverwrittenRead,
       "tile " + formatTile(getName(pairs), pair.in) + " reads what tile " +
           formatTile(getName(pairs), pair.out) + " writes");
}

/// Returns half-spaces that together are the complement of `set`; none if `set`
/// is not a single polyhedron, or has existentially quantified variables.
static std::optional<std::vector<isl::set>> getOutside(const isl::set &set) {
  if (isl_set_n_basic_set(set.get()) != 1 || isl_set_involves_locals(set.get()))
    return std::nullopt;
  std::vector<isl::set> outside;
  auto addNegative = [&](isl_aff *aff) {
    outside.push_back(
        isl::manage(isl_set_from_basic_set(isl_aff_neg_basic_set(aff))));
  };
  isl_basic_set_list *parts = isl_set_get_basic_set_list(set.get());
  isl_basic_set *part = isl_basic_set_list_get_at(parts, 0);
  isl_constraint_list *constraints = isl_basic_set_get_constraint_list(part);
  isl_size count = isl_constraint_list_n_constraint(constraints);
  for (isl_size i = 0; i < count; ++i) {
    isl_constraint *constraint =
        isl_constraint_list_get_constraint(constraints, i);
    addNegative(isl_constraint_get_aff(constraint));
    if (isl_constraint_is_equality(constraint))
      addNegative(isl_aff_neg(isl_constraint_get_aff(constraint)));
    isl_constraint_free(constraint);
  }
  isl_constraint_list_free(constraints);
  isl_basic_set_free(part);
  isl_basic_set_list_free(parts);
  return outside;
}

/// Whether `read` only reads elements of `written`, as far as checking one
/// constraint after another shows it. This takes no time in cases in which a
/// difference does: for that, isl first looks for functions that give the
/// existentially quantified variables of `read`.
static bool isSeenToReadOnly(const isl::map &read, const isl::set &written) {
  std::optional<std::vector<isl::set>> outside = getOutside(written);
  return outside && llvm::all_of(*outside, [&](const isl::set &part) {
           return read.intersect_range(part).is_empty();
         });
}

void requireAllWritten(const isl::map &read, const isl::set &written) {
  if (isSeenToReadOnly(read, written))
    return;
  isl::map missing =
      read.subtract(isl::map::universe(read.space()).intersect_range(written));
  if (missing.is_empty())
    return;
  PairPoint pair = samplePair(missing);
  int64_t step = pair.in.pop_back_val();
  fail(AnalysisErrorKind::UnwrittenRead,
       "tile " + formatTile(getName(read), pair.in) + " reads element " +
           formatTuple(pair.out) + " at step " + std::to_string(step) +
           ", which no tile writes");
}

void requireAllElementsWritten(const isl::map &write,
                               llvm::ArrayRef<int64_t> shape) {
  isl::space space = write.space().range();
  isl::set missing = isl::set::universe(space);
  for (auto [dim, extent] : llvm::zip_equal(getDims(space), shape))
    missing = missing.intersect(whereInRange(dim, makeSize(space, extent, "")));
  missing = missing.subtract(write.range());
  if (!missing.is_empty())
    fail(AnalysisErrorKind::UnwrittenElement,
         "no tile writes element " +
             formatTuple(samplePair(missing.identity()).in));
}

} // namespace detail

llvm::Error checkSingleWriter(const Relation &write) {
  return detail::guarded(write.getContext(),
                         [&] {
                           detail::requireSingleWriter(detail::unwrap(write));
                           return true;
                         })
      .takeError();
}

llvm::Error checkAllWritten(const Relation &read,
                            llvm::ArrayRef<Relation> writes) {
  return detail::guarded(read.getContext(),
                         [&] {
                           isl::map reads = detail::unwrap(read);
                           isl::set written =
                               isl::set::empty(reads.space().range());
                           for (const Relation &write : writes)
                             written =
                                 written.unite(detail::unwrap(write).range());
                           detail::requireAllWritten(reads, written);
                           return true;
                         })
      .takeError();
}

llvm::Expected<TileDependence>
deriveDependence(unsigned producer, unsigned consumer, unsigned operand,
                 const Relation &write, const Relation &read) {
  return detail::guarded(write.getContext(), [&] {
    isl::map writes = detail::unwrap(write), reads = detail::unwrap(read);
    detail::requireSingleWriter(writes);
    detail::requireAllWritten(reads, writes.range());
    isl::map relation = reads.apply_range(writes.reverse()).coalesce();
    return TileDependence{producer, consumer, operand,
                          detail::wrap(write.getContext(), relation)};
  });
}

llvm::Expected<TileDependence>
deriveDependence(const IslContext &context, unsigned producer,
                 const TileKernel &producerKernel, const ElementAccess &write,
                 unsigned consumer, const TileKernel &consumerKernel,
                 unsigned operand, const ElementAccess &read) {
  llvm::Expected<Relation> writes =
      writeRelation(context, producerKernel, write);
  if (!writes)
    return writes.takeError();
  llvm::Expected<Relation> reads = readRelation(context, consumerKernel, read);
  if (!reads)
    return reads.takeError();
  return deriveDependence(producer, consumer, operand, *writes, *reads);
}

llvm::Expected<TileDependence> mergeDependences(const TileDependence &first,
                                                const TileDependence &second) {
  if (first.producer != second.producer || first.consumer != second.consumer)
    return llvm::make_error<AnalysisError>(
        AnalysisErrorKind::Invalid,
        "only dependences between the same kernels can be merged");
  llvm::Expected<Relation> relation = first.relation.unite(second.relation);
  if (!relation)
    return relation.takeError();
  return TileDependence{first.producer, first.consumer,
                        std::min(first.operand, second.operand), *relation};
}

} // namespace grout
