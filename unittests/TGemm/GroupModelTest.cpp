//===- GroupModelTest.cpp - Models of products of groups of rows ----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TestProducts.h"
#include "grout/Hopper/Gemm/TilingLimits.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

namespace {

/// A product of `rows` rows in `groups` groups.
class GroupedProduct {
public:
  GroupedProduct(int64_t groups, int64_t rows) {
    context.loadDialect<func::FuncDialect, TGemmDialect>();
    std::string text = llvm::formatv(
        R"(func.func @f(%x: tensor<{1}x128xf16>, %w: tensor<{0}x128x256xf16>,
             %ends: tensor<{0}xi32>) -> tensor<{1}x256xf16> {{
  %y = tgemm.grouped_matmul %x, %w ends(%ends : tensor<{0}xi32>)
    : tensor<{1}x128xf16>, tensor<{0}x128x256xf16> -> tensor<{1}x256xf16>
  return %y : tensor<{1}x256xf16>
})",
        groups, rows);
    module = parseSourceString<ModuleOp>(text, &context);
    module->walk([&](ProductOpInterface found) { op = found; });
  }

  ProductOpInterface op;

private:
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

/// The expected number of tiles is that of sizes which are drawn.
TEST(GroupModel, TilesAreThoseOfDrawnSizes) {
  constexpr int64_t groups = 4096;
  for (int64_t mean : {1, 7, 64, 300}) {
    GroupedProduct product(groups, mean * groups);
    std::mt19937 generator(mean);
    std::geometric_distribution<int64_t> draw(1.0 /
                                              static_cast<double>(1 + mean));
    std::vector<int64_t> sizes(groups);
    for (int64_t &size : sizes)
      size = draw(generator);
    for (int64_t m : {8, 64, 256}) {
      int64_t tiles = 0;
      for (int64_t size : sizes)
        tiles += llvm::divideCeil(size, m);
      EXPECT_NEAR(getModelledRowTiles(product.op, m), tiles, 0.06 * tiles)
          << mean << " rows in the mean, tiles of " << m;
    }
  }
}

/// Sizes for measurements are those of the model, and all rows are in groups.
TEST(GroupModel, MeasuredSizesAreModelled) {
  for (auto [groups, rows] :
       {std::pair<int64_t, int64_t>{1, 77}, {8, 3}, {64, 4096}, {96, 30000}}) {
    GroupedProduct product(groups, rows);
    SmallVector<int64_t> ends = getModelledGroupEnds(product.op);
    ASSERT_EQ(ends.size(), static_cast<size_t>(groups));
    EXPECT_EQ(ends.back(), rows);
    int64_t begin = 0, tiles = 0, smallerBehindLarger = 0, before = 0;
    for (int64_t end : ends) {
      int64_t size = end - begin;
      ASSERT_GE(size, 0);
      tiles += llvm::divideCeil(size, 64);
      smallerBehindLarger += size < before;
      begin = end;
      before = size;
    }
    if (groups < 64)
      continue;
    EXPECT_NEAR(getModelledRowTiles(product.op, 64), tiles, 0.1 * tiles);
    EXPECT_GT(smallerBehindLarger, groups / 4);
    EXPECT_LT(smallerBehindLarger, 3 * groups / 4);
  }
}

TEST(GroupModel, OtherProductsHaveTheirTiles) {
  TestProducts products({{700, 64, 64}});
  EXPECT_EQ(getModelledRowTiles(products.ops.front(), 128), 6);
  EXPECT_EQ(getModelledRows(products.ops.front()), 700);
}

/// The grid has a place for every tile that any ends can need.
TEST(GroupModel, GridsHoldAllSizes) {
  std::mt19937 generator(0);
  for (auto [groups, rows] :
       {std::pair<int64_t, int64_t>{1, 77}, {8, 3}, {8, 300}, {200, 1000}}) {
    GroupedProduct product(groups, rows);
    for (int64_t m : {1, 16, 64, 256}) {
      product.op.setTilingAttr(
          TilingAttr::get(product.op.getContext(), m, 64, 64, 3));
      int64_t most = 0;
      // The worst sizes leave one row over in as many groups as can be.
      std::vector<int64_t> sizes(groups, 0);
      int64_t left = rows;
      for (int64_t &size : sizes)
        if (left)
          --left, ++size;
      sizes.front() += left / m * m;
      for (int64_t size : sizes)
        most += llvm::divideCeil(size, m);
      FailureOr<SmallVector<int64_t>> grid = product.op.getTileGrid();
      ASSERT_TRUE(succeeded(grid));
      EXPECT_EQ(grid->front(), most);
      for (int sample = 0; sample != 200; ++sample) {
        std::fill(sizes.begin(), sizes.end(), 0);
        for (int64_t row = 0; row != rows; ++row)
          ++sizes[generator() % groups];
        int64_t tiles = 0;
        for (int64_t size : sizes)
          tiles += llvm::divideCeil(size, m);
        EXPECT_LE(tiles, grid->front());
      }
    }
  }
}

/// All candidates can be compiled, with and without `swap_ab`.
TEST(GroupModel, CandidatesCanBeCompiled) {
  GroupedProduct product(8, 300);
  bool isSwapped = false, isPlain = false;
  for (const ModelledTiling &tiling : getGPU().modelTilings(product.op)) {
    EXPECT_EQ(hopper::findTilingProblem(product.op, tiling.tiling,
                                        getGPU().getSpec()),
              "");
    (tiling.tiling.getSwapAb() ? isSwapped : isPlain) = true;
  }
  EXPECT_TRUE(isSwapped && isPlain);
}

} // namespace
