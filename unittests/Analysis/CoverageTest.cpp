//===- CoverageTest.cpp - Who writes each element -------------------------===//
//
// Part of Grout. What is proved of the boxes of a write, against enumeration.
//
//===----------------------------------------------------------------------===//

#include "grout/Analysis/TileCoverage.h"

#include "Seeds.h"
#include "TestPrograms.h"
#include "grout/Isl/IslContext.h"
#include "gtest/gtest.h"
#include <map>
#include <random>
#include <set>

using namespace mlir;

namespace grout::test {
namespace {

using Point = std::vector<int64_t>;

/// Calls `visit` with all points of the box from 0 to `extents`.
void forEachPoint(llvm::ArrayRef<int64_t> extents,
                  llvm::function_ref<void(const Point &)> visit) {
  Point point(extents.size());
  for (;;) {
    visit(point);
    size_t dim = extents.size();
    while (dim > 0 && ++point[dim - 1] == extents[dim - 1])
      point[--dim] = 0;
    if (dim == 0)
      return;
  }
}

/// What checkCoverage is to find, or none.
std::optional<AnalysisErrorKind> enumerateFault(const TileKernel &kernel,
                                                const ElementAccess &write,
                                                bool updatesOthers) {
  llvm::SmallVector<int64_t> extents(kernel.grid);
  extents.push_back(kernel.steps);
  llvm::append_range(extents, write.localSizes);
  std::map<Point, std::set<Point>> writers;
  forEachPoint(extents, [&](const Point &point) {
    for (AffineExpr guard : write.guards)
      if (AffineMap::get(point.size(), 0, guard).compose(point).front() < 0)
        return;
    llvm::SmallVector<int64_t> element = write.map.compose(point);
    for (auto [index, extent] : llvm::zip_equal(element, write.shape))
      if (index < 0 || index >= extent)
        return;
    writers[Point(element.begin(), element.end())].insert(
        Point(point.begin(), point.begin() + kernel.grid.size()));
  });
  int64_t elements = 1;
  for (int64_t extent : write.shape)
    elements *= extent;
  for (const auto &[element, tiles] : writers)
    if (tiles.size() > 1)
      return AnalysisErrorKind::DoubleWrite;
  if (!updatesOthers && static_cast<int64_t>(writers.size()) < elements)
    return AnalysisErrorKind::UnwrittenElement;
  return std::nullopt;
}

std::optional<AnalysisErrorKind> proveFault(const TileKernel &kernel,
                                            const ElementAccess &write,
                                            bool updatesOthers) {
  std::optional<AnalysisErrorKind> kind;
  llvm::handleAllErrors(
      checkCoverage(kernel, write, updatesOthers),
      [&](const AnalysisError &error) { kind = error.getKind(); });
  return kind;
}

/// A write whose boxes mostly lie side by side.
struct RandomWrite {
  explicit RandomWrite(unsigned seed) : random(seed) {
    kernel.name = "k";
    kernel.steps = draw(1, 2);
    unsigned rank = draw(0, 3), tensorRank = draw(1, 3);
    for (unsigned dim = 0; dim != rank; ++dim)
      kernel.grid.push_back(draw(1, 3));
    for (unsigned dim = 0; dim != tensorRank; ++dim)
      access.localSizes.push_back(draw(1, 4));
    llvm::SmallVector<AffineExpr> exprs;
    for (unsigned dim = 0; dim != tensorRank; ++dim)
      exprs.push_back(drawSide(dim));
    if (chance(6) && tensorRank > 1)
      std::swap(exprs.front(), exprs.back());
    unsigned numDims = rank + 1 + tensorRank;
    access.map = AffineMap::get(numDims, 0, exprs, getContext());
    if (chance(8))
      access.guards.push_back(getDim(draw(0, numDims - 1)) - draw(0, 1));
  }

