//===- OrderTest.cpp - The task list --------------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "RandomProgram.h"
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
  program.order = {parseMap("(i, j) -> (i * 1152921504606846976, 0, -j)"),
                   parseMap("(i) -> (i - 1, i * 1152921504606846976, 0)")};
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

/// Visits a box by loops from `position` on, as TileLoop says.
void visit(llvm::ArrayRef<TileLoop> loops, llvm::SmallVector<int64_t> start,
           llvm::SmallVector<int64_t> size,
           std::vector<llvm::SmallVector<int64_t>> &tiles) {
  if (loops.empty()) {
    tiles.push_back(start);
    return;
  }
  auto [dim, block] = loops.front();
  int64_t begin = start[dim], end = begin + size[dim];
  for (int64_t first = begin; first < end; first += block) {
    start[dim] = first;
    size[dim] = std::min(block, end - first);
    visit(loops.drop_front(), start, size, tiles);
  }
}

/// An order of quotients and remainders of dimensions, which may be one of
/// loops.
AffineMap makeOrder(Random &random, unsigned rank) {
  llvm::SmallVector<AffineExpr> results;
  for (int64_t i = 0, e = random.pick(rank, 3 * rank); i < e; ++i) {
    AffineExpr result =
        getAffineDimExpr(random.pick(0, rank - 1), getContext());
    if (random.oneIn(3))
      result = result % random.pick(1, 6);
    if (random.oneIn(2))
      result = result.floorDiv(random.pick(1, 4));
    if (random.oneIn(4))
      result = result % random.pick(1, 6);
    results.push_back(random.oneIn(9) ? getAffineConstantExpr(3, getContext())
                                      : result);
  }
  for (unsigned dim = 0; dim < rank; ++dim)
    results.push_back(getAffineDimExpr(dim, getContext()));
  return AffineMap::get(rank, 0, results, getContext());
}

/// Loops of an order, where there are any, visit tiles in that order.
TEST(OrderTest, LoopsOfOrder) {
  int withLoops = 0, withBlocks = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    llvm::SmallVector<int64_t> grid(random.pick(1, 3));
    for (int64_t &extent : grid)
      extent = random.pick(1, 9);
    AffineMap order = makeOrder(random, grid.size());
    SCOPED_TRACE(str(order));
    auto loops = getLoopsOfOrder(order, grid);
    if (!loops)
      continue;
    ++withLoops;
    withBlocks +=
        llvm::any_of(*loops, [](TileLoop loop) { return loop.block > 1; });
    TileProgram program;
    program.kernels = {{"a", grid, 1, {}}};
    program.order = {order};
    std::vector<llvm::SmallVector<int64_t>> visited;
    visit(*loops, llvm::SmallVector<int64_t>(grid.size(), 0), grid, visited);
    std::vector<TileTask> tasks = unwrapOrDie(enumerateOrder(program));
    ASSERT_EQ(visited.size(), tasks.size());
    for (auto [tile, task] : llvm::zip_equal(visited, tasks))
      ASSERT_EQ(tile, task.tile);
  }
  EXPECT_GT(withLoops, 300);
  EXPECT_GT(withBlocks, 100);
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
