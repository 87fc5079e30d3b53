//===- Children.h - Processes that end before their files go ----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_SUPPORT_FILES_CHILDREN_H
#define GROUT_LIB_SUPPORT_FILES_CHILDREN_H

#include <atomic>
#include <sys/types.h>

namespace grout {

/// Knows a child of this process while it runs. A signal whose handler removes
/// temporary files (LLVM's does, and ends the process) ends the children first:
/// what they write later would stay.
class RunningChild {
public:
  explicit RunningChild(pid_t child);
  ~RunningChild();
  RunningChild(const RunningChild &) = delete;
  RunningChild &operator=(const RunningChild &) = delete;

private:
  /// Null if there are too many.
  std::atomic<pid_t> *slot = nullptr;
};

} // namespace grout

#endif // GROUT_LIB_SUPPORT_FILES_CHILDREN_H
