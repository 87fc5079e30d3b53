//===- CudaSession.h - A plan on a GPU --------------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_RUNTIME_CUDA_CUDASESSION_H
#define GROUT_LIB_RUNTIME_CUDA_CUDASESSION_H

#include "../Session.h"
#include "CodeImage.h"
#include "CudaLaunch.h"
#include "StreamPlan.h"
#include "grout/RuntimeSupport/Cuda/DeviceArena.h"
#include "grout/RuntimeSupport/Cuda/StreamObjects.h"

#include <deque>
#include <map>
#include <memory>
#include <vector>

namespace grout {
namespace runtime {

/// Launches go into a stream for each branch of the plan, in the order of the
/// plan. Branch 0 is the caller's stream, from which the others fork and to
/// which they join, so that a capture has all of them.
class CudaSession : public Session {
public:
  static Status create(std::shared_ptr<const LoadedModule> module,
                       const artifact::Plan &plan,
                       const grout_session_config &config,
                       std::unique_ptr<Session> &session);
  ~CudaSession() override;

  void describeState(
      const std::function<void(const std::string &)> &writeLine) const override;

protected:
  Status checkStream(void *stream) const override;
  Status runPlan(const BoundBuffers &buffers, void *workspace,
                 void *stream) override;
  Status advanceSyncState(uint32_t epochs) override;
  Status checkWaits() const override;

private:
  CudaSession(std::shared_ptr<const LoadedModule> module,
              const artifact::Plan &plan, const grout_session_config &config,
              const cuda::DriverFunctions &driver)
      : Session(std::move(module), plan, config), driver(driver) {}

  Status prepare(const grout_session_config &config);
  Status allocateBuffers();
  void placeIntermediates(cuda::DevicePtr at);
  /// Reads a launch's synchronisation state, even while the GPU is stuck in the
  /// launch.
  Status readSyncState(uint32_t launch, std::vector<uint32_t> &words) const;
  /// Reads the first words of a launch's synchronisation state.
  Status readWords(uint32_t launch, std::vector<uint32_t> &words) const;
  Status loadImage(uint32_t moduleIndex);
  Status prepareStreams();
  Status prepareLaunches();
  Status enqueueLaunches(cuda::Stream caller);

  const cuda::DriverFunctions &driver;
  cuda::DeviceInfo device;
  cuda::PrimaryContext context;
  bool poison = false;

  std::unique_ptr<cuda::DeviceArena> arena;
  /// The session's own.
  cuda::DevicePtr workspace = 0;
  /// Address of each buffer. Those of inputs and outputs change with each run,
  /// and those of intermediates with the workspace of a run.
  std::vector<cuda::DevicePtr> buffers;
  std::vector<cuda::CudaLaunch::Addresses> launchAddresses;
  std::map<uint32_t, cuda::CodeImage> images; // by module
  std::vector<std::unique_ptr<cuda::CudaLaunch>> launches;
  cuda::StreamPlan streamPlan;
  /// Of the branches but the first.
  std::vector<std::unique_ptr<cuda::OwnedStream>> branchStreams;
  /// What precedes the plan in the caller's stream, if there are branches.
  cuda::OwnedEvent start;
  /// Of each launch, those that another stream waits for.
  struct LaunchEvents {
    cuda::OwnedEvent end, trigger;
  };
  std::deque<LaunchEvents> events;
};

} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_CUDA_CUDASESSION_H
