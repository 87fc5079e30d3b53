//===- StreamPlan.h - How streams and events keep edges ---------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_RUNTIME_CUDA_STREAMPLAN_H
#define GROUT_LIB_RUNTIME_CUDA_STREAMPLAN_H

#include "../ArtifactTypes.h"

#include <vector>

namespace grout {
namespace runtime {
namespace cuda {

/// A launch's stream, and the waits in this stream before the launch.
struct StreamStep {
  uint32_t branch = 0;
  /// The launch may overlap the launch before it in its stream (programmatic
  /// dependent launch).
  bool programmatic = false;
  /// Before the launch, its stream waits for the work that was in the caller's
  /// stream before the plan.
  bool afterStart = false;
  /// Before the launch, its stream waits for the ends of these launches of
  /// other branches.
  std::vector<uint32_t> ends;
  /// Before the launch, its stream waits until all blocks of these launches of
  /// other branches have triggered. The kernel itself waits for their ends.
  std::vector<uint32_t> triggers;
  /// Another stream waits for the end of this launch, or until all its blocks
  /// have triggered.
  bool isEndAwaited = false, isTriggerAwaited = false;
};

/// Distributes the launches of a plan to streams, one for each branch. Each
/// stream has its launches in the order of the plan.
struct StreamPlan {
  std::vector<StreamStep> steps; // for each launch
  uint32_t branches = 1;
  /// At the end, the caller's stream waits for the ends of these launches.
  std::vector<uint32_t> joins;
};

/// Chooses how streams keep the edges of `plan`.
///
/// A launch may have edges that are not full: to the launch before it in its
/// stream, and to launches of other branches. It overlaps these launches if it
/// has full edges only to launches that have surely ended when it starts,
/// because its kernel itself waits for the launches of edges that are not full.
/// Otherwise its stream waits for the ends of all launches to which it has
/// edges. The two kinds of waits are never mixed, because a captured graph
/// might treat all of them as programmatic. If a launch has no edge to the
/// launch before it in its stream, it starts when that launch has ended. An
/// edge that other edges imply needs no event.
StreamPlan planStreams(const artifact::Plan &plan);

} // namespace cuda
} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_CUDA_STREAMPLAN_H
