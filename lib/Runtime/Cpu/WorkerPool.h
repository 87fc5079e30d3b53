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
#include <memory>
#include <mutex>
#include <sys/types.h>
#include <thread>
#include <vector>

namespace grout {
namespace runtime {

/// A fixed number of threads, which do each job together.
class WorkerPool {
public:
  ~WorkerPool();

  Status start(unsigned workers);
  /// Starts as many threads again if this process was forked since the start:
  /// the threads do not exist in the new process.
  Status startIfForked();
  unsigned size() const { return count; }

  /// Calls `job(worker)` once on each worker, and returns when all have
  /// returned. Only one thread at a time may call this.
  void run(const std::function<void(unsigned)> &job);

private:
  /// The threads, and the data that they share with the caller.
  struct Crew {
    std::vector<std::thread> threads;
    std::mutex mutex;
    std::condition_variable jobReady, jobDone;
    const std::function<void(unsigned)> *currentJob = nullptr;
    uint64_t jobNumber = 0;
    unsigned unfinished = 0;
    bool stopping = false;

    void work(unsigned worker);
    void stop();
  };

  unsigned count = 0;
  /// Drops the crew of the parent process, without ending its threads or using
  /// its locks.
  void abandon();

  std::unique_ptr<Crew> crew;
  /// The process that started the threads.
  pid_t process = 0;
};

} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_CPU_WORKERPOOL_H
