//===- StreamPlan.cpp - How streams and events keep edges -----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "StreamPlan.h"

#include <algorithm>
#include <functional>

using namespace grout;
using namespace grout::artifact;
using namespace grout::runtime;
using namespace grout::runtime::cuda;

namespace {

/// For each branch, how many of its launches have surely ended at some time.
/// These are the first launches of the branch, because a launch ends after all
/// launches before it in its stream.
class Ended {
public:
  explicit Ended(size_t branches) : counts(branches, 0) {}

  /// Returns whether launch number `position` of `branch`, counted from 1, has
  /// ended.
  bool contains(uint32_t branch, uint32_t position) const {
    return counts[branch] >= position;
  }
  void add(uint32_t branch, uint32_t position) {
    counts[branch] = std::max(counts[branch], position);
  }
  void add(const Ended &other) {
    for (size_t branch = 0; branch != counts.size(); ++branch)
      counts[branch] = std::max(counts[branch], other.counts[branch]);
  }

private:
  std::vector<uint32_t> counts;
};

class StreamPlanner {
public:
  explicit StreamPlanner(const Plan &plan);
  StreamPlan run();

private:
  /// The position of a launch in its branch, and the launches that have ended
  /// when it starts and when it has ended.
  struct Times {
    uint32_t position;
    Ended atStart, atEnd;
  };
  /// The last planned launch of a branch, if there is one.
  struct Last {
    bool exists = false;
    uint32_t launch = 0;
  };

  uint32_t getBranch(uint32_t launch) const {
    return result.steps[launch].branch;
  }
  bool hasEnded(const Ended &ended, uint32_t launch) const {
    return ended.contains(getBranch(launch), times[launch].position);
  }
  /// Both functions fill in `step` and `time`. The first returns whether the
  /// launch can start early.
  bool planEarlyStart(const Launch &launch, const Last &previous,
                      StreamStep &step, Times &time) const;
  void planStart(const Launch &launch, const Last &previous, StreamStep &step,
                 Times &time) const;
  void addLaunch(uint32_t index);
  void join();

  const Plan &plan;
  StreamPlan result;
  std::vector<Times> times;
  std::vector<Last> last; // for each branch
};

} // namespace

StreamPlanner::StreamPlanner(const Plan &plan) : plan(plan) {
  for (const Launch *launch : *plan.launches())
    result.branches = std::max(result.branches, launch->branch() + 1);
  last.resize(result.branches);
}

/// Returns the edges to `launch`. Edges from later launches come first, because
/// they may imply others.
static std::vector<const Edge *> getEdges(const Launch &launch) {
  std::vector<const Edge *> edges;
  if (launch.after())
    edges.assign(launch.after()->begin(), launch.after()->end());
  std::stable_sort(
      edges.begin(), edges.end(),
      [](const Edge *a, const Edge *b) { return a->launch() > b->launch(); });
  return edges;
}

/// Lets `launch` start as soon as blocks of other launches have triggered, if
/// its edges allow that. `previous` is the launch before it in its stream.
bool StreamPlanner::planEarlyStart(const Launch &launch, const Last &previous,
                                   StreamStep &step, Times &time) const {
  std::vector<const Edge *> edges = getEdges(launch);
  for (const Edge *edge : edges)
    step.programmatic |= previous.exists && edge->launch() == previous.launch &&
                         edge->kind() != EdgeKind::Full;
  if (previous.exists) {
    time.atEnd = times[previous.launch].atEnd;
    time.atStart = step.programmatic ? times[previous.launch].atStart
                                     : times[previous.launch].atEnd;
  }
  for (const Edge *edge : edges) {
    uint32_t other = edge->launch();
    if (edge->kind() == EdgeKind::Full || hasEnded(time.atEnd, other))
      continue;
    if (previous.exists && !step.programmatic)
      return false;
    step.triggers.push_back(other);
    time.atStart.add(times[other].atStart);
    time.atEnd.add(times[other].atEnd);
  }
  return std::all_of(edges.begin(), edges.end(), [&](const Edge *edge) {
    return edge->kind() != EdgeKind::Full ||
           hasEnded(time.atStart, edge->launch());
  });
}

/// Lets `launch` start when all launches of its edges have ended.
void StreamPlanner::planStart(const Launch &launch, const Last &previous,
                              StreamStep &step, Times &time) const {
  if (previous.exists)
    time.atStart = times[previous.launch].atEnd;
  for (const Edge *edge : getEdges(launch)) {
    if (hasEnded(time.atStart, edge->launch()))
      continue;
    step.ends.push_back(edge->launch());
    time.atStart.add(times[edge->launch()].atEnd);
  }
  time.atEnd = time.atStart;
}

void StreamPlanner::addLaunch(uint32_t index) {
  const Launch &launch = *plan.launches()->Get(index);
  const uint32_t branch = launch.branch();
  const Last previous = last[branch];
  const Times nothing = {previous.exists ? times[previous.launch].position + 1
                                         : 1,
                         Ended(result.branches), Ended(result.branches)};
  StreamStep step;
  Times time = nothing;
  if (!planEarlyStart(launch, previous, step, time)) {
    step = StreamStep();
    time = nothing;
    planStart(launch, previous, step, time);
  }
  step.branch = branch;
  for (uint32_t other : step.ends)
    result.steps[other].isEndAwaited = true;
  for (uint32_t other : step.triggers)
    result.steps[other].isTriggerAwaited = true;
  if (!previous.exists) {
    // The caller's stream needs no wait for its own earlier work.
    step.afterStart = branch != 0 && step.ends.empty() && step.triggers.empty();
    step.programmatic =
        index == 0 && branch == 0 && launch.programmatic_entry();
  }
  time.atEnd.add(branch, time.position);
  times.push_back(time);
  last[branch] = {true, index};
  result.steps.push_back(std::move(step));
}

/// Lets the caller's stream wait for all others.
void StreamPlanner::join() {
  Ended ended(result.branches);
  if (last[0].exists)
    ended = times[last[0].launch].atEnd;
  std::vector<uint32_t> ends;
  for (uint32_t branch = 1; branch != result.branches; ++branch)
    if (last[branch].exists)
      ends.push_back(last[branch].launch);
  std::sort(ends.begin(), ends.end(), std::greater<uint32_t>());
  for (uint32_t end : ends) {
    if (hasEnded(ended, end))
      continue;
    ended.add(times[end].atEnd);
    result.joins.push_back(end);
    result.steps[end].isEndAwaited = true;
  }
}

StreamPlan StreamPlanner::run() {
  for (uint32_t index = 0; index != plan.launches()->size(); ++index)
    addLaunch(index);
  join();
  return std::move(result);
}

StreamPlan cuda::planStreams(const Plan &plan) {
  return StreamPlanner(plan).run();
}
