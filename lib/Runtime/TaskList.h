//===- TaskList.h - The tasks of a launch, in order -------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_RUNTIME_TASKLIST_H
#define GROUT_LIB_RUNTIME_TASKLIST_H

#include "grout/Runtime/Artifact_generated.h"
#include "grout/RuntimeSupport/Status.h"
#include <vector>

namespace grout::runtime {

/// The tasks of a valid launch, from its list or from its loops.
class TaskList {
public:
  explicit TaskList(const artifact::Launch &launch);

  /// Returns an error if something is wrong with the tasks of a launch.
  static Status validate(const artifact::Launch &launch);

  /// Returns whether the launch has a list or loops.
  static bool isGiven(const artifact::Launch &launch);

  /// Returns the number of tasks, which is 0 for a launch without tasks.
  uint64_t size() const;
  artifact::Task at(uint64_t index) const;
  /// Returns all tasks, in the form that kernels read.
  std::vector<artifact::Task> toVector() const;

private:
  const artifact::Launch &launch;
  /// With loops: for each nest, the number of tasks before it; then the number
  /// of all tasks.
  std::vector<uint64_t> starts = {0};
};

} // namespace grout::runtime

#endif // GROUT_LIB_RUNTIME_TASKLIST_H
