//===- StreamPlan.h - How streams and events meet edges ---------*- C++ -*-===//
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

/// What goes into the stream of a launch's branch before the launch, and how.
struct StreamStep {
  uint32_t branch = 0;
  /// It may overlap the launch before it in its stream by programmatic
  /// dependent launch.
  bool programmatic = false;
  /// The stream waits first for what precedes the plan in the caller's stream.
  bool afterStart = false;
  /// The stream waits first for the ends of these launches of other branches,
  std::vector<uint32_t> ends;
  /// or until all blocks of these have triggered: its kernel waits for their
  /// ends.
  std::vector<uint32_t> triggers;
  /// Another stream waits for its end, or until its blocks have triggered.
  bool isEndAwaited = false, isTriggerAwaited = false;
};

/// How the launches of a plan go into streams, one for each branch, in list
/// order.
struct StreamPlan {
  std::vector<StreamStep> steps; // of each launch
  uint32_t branches = 1;
  /// The launches whose ends the caller's stream waits for at last.
  std::vector<uint32_t> joins;
};

/// Chooses how streams meet the edges of `plan`.
///
/// A launch overlaps launches to which it has edges other than full, the one
/// before it in its stream and those of other branches, if it has full edges
/// only to launches that have surely ended when it starts: for the others its
/// kernel waits by itself. Else it waits for the ends of all: kinds of waits
/// are not mixed, as a graph that is captured might take all for programmatic.
/// What has no edge to the one before it in its stream starts when that has
/// ended. An edge that others imply needs no event.
StreamPlan planStreams(const artifact::Plan &plan);

} // namespace cuda
} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_CUDA_STREAMPLAN_H
