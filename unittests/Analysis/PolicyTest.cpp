//===- PolicyTest.cpp - The policies of cuSync, derived -------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TestPrograms.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace grout::test {
namespace {

using Counts = llvm::SmallVector<int64_t>;

class PolicyTest : public ::testing::Test {
protected:
  DerivedPolicy derivePair(const Gemm &producer, const Gemm &consumer,
                           Granularity granularity) {
    return derive(context, producer.kernel, producer.c, consumer.kernel,
                  consumer.a, granularity);
  }

  IslContext context;
};

TEST_F(PolicyTest, GemmToGemmByTile) {
  // Four tiles of K make one tile of the producer.
  Gemm first = makeGemm("first", 512, 3072, 768, 128, 128, 64);
  Gemm second = makeGemm("second", 512, 768, 3072, 128, 128, 32);
  DerivedPolicy derived = derivePair(first, second, Granularity::Tile);
  EXPECT_EQ(derived.name, "TileSync");
  EXPECT_TRUE(derived.exactClasses);
  EXPECT_TRUE(derived.exactWaits);
  const SemaphorePolicy &policy = derived.policy;
  EXPECT_EQ(str(policy.semaphore), "(d0, d1) -> (d0, d1)");
  EXPECT_EQ(policy.shape, (Counts{4, 24}));
  EXPECT_EQ(policy.counts, (Counts{1}));
  EXPECT_EQ(str(policy.waitLower), "(d0, d1, d2) -> (d0, d2 floordiv 4)");
  EXPECT_EQ(str(policy.waitUpper), "(d0, d1, d2) -> (d0, d2 floordiv 4)");
  EXPECT_EQ(getNumSemaphores(policy), 96);
  EXPECT_EQ(countWaits(policy, second.kernel, {0, 0}, 100), 24);
  EXPECT_EQ(countWaits(policy, second.kernel, {0, 0}, 20), std::nullopt);
}

TEST_F(PolicyTest, GemmToGemmByRow) {
  Gemm first = makeGemm("first", 512, 3072, 768, 128, 128, 64);
  Gemm second = makeGemm("second", 512, 768, 3072, 128, 128, 32);
  DerivedPolicy derived = derivePair(first, second, Granularity::Row);
  EXPECT_EQ(derived.name, "RowSync");
  EXPECT_TRUE(derived.exactClasses);
  EXPECT_TRUE(derived.exactWaits);
  const SemaphorePolicy &policy = derived.policy;
  EXPECT_EQ(str(policy.semaphore), "(d0, d1) -> (d0)");
  EXPECT_EQ(policy.shape, (Counts{4}));
  EXPECT_EQ(policy.counts, (Counts{24}));
  EXPECT_EQ(str(policy.waitLower), "(d0, d1, d2) -> (d0)");
  EXPECT_EQ(str(policy.waitUpper), "(d0, d1, d2) -> (d0)");
  EXPECT_EQ(countWaits(policy, second.kernel, {1, 3}, 100), 1);
  // What all steps wait for is counted once, however many they are.
  second.kernel.steps = int64_t(1) << 40;
  EXPECT_EQ(countWaits(policy, second.kernel, {1, 3}, 100), 1);
}

TEST_F(PolicyTest, GemmToGemmByKernel) {
  Gemm first = makeGemm("first", 512, 3072, 768, 128, 128, 64);
  Gemm second = makeGemm("second", 512, 768, 3072, 128, 128, 32);
  DerivedPolicy derived = derivePair(first, second, Granularity::Kernel);
  EXPECT_EQ(derived.name, "KernelSync");
  EXPECT_EQ(str(derived.policy.semaphore), "(d0, d1) -> ()");
  EXPECT_TRUE(derived.policy.shape.empty());
  EXPECT_EQ(derived.policy.counts, (Counts{96}));
  EXPECT_EQ(countWaits(derived.policy, second.kernel, {1, 3}, 100), 1);
}

TEST_F(PolicyTest, SmallerConsumerTilesShareRows) {
  Gemm first = makeGemm("first", 512, 3072, 768, 128, 128, 64);
  Gemm second = makeGemm("second", 512, 768, 3072, 64, 128, 64);
  DerivedPolicy derived = derivePair(first, second, Granularity::Row);
  EXPECT_EQ(derived.name, "RowSync");
  EXPECT_EQ(derived.policy.counts, (Counts{24}));
  EXPECT_EQ(str(derived.policy.waitLower), "(d0, d1, d2) -> (d0 floordiv 2)");
  EXPECT_TRUE(derived.exactWaits);
}

TEST_F(PolicyTest, LargerConsumerTilesJoinRows) {
  Gemm first = makeGemm("first", 512, 3072, 768, 128, 128, 64);
  Gemm second = makeGemm("second", 512, 768, 3072, 256, 128, 64);
  DerivedPolicy derived = derivePair(first, second, Granularity::Row);
  EXPECT_EQ(derived.name, "RowSync");
  EXPECT_EQ(str(derived.policy.semaphore), "(d0, d1) -> (d0 floordiv 2)");
  EXPECT_EQ(derived.policy.shape, (Counts{2}));
  EXPECT_EQ(derived.policy.counts, (Counts{48}));
  EXPECT_TRUE(derived.exactClasses);
  EXPECT_TRUE(derived.exactWaits);
}

TEST_F(PolicyTest, TilesThatDoNotDivideEachOther) {
  Gemm first = makeGemm("first", 1152, 512, 512, 128, 128, 64);
  Gemm second = makeGemm("second", 1152, 512, 512, 192, 128, 64);
  DerivedPolicy derived = derivePair(first, second, Granularity::Row);
  EXPECT_EQ(str(derived.policy.semaphore), "(d0, d1) -> (d0)");
  EXPECT_EQ(str(derived.policy.waitLower),
            "(d0, d1, d2) -> ((d0 * 3) floordiv 2)");
  EXPECT_EQ(str(derived.policy.waitUpper),
            "(d0, d1, d2) -> ((d0 * 3) floordiv 2 + 1)");
  EXPECT_TRUE(derived.exactWaits);
  DerivedPolicy back = derivePair(second, first, Granularity::Row);
  EXPECT_TRUE(back.exactClasses);
  EXPECT_TRUE(back.exactWaits);
}

TEST_F(PolicyTest, RaggedRows) {
  Gemm first = makeGemm("first", 1000, 512, 768, 192, 128, 64);
  Gemm second = makeGemm("second", 1000, 512, 512, 128, 128, 64);
  DerivedPolicy derived = derivePair(first, second, Granularity::Tile);
  EXPECT_TRUE(derived.exactClasses);
  EXPECT_TRUE(derived.exactWaits)
      << str(derived.policy.waitLower) << str(derived.policy.waitUpper);
}

/// Unequal counts are not found tile by tile if there are very many tiles.
TEST_F(PolicyTest, CountsOfManyTilesAreEqual) {
  int64_t rows = (int64_t(1) << 40) + 64;
  Gemm first = makeGemm("first", rows, 128, 64, 64, 128, 64);
  Gemm second = makeGemm("second", rows, 64, 128, 1 << 30, 64, 64);
  DerivedPolicy derived = derivePair(first, second, Granularity::Row);
  EXPECT_EQ(derived.policy.counts.size(), 1U);
}

TEST_F(PolicyTest, HeadsOfQkv) {
  // Rows * (3 * 12 * 64) in tiles of one head; a consumer tile reads its
  // head's part of Q, K and V.
  Gemm qkv = makeGemm("qkv", 512, 3 * 768, 768, 128, 64, 64);
  TileKernel heads{"heads", {4, 12}, 1, {}};
  ElementAccess read =
      makeAccess("(i, h, s, p, c, q) -> (i * 128 + p, c * 768 + h * 64 + q)",
                 {128, 3, 64}, {512, 3 * 768});
  for (Granularity granularity : {Granularity::Tile, Granularity::Row}) {
    DerivedPolicy derived =
        derive(context, qkv.kernel, qkv.c, heads, read, granularity);
    EXPECT_EQ(derived.name, "StridedSync");
    EXPECT_EQ(str(derived.policy.semaphore), "(d0, d1) -> (d0, d1 mod 12)");
    EXPECT_EQ(derived.policy.shape, (Counts{4, 12}));
    EXPECT_EQ(derived.policy.counts, (Counts{3}));
    EXPECT_EQ(str(derived.policy.waitLower), "(d0, d1, d2) -> (d0, d1)");
    EXPECT_TRUE(derived.exactClasses);
    EXPECT_TRUE(derived.exactWaits);
  }
}

TEST_F(PolicyTest, GateAndUpShareASemaphore) {
  Gemm both = makeGemm("both", 256, 2 * 1024, 512, 128, 128, 64);
  TileKernel silu{"silu", {2, 8}, 1, {}};
  ElementAccess gate =
      makeAccess("(i, j, s, p, q) -> (i * 128 + p, j * 128 + q)", {128, 128},
                 {256, 1024}, {View::slice({0, 0}, {256, 1024}, {1, 1})});
  ElementAccess up = gate;
  up.views = {View::slice({0, 1024}, {256, 1024}, {1, 1})};
  auto dependenceOn = [&](const ElementAccess &read, unsigned operand) {
    return unwrapOrDie(deriveDependence(context, 0, both.kernel, both.c, 1,
                                        silu, operand, read));
  };
  TileDependence merged =
      unwrapOrDie(mergeDependences(dependenceOn(gate, 0), dependenceOn(up, 1)));
  DerivedPolicy derived = unwrapOrDie(
      derivePolicy(merged, both.kernel, silu, Granularity::Tile, getContext()));
  EXPECT_EQ(derived.name, "StridedSync");
  EXPECT_EQ(str(derived.policy.semaphore), "(d0, d1) -> (d0, d1 mod 8)");
  EXPECT_EQ(derived.policy.counts, (Counts{2}));
  // Apart, half of the producer's tiles are not read; they still post.
  DerivedPolicy alone = unwrapOrDie(derivePolicy(
      dependenceOn(up, 1), both.kernel, silu, Granularity::Tile, getContext()));
  EXPECT_EQ(alone.name, "TileSync");
  EXPECT_EQ(str(alone.policy.waitLower), "(d0, d1, d2) -> (d0, d1 + 8)");
  EXPECT_TRUE(alone.exactWaits);
}

TEST_F(PolicyTest, ConvolutionWithHalo) {
  // A 3x3 convolution, padded by one, on rows of an image; one tile is a
  // pair of rows.
  TileKernel first{"first", {28, 2}, 1, {}};
  TileKernel second{"second", {28, 2}, 9, {}};
  ElementAccess write =
      makeAccess("(i, j, s, p, w, c) -> (i * 2 + p, w, j * 64 + c)",
                 {2, 56, 64}, {56, 56, 128});
  ElementAccess read = makeAccess("(i, j, s, p, w, c) -> (i * 2 + p + s "
                                  "floordiv 3 - 1, w + s mod 3 - 1, c)",
                                  {2, 56, 128}, {56, 56, 128});
  DerivedPolicy row =
      derive(context, first, write, second, read, Granularity::Row);
  EXPECT_EQ(str(row.policy.semaphore), "(d0, d1) -> (d0)");
  EXPECT_EQ(str(row.policy.waitLower), "(d0, d1, d2) -> (d0 - 1)");
  EXPECT_EQ(str(row.policy.waitUpper), "(d0, d1, d2) -> (d0 + 1)");
  EXPECT_EQ(row.policy.counts, (Counts{2}));
  EXPECT_TRUE(row.exactWaits);
  EXPECT_EQ(countWaits(row.policy, second, {0, 0}, 100), 2);
  EXPECT_EQ(countWaits(row.policy, second, {5, 0}, 100), 3);
  DerivedPolicy tile =
      derive(context, first, write, second, read, Granularity::Tile);
  EXPECT_TRUE(tile.exactClasses);
  EXPECT_TRUE(tile.exactWaits)
      << str(tile.policy.waitLower) << str(tile.policy.waitUpper);
}

TEST_F(PolicyTest, ImplicitGemmConvolution) {
  // 56 * 56 pixels as rows of a matrix in tiles of 128; steps are taps.
  TileKernel first{"first", {25, 1}, 1, {}};
  TileKernel second{"second", {25, 1}, 9, {}};
  View pixels = View::reshape({3136, 64}, {56, 56, 64});
  ElementAccess write =
      makeAccess("(i, j, s, p, c) -> (i * 128 + p, j * 64 + c)", {128, 64},
                 {3136, 64}, {pixels});
  ElementAccess read = makeAccess(
      "(i, j, s, p, c) -> ((i * 128 + p) floordiv 56 + s floordiv 3 - 1, "
      "(i * 128 + p) mod 56 + s mod 3 - 1, c)",
      {128, 64}, {56, 56, 64});
  DerivedPolicy row =
      derive(context, first, write, second, read, Granularity::Row);
  EXPECT_EQ(str(row.policy.waitLower), "(d0, d1, d2) -> (d0 - 1, 0)");
  EXPECT_EQ(str(row.policy.waitUpper), "(d0, d1, d2) -> (d0 + 1, 0)");
  EXPECT_TRUE(row.exactWaits);
  // By tap the exact bounds have many pieces, because of the padding; the box
  // is one of pixels, padded or not.
  DerivedPolicy tile =
      derive(context, first, write, second, read, Granularity::Tile);
  EXPECT_EQ(str(tile.policy.waitLower),
            "(d0, d1, d2) -> ((d0 * 128 + d2 + (d2 floordiv 3) * 53 - 57) "
            "floordiv 128, 0)");
  EXPECT_EQ(str(tile.policy.waitUpper),
            "(d0, d1, d2) -> ((d0 * 128 + d2 + (d2 floordiv 3) * 53 + 70) "
            "floordiv 128, 0)");
  EXPECT_FALSE(tile.exactWaits);
}

TEST_F(PolicyTest, BatchedConvolutionByTileGivesEachTileASemaphore) {
  // Classes by tap, of pixels that are split by batch, row and column, cost
  // more than they may; by row they do not.
  TileKernel first{"first", {49, 2}, 1, {}};
  TileKernel second{"second", {49, 2}, 18, {}};
  View pixels = View::reshape({6272, 128}, {8, 28, 28, 128});
  ElementAccess write =
      makeAccess("(i, j, s, p, c) -> (i * 128 + p, j * 64 + c)", {128, 64},
                 {6272, 128}, {pixels});
  ElementAccess read = makeAccess(
      "(i, j, s, p, c) -> ((i * 128 + p) floordiv 784, "
      "((i * 128 + p) mod 784) floordiv 28 + s floordiv 6 - 1, "
      "(i * 128 + p) mod 28 + (s floordiv 2) mod 3 - 1, (s mod 2) * 64 + c)",
      {128, 64}, {8, 28, 28, 128});
  DerivedPolicy tile =
      derive(context, first, write, second, read, Granularity::Tile);
  EXPECT_EQ(str(tile.policy.semaphore), "(d0, d1) -> (d0, d1)");
  EXPECT_EQ(str(tile.policy.waitLower),
            "(d0, d1, d2) -> ((d0 * 256 + d2 + (d2 floordiv 6) * 50 - 58) "
            "floordiv 256, 0)");
  EXPECT_FALSE(tile.exactClasses);
  DerivedPolicy row =
      derive(context, first, write, second, read, Granularity::Row);
  EXPECT_EQ(str(row.policy.semaphore), "(d0, d1) -> (d0)");
  EXPECT_EQ(str(row.policy.waitLower), "(d0, d1, d2) -> (d0 - 1)");
  EXPECT_TRUE(row.exactClasses);
  EXPECT_TRUE(row.exactWaits);
}

TEST_F(PolicyTest, FanInThroughOperandB) {
  Gemm first = makeGemm("first", 512, 1024, 256, 128, 128, 64);
  Gemm second = makeGemm("second", 256, 1024, 512, 128, 256, 64);
  DerivedPolicy derived = derive(context, first.kernel, first.c, second.kernel,
                                 second.b, Granularity::Tile);
  EXPECT_EQ(str(derived.policy.semaphore), "(d0, d1) -> (d0, d1 floordiv 2)");
  EXPECT_EQ(str(derived.policy.waitLower),
            "(d0, d1, d2) -> (d2 floordiv 2, d1)");
  EXPECT_TRUE(derived.exactWaits);
}

TEST_F(PolicyTest, DynamicRows) {
  Gemm first = makeGemm("first", 512, 3072, 768, 128, 128, 64);
  Gemm second = makeGemm("second", 512, 768, 3072, 128, 128, 64);
  for (Gemm *gemm : {&first, &second}) {
    gemm->kernel.grid[0] = ShapedType::kDynamic;
    gemm->kernel.gridParameters = {"rows"};
    gemm->a.shape[0] = gemm->c.shape[0] = ShapedType::kDynamic;
  }
  DerivedPolicy row = derivePair(first, second, Granularity::Row);
  EXPECT_EQ(str(row.policy.semaphore), "(d0, d1) -> (d0)");
  EXPECT_EQ(row.policy.shape, (Counts{ShapedType::kDynamic}));
  EXPECT_EQ(row.policy.counts, (Counts{24}));
  EXPECT_EQ(str(row.policy.waitLower), "(d0, d1, d2) -> (d0)");
  EXPECT_TRUE(row.exactClasses);
  EXPECT_TRUE(row.exactWaits);
  DerivedPolicy kernel = derivePair(first, second, Granularity::Kernel);
  EXPECT_EQ(kernel.policy.counts, (Counts{ShapedType::kDynamic}));
  EXPECT_EQ(kernel.countFactors.size(), 2u);
}

} // namespace
} // namespace grout::test
