//===- Runner.cpp - Running a plan as grout-run does ----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Runner.h"
#include "CpuRunner.h"
#include "CudaRunner.h"

#include <algorithm>

using namespace grout;
using namespace grout::run;

Status Runner::create(const OwnedModule &module,
                      const grout_session_config &config,
                      const std::vector<HostTensor> &inputs,
                      std::unique_ptr<Runner> &runner) {
  grout_device device;
  GROUT_RETURN_IF_ERROR(module.findDevice(config.plan, device));
  return device == GROUT_DEVICE_CUDA
             ? CudaRunner::create(module, config, inputs, runner)
             : CpuRunner::create(module, config, inputs, runner);
}

Status run::checkGuard(const std::string &name, const uint8_t *data,
                       uint64_t bytes) {
  for (uint64_t i = bytes, end = guardedBytes(bytes); i != end; ++i)
    if (data[i] != runtime::kPoisonByte)
      return Status::error(GROUT_ERROR_INTERNAL,
                           "the compiled code wrote beyond output '", name,
                           "', at byte ", i, " of a buffer of ", bytes);
  return Status::ok();
}

Timing run::summariseTimes(std::vector<double> microseconds, std::string what) {
  std::sort(microseconds.begin(), microseconds.end());
  Timing timing;
  size_t middle = microseconds.size() / 2;
  timing.median = microseconds.size() % 2
                      ? microseconds[middle]
                      : (microseconds[middle - 1] + microseconds[middle]) / 2;
  timing.min = microseconds.front();
  timing.max = microseconds.back();
  timing.what = std::move(what);
  return timing;
}
