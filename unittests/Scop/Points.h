//===- Points.h - The points of a box ---------------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_UNITTESTS_SCOP_POINTS_H
#define GROUT_UNITTESTS_SCOP_POINTS_H

#include "mlir/Support/LLVM.h"
#include <vector>

namespace grout::scop {

using Point = std::vector<int64_t>;

/// Calls `visit` with every point of the box [0, extents), the last dimension
/// fastest.
inline void forEachPoint(llvm::ArrayRef<int64_t> extents,
                         llvm::function_ref<void(const Point &)> visit) {
  Point point(extents.size(), 0);
  while (true) {
    visit(point);
    size_t dim = extents.size();
    while (dim != 0 && ++point[dim - 1] == extents[dim - 1])
      point[--dim] = 0;
    if (dim == 0)
      return;
  }
}

} // namespace grout::scop

#endif // GROUT_UNITTESTS_SCOP_POINTS_H
