//===- KernelTilesTest.cpp - Tiles of kernels against enumeration ---------===//
//
// Part of Grout. What a tile of a kernel accesses, as TileKernelOpInterface
// says it, against the points of its statement.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/IR/KernelTiles.h"
#include "Points.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

using namespace mlir;

namespace grout::scop {
namespace {

Point evaluate(AffineMap map, const Point &point) {
  Point result;
  for (AffineExpr expr : map.getResults()) {
    SmallVector<AffineExpr> values;
    for (int64_t value : point)
      values.push_back(getAffineConstantExpr(value, map.getContext()));
    AffineExpr value = simplifyAffineExpr(expr.replaceDims(values), 0, 0);
    result.push_back(cast<AffineConstantExpr>(value).getValue());
  }
  return result;
}

/// The elements of `shape` that `access` gives for a tile.
std::set<Point> getElements(const TileAccess &access, const Point &tile,
                            ArrayRef<int64_t> shape) {
  std::set<Point> elements;
  forEachPoint(access.localSizes, [&](const Point &local) {
    Point point = tile;
    point.push_back(0);
    point.insert(point.end(), local.begin(), local.end());
    Point element = evaluate(access.map, point);
    for (auto [index, extent] : llvm::zip_equal(element, shape))
      if (index < 0 || index >= extent)
        return;
    elements.insert(element);
  });
  return elements;
}

/// Y[i, j] = max_k X[i + a, k, j + b], with outer loops i and j or j and i.
TEST(KernelTiles, AccessWhatTheirPointsDo) {
  MLIRContext context;
  context.loadDialect<arith::ArithDialect, func::FuncDialect, ScopDialect>();
  std::mt19937 random(11);
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (int round = 0; round != 60; ++round) {
    int64_t i = pick(2, 7), j = pick(2, 7), k = pick(1, 4), a = pick(0, 2),
            b = pick(0, 2), first = pick(1, 8), second = pick(1, 8);
    bool isSwapped = pick(0, 1) != 0;
    std::string text = llvm::formatv(
        R"(func.func @f(%x: tensor<{0}x{1}x{2}xf32>, %y: tensor<{3}x{4}xf32>)
              -> tensor<{3}x{4}xf32> {{
          %r = scop.kernel ins(%x : tensor<{0}x{1}x{2}xf32>)
              outs(%y : tensor<{3}x{4}xf32>)
              schedule <[linear band 0 coincident, linear band 0 coincident,
                         linear band 1 reduction],
                        @S = (d0, d1, d2) -> ({5}, d2)> tiles [{6}, {7}]
              -> tensor<{3}x{4}xf32> {{
          ^bb0(%X: memref<{0}x{1}x{2}xf32>, %Y: memref<{3}x{4}xf32>):
            scop.stmt @S domain [{3}, {4}, {1}]
                reads(%X[(d0, d1, d2) -> (d0 + {8}, d2, d1 + {9})]
                        : memref<{0}x{1}x{2}xf32>,
                      %Y[(d0, d1, d2) -> (d0, d1)] : memref<{3}x{4}xf32>)
                writes(%Y[(d0, d1, d2) -> (d0, d1)] : memref<{3}x{4}xf32>)
                reductions [2] {{
            ^bb0(%v: f32, %s: f32):
              %m = arith.maximumf %v, %s : f32
              scop.yield %m : f32
            }
          }
          return %r : tensor<{3}x{4}xf32>
        })",
        i + a, k, j + b, i, j, isSwapped ? "d1, d0" : "d0, d1", first, second,
        a, b);
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text;
    KernelOp kernel;
    module->walk([&](KernelOp op) { kernel = op; });
    StmtOp statement = *kernel.getStatements().begin();

    // What each tile reads and writes by its points.
    Point sizes = {first, second};
    std::map<Point, std::set<Point>> reads, writes;
    forEachPoint(statement.getExtents(), [&](const Point &point) {
      Point outer = {point[isSwapped ? 1 : 0], point[isSwapped ? 0 : 1]};
      Point tile = {outer[0] / sizes[0], outer[1] / sizes[1]};
      reads[tile].insert(evaluate(statement.getReadMap(0), point));
      writes[tile].insert(evaluate(statement.getWriteMap(0), point));
    });

    SmallVector<int64_t> grid = *kernel.getTileGrid();
    size_t tiles = 0;
    TileAccess read = kernel.getOperandAccess(kernel->getOpOperand(0));
    TileAccess write = kernel.getResultAccess(kernel->getResult(0));
    forEachPoint(grid, [&](const Point &tile) {
      ++tiles;
      EXPECT_EQ(getElements(write, tile, {i, j}), writes[tile]) << text;
      // A smaller last tile may be said to read what a whole one would.
      std::set<Point> elements = getElements(read, tile, {i + a, k, j + b});
      bool isWhole = true;
      Point extents = {isSwapped ? j : i, isSwapped ? i : j};
      for (int dim : {0, 1})
        isWhole &= (tile[dim] + 1) * sizes[dim] <= extents[dim];
      if (isWhole)
        EXPECT_EQ(elements, reads[tile]) << text;
      EXPECT_TRUE(std::includes(elements.begin(), elements.end(),
                                reads[tile].begin(), reads[tile].end()))
          << text;
    });
    EXPECT_EQ(tiles, writes.size());
  }
}

} // namespace
} // namespace grout::scop
