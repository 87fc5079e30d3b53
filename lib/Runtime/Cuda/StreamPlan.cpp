//===- StreamPlan.cpp - How streams and events meet edges -----------------===//
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

/// For each branch, how many of its launches have surely ended at some time:
/// the first ones, since each ends after those before it in its stream.
class Ended {
public:
  explicit Ended(size_t branches) : counts(branches, 0) {}

  /// Whether number `position` of `branch`, counted from 1, has.
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
  /// What has ended when a launch starts, and when it has ended.
  struct Times {
    uint32_t position;
    Ended atStart, atEnd;
  };
  /// The last launch so far of a branch, if it has one.
  struct Last {
    bool exists = false;
    uint32_t launch = 0;
  };

  bool mayStartEarly(uint32_t index, const Last &previous) const;
  void addLaunch(uint32_t index);
  void join();

  const Plan &plan;
  StreamPlan result;
  std::vector<Times> times;
  std::vector<Last> last; // of each branch
};

} // namespace

StreamPlanner::StreamPlanner(const Plan &plan) : plan(plan) {
  for (const Launch *launch : *plan.launches())
    result.branches = std::max(result.branches, launch->branch() + 1);
  last.resize(result.branches);
}

/// Whether launch `index` has an edge other than full to `previous`, the one
/// before it in its stream, and full edges only to launches that have ended
/// when that starts.
bool StreamPlanner::mayStartEarly(uint32_t index, const Last &previous) const {
  const Launch &launch = *plan.launches()->Get(index);
  if (!launch.after())
    return false;
  bool followsPrevious = false;
  const Ended &ended = times[previous.launch].atStart;
  for (const Edge *edge : *launch.after()) {
    if (edge->kind() == EdgeKind::Full &&
        !ended.contains(result.steps[edge->launch()].branch,
                        times[edge->launch()].position))
      return false;
    followsPrevious |=
        edge->launch() == previous.launch && edge->kind() != EdgeKind::Full;
  }
  return followsPrevious;
}

void StreamPlanner::addLaunch(uint32_t index) {
  const Launch &launch = *plan.launches()->Get(index);
  const uint32_t branch = launch.branch();
  const Last previous = last[branch];
  StreamStep step;
  step.branch = branch;
  Ended ended(result.branches);
  uint32_t position = 1;
  if (previous.exists) {
    ended = times[previous.launch].atEnd;
    position = times[previous.launch].position + 1;
  }
  // The latest ones first, which imply others.
  std::vector<uint32_t> others;
  if (launch.after())
    for (const Edge *edge : *launch.after())
      if (result.steps[edge->launch()].branch != branch)
        others.push_back(edge->launch());
  std::sort(others.begin(), others.end(), std::greater<uint32_t>());
  for (uint32_t other : others) {
    if (ended.contains(result.steps[other].branch, times[other].position))
      continue;
    ended.add(times[other].atEnd);
    step.waits.push_back(other);
    result.steps[other].isAwaited = true;
  }
  if (!previous.exists) {
    // The caller's stream is where it should be.
    step.afterStart = branch != 0 && step.waits.empty();
    step.programmatic =
        index == 0 && branch == 0 && launch.programmatic_entry();
  } else if (step.waits.empty() && mayStartEarly(index, previous)) {
    step.programmatic = true;
  }
  Ended atEnd = ended;
  atEnd.add(branch, position);
  // What starts early only knows what the one before it knew.
  if (step.programmatic && previous.exists)
    ended = times[previous.launch].atStart;
  times.push_back({position, ended, atEnd});
  last[branch] = {true, index};
  result.steps.push_back(std::move(step));
}

/// Has the caller's stream wait for all others.
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
    if (ended.contains(result.steps[end].branch, times[end].position))
      continue;
    ended.add(times[end].atEnd);
    result.joins.push_back(end);
    result.steps[end].isAwaited = true;
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
