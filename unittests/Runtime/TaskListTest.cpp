//===- TaskListTest.cpp - Tasks that follow from loops --------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TaskList.h"
#include "gtest/gtest.h"
#include <array>
#include <random>

using namespace grout::artifact;
using grout::runtime::TaskList;

namespace {

using Tile = std::array<uint32_t, 4>;

/// What the loops from `position` on visit of a box, written as loops.
void visit(const TaskLoopsT &nest, size_t position, Tile start,
           std::array<uint32_t, 3> size, std::vector<Tile> &tiles) {
  if (position == nest.loops.size()) {
    tiles.push_back(start);
    return;
  }
  const TaskLoop &loop = nest.loops[position];
  uint32_t extent = size[loop.dim()];
  for (uint32_t first = 0; first < extent; first += loop.block()) {
    Tile inner = start;
    inner[1 + loop.dim()] += first;
    size[loop.dim()] = std::min(loop.block(), extent - first);
    visit(nest, position + 1, inner, size, tiles);
  }
}

/// A nest over up to three dimensions, with blocks in any order.
std::unique_ptr<TaskLoopsT> makeNest(std::mt19937 &random, uint32_t body) {
  auto pick = [&](uint32_t low, uint32_t high) {
    return low + static_cast<uint32_t>(random() % (high - low + 1));
  };
  auto nest = std::make_unique<TaskLoopsT>();
  nest->body = body;
  nest->grid.resize(pick(1, 3));
  for (uint32_t &extent : nest->grid)
    extent = pick(1, 7);
  std::vector<uint32_t> left = nest->grid;
  auto isOpen = [](uint32_t size) { return size != 1; };
  while (std::any_of(left.begin(), left.end(), isOpen)) {
    uint32_t dim = pick(0, left.size() - 1);
    left[dim] = pick(1, left[dim]);
    nest->loops.emplace_back(dim, left[dim]);
  }
  return nest;
}

TEST(TaskListTest, LoopsAreLoops) {
  for (unsigned seed = 0; seed != 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    LaunchT launch;
    std::vector<Tile> expected;
    for (uint32_t body = 0; body != 1 + seed % 3; ++body) {
      launch.task_loops.push_back(makeNest(random, body));
      const TaskLoopsT &nest = *launch.task_loops.back();
      std::array<uint32_t, 3> size = {1, 1, 1};
      std::copy(nest.grid.begin(), nest.grid.end(), size.begin());
      visit(nest, 0, {body, 0, 0, 0}, size, expected);
    }
    flatbuffers::FlatBufferBuilder builder;
    builder.Finish(Launch::Pack(builder, &launch));
    const auto &packed =
        *flatbuffers::GetRoot<Launch>(builder.GetBufferPointer());
    ASSERT_FALSE(TaskList::validate(packed).isError());
    TaskList tasks(packed);
    ASSERT_EQ(tasks.size(), expected.size());
    std::vector<Task> all = tasks.toVector();
    for (size_t i = 0; i != expected.size(); ++i) {
      Task task = tasks.at(i);
      EXPECT_EQ((Tile{task.body(), task.x(), task.y(), task.z()}), expected[i]);
      EXPECT_EQ((Tile{all[i].body(), all[i].x(), all[i].y(), all[i].z()}),
                expected[i]);
    }
  }
}

} // namespace
