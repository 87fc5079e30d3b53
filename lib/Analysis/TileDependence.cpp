//===- TileDependence.cpp - Which tiles read which ------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Analysis/TileDependence.h"

#include "TileKernelSets.h"

namespace grout {
namespace detail {

/// The name of a tuple for messages.
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

void requireAllWritten(const isl::map &read, const isl::set &written) {
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
