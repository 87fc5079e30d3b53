//===- TilingModelTest.cpp - What the model must not get wrong ------------===//
//
// Part of Grout. The model's constants are tuned; these are what they cannot
// change.
//
//===----------------------------------------------------------------------===//

#include "TestProducts.h"
#include "grout/Hopper/Gemm/TilingLimits.h"

#include "gtest/gtest.h"
#include <cmath>

using namespace grout;
using namespace grout::hopper;
using namespace grout::tgemm;

namespace {

/// Products large and small, square and thin, with sizes that no tile divides.
std::vector<Shape> getShapes() {
  return {{1, 6144, 12288},   {64, 6144, 12288},
          {256, 12288, 6144}, {1000, 2816, 8192, /*isGated=*/true},
          {3072, 8192, 2816}, {7, 96, 64},
          {8192, 768, 3072},  {64, 8192, 1024},
          {64, 64, 65536}};
}

/// Calls `check` with every tiling that the model considers for any shape.
void forEachTiling(
    llvm::function_ref<void(ProductOpInterface, TilingAttr)> check) {
  TestProducts products(getShapes());
  ASSERT_EQ(products.ops.size(), getShapes().size());
  for (ProductOpInterface op : products.ops) {
    std::vector<ModelledTiling> tilings = getGPU().modelTilings(op);
    ASSERT_FALSE(tilings.empty());
    for (const ModelledTiling &tiling : tilings)
      check(op, tiling.tiling);
  }
}

TilingAttr getTiling(ProductOpInterface op, int64_t m, int64_t n,
                     int64_t clusterM, int64_t splitK, int64_t stages = 4) {
  return TilingAttr::get(op.getContext(), m, n, /*k=*/64, stages, clusterM,
                         /*cluster_n=*/1, splitK);
}

double getResultBytes(ProductOpInterface op) {
  return 2.0 * static_cast<double>(op.getM() * op.getN());
}

TEST(TilingModel, CandidatesCanBeCompiled) {
  forEachTiling([](ProductOpInterface op, TilingAttr tiling) {
    EXPECT_EQ(findTilingProblem(op, tiling, getGPU().getSpec()), "");
  });
}

/// Few tiles need large clusters to keep more processors busy than there are
/// tiles; those split the steps, or columns as well.
TEST(TilingModel, CandidatesHaveLargeClusters) {
  TestProducts products({{64, 1024, 8192}});
  std::vector<ModelledTiling> tilings =
      getGPU().modelTilings(products.ops.front());
  auto has = [&](int64_t clusterN, int64_t splitK) {
    return llvm::any_of(tilings, [&](const ModelledTiling &tiling) {
      return tiling.tiling.getClusterN() == clusterN &&
             tiling.tiling.getSplitK() == splitK;
    });
  };
  EXPECT_TRUE(has(1, 8));
  EXPECT_TRUE(has(2, 2));
}

/// Blocks with as many rows as leave the fewest over, beside those of 64.
TEST(TilingModel, CandidatesSwapOperands) {
  TestProducts products(
      {{5, 1024, 1024}, {200, 1024, 1024}, {700, 1024, 1024}});
  auto has = [&](unsigned product, int64_t m, bool swapAb) {
    return llvm::any_of(getGPU().modelTilings(products.ops[product]),
                        [&](const ModelledTiling &tiling) {
                          return tiling.tiling.getBlockM() == m &&
                                 tiling.tiling.getSwapAb() == swapAb;
                        });
  };
  for (unsigned product = 0; product != 3; ++product)
    EXPECT_TRUE(has(product, 64, /*swapAb=*/false));
  EXPECT_TRUE(has(0, 8, /*swapAb=*/true));
  EXPECT_TRUE(has(1, 200, /*swapAb=*/true));
  EXPECT_TRUE(has(1, 104, /*swapAb=*/true));
  EXPECT_TRUE(has(2, 176, /*swapAb=*/true));
  // It would leave as many over as blocks of 64.
  EXPECT_FALSE(has(1, 192, /*swapAb=*/true));
}

/// No less than memory takes for the result and for operands that do not stay
/// in the cache, the cache for all operands, or matrix instructions at the
/// highest clock.
TEST(TilingModel, NothingIsFasterThanTheHardware) {
  TargetSpec gpu = getGPU().getSpec();
  forEachTiling([&](ProductOpInterface op, TilingAttr tiling) {
    double m = op.getM(), n = op.getN(), k = op.getK();
    double products = op.getNumProducts();
    double operands = static_cast<double>(getOperandBytes(op));
    double bytes = getResultBytes(op);
    if (operands > static_cast<double>(gpu.cacheBytes) / 2)
      bytes += operands;
    double flops = 2 * m * n * k * products;
    double time = getModel(gpu).getModelledTime(op, tiling);
    EXPECT_TRUE(std::isfinite(time));
    EXPECT_GE(time, bytes / gpu.memoryRate);
    EXPECT_GE(time, operands / gpu.cacheRate);
    EXPECT_GE(time, flops / (1.25 * gpu.matrixRate));
  });
}

/// Blocks that start early do not read the same at the same time, which can
/// only cost something, and costs nothing where no other block reads the same,
/// nor in several waves. Nor does the first kernel of a chain lose anything if
/// it leaves processors idle: the next run then starts in order.
TEST(TilingModel, EarlyStartsLoseEqualReads) {
  auto getTime = [](ProductOpInterface op, TilingAttr tiling,
                    KernelStart start) {
    return getGPU().getModelledTime(op, tiling, start);
  };
  forEachTiling([&](ProductOpInterface op, TilingAttr tiling) {
    double alone = getTime(op, tiling, KernelStart::alone);
    EXPECT_GE(alone, getTime(op, tiling, KernelStart::inOrder));
    EXPECT_GE(getTime(op, tiling, KernelStart::last), alone);
  });
  TestProducts products({{256, 4224, 8192},
                         {256, 2816, 8192},
                         {64, 64, 65536},
                         {1024, 8192, 8192}});
  auto expectLoss = [&](size_t product, KernelStart start, bool loses) {
    ProductOpInterface op = products.ops[product];
    TilingAttr tiling = getTiling(op, 64, 128, 1, 1);
    EXPECT_EQ(getGPU().modelTiling(op, tiling, start).early > 0, loses)
        << product;
    if (loses) {
      EXPECT_GT(getTime(op, tiling, start),
                1.02 * getTime(op, tiling, KernelStart::inOrder));
    }
  };
  expectLoss(0, KernelStart::last, true);
  expectLoss(0, KernelStart::first, true);
  expectLoss(1, KernelStart::last, true);
  expectLoss(1, KernelStart::first, false);
  expectLoss(2, KernelStart::last, false);
  expectLoss(3, KernelStart::last, false);
}

/// A kernel that starts early hides some of what comes after the last steps of
/// the one before, never all of it, and nothing else.
TEST(TilingModel, NextKernelsHideEpilogues) {
  forEachTiling([](ProductOpInterface op, TilingAttr tiling) {
    auto getTime = [&](KernelStart start) {
      return getGPU().modelTiling(op, tiling, start);
    };
    for (auto [followed, notFollowed] :
         {std::pair(KernelStart::first, KernelStart::alone),
          std::pair(KernelStart::between, KernelStart::last)}) {
      TilingTime time = getTime(followed), without = getTime(notFollowed);
      EXPECT_EQ(without.hidden, 0);
      EXPECT_GT(time.hidden, 0);
      // In parts, an epilogue is split.
      if (!tiling.hasParts()) {
        EXPECT_LT(time.hidden, time.epilogue + time.exchange + time.clusters);
      }
      EXPECT_NEAR(time.total + time.hidden, without.total,
                  1e-9 * without.total);
    }
    EXPECT_EQ(getTime(KernelStart::inOrder).hidden, 0);
  });
}

/// Memory is slower where processors are idle; the more so behind a kernel.
TEST(TilingModel, IdleProcessorsSlowMemory) {
  TestProducts products({{64, 6144, 12288}});
  ProductOpInterface op = products.ops[0];
  auto getMemory = [&](int64_t columns, KernelStart start) {
    return getGPU()
        .modelTiling(op, getTiling(op, 64, columns, 1, 1), start)
        .memory;
  };
  EXPECT_LT(getMemory(48, KernelStart::inOrder),
            getMemory(64, KernelStart::inOrder));
  EXPECT_LT(getMemory(64, KernelStart::first),
            getMemory(64, KernelStart::last));
}

/// Of one wave, memory is slower by a share; of several by a part of that, and
/// not where blocks load rhs for each other. What they read from the cache does
/// not concern it.
TEST(TilingModel, OneWaveSlowsMemory) {
  TestProducts products({{128, 8192, 8192}, {64, 2048, 2048}});
  auto getMemory = [&](size_t index, int64_t columns, double loss,
                       int64_t clusterM = 1) {
    hopper::ModelConstants constants = getGPU().getConstants();
    constants.waveMemoryLoss = loss;
    ProductOpInterface op = products.ops[index];
    return hopper::HopperProductModel(getGPU().getSpec(), constants)
        .modelTiling(op, getTiling(op, 128, columns, clusterM, 1))
        .memory;
  };
  // 64 and 256 tiles.
  EXPECT_NEAR(getMemory(0, 128, 0.5) / getMemory(0, 128, 0), 1.5, 0.05);
  EXPECT_NEAR(getMemory(0, 32, 0.5) / getMemory(0, 32, 0), 1.25, 0.05);
  EXPECT_EQ(getMemory(0, 64, 0.5, 2), getMemory(0, 64, 0, 2));
  EXPECT_EQ(getMemory(1, 64, 0.5), getMemory(1, 64, 0));
}

/// The account of a time fits it: no limit alone takes longer than all of them
/// together, and together they take no longer than one after another.
TEST(TilingModel, PartsFitTheTotal) {
  forEachTiling([](ProductOpInterface op, TilingAttr tiling) {
    TilingTime time = getGPU().modelTiling(op, tiling);
    EXPECT_EQ(time.total, getGPU().getModelledTime(op, tiling));
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
    if (!tiling.hasParts())
      EXPECT_EQ(time.sums, 0);
    EXPECT_EQ(time.clusters != 0, tiling.getClusterSize() != 1);
  });
}

/// What is by far too slow bounds the time, and so does a GPU that is empty.
TEST(TilingModel, BoundsAreNamed) {
  TestProducts products({{4096, 4096, 4096}, {64, 64, 64}});
  auto getBound = [&](size_t index, const TargetSpec &gpu) {
    ProductOpInterface op = products.ops[index];
    return getModel(gpu)
        .modelTiling(op, getTiling(op, 64, 64, 1, 1))
        .getBound()
        .str();
  };
  TargetSpec memory = getGPU().getSpec(), cache = memory, matrix = memory;
  memory.memoryRate /= 100;
  cache.cacheRate /= 100;
  matrix.matrixRate /= 100;
  EXPECT_EQ(getBound(0, memory), "memory");
  EXPECT_EQ(getBound(0, cache), "cache");
  EXPECT_EQ(getBound(0, matrix), "products");
  EXPECT_EQ(getBound(1, getGPU().getSpec()), "waves");
}

TEST(TilingModel, FasterHardwareIsNeverSlower) {
  TargetSpec gpu = getGPU().getSpec();
  TargetSpec memory = gpu, cache = gpu, matrix = gpu;
  memory.memoryRate *= 1.5;
  cache.cacheRate *= 1.5;
  matrix.matrixRate *= 1.5;
  forEachTiling([&](ProductOpInterface op, TilingAttr tiling) {
    double time = getModel(gpu).getModelledTime(op, tiling);
    for (const TargetSpec &faster : {memory, cache, matrix})
      EXPECT_LE(getModel(faster).getModelledTime(op, tiling), time);
  });
}

TEST(TilingModel, ALongerReductionIsNeverFaster) {
  TestProducts products({{256, 4096, 4096}, {256, 4096, 4352}});
  for (const ModelledTiling &tiling : getGPU().modelTilings(products.ops[0]))
    EXPECT_LE(tiling.seconds,
              getGPU().getModelledTime(products.ops[1], tiling.tiling));
}

/// What fits into half of the cache is there from the run before; a byte more,
/// and memory delivers all of it.
TEST(TilingModel, SmallOperandsStayInTheCache) {
  TestProducts products({{64, 8192, 1024}});
  ProductOpInterface op = products.ops.front();
  double operands = static_cast<double>(getOperandBytes(op));
  double result = getResultBytes(op);
  auto getMemoryTime = [&](double cacheBytes) {
    TargetSpec gpu = getGPU().getSpec();
    gpu.cacheBytes = static_cast<int64_t>(cacheBytes);
    return getModel(gpu).modelTiling(op, getTiling(op, 64, 64, 1, 1)).memory;
  };
  double rate = getGPU().getSpec().memoryRate;
  EXPECT_DOUBLE_EQ(getMemoryTime(2 * operands), result / rate);
  EXPECT_GE(getMemoryTime(2 * operands - 2), (operands + result) / rate);
}

/// A stage is being read, so two stages hide hardly anything.
TEST(TilingModel, StagesHideLatency) {
  TestProducts products({{64, 64, 16384}});
  ProductOpInterface op = products.ops.front();
  auto getTime = [&](int64_t stages) {
    return getGPU().modelTiling(op, getTiling(op, 64, 64, 1, 1, stages));
  };
  EXPECT_GT(getTime(2).total, 1.5 * getTime(3).total);
  for (int64_t stages = 2; stages != 8; ++stages)
    EXPECT_GT(getTime(stages).latency, getTime(stages + 1).latency);
  EXPECT_TRUE(std::isfinite(getTime(1).total));
}

/// Where all processors are busy anyway, each doubling of a cluster costs more.
TEST(TilingModel, LargeClustersCost) {
  TestProducts products({{4096, 8192, 512}});
  ProductOpInterface op = products.ops.front();
  auto getTime = [&](int64_t splitK) {
    return getGPU().modelTiling(op, getTiling(op, 128, 128, 1, splitK));
  };
  EXPECT_EQ(getTime(1).clusters, 0);
  for (int64_t size : {1, 2, 4}) {
    EXPECT_LE(getTime(size).clusters, getTime(2 * size).clusters) << size;
    EXPECT_LT(getTime(size).total, getTime(2 * size).total) << size;
  }
}

/// Where the cache is the limit, blocks that load rhs once for both need less
/// of it.
TEST(TilingModel, MulticastRelievesTheCache) {
  TargetSpec gpu = getGPU().getSpec();
  gpu.cacheRate /= 10;
  TestProducts products({{4096, 4096, 4096}});
  ProductOpInterface op = products.ops.front();
  EXPECT_LT(getModel(gpu).getModelledTime(op, getTiling(op, 256, 128, 2, 1)),
            getModel(gpu).getModelledTime(op, getTiling(op, 128, 128, 1, 1)));
}

/// 32 tiles keep few processors busy; halves of their steps, twice as many.
TEST(TilingModel, SharingStepsOutUsesMoreProcessors) {
  TestProducts products({{64, 2048, 16384}});
  ProductOpInterface op = products.ops.front();
  EXPECT_LT(getGPU().getModelledTime(op, getTiling(op, 64, 64, 1, 2)),
            getGPU().getModelledTime(op, getTiling(op, 64, 64, 1, 1)));
}

/// Sums over blocks cost something: where all processors are busy, whole tiles
/// are better.
/// With parts, tiles of half a wave use the other half of the processors; and
/// where there is no other half, they only cost.
TEST(TilingModel, PartsFillALastWaveAndAreNotFree) {
  TestProducts products({{256, 6144, 12288}, {256, 12288, 12288}});
  auto getTime = [&](size_t index, int64_t tail) {
    ProductOpInterface op = products.ops[index];
    TilingAttr tiling = getTiling(op, 256, 192, /*clusterM=*/2, /*splitK=*/1);
    if (tail)
      tiling = tiling.withParts(/*streamK=*/2, tail);
    return getGPU().modelTiling(op, tiling);
  };
  TilingTime whole = getTime(0, 0), inParts = getTime(0, 32);
  EXPECT_EQ(whole.sums, 0);
  EXPECT_GT(inParts.sums, 0);
  EXPECT_LT(inParts.total, 0.75 * whole.total);
  EXPECT_GT(inParts.total, 0.5 * whole.total);
  EXPECT_GT(getTime(1, 64).total, getTime(1, 0).total);
}

TEST(TilingModel, SharingStepsOutIsNotFree) {
  TestProducts products({{4096, 8192, 512}});
  ProductOpInterface op = products.ops.front();
  EXPECT_GT(getGPU().getModelledTime(op, getTiling(op, 128, 128, 1, 2)),
            getGPU().getModelledTime(op, getTiling(op, 128, 128, 1, 1)));
}

} // namespace
