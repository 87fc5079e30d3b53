//===- IndexFactors.cpp - Indices as products of factors ------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "IndexFactors.h"

using namespace mlir;
using namespace grout;

FactorIndex grout::getIndex(AffineMap map, const FactorIndex &loops) {
  FactorIndex index;
  for (unsigned number = 0; number != map.getNumResults(); ++number)
    index.push_back(loops[map.getDimPosition(number)]);
  return index;
}

unsigned IndexFactors::add(int64_t extent) {
  extents.push_back(extent);
  return extents.size() - 1;
}

FactorList IndexFactors::getLoop(Operation *op, unsigned loop, int64_t extent) {
  FactorList list;
  if (extent == 1)
    return list;
  auto [it, isNew] = loops.try_emplace({op, loop}, 0);
  if (isNew)
    it->second = add(extent);
  appendResolved(it->second, list);
  return list;
}

int64_t IndexFactors::getExtent(ArrayRef<unsigned> factors) const {
  int64_t extent = 1;
  for (unsigned factor : factors)
    extent *= extents[factor];
  return extent;
}

void IndexFactors::appendResolved(unsigned factor, FactorList &list) const {
  auto it = parts.find(factor);
  if (it == parts.end()) {
    list.push_back(factor);
    return;
  }
  appendResolved(it->second.first, list);
  appendResolved(it->second.second, list);
}

void IndexFactors::divide(unsigned factor, int64_t outerExtent) {
  changed = true;
  if (parts.contains(factor))
    return;
  unsigned outer = add(outerExtent);
  unsigned inner = add(extents[factor] / outerExtent);
  parts[factor] = {outer, inner};
}

/// Takes from the front of `factors` those of an index below `extent`.
std::optional<FactorList> IndexFactors::takeFactors(ArrayRef<unsigned> &factors,
                                                    int64_t extent) {
  FactorList taken;
  while (extent > 1) {
    if (factors.empty())
      return std::nullopt;
    int64_t first = extents[factors.front()];
    if (extent % first != 0) {
      if (first % extent == 0)
        divide(factors.front(), extent);
      return std::nullopt;
    }
    extent /= first;
    taken.push_back(factors.front());
    factors = factors.drop_front();
  }
  return taken;
}

std::optional<FactorIndex> IndexFactors::split(ArrayRef<unsigned> factors,
                                               ArrayRef<int64_t> shape) {
  FactorIndex index;
  for (int64_t extent : shape) {
    std::optional<FactorList> taken = takeFactors(factors, extent);
    if (!taken)
      return std::nullopt;
    index.push_back(*taken);
  }
  if (!factors.empty())
    return std::nullopt;
  return index;
}
