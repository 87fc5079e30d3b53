//===- CallerBuffers.h - Checking what a run is given -----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_RUNTIME_CALLERBUFFERS_H
#define GROUT_LIB_RUNTIME_CALLERBUFFERS_H

#include "ArtifactTypes.h"
#include "grout/RuntimeSupport/Status.h"

#include <vector>

namespace grout {
namespace runtime {

/// The address of each of a plan's buffers in one run; 0 for the buffers that
/// are the session's own.
using BoundBuffers = std::vector<uintptr_t>;

/// A plan's inputs and outputs.
class CallerBuffers {
public:
  /// `alignment` is what addresses have to be multiples of.
  CallerBuffers(const artifact::Plan &plan, uint32_t alignment);

  /// Checks a caller's pointers, and writes the addresses of input and output
  /// buffers to `bound`, which has one entry for each buffer of the plan.
  /// Allocates nothing unless it fails.
  Status bind(const void *const *inputs, void *const *outputs,
              BoundBuffers &bound);

private:
  struct Range {
    uintptr_t begin;
    uint64_t bytes;
    bool isOutput;
    const artifact::Buffer *buffer;
    uint32_t position;                // in the plan's buffers
    const Range *inPlaceOf = nullptr; // of an output: an input
  };
  void pairInPlace(const artifact::Plan &plan);
  Status checkInPlace();
  Status checkOverlap();

  uint32_t alignment;
  std::vector<Range> ranges;
  std::vector<const Range *> sorted;
};

} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_CALLERBUFFERS_H
