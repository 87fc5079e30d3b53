//===- TileRunner.h - Running a launch's tiles on worker threads *- C++ -*-===//
//
// Part of Grout. The CPU's side of docs/KernelABI.md: tickets, semaphores and
// epochs; for tests also a watchdog and injected delays.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_RUNTIME_CPU_TILERUNNER_H
#define GROUT_LIB_RUNTIME_CPU_TILERUNNER_H

#include "../ArtifactTypes.h"
#include "../TaskList.h"
#include "TraceLog.h"
#include "WorkerPool.h"
#include "grout-c/TileABI.h"
#include "grout/RuntimeSupport/Status.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <vector>

namespace grout {
namespace runtime {

/// Runs one launch of a plan, and holds its tile bodies, semaphores and epoch.
/// The counters and the epoch keep their values from run to run, as on a GPU.
class TileRunner {
public:
  struct Options {
    /// 0 means to wait for ever.
    double timeoutSeconds = 0;
    /// 0 means no delays.
    uint64_t delaySeed = 0;
    /// The rank that runs the plan, and where the launch exchanges data with
    /// each rank.
    uint32_t rank = 0;
    std::vector<uintptr_t> peers;
    /// Where workers record their times, or null.
    TraceLog *trace = nullptr;
  };

  TileRunner(const artifact::Launch &launch,
             std::vector<grout_tile_body> bodies, const Options &options);

  /// Runs all tasks. `arguments[i]` is the address of argument i.
  Status run(WorkerPool &pool, void *const *arguments);

  /// Changes the counters and the epoch as `epochs` further runs would.
  void skipEpochs(uint32_t epochs);

private:
  /// Each counter has a cache line of its own, so that workers do not contend.
  struct alignas(64) Semaphore {
    std::atomic<uint32_t> counter{0};
    /// The count that tiles wait for, or 0 until the first wait.
    std::atomic<uint32_t> awaited{0};
  };
  class Worker;

  void runTasks(unsigned worker, void *const *arguments);
  void wait(const Worker &worker, uint32_t semaphore, uint32_t count);
  void post(const Worker &worker, uint32_t semaphore);
  bool noteAwaited(const Worker &worker, uint32_t semaphore, uint32_t count);
  void *const *exchange(const Worker &worker, const void *data, uint64_t bytes);
  bool waitForRank(const Worker &worker, uint32_t rank);
  /// Records, if the runner is traced, that `worker` did this since `start`.
  void record(const Worker &worker, grout_trace_role role,
              uint64_t start) const;
  uint64_t getTraceTime() const { return options.trace ? TraceLog::now() : 0; }
  void delay(uint32_t task, uint32_t salt) const;
  void fail(Status status);
  Status checkCounters() const;
  std::string describe(uint32_t task) const;

  const artifact::Launch &launch;
  TaskList tasks;
  std::vector<grout_tile_body> bodies;
  Options options;
  std::unique_ptr<Semaphore[]> semaphores;
  uint32_t epoch = 0;

  /// What each rank gave in the present run.
  std::vector<void *> given;

  std::atomic<uint64_t> ticket{0};
  /// Counts posts and finished tiles. A wait gives up if this number does not
  /// change.
  std::atomic<uint64_t> progress{0};
  std::atomic<bool> failed{false};
  std::mutex failureMutex;
  Status failure;
};

} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_CPU_TILERUNNER_H
