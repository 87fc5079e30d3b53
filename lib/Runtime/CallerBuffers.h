//===- CallerBuffers.h - Checks the buffers of a run ------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_RUNTIME_CALLERBUFFERS_H
#define GROUT_LIB_RUNTIME_CALLERBUFFERS_H

#include "ArtifactTypes.h"
#include "grout/RuntimeSupport/Status.h"

#include <optional>
#include <string>
#include <vector>

namespace grout {
namespace runtime {

/// The address of each of a plan's buffers in one run. It is 0 for buffers in
/// the workspace, and for buffers of the session.
using BoundBuffers = std::vector<uintptr_t>;

/// The caller's memory for the intermediates of a run.
struct CallerWorkspace {
  void *data;
  uint64_t bytes;
};

/// A plan's inputs and outputs, and the workspace if the caller passes it.
class CallerBuffers {
public:
  /// Addresses must be multiples of `alignment`.
  CallerBuffers(const artifact::Plan &plan, uint32_t alignment,
                bool hasWorkspace);

  /// Checks a caller's pointers. Writes to `bound`, which has one entry for
  /// each buffer of the plan, the addresses of inputs, outputs, and buffers in
  /// outputs. `workspace` is given if and only if the caller passes the
  /// workspace. Allocates nothing unless it fails.
  Status bind(const void *const *inputs, void *const *outputs,
              const std::optional<CallerWorkspace> &workspace,
              BoundBuffers &bound);

private:
  struct Range {
    uintptr_t begin;
    uint64_t bytes;
    bool isOutput;
    const artifact::Buffer *buffer;   // null: the workspace
    uint32_t position;                // in the plan's buffers
    const Range *inPlaceOf = nullptr; // for an output: an input
  };
  static std::string describe(const Range &range);
  const Range &find(bool isOutput, uint32_t index) const;
  void pairInPlace();
  void findGuests();
  Status bindWorkspace(const std::optional<CallerWorkspace> &given);
  Status checkInPlace();
  Status checkOverlap();

  const artifact::Plan &plan;
  uint32_t alignment;
  /// The ranges of inputs and outputs.
  std::vector<Range> ranges;
  /// A buffer in the bytes of an output.
  struct Guest {
    const artifact::Buffer *buffer;
    uint32_t position; // in the plan's buffers
    const Range *host;
  };
  std::vector<Guest> guests;
  /// Empty if the session has a workspace of its own.
  std::optional<Range> workspace;
  std::vector<const Range *> sorted;
};

} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_CALLERBUFFERS_H
