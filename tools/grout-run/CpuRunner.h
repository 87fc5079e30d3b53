//===- CpuRunner.h - Running a plan on worker threads -----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_CPURUNNER_H
#define GROUT_TOOLS_GROUT_RUN_CPURUNNER_H

#include "Runner.h"
#include "Session.h"

namespace grout {
namespace run {

class CpuRunner : public Runner {
public:
  static Status create(std::shared_ptr<const runtime::LoadedModule> module,
                       const grout_session_config &config,
                       const std::vector<HostTensor> &inputs,
                       std::unique_ptr<Runner> &runner);

  Status runRepeatedly(const RepeatOptions &options,
                       RepeatResult &result) override;
  Status fetchOutputs(std::vector<HostTensor> &outputs) override;
  Status measure(Timing &timing) override;

private:
  CpuRunner() = default;
  Status runOnce(bool poison);
  void poisonOutputs();

  std::unique_ptr<runtime::Session> session;
  /// Types only; `outputBytes` has the guarded buffers.
  std::vector<HostTensor> outputTypes;
  std::vector<runtime::AlignedBytes> outputBytes;
  /// The caller's inputs, which outlive the runner.
  std::vector<const void *> inputPointers;
  std::vector<void *> outputPointers;
};

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_CPURUNNER_H
