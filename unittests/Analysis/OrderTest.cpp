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

} // namespace
} // namespace grout::test
