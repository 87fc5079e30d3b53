//===- LaunchModelTest.cpp - What products take that share a launch -------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/Transforms/LaunchModel.h"
#include "TestProducts.h"

#include "gtest/gtest.h"

using namespace grout;
using namespace grout::tgemm;

namespace {

/// The tilings of all `products`, and the fastest of each alone, in seconds.
struct Alone {
  explicit Alone(const TestProducts &products) {
    for (ProductOpInterface op : products.ops)
      all.push_back({op, getGPU().modelTilings(op, KernelStart::between)});
    for (const OpTilings &op : all) {
      pointers.push_back(&op);
      auto fastest = llvm::min_element(
          op.tilings, [](const ModelledTiling &one, const ModelledTiling &two) {
            return one.seconds < two.seconds;
          });
      longest = std::max(longest, fastest->seconds);
      sum += fastest->seconds;
    }
  }

  std::vector<OpTilings> all;
  llvm::SmallVector<const OpTilings *> pointers;
  double longest = 0, sum = 0;
};

TEST(LaunchModel, SmallProductsShareALaunch) {
  TestProducts products({{784, 128, 1152}, {784, 32, 576}, {784, 64, 192}});
  Alone alone(products);
  std::optional<ModelledLaunch> launch =
      chooseLaunch(alone.pointers, alone.sum, getGPU());
  ASSERT_TRUE(launch);
  EXPECT_LT(launch->seconds, 0.8 * alone.sum);
  // No product is faster for the others beside it.
  EXPECT_GE(launch->seconds, 0.99 * alone.longest);
  EXPECT_TRUE(getGPU().canShareKernel(products.ops, launch->tilings));
  EXPECT_EQ(launch->seconds, modelLaunch(products.ops, launch->tilings,
                                         KernelStart::between, getGPU()));
}

/// Each has one wave alone; together they have one of larger tiles, not two.
TEST(LaunchModel, TilesOfSeveralAreFewer) {
  TestProducts products({{1024, 1024, 512}, {1024, 1024, 448}});
  Alone alone(products);
  std::optional<ModelledLaunch> launch =
      chooseLaunch(alone.pointers, alone.sum, getGPU());
  ASSERT_TRUE(launch);
  int64_t blocks = 0;
  for (auto [op, tiling] : llvm::zip_equal(products.ops, launch->tilings)) {
    ProductOpInterface product = op;
    blocks += llvm::divideCeil(product.getM(), tiling.getM()) *
              llvm::divideCeil(product.getN(), tiling.getN()) *
              tiling.getClusterSize();
  }
  EXPECT_LE(blocks, 132);
}

TEST(LaunchModel, NoneIsFasterThanAsked) {
  TestProducts products({{8192, 4096, 4096}, {8192, 4096, 2048}});
  Alone alone(products);
  EXPECT_FALSE(chooseLaunch(alone.pointers, 0.95 * alone.sum, getGPU()));
  EXPECT_FALSE(chooseLaunch(alone.pointers, 0, getGPU()));
}

/// Of many waves, the model of tile by tile and that of all their work agree.
TEST(LaunchModel, ManyWavesTakeAsLongAsTheirWork) {
  for (int64_t rows : {8 * 132 * 64, 9 * 132 * 64}) {
    TestProducts products({{rows, 64, 256}, {rows, 64, 256}});
    auto *context = products.ops.front()->getContext();
    auto tiling = TilingAttr::get(context, 64, 64, 64, /*stages=*/8);
    double tile =
        modelTile(products.ops.front(), tiling, KernelStart::between, getGPU());
    double together = modelLaunch(products.ops, {tiling, tiling},
                                  KernelStart::between, getGPU());
    double waves = 2.0 * static_cast<double>(rows) / (132 * 64);
    EXPECT_NEAR(together, waves * tile, 1.5 * tile);
  }
}

} // namespace
