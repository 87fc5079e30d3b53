//===- Runner.h - Running a plan as grout-run does --------------*- C++ -*-===//
//
// Part of Grout. The base class of runners on all devices: outputs have guards
// and can be poisoned, repeated runs are compared, and runs are timed.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_RUNNER_H
#define GROUT_TOOLS_GROUT_RUN_RUNNER_H

#include "OwnedSession.h"

#include <memory>
#include <string>
#include <vector>

namespace grout {
namespace run {

struct RepeatOptions {
  /// The number of runs. All runs after the first are compared with it.
  uint64_t repeat = 1;
  /// CUDA: make one run, then `repeat` replays of a graph of the run.
  bool graph = false;
  /// Fill outputs with NaN, or -1, before each run. The session does the same
  /// with intermediates.
  bool poison = false;
  /// If not 0: the number of epochs to skip after the first run.
  uint32_t skipEpochs = 0;
  /// Show on a terminal how many runs are done.
  bool showProgress = true;
};

struct RepeatResult {
  /// The number of runs or replays that were compared with the first run.
  uint64_t compared = 0;
  /// The difference between runs, for people. Empty if all were bitwise equal.
  std::string difference;
};

/// Microseconds of a run.
struct Timing {
  double median = 0, min = 0, max = 0;
  /// The kind of measurement, for people.
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
  /// Fetches the last run's outputs. Fails if the run wrote behind the end of
  /// an output.
  virtual Status fetchOutputs(std::vector<HostTensor> &outputs) = 0;
  /// Returns how many runs, or graphs of runs, measure() should measure.
  virtual Status chooseMeasuredRuns(uint64_t &runs) = 0;
  virtual Status measure(uint64_t runs, Timing &timing) = 0;
  /// Returns the records of one run, behind others that warm up. The session
  /// must be traced; `trace` is valid as long as the runner.
  virtual Status runTraced(SessionTrace &trace) = 0;
};

/// Number of bytes behind each output that must not change.
constexpr uint64_t kGuardBytes = 256;

/// Returns the bytes to allocate for an output. Its guard starts at the end of
/// the 16-byte pieces that a comparison reads.
inline uint64_t guardedBytes(uint64_t bytes) {
  return runtime::roundUp(bytes, GROUT_BUFFER_ALIGNMENT) + kGuardBytes;
}

/// Checks the guard behind an output of `bytes` bytes.
Status checkGuard(const std::string &name, const uint8_t *data, uint64_t bytes);

/// Returns the median, minimum and maximum.
Timing summariseTimes(std::vector<double> microseconds, std::string what);

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_RUNNER_H
