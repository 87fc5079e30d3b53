//===- OrderTest.cpp - The task list --------------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TestPrograms.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace grout::test {
namespace {

std::string format(const std::vector<TileTask> &tasks) {
  std::string text;
  for (const TileTask &task : tasks) {
    text += std::to_string(task.kernel) + "(";
    for (int64_t value : task.tile)
      text += std::to_string(value);
    text += ") ";
  }
  return text;
}

TEST(OrderTest, SortsByTime) {
  TileProgram program;
  program.kernels = {{"a", {2, 2}, 1, {}}, {"b", {3}, 1, {}}};
  program.order = {parseMap("(i, j) -> (i, 0, -j)"),
                   parseMap("(i) -> (i, 1, 0)")};
  EXPECT_EQ(format(unwrapOrDie(enumerateOrder(program))),
            "0(01) 0(00) 1(0) 0(11) 0(10) 1(1) 1(2) ");
  // Times that 64 bits do not hold.
  program.order = {parseMap("(i, j) -> (i * 2305843009213693952, 0, -j)"),
                   parseMap("(i) -> (i - 1, i * 2305843009213693952, 0)")};
  EXPECT_EQ(format(unwrapOrDie(enumerateOrder(program))),
            "1(0) 0(01) 0(00) 1(1) 1(2) 0(11) 0(10) ");
}

TEST(OrderTest, RefusesTiesAndDynamicGrids) {
  TileProgram program;
  program.kernels = {{"a", {2, 2}, 1, {}}};
  program.order = {parseMap("(i, j) -> (i)")};
  EXPECT_NE(llvm::toString(enumerateOrder(program).takeError()).find("same"),
            std::string::npos);
  program.order = {parseMap("(i, j) -> (i, j)")};
  program.kernels[0].grid[0] = ShapedType::kDynamic;
  EXPECT_NE(llvm::toString(enumerateOrder(program).takeError()).find("dynamic"),
            std::string::npos);
}

TEST(OrderTest, ManyTiles) {
  // Swizzled groups of eight rows.
  TileProgram program;
  program.kernels = {{"a", {512, 100}, 1, {}}, {"b", {512, 100}, 1, {}}};
  program.order = {parseMap("(i, j) -> (i floordiv 8, 0, j, i mod 8)"),
                   parseMap("(i, j) -> (i floordiv 8, 1, j, i mod 8)")};
  std::vector<TileTask> tasks = unwrapOrDie(enumerateOrder(program));
  ASSERT_EQ(tasks.size(), 102400u);
  for (size_t i = 0; i < tasks.size(); ++i) {
    int64_t inKernel = i % 800;
    ASSERT_EQ(tasks[i].kernel, i / 800 % 2);
    ASSERT_EQ(tasks[i].tile[0],
              static_cast<int64_t>(i / 1600 * 8) + inKernel % 8);
    ASSERT_EQ(tasks[i].tile[1], inKernel / 8);
  }
}

/// A tile follows from its place where the order is one of dimensions.
TEST(OrderTest, OrderOfDims) {
  using Dims = llvm::SmallVector<unsigned>;
  auto expectDims = [](llvm::StringRef order, llvm::ArrayRef<int64_t> grid,
                       const Dims &expected) {
    AffineMap map = parseMap(order);
    EXPECT_EQ(getOrderOfDims(map, grid), expected) << order.str();
    if (expected.empty())
      return;
    TileProgram program;
    program.kernels = {{"a", llvm::to_vector(grid), 1, {}}};
    program.order = {map};
    std::vector<TileTask> tasks = unwrapOrDie(enumerateOrder(program));
    for (auto [place, task] : llvm::enumerate(tasks)) {
      int64_t rest = place;
      for (unsigned dim : llvm::reverse(expected)) {
        EXPECT_EQ(task.tile[dim], rest % grid[dim]) << order.str();
        rest /= grid[dim];
      }
      EXPECT_EQ(rest, 0);
    }
  };
  expectDims("(i, j) -> (i, j)", {3, 5}, {0, 1});
  expectDims("(i, j) -> (7, j, i)", {3, 5}, {1, 0});
  expectDims("(i, j) -> (0, i floordiv 8, j, i)", {8, 5}, {1, 0});
  expectDims("(i, j) -> (0, i floordiv 8, j, i)", {1, 1}, {1, 0});
  expectDims("(b, i, j) -> (0, b, i floordiv 4, j, i)", {2, 4, 3}, {0, 2, 1});
  expectDims("(i, j) -> (i, j, i)", {3, 5}, {0, 1});
  // There is more to these.
  expectDims("(i, j) -> (0, i floordiv 8, j, i)", {9, 5}, {});
  expectDims("(i, j) -> (-i, j)", {3, 5}, {});
  expectDims("(i, j) -> (i + j, j)", {3, 5}, {});
  expectDims("(i, j) -> (i mod 2, i, j)", {3, 5}, {});
  expectDims("(i, j) -> (i floordiv 2, j, i)", {3, 5}, {});
  expectDims("(i, j) -> ((i + j) floordiv 8, j, i)", {3, 5}, {});
}

} // namespace
} // namespace grout::test
