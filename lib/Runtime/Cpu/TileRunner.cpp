//===- TileRunner.cpp - Running a launch's tiles on worker threads --------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TileRunner.h"
#include "Backoff.h"
#include "grout/Runtime/DeviceABI.h"

#include <cstring>
#include <thread>

using namespace grout;
using namespace grout::artifact;
using namespace grout::runtime;

/// The context of a tile body: the C struct, and the data that its callbacks
/// need.
class TileRunner::Worker : public grout_tile_context {
public:
  Worker(TileRunner &runner, unsigned number, void *const *arguments)
      : runner(runner), number(number) {
    buffers = arguments;
    wait = [](const grout_tile_context *context, uint32_t semaphore,
              uint32_t count) {
      const auto &self = static_cast<const Worker &>(*context);
      uint64_t start = self.runner.getTraceTime();
      self.runner.wait(self, semaphore, count);
      self.runner.record(self, GROUT_TRACE_WAIT, start);
    };
    post = [](const grout_tile_context *context, uint32_t semaphore) {
      const auto &self = static_cast<const Worker &>(*context);
      self.runner.post(self, semaphore);
    };
    exchange = [](const grout_tile_context *context, const void *data,
                  uint64_t bytes) {
      const auto &self = static_cast<const Worker &>(*context);
      return self.runner.exchange(self, data, bytes);
    };
    rank = runner.options.rank;
  }

  TileRunner &runner;
  unsigned number;
  uint32_t task = 0;
};

TileRunner::TileRunner(const Launch &launch,
                       std::vector<grout_tile_body> bodies,
                       const Options &options)
    : launch(launch), tasks(launch), bodies(std::move(bodies)),
      options(options), semaphores(new Semaphore[launch.semaphores()]) {}

std::string TileRunner::describe(uint32_t index) const {
  Task task = tasks.at(index);
  return "launch '" + launch.name()->str() + "', task " +
         std::to_string(index) + " (body " + std::to_string(task.body()) +
         " '" + launch.entries()->Get(task.body())->str() + "', tile " +
         std::to_string(task.x()) + ", " + std::to_string(task.y()) + ", " +
         std::to_string(task.z()) + ")";
}

void TileRunner::fail(Status status) {
  std::lock_guard<std::mutex> lock(failureMutex);
  if (!failure.isError())
    failure = std::move(status);
  failed.store(true, std::memory_order_relaxed);
}

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

void TileRunner::delay(uint32_t task, uint32_t salt) const {
  if (options.delaySeed == 0)
    return;
  uint64_t hash = mix(options.delaySeed + mix(epoch + 1));
  hash = mix(hash + mix((uint64_t(task) << 32) + salt));
  // At a quarter of the places, sleep for up to half a millisecond.
  if (hash % 4 == 0)
    std::this_thread::sleep_for(std::chrono::microseconds(hash / 4 % 512));
}

/// Notes that a tile waits for `count` posts. Fails if another wait asked for
/// another count: by the ABI, a launch posts a semaphore exactly as often as
/// each wait asks, so two different counts show a wrong policy.
bool TileRunner::noteAwaited(const Worker &worker, uint32_t semaphore,
                             uint32_t count) {
  uint32_t known = 0;
  if (semaphores[semaphore].awaited.compare_exchange_strong(
          known, count, std::memory_order_relaxed) ||
      known == count)
    return true;
  fail(Status::error(GROUT_ERROR_SYNCHRONISATION, describe(worker.task),
                     " waits for ", count, " posts of semaphore ", semaphore,
                     ", but another wait asked for ", known));
  return false;
}

