//===- RankRunners.cpp - Running all ranks of a plan ----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "RankRunners.h"

#include <algorithm>
#include <mutex>
#include <thread>

using namespace grout;
using namespace grout::run;

std::string run::nameOnRank(const std::string &name, size_t rank,
                            size_t ranks) {
  return ranks == 1 ? name : name + " of rank " + std::to_string(rank);
}

Status RankRunners::create(const OwnedModule &module,
                           const grout_session_config &config,
                           const RankTensors &inputs) {
  GROUT_RETURN_IF_ERROR(
      RankMemory::create(module, config.plan, config.cuda_ordinal, memory));
  if (memory->numRanks() != inputs.size())
    return Status::error(GROUT_ERROR_INVALID_ARTIFACT, "one plan has ",
                         memory->numRanks(), " ranks, and the other ",
                         inputs.size());
  for (uint32_t rank = 0; rank != memory->numRanks(); ++rank) {
    grout_session_config ofRank = config;
    memory->configure(rank, ofRank);
    // Ranks are delayed differently.
    if (config.delay_seed)
      ofRank.delay_seed = config.delay_seed + rank;
    runners.emplace_back();
    GROUT_RETURN_IF_ERROR(
        Runner::create(module, ofRank, inputs[rank], runners.back()));
  }
  return Status::ok();
}

Status RankRunners::forEachRank(const Work &work) {
  if (runners.size() == 1)
    return work(0, *runners.front());
  std::mutex mutex;
  Status first = Status::ok();
  auto runRank = [&](uint32_t rank) {
    Status status = Status::ok();
    try {
      status = work(rank, *runners[rank]);
    } catch (const std::exception &error) {
      status = Status::error(GROUT_ERROR_INTERNAL, error.what());
    }
    std::lock_guard<std::mutex> lock(mutex);
    if (status.isError() && !first.isError())
      first = std::move(status).in("rank " + std::to_string(rank));
  };
  std::vector<std::thread> threads;
  for (uint32_t rank = 0; rank != runners.size(); ++rank)
    threads.emplace_back(runRank, rank);
  for (std::thread &thread : threads)
    thread.join();
  return first;
}

Status RankRunners::runRepeatedly(const RepeatOptions &options,
                                  RepeatResult &result) {
  std::vector<RepeatResult> results(runners.size());
  GROUT_RETURN_IF_ERROR(forEachRank([&](uint32_t rank, Runner &runner) {
    RepeatOptions ofRank = options;
    ofRank.showProgress = rank == 0;
    return runner.runRepeatedly(ofRank, results[rank]);
  }));
  result.compared = results.front().compared;
  for (size_t rank = 0; rank != results.size(); ++rank)
    if (result.difference.empty() && !results[rank].difference.empty())
      result.difference =
          (results.size() > 1 ? "rank " + std::to_string(rank) + ": " : "") +
          results[rank].difference;
  return Status::ok();
}

Status RankRunners::fetchOutputs(RankTensors &outputs) {
  outputs.resize(runners.size());
  for (size_t rank = 0; rank != runners.size(); ++rank)
    GROUT_RETURN_IF_ERROR(runners[rank]->fetchOutputs(outputs[rank]));
  return Status::ok();
}

Status RankRunners::measure(Timing &timing) {
  std::vector<uint64_t> runs(runners.size());
  GROUT_RETURN_IF_ERROR(forEachRank([&](uint32_t rank, Runner &runner) {
    return runner.chooseMeasuredRuns(runs[rank]);
  }));
  // All ranks must run equally often.
  uint64_t fewest = *std::min_element(runs.begin(), runs.end());
  std::vector<Timing> timings(runners.size());
  GROUT_RETURN_IF_ERROR(forEachRank([&](uint32_t rank, Runner &runner) {
    return runner.measure(fewest, timings[rank]);
  }));
  timing = *std::max_element(
      timings.begin(), timings.end(),
      [](const Timing &a, const Timing &b) { return a.median < b.median; });
  if (timings.size() > 1)
    timing.what += ", the slowest rank";
  return Status::ok();
}

Status RankRunners::runTraced(std::vector<SessionTrace> &traces) {
  traces.resize(runners.size());
  return forEachRank([&](uint32_t rank, Runner &runner) {
    return runner.runTraced(traces[rank]);
  });
}
