//===- CpuRunner.h - Running a plan on worker threads -----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_CPURUNNER_H
#define GROUT_TOOLS_GROUT_RUN_CPURUNNER_H

#include "OwnedSession.h"
#include "Runner.h"

namespace grout {
namespace run {

class CpuRunner : public Runner {
public:
  static Status create(const OwnedModule &module,
                       const grout_session_config &config,
                       const std::vector<HostTensor> &inputs,
                       std::unique_ptr<Runner> &runner);

  Status runRepeatedly(const RepeatOptions &options,
                       RepeatResult &result) override;
  Status fetchOutputs(std::vector<HostTensor> &outputs) override;
  Status chooseMeasuredRuns(uint64_t &runs) override;
  Status measure(uint64_t runs, Timing &timing) override;
  Status runTraced(SessionTrace &trace) override;

private:
  CpuRunner() = default;
  /// Runs once, with the current contents of inputs and outputs.
  Status run();
  Status runOnce(bool poison);
  void poisonOutputs();
  /// Copies inputs to the outputs that replace them.
  void resetInPlace();

  OwnedSession session;
  std::vector<TensorSpec> outputSpecs;
  std::vector<runtime::AlignedBytes> outputBytes; // with a guard
  /// The caller's inputs, which outlive the runner, and the pointers for the
  /// session.
  const std::vector<HostTensor> *inputs = nullptr;
  std::vector<const void *> inputPointers;
  std::vector<void *> outputPointers;
};

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_CPURUNNER_H