void TileRunner::wait(const Worker &worker, uint32_t semaphore,
                      uint32_t count) {
  if (semaphore >= launch.semaphores())
    return fail(Status::error(GROUT_ERROR_SYNCHRONISATION,
                              describe(worker.task), " waits for semaphore ",
                              semaphore, " of ", launch.semaphores()));
  if (count == 0 || !noteAwaited(worker, semaphore, count))
    return;

  uint32_t target = kernelabi::getTarget(epoch, count);
  std::atomic<uint32_t> &counter = semaphores[semaphore].counter;
  Backoff backoff;
  uint64_t lastProgress = progress.load(std::memory_order_relaxed);
  auto lastChange = std::chrono::steady_clock::now();
  while (true) {
    uint32_t seen = counter.load(std::memory_order_acquire);
    // A body cannot be unwound. So after a failure all waits end at once, and
    // the other bodies compute results that nobody uses.
    if (kernelabi::isReached(seen, target) ||
        failed.load(std::memory_order_relaxed))
      return;
    if (!backoff.pause() || options.timeoutSeconds == 0)
      continue;
    auto now = std::chrono::steady_clock::now();
    uint64_t currentProgress = progress.load(std::memory_order_relaxed);
    if (currentProgress != lastProgress) {
      lastProgress = currentProgress;
      lastChange = now;
      continue;
    }
    std::chrono::duration<double> still = now - lastChange;
    if (still.count() < options.timeoutSeconds)
      continue;
    return fail(Status::error(
        GROUT_ERROR_TIMEOUT, describe(worker.task), " waits for semaphore ",
        semaphore, ": it expects ", target, " (", count, " posts in epoch ",
        epoch, ") and sees ", seen, "; nothing has moved for ",
        options.timeoutSeconds, " seconds"));
  }
}

void TileRunner::post(const Worker &worker, uint32_t semaphore) {
  if (semaphore >= launch.semaphores())
    return fail(Status::error(GROUT_ERROR_SYNCHRONISATION,
                              describe(worker.task), " posts semaphore ",
                              semaphore, " of ", launch.semaphores()));
  delay(worker.task, semaphore + 1);
  semaphores[semaphore].counter.fetch_add(1, std::memory_order_release);
  progress.fetch_add(1, std::memory_order_relaxed);
}

/// Returns the counter, in the memory at `peer`, of the runs for which rank
/// `from` has given its data.
static uint32_t *getGivenRuns(uintptr_t peer, uint32_t from) {
  return reinterpret_cast<uint32_t *>(peer) + kernelabi::kFirstSemaphoreWord +
         size_t(kernelabi::kWordsPerSemaphore) * from;
}

/// Waits until rank `rank` has given its data. Returns whether it has.
bool TileRunner::waitForRank(const Worker &worker, uint32_t rank) {
  const uint32_t *runs = getGivenRuns(options.peers[options.rank], rank);
  uint32_t target = kernelabi::getTarget(epoch, 1);
  Backoff backoff;
  auto start = std::chrono::steady_clock::now();
  while (
      !kernelabi::isReached(__atomic_load_n(runs, __ATOMIC_ACQUIRE), target)) {
    if (failed.load(std::memory_order_relaxed))
      return false;
    if (!backoff.pause() || options.timeoutSeconds == 0)
      continue;
    std::chrono::duration<double> waited =
        std::chrono::steady_clock::now() - start;
    if (waited.count() < options.timeoutSeconds)
      continue;
    fail(Status::error(GROUT_ERROR_TIMEOUT, describe(worker.task), " of rank ",
                       options.rank, " waits for rank ", rank,
                       ", which has not come for ", options.timeoutSeconds,
                       " seconds"));
    return false;
  }
  return true;
}

