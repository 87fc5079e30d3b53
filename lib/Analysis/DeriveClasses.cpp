//===- DeriveClasses.cpp - Producer tiles with the same consumers ---------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "PolicySupport.h"

namespace grout {
namespace detail {

static isl::map product(const isl::set &from, const isl::set &to) {
  return isl::manage(isl_map_from_domain_and_range(from.copy(), to.copy()));
}

isl::map neededTiles(const isl::map &dependence, const TileKernel &producer,
                     const TileKernel &consumer, Granularity granularity) {
  isl::ctx ctx = dependence.ctx();
  switch (granularity) {
  case Granularity::Tile:
    return dependence;
  case Granularity::Row: {
    isl::map tileOf = stepToTile(ctx, consumer);
    return tileOf.apply_range(dependence.apply_domain(tileOf)).coalesce();
  }
  case Granularity::Kernel:
    if (dependence.is_empty())
      return dependence;
    return product(stepSet(ctx, consumer), tileSet(ctx, producer));
  }
  llvm_unreachable("unknown granularity");
}

isl::map sameConsumers(const isl::map &needed) {
  // p and q differ if some consumer needs p and not q, or q and not p.
  isl::set consumers = needed.domain(), producers = needed.range();
  isl::map unneeded = product(consumers, producers).subtract(needed);
  isl::map differ = needed.reverse().apply_range(unneeded);
  return product(producers, producers)
      .subtract(differ)
      .subtract(differ.reverse())
      .coalesce();
}

} // namespace detail

llvm::Expected<TileClasses> deriveClasses(const TileDependence &dependence,
                                          const TileKernel &producer,
                                          const TileKernel &consumer,
                                          Granularity granularity) {
  const IslContext &context = dependence.relation.getContext();
  return detail::guarded(context, [&] {
    isl::map needed = detail::neededTiles(detail::unwrap(dependence.relation),
                                          producer, consumer, granularity);
    return TileClasses{detail::wrap(context, detail::sameConsumers(needed)),
                       detail::wrap(context, needed)};
  });
}

} // namespace grout
