//===- DependenceCone.h - Farkas' lemma for dependences ---------*- C++ -*-===//
//
// Part of Grout. For lib/Scheduling only.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_SCHEDULING_DEPENDENCECONE_H
#define GROUT_LIB_SCHEDULING_DEPENDENCECONE_H

#include "Integers.h"
#include <memory>
#include <unordered_map>

namespace grout::detail {

/// The affine functions that are not negative on any pair of a dependence.
struct DependenceCone {
  /// Whether the pairs are of one statement. Then functions are of the
  /// difference target - source. Otherwise they are of source, then target.
  bool ofDifference;
  /// A function with factors z, where z[0] is its constant, is not negative on
  /// all pairs iff row * z >= 0 for each row.
  std::vector<LinearForm> rows;
  /// A function is zero on all pairs iff row * z == 0 for each of these rows.
  std::vector<LinearForm> zeroRows;
};

/// Computes cones, each only once.
class ConeCache {
public:
  std::shared_ptr<const DependenceCone> get(const isl::map &pairs,
                                            bool ofDifference);

private:
  using Entry = std::pair<isl::map, std::shared_ptr<const DependenceCone>>;
  /// Entries by the hash of their pairs.
  std::unordered_multimap<uint32_t, Entry> entries;
};

} // namespace grout::detail

#endif // GROUT_LIB_SCHEDULING_DEPENDENCECONE_H
