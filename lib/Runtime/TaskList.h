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

/// The tasks of a valid launch, whether they are listed or follow from loops.
class TaskList {
public:
  explicit TaskList(const artifact::Launch &launch);

  /// Says what is wrong with the tasks of a launch, if anything.
  static Status validate(const artifact::Launch &launch);

  /// Whether it has any, in one form or the other.
  static bool isGiven(const artifact::Launch &launch);

  /// 0 for a launch without tasks.
  uint64_t size() const;
  artifact::Task at(uint64_t index) const;
  /// All of them, as kernels read them.
  std::vector<artifact::Task> toVector() const;

private:
  const artifact::Launch &launch;
  /// With loops: for each nest, the tasks before it, and at the end all.
  std::vector<uint64_t> starts = {0};
};

} // namespace grout::runtime

#endif // GROUT_LIB_RUNTIME_TASKLIST_H