  int64_t draw(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }
  /// True once in `number` times.
  bool chance(int64_t number) { return draw(1, number) == 1; }
  static AffineExpr getDim(unsigned dim) {
    return getAffineDimExpr(dim, getContext());
  }

  /// Coordinate `dim` of the boxes. Adds the extent of the tensor.
  AffineExpr drawSide(unsigned dim) {
    unsigned rank = kernel.grid.size();
    int64_t size = access.localSizes[dim];
    AffineExpr expr = chance(10) ? getAffineConstantExpr(0, getContext())
                                 : getDim(rank + 1 + dim);
    int64_t extent = size;
    if (rank != 0 && !chance(5)) {
      unsigned tile = chance(6) ? draw(0, rank - 1) : std::min(dim, rank - 1);
      int64_t tiles = kernel.grid[tile];
      AffineExpr number = getDim(tile);
      if (chance(6)) {
        number = chance(2) ? number.floorDiv(2) : number % 2;
        tiles = std::min<int64_t>(tiles, 2);
      }
      int64_t stride = chance(8) ? draw(0, 4) : size;
      expr = expr + number * stride;
      extent *= tiles;
    }
    if (chance(12))
      expr = expr + draw(-1, 1);
    // Ragged, or a little more than there are.
    access.shape.push_back(
        std::max<int64_t>(1, extent + (chance(10) ? 1 : -draw(0, 1))));
    return expr;
  }

  std::mt19937 random;
  TileKernel kernel;
  ElementAccess access;
};

TEST(CoverageTest, ProofsAgreeWithEnumeration) {
  std::map<std::optional<AnalysisErrorKind>, unsigned> verdicts;
  Seeds seeds(0, 3000);
  for (unsigned seed : seeds) {
    RandomWrite write(seed);
    for (bool updatesOthers : {false, true}) {
      auto expected = enumerateFault(write.kernel, write.access, updatesOthers);
      ASSERT_EQ(proveFault(write.kernel, write.access, updatesOthers), expected)
          << "seed " << seed << ": " << str(write.access.map);
      ++verdicts[expected];
    }
  }
  if (!seeds.areDefault())
    return;
  EXPECT_GT(verdicts[std::nullopt], 1000U);
  EXPECT_GT(verdicts[AnalysisErrorKind::DoubleWrite], 300U);
  EXPECT_GT(verdicts[AnalysisErrorKind::UnwrittenElement], 300U);
}

TEST(CoverageTest, ElementsAreNamed) {
  TileKernel kernel{"k", {3, 2}, 1, {}};
  ElementAccess write = makeAccess(
      "(i, j, s, p, q) -> (i * 16 + p, j * 12 + q)", {16, 12}, {50, 24});
  EXPECT_EQ(llvm::toString(checkCoverage(kernel, write, false)),
            "no tile writes element [48, 0]");
  kernel.grid[0] = 4;
  EXPECT_FALSE(checkCoverage(kernel, write, false));
  write.localSizes[0] = 17;
  EXPECT_NE(llvm::toString(checkCoverage(kernel, write, true))
                .find("is written by tiles k[1, 0] and k[0, 0]"),
            std::string::npos);
}

TEST(CoverageTest, UpdatesReadWhatTheyWriteThemselves) {
  TileKernel kernel{"k", {4}, 1, {}};
  ElementAccess write = makeAccess("(i, s, p) -> (i * 16 + p)", {16}, {50});
  EXPECT_FALSE(checkUpdate(kernel, write, write));
  // The same elements, said in another way.
  ElementAccess same =
      makeAccess("(i, s, p, q) -> (i * 16 + p * 4 + q)", {4, 4}, {50});
  EXPECT_FALSE(checkUpdate(kernel, write, same));
  ElementAccess above = makeAccess("(i, s, p) -> (i * 16 + p - 1)", {17}, {50});
  EXPECT_EQ(llvm::toString(checkUpdate(kernel, write, above)),
            "tile k[3] reads what tile k[2] writes");
}

} // namespace
} // namespace grout::test
