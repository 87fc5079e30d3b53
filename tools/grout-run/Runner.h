//===- Runner.h - Running a plan as grout-run does --------------*- C++ -*-===//
//
// Part of Grout. What the devices have in common: buffers that are guarded and
// can be poisoned, replays that are compared, and timing.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_RUNNER_H
#define GROUT_TOOLS_GROUT_RUN_RUNNER_H

#include "OwnedModule.h"

#include <memory>
#include <string>
#include <vector>

namespace grout {
namespace run {

struct RepeatOptions {
  /// Runs; those after the first are compared with it.
  uint64_t repeat = 1;
  /// CUDA: one run, then `repeat` replays of a graph of the run.
  bool graph = false;
  /// Outputs are NaN, or -1, before each run. (That the intermediates are too
  /// is the session's doing.)
  bool poison = false;
  /// Nonzero: epochs to skip after the first run.
  uint32_t skipEpochs = 0;
};

struct RepeatResult {
  /// Runs or replays that were compared with the first run.
  uint64_t compared = 0;
  /// What differed, for people; empty if all were bitwise equal.
  std::string difference;
};

/// Microseconds a run.
struct Timing {
  double median = 0, min = 0, max = 0;
  /// What was measured, for people.
  std::string what;
};

class Runner {
public:
  /// Creates a session and buffers for a plan, on the plan's device. `inputs`
  /// must outlive the runner.
  static Status create(const OwnedModule &module,
                       const grout_session_config &config,
                       const std::vector<HostTensor> &inputs,
                       std::unique_ptr<Runner> &runner);
  virtual ~Runner() = default;

  virtual Status runRepeatedly(const RepeatOptions &options,
                               RepeatResult &result) = 0;
  /// The last run's outputs, after checking that nothing was written behind
  /// their ends.
  virtual Status fetchOutputs(std::vector<HostTensor> &outputs) = 0;
  virtual Status measure(Timing &timing) = 0;
};

/// Bytes behind each output that must stay as they are.
constexpr uint64_t kGuardBytes = 256;

/// Bytes to allocate for an output: its guard starts where a vectorised
/// comparison ends.
inline uint64_t guardedBytes(uint64_t bytes) {
  return runtime::roundUp(bytes, GROUT_BUFFER_ALIGNMENT) + kGuardBytes;
}

/// Checks the bytes behind an output of `bytes` bytes.
Status checkGuard(const std::string &name, const uint8_t *data, uint64_t bytes);

/// Computes median, minimum and maximum.
Timing summariseTimes(std::vector<double> microseconds, std::string what);

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_RUNNER_H
