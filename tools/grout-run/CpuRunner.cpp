//===- CpuRunner.cpp - Running a plan on worker threads -------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "CpuRunner.h"
#include "Progress.h"

#include <algorithm>
#include <chrono>
#include <cstring>

using namespace grout;
using namespace grout::run;
using runtime::AlignedBytes;

Status CpuRunner::create(const OwnedModule &module,
                         const grout_session_config &config,
                         const std::vector<HostTensor> &inputs,
                         std::unique_ptr<Runner> &runner) {
  std::unique_ptr<CpuRunner> created(new CpuRunner());
  GROUT_RETURN_IF_ERROR(
      module.describeOutputs(config.plan, created->outputSpecs));
  created->inputs = &inputs;
  for (const HostTensor &input : inputs)
    created->inputPointers.push_back(input.data.data());
  for (const TensorSpec &output : created->outputSpecs) {
    AlignedBytes bytes;
    GROUT_RETURN_IF_ERROR(bytes.allocate(guardedBytes(output.bytes),
                                         "output '" + output.name + "'"));
    created->outputPointers.push_back(bytes.data());
    if (output.inPlaceOf >= 0)
      created->inputPointers[output.inPlaceOf] = bytes.data();
    created->outputBytes.push_back(std::move(bytes));
  }
  created->poisonOutputs();
  created->resetInPlace();
  GROUT_RETURN_IF_ERROR(created->session.create(module, config));
  runner = std::move(created);
  return Status::ok();
}

void CpuRunner::poisonOutputs() {
  for (AlignedBytes &bytes : outputBytes)
    std::memset(bytes.data(), runtime::kPoisonByte, bytes.size());
}

void CpuRunner::resetInPlace() {
  for (size_t i = 0; i != outputSpecs.size(); ++i)
    if (int64_t input = outputSpecs[i].inPlaceOf; input >= 0)
      std::memcpy(outputBytes[i].data(), (*inputs)[input].data.data(),
                  outputSpecs[i].bytes);
}

Status CpuRunner::run() {
  return session.run(inputPointers.data(), outputPointers.data(),
                     /*stream=*/nullptr);
}

Status CpuRunner::runOnce(bool poison) {
  if (poison)
    poisonOutputs();
  resetInPlace();
  return run();
}

Status CpuRunner::runRepeatedly(const RepeatOptions &options,
                                RepeatResult &result) {
  GROUT_RETURN_IF_ERROR(runOnce(options.poison));
  if (options.skipEpochs)
    GROUT_RETURN_IF_ERROR(session.skipEpochs(options.skipEpochs));
  std::vector<AlignedBytes> first(outputBytes.size());
  if (options.repeat > 1)
    for (size_t i = 0; i != first.size(); ++i) {
      GROUT_RETURN_IF_ERROR(
          first[i].allocate(outputBytes[i].size(), "the first run's outputs"));
      std::memcpy(first[i].data(), outputBytes[i].data(), first[i].size());
    }
  Progress progress("run", options.repeat, options.showProgress);
  for (uint64_t run = 1; run < options.repeat; ++run) {
    progress.update(run);
    GROUT_RETURN_IF_ERROR(runOnce(options.poison));
    ++result.compared;
    for (size_t i = 0; i != first.size() && result.difference.empty(); ++i)
      if (std::memcmp(first[i].data(), outputBytes[i].data(),
                      first[i].size()) != 0)
        result.difference = "run " + std::to_string(run + 1) + " of output '" +
                            outputSpecs[i].name +
                            "' differs from the first run";
  }
  return Status::ok();
}

Status CpuRunner::fetchOutputs(std::vector<HostTensor> &outputs) {
  for (size_t i = 0; i != outputSpecs.size(); ++i) {
    HostTensor output;
    GROUT_RETURN_IF_ERROR(
        output.allocate(outputSpecs[i].name, outputSpecs[i].type));
    GROUT_RETURN_IF_ERROR(
        checkGuard(output.name, outputBytes[i].data(), output.data.size()));
    std::memcpy(output.data.data(), outputBytes[i].data(), output.data.size());
    outputs.push_back(std::move(output));
  }
  return Status::ok();
}

Status CpuRunner::chooseMeasuredRuns(uint64_t &runs) {
  constexpr uint64_t kFewestRuns = 5, kMostRuns = 1000;
  constexpr double kMicroseconds = 2e6;
  Timing first;
  GROUT_RETURN_IF_ERROR(measure(/*runs=*/2, first));
  double fit = kMicroseconds / std::max(first.min, 1.0);
  runs = std::clamp(static_cast<uint64_t>(fit), kFewestRuns, kMostRuns);
  return Status::ok();
}

Status CpuRunner::measure(uint64_t runs, Timing &timing) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> times;
  for (uint64_t i = 0; i != runs; ++i) {
    auto before = Clock::now();
    GROUT_RETURN_IF_ERROR(run());
    std::chrono::duration<double, std::micro> elapsed = Clock::now() - before;
    times.push_back(elapsed.count());
  }
  timing = summariseTimes(std::move(times), std::to_string(runs) + " runs");
  return Status::ok();
}

Status CpuRunner::runTraced(SessionTrace &trace) {
  GROUT_RETURN_IF_ERROR(run());
  GROUT_RETURN_IF_ERROR(session.readTrace(trace));
  GROUT_RETURN_IF_ERROR(run());
  return session.readTrace(trace);
}
