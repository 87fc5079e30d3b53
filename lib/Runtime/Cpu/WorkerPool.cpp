//===- WorkerPool.cpp - Threads that stand for resident tiles -------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "WorkerPool.h"

#include <exception>
#include <unistd.h>

using namespace grout;
using namespace grout::runtime;

WorkerPool::~WorkerPool() {
  if (!crew)
    return;
  if (process == getpid())
    crew->stop();
  else
    abandon();
}

void WorkerPool::abandon() { [[maybe_unused]] Crew *left = crew.release(); }

Status WorkerPool::start(unsigned workers) {
  count = workers;
  auto started = std::make_unique<Crew>();
  std::vector<std::thread> &threads = started->threads;
  try {
    threads.reserve(count);
    while (threads.size() != count)
      threads.emplace_back(&Crew::work, started.get(),
                           static_cast<unsigned>(threads.size()));
  } catch (const std::exception &error) {
    size_t worker = threads.size() + 1;
    started->stop();
    return Status::error(GROUT_ERROR_OUT_OF_MEMORY, "cannot start worker ",
                         worker, " of ", count,
                         ", for want of memory or of threads: ", error.what());
  }
  abandon();
  crew = std::move(started);
  process = getpid();
  return Status::ok();
}

Status WorkerPool::startIfForked() {
  return process == getpid() ? Status::ok() : start(count);
}

void WorkerPool::run(const std::function<void(unsigned)> &job) {
  std::unique_lock<std::mutex> lock(crew->mutex);
  crew->currentJob = &job;
  crew->unfinished = count;
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
