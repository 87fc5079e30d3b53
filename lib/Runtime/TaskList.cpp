//===- TaskList.cpp - The tasks of a launch, in order ---------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TaskList.h"
#include "Validate.h"
#include "grout/Runtime/DeviceABI.h"

#include <algorithm>
#include <array>

using namespace grout::artifact;
using namespace grout::runtime;

static_assert(sizeof(Task) == grout::kernelabi::kTaskBytes,
              "kernels read tasks as they are");

namespace {

constexpr uint32_t kMaxGridRank = 3;

/// The tiles of a grid that remain inside the loops entered so far.
struct TileBox {
  std::array<uint64_t, kMaxGridRank> start = {0, 0, 0};
  std::array<uint64_t, kMaxGridRank> size = {1, 1, 1};

  explicit TileBox(const TaskLoops &loops) {
    for (uint32_t dim = 0; dim != loops.grid()->size(); ++dim)
      size[dim] = loops.grid()->Get(dim);
  }
  uint64_t volume() const { return size[0] * size[1] * size[2]; }

  /// Enters the iteration of `loop` that has task `index` of this box. Shrinks
  /// the box to this iteration, and `index` to the position within it.
  void enter(const TaskLoop &loop, uint64_t &index) {
    uint64_t &extent = size[loop.dim()];
    uint64_t perBlock = volume() / extent * loop.block();
    uint64_t first = index / perBlock * loop.block();
    index %= perBlock;
    start[loop.dim()] += first;
    // The last block may be smaller.
    extent = std::min<uint64_t>(loop.block(), extent - first);
  }
};

/// Checks one nest of loops, and adds the number of its tasks to `count`.
Status validateLoops(const TaskLoops &loops, uint64_t &count) {
  uint32_t rank = loops.grid()->size();
  if (rank == 0 || rank > kMaxGridRank)
    return invalid("a task grid has ", rank, " dimensions, not 1 to ",
                   kMaxGridRank);
  uint64_t volume = 1;
  std::array<uint64_t, kMaxGridRank> left = {1, 1, 1};
  for (uint32_t dim = 0; dim != rank; ++dim) {
    left[dim] = loops.grid()->Get(dim);
    if (left[dim] == 0 || left[dim] > INT32_MAX)
      return invalid("a task grid has an extent of ", left[dim]);
    volume *= left[dim];
    if (volume > UINT32_MAX)
      return invalid("it has more tasks than 32 bits count");
  }
  for (const TaskLoop *loop : *loops.loops()) {
    if (loop->dim() >= rank)
      return invalid("a task loop goes along dimension ", loop->dim(), " of ",
                     rank);
    if (loop->block() == 0 || loop->block() > left[loop->dim()])
      return invalid("a task loop has blocks of ", loop->block(), " of ",
                     left[loop->dim()]);
    left[loop->dim()] = loop->block();
  }
  if (left[0] * left[1] * left[2] != 1)
    return invalid("task loops do not reach single tiles");
  count += volume;
  if (count > UINT32_MAX)
    return invalid("it has more tasks than 32 bits count");
  return Status::ok();
}

} // namespace

TaskList::TaskList(const Launch &launch) : launch(launch) {
  if (launch.task_loops())
    for (const TaskLoops *loops : *launch.task_loops())
      starts.push_back(starts.back() + TileBox(*loops).volume());
}

bool TaskList::isGiven(const Launch &launch) {
  return (launch.tasks() && launch.tasks()->size() != 0) ||
         (launch.task_loops() && launch.task_loops()->size() != 0);
}

Status TaskList::validate(const Launch &launch) {
  if (!isGiven(launch))
    return invalid("it has no tasks");
  uint64_t looped = launch.task_loops() ? launch.task_loops()->size() : 0;
  if (looped != 0 && launch.tasks() && launch.tasks()->size() != 0)
    return invalid("its tasks are listed, and given by loops, too");
  uint64_t count = 0;
  for (uint64_t i = 0; i != looped; ++i)
    if (Status status = validateLoops(*launch.task_loops()->Get(i), count);
        status.isError())
      return status;
  return Status::ok();
}

uint64_t TaskList::size() const {
  return starts.size() > 1 ? starts.back()
         : launch.tasks()  ? launch.tasks()->size()
                           : 0;
}

Task TaskList::at(uint64_t index) const {
  if (starts.size() == 1)
    return *launch.tasks()->Get(index);
  auto nest = std::upper_bound(starts.begin(), starts.end(), index) - 1;
  const TaskLoops &loops = *launch.task_loops()->Get(nest - starts.begin());
  TileBox box(loops);
  index -= *nest;
  for (const TaskLoop *loop : *loops.loops())
    box.enter(*loop, index);
  return Task(loops.body(), box.start[0], box.start[1], box.start[2]);
}

std::vector<Task> TaskList::toVector() const {
  std::vector<Task> tasks;
  tasks.reserve(size());
  for (uint64_t index = 0, end = size(); index != end; ++index)
    tasks.push_back(at(index));
  return tasks;
}
