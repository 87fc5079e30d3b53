//===- CallerBuffers.h - Checking what a run is given -----------*- C++ -*-===//
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

/// The address of each of a plan's buffers in one run; 0 for the buffers that
/// are in the workspace, or the session's own.
using BoundBuffers = std::vector<uintptr_t>;

/// Memory for the intermediates of a run.
struct CallerWorkspace {
  void *data;
  uint64_t bytes;
};

/// A plan's inputs and outputs, and its workspace if that is the caller's.
class CallerBuffers {
public:
  /// `alignment` is what addresses have to be multiples of.
  CallerBuffers(const artifact::Plan &plan, uint32_t alignment,
                bool hasWorkspace);

  /// Checks a caller's pointers, and writes the addresses of input and output
  /// buffers, and of those in outputs, to `bound`, which has one entry for each
  /// buffer of the plan.
  /// `workspace` is given where it is the caller's, and nowhere else. Allocates
  /// nothing unless it fails.
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
    const Range *inPlaceOf = nullptr; // of an output: an input
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
  /// Of inputs and outputs.
  std::vector<Range> ranges;
  /// A buffer in the bytes of an output.
  struct Guest {
    const artifact::Buffer *buffer;
    uint32_t position; // in the plan's buffers
    const Range *host;
  };
  std::vector<Guest> guests;
  /// Empty where the session has a workspace of its own.
  std::optional<Range> workspace;
  std::vector<const Range *> sorted;
};

} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_CALLERBUFFERS_H
