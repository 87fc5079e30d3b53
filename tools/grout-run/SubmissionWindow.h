//===- SubmissionWindow.h - Bounded work in flight on a stream --*- C++ -*-===//
//
// Part of Grout. If the driver's queue is full, submitting blocks inside the
// driver, and for ever if the GPU hangs. A SubmissionWindow keeps less work in
// flight, so that grout-run notices a hang. But it keeps enough work in flight
// that the GPU never waits for the host.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_SUBMISSIONWINDOW_H
#define GROUT_TOOLS_GROUT_RUN_SUBMISSIONWINDOW_H

#include "CudaObjects.h"

#include <array>

namespace grout {
namespace run {

class SubmissionWindow {
public:
  SubmissionWindow(const DriverFunctions &driver, runtime::cuda::Stream stream,
                   double timeoutSeconds)
      : driver(driver), stream(stream), timeoutSeconds(timeoutSeconds) {}

  Status prepare();
  /// Call this after each submission. Sets `isStuck` if the oldest work in the
  /// window does not end within the timeout.
  Status submitted(bool &isStuck);

private:
  static constexpr uint64_t kEvents = 8;
  static constexpr uint64_t kSubmissionsPerEvent = 16;

  Status query(uint64_t event, bool &isDone);

  const DriverFunctions &driver;
  runtime::cuda::Stream stream;
  double timeoutSeconds;
  std::array<OwnedEvent, kEvents> events;
  uint64_t submissions = 0;
};

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_SUBMISSIONWINDOW_H
