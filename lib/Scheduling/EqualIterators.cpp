//===- EqualIterators.cpp - Iterators that a dependence equates -----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Instances.h"

namespace grout {

llvm::Expected<std::vector<std::pair<unsigned, unsigned>>>
ScopDependence::findEqualIterators() const {
  return detail::guarded(relation.getContext(), [&] {
    // A linear equation holds for all pairs of the relation iff it holds in the
    // affine hull.
    isl::map pairs = detail::unwrap(relation);
    isl::basic_map hull = isl::manage(isl_map_affine_hull(pairs.release()));
    std::vector<std::pair<unsigned, unsigned>> equal;
    unsigned ofSource = isl_basic_map_dim(hull.get(), isl_dim_in);
    unsigned ofTarget = isl_basic_map_dim(hull.get(), isl_dim_out);
    for (unsigned p = 0; p != ofSource; ++p)
      for (unsigned q = 0; q != ofTarget; ++q) {
        isl_space *space = isl_basic_map_get_space(hull.get());
        isl::basic_map same = isl::manage(isl_basic_map_equate(
            isl_basic_map_universe(space), isl_dim_in, p, isl_dim_out, q));
        if (hull.is_subset(same))
          equal.emplace_back(p, q);
      }
    return equal;
  });
}

} // namespace grout
