//===- BalanceTest.cpp - Unbalanced products in one launch ----------------===//
//
// Part of Grout. Products of very different sizes share a launch. SMs take
// tiles in order, as they become free. That must take hardly longer than if the
// longest tiles came first (Graham, Bounds on Multiprocessing Timing
// Anomalies).
//
//===----------------------------------------------------------------------===//

#include "TestProducts.h"
#include "grout/Dialect/TGemm/Transforms/LaunchModel.h"
#include "grout/Dialect/TGemm/Transforms/Passes.h"
#include "grout/Target/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"
#include <queue>

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

namespace {

/// Products in one function, launched as `tgemm-fuse-horizontally` decides for
/// an H200.
class LaunchedProducts {
public:
  explicit LaunchedProducts(const std::vector<Shape> &shapes) {
    getGPU(); // registers targets
    context.loadDialect<func::FuncDialect, TGemmDialect>();
    module = parseSourceString<ModuleOp>(getText(shapes), &context);
    PassManager passes(&context);
    passes.addPass(createGroutSetTarget({"h200"}));
    passes.addPass(createTGemmFuseHorizontally());
    isRun = succeeded(passes.run(*module));
    module->walk([&](ProductOpInterface op) { ops.push_back(op); });
  }

  /// Whether all products share one launch.
  bool areTogether() {
    return isRun &&
           llvm::all_of(ArrayRef(ops).drop_back(), [](ProductOpInterface op) {
             return op.getTiling() && op.isLaunchedWithNext();
           });
  }

  /// Returns the modelled seconds of each tile, in the order of the launch.
  std::vector<double> getTiles() {
    std::vector<double> tiles;
    for (ProductOpInterface op : ops) {
      SmallVector<int64_t> grid = *op.getTileGrid();
      double seconds =
          modelTile(op, *op.getTiling(), KernelStart::between, getGPU());
      tiles.insert(tiles.end(), grid[0] * grid[1], seconds);
    }
    return tiles;
  }

private:
  static std::string getText(const std::vector<Shape> &shapes) {
    std::string arguments, results, types, body;
    for (auto [number, shape] : llvm::enumerate(shapes)) {
      auto type = [](int64_t rows, int64_t columns) {
        return "tensor<" + std::to_string(rows) + "x" +
               std::to_string(columns) + "xf16>";
      };
      std::string i = std::to_string(number), lhs = type(shape.m, shape.k),
                  rhs = type(shape.k, shape.n), result = type(shape.m, shape.n);
      std::string comma = number ? ", " : "";
      arguments += comma + "%x" + i + ": " + lhs + ", %w" + i + ": " + rhs;
      types += comma + result;
      results += comma + "%y" + i;
      body += "  %y" + i + " = tgemm.matmul %x" + i + ", %w" + i + " : " + lhs +
              ", " + rhs + " -> " + result + "\n";
    }
    return "func.func @f(" + arguments + ") -> (" + types + ") {\n" + body +
           "  return " + results + " : " + types + "\n}\n";
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  bool isRun = false;
  std::vector<ProductOpInterface> ops;
};

/// Returns when `processors` have computed all tiles, each of which goes to the
/// processor that is free first.
double schedule(const std::vector<double> &tiles, int64_t processors) {
  std::priority_queue<double, std::vector<double>, std::greater<>> free;
  for (int64_t i = 0; i != processors; ++i)
    free.push(0);
  double end = 0;
  for (double seconds : tiles) {
    double ends = free.top() + seconds;
    free.pop();
    free.push(ends);
    end = std::max(end, ends);
  }
  return end;
}

double scheduleLongestFirst(std::vector<double> tiles, int64_t processors) {
  std::sort(tiles.begin(), tiles.end(), std::greater<>());
  return schedule(tiles, processors);
}

/// CUTLASS's example of products whose K differ.
const std::vector<Shape> kUnequalK = {
    {1152, 768, 128}, {1152, 768, 1024}, {768, 1152, 128}, {768, 1152, 1024}};
/// The mask decoder of SAM: few tokens beside an image of 64 x 64.
const std::vector<Shape> kMaskDecoder = {{7, 256, 256},    {15, 256, 256},
                                         {4096, 256, 256}, {4096, 128, 256},
                                         {7, 2048, 256},   {7, 256, 2048}};

TEST(Balance, UnequalProductsShareALaunch) {
  for (const std::vector<Shape> &shapes : {kUnequalK, kMaskDecoder}) {
    LaunchedProducts products(shapes);
    ASSERT_TRUE(products.areTogether());
    std::vector<double> tiles = products.getTiles();
    for (int64_t processors : {30, 66, 132})
      EXPECT_LE(schedule(tiles, processors),
                1.05 * scheduleLongestFirst(tiles, processors));
  }
}

/// The order matters: the other way round takes longer.
TEST(Balance, ShortTilesFirstTakeLonger) {
  LaunchedProducts products(kUnequalK);
  ASSERT_TRUE(products.areTogether());
  std::vector<double> tiles = products.getTiles();
  std::reverse(tiles.begin(), tiles.end());
  EXPECT_GT(schedule(tiles, 132), 1.05 * scheduleLongestFirst(tiles, 132));
}

} // namespace
