//===- WorkerPool.cpp - Threads that stand for resident tiles -------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "WorkerPool.h"

#include <system_error>

using namespace grout;
using namespace grout::runtime;

WorkerPool::~WorkerPool() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  jobReady.notify_all();
  for (std::thread &thread : threads)
    thread.join();
}

Status WorkerPool::start(unsigned count) {
  threads.reserve(count);
  try {
    while (threads.size() != count) {
      unsigned worker = size();
      threads.emplace_back([this, worker] { work(worker); });
    }
  } catch (const std::system_error &error) {
    return Status::error(GROUT_ERROR_OUT_OF_MEMORY, "cannot start worker ",
                         threads.size() + 1, " of ", count,
                         ", for want of memory or of threads: ", error.what());
  }
  return Status::ok();
}

void WorkerPool::run(const std::function<void(unsigned)> &job) {
  std::unique_lock<std::mutex> lock(mutex);
  currentJob = &job;
  unfinished = size();
  ++jobNumber;
  jobReady.notify_all();
  jobDone.wait(lock, [this] { return unfinished == 0; });
}

void WorkerPool::work(unsigned worker) {
  uint64_t done = 0;
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    jobReady.wait(lock, [&] { return stopping || jobNumber != done; });
    if (stopping)
      return;
    done = jobNumber;
    const std::function<void(unsigned)> &job = *currentJob;
    lock.unlock();
    job(worker);
    lock.lock();
    if (--unfinished == 0)
      jobDone.notify_one();
  }
}
