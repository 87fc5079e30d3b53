//===- TilingChoiceTest.cpp - What a choice of tilings must have ----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/Transforms/TilingChoice.h"
#include "TestProducts.h"
#include "grout/Hopper/Gemm/TilingLimits.h"

#include "gtest/gtest.h"

using namespace grout;
using namespace grout::hopper;
using namespace grout::tgemm;

namespace {

/// Chooses tilings for `products` in `mode`, and returns them.
std::vector<TilingAttr> choose(const TestProducts &products, tsync::Mode mode) {
  chooseTilings(products.ops, mode, getGPU());
  std::vector<TilingAttr> tilings;
  for (ProductOpInterface op : products.ops)
    tilings.push_back(op.getTiling().value_or(TilingAttr()));
  return tilings;
}

/// Few rows and a long reduction make few large tiles, whose weights many
/// processors must read.
TEST(TilingChoice, FewRowsTakeManyProcessors) {
  for (auto [n, k] : {std::pair(6144, 12288), std::pair(12288, 6144)}) {
    TestProducts products({{64, n, k}});
    TilingAttr tiling = choose(products, tsync::Mode::pdl).front();
    int64_t tiles = llvm::divideCeil(n, tiling.getN());
    EXPECT_GE(tiles * tiling.getClusterSize(), 88) << n << " columns";
  }
}

/// Where there are few columns as well, only the steps are left.
TEST(TilingChoice, FewTilesShareOutTheSteps) {
  TestProducts products({{64, 256, 12288}});
  EXPECT_GT(choose(products, tsync::Mode::pdl).front().getSplitK(), 1);
  // One tile, or a few, need all that a cluster can be; but no kernel of
  // several products has clusters of eight.
  TestProducts fewest({{64, 64, 65536}});
  EXPECT_EQ(choose(fewest, tsync::Mode::pdl).front().getSplitK(), 8);
  TestProducts together({{64, 64, 65536}});
  TilingAttr tiling = choose(together, tsync::Mode::persistent).front();
  EXPECT_LE(tiling.getClusterSize(), 4);
  EXPECT_GE(tiling.getSplitK() * tiling.getStreamK(), 4);
}

/// Half a wave of tiles whose blocks load rhs for each other, as which it is
/// too few for a cluster that splits the steps, too.
TEST(TilingChoice, HalfAWaveIsInParts) {
  TestProducts products({{256, 6144, 12288}});
  TilingAttr tiling = choose(products, tsync::Mode::pdl).front();
  EXPECT_EQ(tiling.getStreamK(), 2);
  EXPECT_EQ(tiling.getClusterM(), 2);
  // All tiles are of the last wave.
  EXPECT_EQ(tiling.getTail() * tiling.getN(), 6144);
}

TEST(TilingChoice, AClusterHasNoMoreRowsThanTheProduct) {
  for (int64_t m : {1, 17, 64}) {
    TestProducts products({{m, 6144, 12288}, {m, 12288, 6144}, {m, 256, 256}});
    for (TilingAttr tiling : choose(products, tsync::Mode::pdl))
      EXPECT_EQ(tiling.getClusterM(), 1) << "rows: " << m;
  }
}

/// What blocks of one kernel must agree on.
TEST(TilingChoice, TilingsOfOneKernelGoTogether) {
  for (int64_t m : {1, 8, 64, 128, 256, 512, 1000, 1024, 1536, 2048, 3072})
    for (const std::vector<Shape> &shapes : getMLPs(m)) {
      TestProducts products(shapes);
      std::vector<TilingAttr> tilings =
          choose(products, tsync::Mode::persistent);
      int64_t splits = 1, warpgroups = 1;
      for (TilingAttr tiling : tilings) {
        ASSERT_TRUE(tiling);
        EXPECT_EQ(tiling.getClusterSize(), tilings.front().getClusterSize());
        splits = std::max(splits, tiling.getSplitK());
        warpgroups = std::max(warpgroups, getConsumerWarpgroups(tiling));
      }
      for (auto [op, tiling] : llvm::zip(products.ops, tilings)) {
        EXPECT_EQ(findTilingProblem(op, tiling, getGPU().getSpec()), "");
        EXPECT_TRUE(tiling.getSplitK() == 1 || tiling.getSplitK() == splits);
        EXPECT_TRUE(fitsWarpgroups(op, tiling, warpgroups));
      }
    }
}

/// What is measured together must go together, too.
TEST(TilingChoice, NotAllTilingsGoTogether) {
  TestProducts products({{1024, 6144, 12288}, {1024, 12288, 6144}});
  auto get = [&](int64_t m, int64_t n, int64_t clusterM, int64_t splitK) {
    return TilingAttr::get(products.ops.front().getContext(), m, n, 64,
                           /*stages=*/3, clusterM, /*cluster_n=*/1, splitK);
  };
  auto canShare = [&](TilingAttr first, TilingAttr second) {
    return getGPU().canShareKernel(products.ops, {first, second});
  };
  EXPECT_TRUE(canShare(get(128, 128, 1, 1), get(64, 96, 1, 1)));
  EXPECT_TRUE(canShare(get(256, 128, 2, 1), get(64, 96, 1, 2)));
  // Clusters of one size, and steps split in as many parts.
  EXPECT_FALSE(canShare(get(128, 128, 1, 1), get(256, 128, 2, 1)));
  EXPECT_FALSE(canShare(get(128, 128, 2, 2), get(64, 128, 1, 4)));
  EXPECT_TRUE(canShare(get(256, 128, 4, 1), get(64, 128, 1, 4)));
  // Three warpgroups leave each too few registers for 256 columns.
  EXPECT_FALSE(canShare(get(192, 128, 1, 1), get(128, 256, 1, 1)));
}

TEST(TilingChoice, AGivenTilingIsKept) {
  TestProducts products({{1024, 6144, 12288}, {1024, 12288, 6144}});
  ProductOpInterface first = products.ops.front();
  auto given = TilingAttr::get(first.getContext(), 128, 64, 64, /*stages=*/2,
                               /*cluster_m=*/1, /*cluster_n=*/1, /*split_k=*/2);
  first.setTilingAttr(given);
  std::vector<TilingAttr> tilings = choose(products, tsync::Mode::persistent);
  EXPECT_EQ(tilings.front(), given);
  EXPECT_EQ(tilings.back().getClusterSize(), 2);
}

} // namespace
