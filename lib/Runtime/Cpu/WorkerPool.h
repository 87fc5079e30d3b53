//===- WorkerPool.h - Threads that stand for resident tiles -----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_RUNTIME_CPU_WORKERPOOL_H
#define GROUT_LIB_RUNTIME_CPU_WORKERPOOL_H

#include "grout/RuntimeSupport/Status.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace grout {
namespace runtime {

/// A fixed number of threads, all of which do each job together.
class WorkerPool {
public:
  WorkerPool() = default;
  ~WorkerPool();

  Status start(unsigned count);
  unsigned size() const { return static_cast<unsigned>(threads.size()); }

  /// Calls `job(worker)` once on each worker, and returns when all have
  /// returned. One caller at a time.
  void run(const std::function<void(unsigned)> &job);

private:
  void work(unsigned worker);

  std::vector<std::thread> threads;
  std::mutex mutex;
  std::condition_variable jobReady, jobDone;
  const std::function<void(unsigned)> *currentJob = nullptr;
  uint64_t jobNumber = 0;
  unsigned unfinished = 0;
  bool stopping = false;
};

} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_CPU_WORKERPOOL_H
