//===- WorkerPool.cpp - Threads that stand for resident tiles -------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "WorkerPool.h"

#include <system_error>
#include <unistd.h>

using namespace grout;
using namespace grout::runtime;

WorkerPool::~WorkerPool() {
  if (!crew)
    return;
  if (process == getpid())
    crew->stop();
  else
    // Neither its threads nor its locks can be told to end.
    (void)crew.release();
}

Status WorkerPool::start(unsigned count) {
  crew = std::make_unique<Crew>();
  process = getpid();
  std::vector<std::thread> &threads = crew->threads;
  threads.reserve(count);
  try {
    while (threads.size() != count)
      threads.emplace_back(&Crew::work, crew.get(), size());
  } catch (const std::system_error &error) {
    return Status::error(GROUT_ERROR_OUT_OF_MEMORY, "cannot start worker ",
                         threads.size() + 1, " of ", count,
                         ", for want of memory or of threads: ", error.what());
  }
  return Status::ok();
}

Status WorkerPool::startIfForked() {
  if (process == getpid())
    return Status::ok();
  return start(static_cast<unsigned>(crew.release()->threads.size()));
}

void WorkerPool::run(const std::function<void(unsigned)> &job) {
  std::unique_lock<std::mutex> lock(crew->mutex);
  crew->currentJob = &job;
  crew->unfinished = size();
  ++crew->jobNumber;
  crew->jobReady.notify_all();
  crew->jobDone.wait(lock, [this] { return crew->unfinished == 0; });
}

void WorkerPool::Crew::work(unsigned worker) {
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

void WorkerPool::Crew::stop() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  jobReady.notify_all();
  for (std::thread &thread : threads)
    thread.join();
}
