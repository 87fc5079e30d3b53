//===- SubmissionWindow.cpp - Bounded work in flight on a stream ----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "SubmissionWindow.h"

#include <chrono>
#include <thread>

using namespace grout;
using namespace grout::run;
using namespace grout::runtime::cuda;

Status SubmissionWindow::prepare() {
  for (OwnedEvent &event : events)
    GROUT_RETURN_IF_ERROR(event.create(driver));
  return Status::ok();
}

Status SubmissionWindow::query(uint64_t event, bool &isDone) {
  Result result = driver.eventQuery(events[event].get());
  if (result != kSuccess && result != kErrorNotReady)
    return driverError(driver, result, "run");
  isDone = result == kSuccess;
  return Status::ok();
}

Status SubmissionWindow::submitted(bool &isStuck) {
  if (++submissions % kSubmissionsPerEvent != 0)
    return Status::ok();
  uint64_t event = submissions / kSubmissionsPerEvent % kEvents;
  // The event was last recorded a whole window ago. An event that was never
  // recorded counts as done.
  auto start = std::chrono::steady_clock::now();
  bool isDone = false;
  while (true) {
    GROUT_RETURN_IF_ERROR(query(event, isDone));
    if (isDone)
      break;
    std::chrono::duration<double> waited =
        std::chrono::steady_clock::now() - start;
    if (timeoutSeconds != 0 && waited.count() > timeoutSeconds) {
      isStuck = true;
      return Status::ok();
    }
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
  GROUT_RETURN_IF_CUDA_ERROR(driver, eventRecord(events[event].get(), stream),
                             "record an event");
  return Status::ok();
}
