//===- TilingModelTest.cpp - What the model must not get wrong ------------===//
//
// Part of Grout. The model's constants are tuned; these are what they cannot
// change.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/Transforms/TilingModel.h"
#include "TestProducts.h"
#include "grout/Dialect/TGemm/Transforms/TilingLimits.h"

#include "gtest/gtest.h"
#include <cmath>

using namespace grout;
using namespace grout::tgemm;

namespace {

TargetSpec getGPU() { return *lookupTarget("h200"); }

/// Products large and small, square and thin, with sizes that no tile divides.
std::vector<Shape> getShapes() {
  return {{1, 6144, 12288},   {64, 6144, 12288},
          {256, 12288, 6144}, {1000, 2816, 8192, /*isGated=*/true},
          {3072, 8192, 2816}, {7, 96, 64},
          {8192, 768, 3072}};
}

/// Calls `check` with every tiling that the model considers for any shape.
void forEachTiling(llvm::function_ref<void(MatmulOp, TilingAttr)> check) {
  TestProducts products(getShapes());
  ASSERT_EQ(products.ops.size(), getShapes().size());
  for (MatmulOp op : products.ops) {
    std::vector<ModelledTiling> tilings = modelTilings(op, getGPU());
    ASSERT_FALSE(tilings.empty());
    for (const ModelledTiling &tiling : tilings)
      check(op, tiling.tiling);
  }
}

TilingAttr getTiling(MatmulOp op, int64_t m, int64_t n, int64_t clusterM,
                     int64_t splitK) {
  return TilingAttr::get(op.getContext(), m, n, /*k=*/64, /*stages=*/4,
                         clusterM, /*clusterN=*/1, splitK);
}

TEST(TilingModel, CandidatesCanBeCompiled) {
  forEachTiling([](MatmulOp op, TilingAttr tiling) {
    EXPECT_EQ(findTilingProblem(op, tiling, getGPU()), "");
  });
}

/// No less than memory takes to deliver the operands once, or matrix
/// instructions to multiply them at the highest clock.
TEST(TilingModel, NothingIsFasterThanTheHardware) {
  TargetSpec gpu = getGPU();
  forEachTiling([&](MatmulOp op, TilingAttr tiling) {
    double m = op.getM(), n = op.getN(), k = op.getK();
    double products = op.getNumProducts();
    double bytes = 2 * ((m + n * products) * k + m * n);
    double flops = 2 * m * n * k * products;
    double time = getModelledTime(op, tiling, gpu);
    EXPECT_TRUE(std::isfinite(time));
    EXPECT_GE(time, bytes / gpu.memoryRate);
    EXPECT_GE(time, flops / (1.25 * gpu.matrixRate));
  });
}

/// The account of a time fits it: no limit alone takes longer than all of them
/// together, and together they take no longer than one after another.
TEST(TilingModel, PartsFitTheTotal) {
  forEachTiling([](MatmulOp op, TilingAttr tiling) {
    TilingTime time = modelTiling(op, tiling, getGPU());
    EXPECT_EQ(time.total, getModelledTime(op, tiling, getGPU()));
    double sum = 0, largest = 0;
    for (auto [name, part] : time.getParts()) {
      EXPECT_GE(part, 0) << name.str();
      EXPECT_LE(part, time.total * (1 + 1e-9)) << name.str();
      sum += part;
      largest = std::max(largest, part);
    }
    EXPECT_GE(sum, time.total);
    for (auto [name, part] : time.getParts())
      if (name == time.getBound())
        EXPECT_EQ(part, largest);
    EXPECT_EQ(time.exchange != 0, tiling.getSplitK() != 1);
    EXPECT_EQ(time.clusters != 0, tiling.getClusterSize() != 1);
  });
}

/// What is by far too slow bounds the time, and so does a GPU that is empty.
TEST(TilingModel, BoundsAreNamed) {
  TestProducts products({{4096, 4096, 4096}, {64, 64, 64}});
  auto getBound = [&](size_t index, const TargetSpec &gpu) {
    MatmulOp op = products.ops[index];
    return modelTiling(op, getTiling(op, 64, 64, 1, 1), gpu).getBound().str();
  };
  TargetSpec memory = getGPU(), cache = getGPU(), matrix = getGPU();
  memory.memoryRate /= 100;
  cache.cacheRate /= 100;
  matrix.matrixRate /= 100;
  EXPECT_EQ(getBound(0, memory), "memory");
  EXPECT_EQ(getBound(0, cache), "cache");
  EXPECT_EQ(getBound(0, matrix), "products");
  EXPECT_EQ(getBound(1, getGPU()), "waves");
}

TEST(TilingModel, FasterHardwareIsNeverSlower) {
  TargetSpec gpu = getGPU();
  TargetSpec memory = gpu, cache = gpu, matrix = gpu;
  memory.memoryRate *= 1.5;
  cache.cacheRate *= 1.5;
  matrix.matrixRate *= 1.5;
  forEachTiling([&](MatmulOp op, TilingAttr tiling) {
    double time = getModelledTime(op, tiling, gpu);
    for (const TargetSpec &faster : {memory, cache, matrix})
      EXPECT_LE(getModelledTime(op, tiling, faster), time);
  });
}

TEST(TilingModel, ALongerReductionIsNeverFaster) {
  TestProducts products({{256, 4096, 4096}, {256, 4096, 4352}});
  for (const ModelledTiling &tiling : modelTilings(products.ops[0], getGPU()))
    EXPECT_LE(tiling.seconds,
              getModelledTime(products.ops[1], tiling.tiling, getGPU()));
}

/// Where the cache is the limit, blocks that load rhs once for both need less
/// of it.
TEST(TilingModel, MulticastRelievesTheCache) {
  TargetSpec gpu = getGPU();
  gpu.cacheRate /= 10;
  TestProducts products({{4096, 4096, 4096}});
  MatmulOp op = products.ops.front();
  EXPECT_LT(getModelledTime(op, getTiling(op, 256, 128, 2, 1), gpu),
            getModelledTime(op, getTiling(op, 128, 128, 1, 1), gpu));
}

/// 32 tiles keep few processors busy; halves of their steps, twice as many.
TEST(TilingModel, SharingStepsOutUsesMoreProcessors) {
  TestProducts products({{64, 2048, 16384}});
  MatmulOp op = products.ops.front();
  EXPECT_LT(getModelledTime(op, getTiling(op, 64, 64, 1, 2), getGPU()),
            getModelledTime(op, getTiling(op, 64, 64, 1, 1), getGPU()));
}

/// Sums over blocks cost something: where all processors are busy, whole tiles
/// are better.
TEST(TilingModel, SharingStepsOutIsNotFree) {
  TestProducts products({{4096, 8192, 512}});
  MatmulOp op = products.ops.front();
  EXPECT_GT(getModelledTime(op, getTiling(op, 128, 128, 1, 2), getGPU()),
            getModelledTime(op, getTiling(op, 128, 128, 1, 1), getGPU()));
}

} // namespace
