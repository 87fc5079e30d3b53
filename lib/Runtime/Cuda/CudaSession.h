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
#include "CudaTrace.h"
#include "StreamPlan.h"
#include "grout/RuntimeSupport/Cuda/DeviceArena.h"
#include "grout/RuntimeSupport/Cuda/StreamObjects.h"

#include <deque>
#include <map>
#include <memory>
#include <vector>

namespace grout {
namespace runtime {

/// A session on a GPU. Each branch of the plan has a stream, into which its
/// launches go in the order of the plan. Branch 0 is the caller's stream. The
/// other streams fork from it and join it, so that a stream capture has all of
/// them.
class CudaSession : public Session {
public:
  static Status create(std::shared_ptr<const LoadedModule> module,
                       const artifact::Plan &plan,
                       const grout_session_config &config,
                       SymmetricMemory symmetric,
                       std::unique_ptr<Session> &session);
  ~CudaSession() override;

  void describeState(
      const std::function<void(const std::string &)> &writeLine) const override;

protected:
  Status checkStream(void *stream) const override;
  Status runPlan(const BoundBuffers &buffers, void *workspace,
                 void *stream) override;
  Status advanceSyncState(uint32_t epochs) override;
  Status takeTrace(Trace &trace) override;
  Status checkWaits() const override;

private:
  CudaSession(std::shared_ptr<const LoadedModule> module,
              const artifact::Plan &plan, const grout_session_config &config,
              SymmetricMemory symmetric, const cuda::DriverFunctions &driver)
      : Session(std::move(module), plan, config, std::move(symmetric)),
        driver(driver) {}

  Status prepare(const grout_session_config &config);
  Status allocateBuffers();
  void placeIntermediates(cuda::DevicePtr at);
  /// Reads a launch's synchronisation state, even while the GPU is stuck in the
  /// launch.
  Status readSyncState(uint32_t launch, std::vector<uint32_t> &words) const;
  /// Reads the first `words.size()` words of a launch's synchronisation state.
  Status readWords(uint32_t launch, std::vector<uint32_t> &words) const;
  Status loadImage(uint32_t moduleIndex);
  Status prepareStreams();
  Status prepareLaunches();
  Status prepareTrace();
  Status enqueueLaunches(cuda::Stream caller);

  const cuda::DriverFunctions &driver;
  cuda::DeviceInfo device;
  cuda::PrimaryContext context;
  bool poison = false;

  std::unique_ptr<cuda::DeviceArena> arena;
  /// The address of the session's own workspace.
  cuda::DevicePtr workspace = 0;
  /// The address of each buffer. Every run changes the addresses of inputs and
  /// outputs, and a run with the caller's workspace those of intermediates.
  std::vector<cuda::DevicePtr> buffers;
  std::vector<cuda::CudaLaunch::Addresses> launchAddresses;
  std::map<uint32_t, cuda::CodeImage> images; // by module
  std::vector<std::unique_ptr<cuda::CudaLaunch>> launches;
  cuda::StreamPlan streamPlan;
  /// The streams of all branches except branch 0.
  std::vector<std::unique_ptr<cuda::OwnedStream>> branchStreams;
  /// Marks the end of the work before the plan in the caller's stream, if there
  /// are branches.
  cuda::OwnedEvent start;
  /// The events of a launch that other streams wait for.
  struct LaunchEvents {
    cuda::OwnedEvent end, trigger;
  };
  std::deque<LaunchEvents> events;
  /// Null unless the session is traced.
  std::unique_ptr<cuda::CudaTrace> tracer;
};

} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_CUDA_CUDASESSION_H