void *const *TileRunner::exchange(const Worker &worker, const void *data,
                                  uint64_t bytes) {
  // The memory of each rank has two places, which runs use in turn. When a rank
  // writes to a place for the second time, it has waited for all ranks in the
  // run between, so all have read what was there.
  const std::vector<uintptr_t> &peers = options.peers;
  uint64_t first = kernelabi::getExchangeHeaderBytes(peers.size());
  uint64_t place = first + epoch % 2 * kernelabi::getExchangeBytes(bytes);
  given.assign(kernelabi::kMaxRanks, const_cast<void *>(data));
  if (peers.empty() || first + 2 * kernelabi::getExchangeBytes(bytes) >
                           launch.exchange()->bytes()) {
    fail(Status::error(GROUT_ERROR_SYNCHRONISATION, describe(worker.task),
                       " exchanges ", bytes,
                       " bytes, for which its launch has no place"));
    return given.data();
  }
  auto getPlace = [&](uint32_t rank) {
    return reinterpret_cast<void *>(peers[rank] + place);
  };
  std::memcpy(getPlace(options.rank), data, bytes);
  delay(worker.task, 0);
  for (uintptr_t peer : peers)
    __atomic_fetch_add(getGivenRuns(peer, options.rank), 1, __ATOMIC_RELEASE);
  for (uint32_t rank = 0; rank != peers.size(); ++rank)
    if (waitForRank(worker, rank))
      given[rank] = getPlace(rank);
  return given.data();
}

void TileRunner::record(const Worker &worker, grout_trace_role role,
                        uint64_t start) const {
  if (!options.trace)
    return;
  Task task = tasks.at(worker.task);
  grout_trace_record record = {};
  record.launch = launch.name()->c_str();
  record.name = launch.entries()->Get(task.body())->c_str();
  record.role = role;
  record.body = task.body();
  record.x = task.x();
  record.y = task.y();
  record.z = task.z();
  record.start = start;
  record.end = TraceLog::now();
  options.trace->add(worker.number, record);
}

void TileRunner::runTasks(unsigned number, void *const *arguments) {
  Worker worker(*this, number, arguments);
  uint64_t count = tasks.size();
  while (!failed.load(std::memory_order_relaxed)) {
    // Relaxed: a ticket orders the tasks, but must not order memory. Otherwise
    // tests could not find a missing wait.
    uint64_t claimed = ticket.fetch_add(1, std::memory_order_relaxed);
    if (claimed >= count)
      return;
    worker.task = static_cast<uint32_t>(claimed);
    delay(worker.task, 0);
    Task task = tasks.at(worker.task);
    uint64_t start = getTraceTime();
    bodies[task.body()](&worker, task.x(), task.y(), task.z());
    record(worker, GROUT_TRACE_TILE, start);
    progress.fetch_add(1, std::memory_order_relaxed);
  }
}

/// Checks that the posts of this run are as many as the waits ask for.
/// Otherwise the next run would fail, where the cause is hard to see.
Status TileRunner::checkCounters() const {
  for (uint32_t i = 0; i != launch.semaphores(); ++i) {
    uint32_t awaited = semaphores[i].awaited.load(std::memory_order_relaxed);
    if (awaited == 0)
      continue;
    uint32_t before = epoch * awaited;
    uint32_t counter = semaphores[i].counter.load(std::memory_order_relaxed);
    if (counter - before != awaited)
      return Status::error(GROUT_ERROR_SYNCHRONISATION, "launch '",
                           launch.name()->str(), "' posted semaphore ", i, " ",
                           counter - before, " times, but tiles wait for ",
                           awaited);
  }
  return Status::ok();
}

Status TileRunner::run(WorkerPool &pool, void *const *arguments) {
  ticket.store(0, std::memory_order_relaxed);
  pool.run([&](unsigned worker) { runTasks(worker, arguments); });
  if (failure.isError())
    return failure;
  GROUT_RETURN_IF_ERROR(checkCounters());
  ++epoch;
  return Status::ok();
}

void TileRunner::skipEpochs(uint32_t epochs) {
  // After one run, each counter is the number of posts of one run.
  for (uint32_t i = 0; i != launch.semaphores(); ++i) {
    uint32_t once = semaphores[i].counter.load(std::memory_order_relaxed);
    semaphores[i].counter.store(once + epochs * once,
                                std::memory_order_relaxed);
  }
  epoch += epochs;
}
