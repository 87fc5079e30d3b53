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

/// Which affine functions are not negative on all pairs of a dependence.
struct DependenceCone {
  /// Whether the pairs are of one statement, and functions are of the
  /// difference target - source alone. Otherwise of source, then target.
  bool ofDifference;
  /// A function with factors z, z[0] being its constant, is not negative on all
  /// pairs iff row * z >= 0 for each row.
  std::vector<LinearForm> rows;
  /// It is zero on all pairs iff row * z == 0 for each of these.
  std::vector<LinearForm> zeroRows;
};

/// Makes cones, each only once.
class ConeCache {
public:
  std::shared_ptr<const DependenceCone> get(const isl::map &pairs,
                                            bool ofDifference);

private:
  struct Entry {
    isl::map pairs;
    std::shared_ptr<const DependenceCone> cone;
  };
  std::unordered_multimap<uint32_t, Entry> entries;
};

} // namespace grout::detail

#endif // GROUT_LIB_SCHEDULING_DEPENDENCECONE_H
