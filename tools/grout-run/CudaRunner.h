//===- CudaRunner.h - Running a plan on a GPU -------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_CUDARUNNER_H
#define GROUT_TOOLS_GROUT_RUN_CUDARUNNER_H

#include "CudaObjects.h"
#include "OwnedSession.h"
#include "Progress.h"
#include "Runner.h"
#include "grout/RuntimeSupport/Cuda/DeviceArena.h"
#include "grout/RuntimeSupport/Cuda/DriverModule.h"

namespace grout {
namespace run {

class CudaRunner : public Runner {
public:
  static Status create(const OwnedModule &module,
                       const grout_session_config &config,
                       const std::vector<HostTensor> &inputs,
                       std::unique_ptr<Runner> &runner);
  ~CudaRunner() override;

  Status runRepeatedly(const RepeatOptions &options,
                       RepeatResult &result) override;
  Status fetchOutputs(std::vector<HostTensor> &outputs) override;
  Status chooseMeasuredRuns(uint64_t &runs) override;
  Status measure(uint64_t runs, Timing &timing) override;
  Status runTraced(SessionTrace &trace) override;

private:
  /// Objects of the context. They must be destroyed while the context is
  /// current.
  struct Resources {
    runtime::cuda::OwnedStream stream;
    runtime::cuda::DeviceArena arena;
    runtime::cuda::DriverModule compareModule;
    runtime::cuda::Function compareKernel = nullptr;
    CapturedGraph graph;
    OwnedEvent before, after;
  };
  struct Output {
    TensorSpec spec;
    runtime::cuda::DevicePtr current = 0;
    runtime::cuda::DevicePtr first = 0;
    /// If the output replaces an input: the address of its initial value.
    /// Otherwise 0.
    runtime::cuda::DevicePtr start = 0;
  };

  CudaRunner(const grout_session_config &config, const DriverFunctions &driver)
      : config(config), driver(driver) {}

  Status prepare(const OwnedModule &module,
                 const std::vector<HostTensor> &inputs);
  Status createBuffers(const OwnedModule &module,
                       const std::vector<HostTensor> &inputs);
  /// Sets the outputs to their values before a run.
  Status enqueueReset(bool poison);
  Status enqueueRun();
  Status enqueueCompare(const Output &output);
  Status enqueueComparedRun(bool poison);
  Status keepFirst();
  Status replay(const RepeatOptions &options, uint64_t count);
  Status waitForStream(Progress *progress = nullptr, uint64_t done = 0);
  [[noreturn]] void giveUp() const;

  grout_session_config config;
  const DriverFunctions &driver;
  runtime::cuda::DeviceInfo device;
  runtime::cuda::PrimaryContext context;
  OwnedSession session;
  std::unique_ptr<Resources> resources;
  std::vector<const void *> inputPointers;
  std::vector<void *> outputPointers;
  std::vector<Output> outputs;
  runtime::cuda::DevicePtr differenceCounter = 0;
};

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_CUDARUNNER_H
