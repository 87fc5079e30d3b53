//===- WaitLines.cpp - Lines as bounds of the semaphores of a wait --------===//
//
// Part of Grout.
//
// Tiles of pixels that are no whole rows read pixels whose distance is linear
// only in the mean: divisions by the width of both images hide it from a convex
// hull. Least and greatest semaphores at some tiles give the slopes of lines;
// isl says how far each must be moved to be a bound at all of them.
//
//===----------------------------------------------------------------------===//

#include "WaitBound.h"
#include <numeric>

using namespace mlir;

namespace grout::detail {
namespace {

/// The most tiles of a dimension at which semaphores are computed.
constexpr int64_t maxSamples = 17;

/// The largest tile number and coordinate, so that products of two differences
/// do not overflow.
constexpr int64_t maxNumber = int64_t(1) << 30;

struct Point {
  int64_t tile, coordinate;
};

/// The slope rise / run.
struct Slope {
  int64_t rise, run;
};

/// Points { [tile..., step, coordinate] } of steps and the semaphores for which
/// they wait, seen from below (for a lower bound), or upside down.
class Side {
public:
  Side(isl::set points, unsigned dim, bool isLower)
      : points(std::move(points)), dim(dim), sign(isLower ? 1 : -1) {
    last = isl_set_dim(this->points.get(), isl_dim_set) - 1;
  }

  /// Returns the least coordinates of some tiles, among them the first and the
  /// last one; none if numbers are too large.
  llvm::SmallVector<Point> sample() const {
    int64_t first = toInt64(points.dim_min_val(dim));
    int64_t end = toInt64(points.dim_max_val(dim));
    llvm::SmallVector<Point> samples;
    if (end > maxNumber)
      return samples;
    int64_t count = std::min(maxSamples, end - first + 1);
    for (int64_t i = 0; i < count; ++i) {
      int64_t tile = first + (count == 1 ? 0 : i * (end - first) / (count - 1));
      isl::set there =
          isl::manage(isl_set_fix_si(points.copy(), isl_dim_set, dim, tile));
      if (there.is_empty())
        continue;
      int64_t least = getLeast(there, {0, 1});
      if (std::abs(least) > maxNumber)
        return {};
      samples.push_back({tile, least});
    }
    return samples;
  }

  /// Returns the tightest bound with this slope.
  AffineExpr getBound(Slope slope, MLIRContext *context) const {
    int64_t offset = getLeast(points, slope);
    AffineExpr line = getAffineDimExpr(dim, context) * (sign * slope.rise) +
                      sign * offset; // run * bound
    // Round up or down to a whole number.
    return (line + (sign > 0 ? slope.run - 1 : 0)).floorDiv(slope.run);
  }

private:
  /// Returns the least run * coordinate - rise * tile.
  int64_t getLeast(const isl::set &set, Slope slope) const {
    llvm::SmallVector<isl::aff> dims = getDims(set.space());
    auto times = [&](const isl::aff &aff, int64_t factor) {
      return aff.scale(isl::val(set.ctx(), static_cast<long>(factor)));
    };
    return toInt64(set.min_val(
        times(dims[last], sign * slope.run).sub(times(dims[dim], slope.rise))));
  }

  isl::set points;
  unsigned dim, last;
  int64_t sign;
};

/// Returns the slopes of the convex hull of `points` from below. The longest
/// edge comes first, as it is near to most points.
llvm::SmallVector<Slope> getSlopes(llvm::ArrayRef<Point> points) {
  llvm::SmallVector<Point> hull;
  for (const Point &point : points) {
    auto isAbove = [&] {
      const Point &a = hull[hull.size() - 2], &b = hull.back();
      return (b.coordinate - a.coordinate) * (point.tile - a.tile) >=
             (point.coordinate - a.coordinate) * (b.tile - a.tile);
    };
    while (hull.size() >= 2 && isAbove())
      hull.pop_back();
    hull.push_back(point);
  }
  llvm::SmallVector<std::pair<Point, Point>> edges;
  for (size_t i = 1; i < hull.size(); ++i)
    edges.push_back({hull[i - 1], hull[i]});
  llvm::stable_sort(edges, [](const auto &one, const auto &other) {
    return one.second.tile - one.first.tile >
           other.second.tile - other.first.tile;
  });
  llvm::SmallVector<Slope> slopes;
  for (auto [from, to] : edges) {
    int64_t rise = to.coordinate - from.coordinate;
    int64_t run = to.tile - from.tile;
    int64_t divisor = std::gcd(rise, run);
    slopes.push_back({rise / divisor, run / divisor});
  }
  return slopes;
}

} // namespace

void addLines(const isl::map &coordinate, MLIRContext *mlirContext,
              Bound &lower, Bound &upper) {
  isl::set points = coordinate.wrap().flatten();
  unsigned dims = isl_map_dim(coordinate.get(), isl_dim_in);
  // The last dimension is the step. Each step waits for little.
  for (unsigned dim = 0; dim + 1 < dims; ++dim) {
    for (Bound *bound : {&lower, &upper}) {
      Side side(points, dim, bound == &lower);
      for (Slope slope : getSlopes(side.sample()))
        bound->addBound(side.getBound(slope, mlirContext));
    }
  }
}

} // namespace grout::detail
