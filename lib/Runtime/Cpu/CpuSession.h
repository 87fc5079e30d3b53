//===- CpuSession.h - A plan on worker threads ------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_RUNTIME_CPU_CPUSESSION_H
#define GROUT_LIB_RUNTIME_CPU_CPUSESSION_H

#include "../Session.h"
#include "SharedObject.h"
#include "TileRunner.h"
#include "WorkerPool.h"
#include "grout/RuntimeSupport/AlignedBytes.h"

#include <map>
#include <memory>
#include <vector>

namespace grout {
namespace runtime {

/// A session on worker threads. Launches run one after another, in the order of
/// the plan, which keeps edges of every kind.
class CpuSession : public Session {
public:
  static Status create(std::shared_ptr<const LoadedModule> module,
                       const artifact::Plan &plan,
                       const grout_session_config &config,
                       SymmetricMemory symmetric,
                       std::unique_ptr<Session> &session);

protected:
  Status checkStream(void *stream) const override;
  Status runPlan(const BoundBuffers &buffers, void *workspace,
                 void *stream) override;
  Status advanceSyncState(uint32_t epochs) override;
  Status takeTrace(Trace &trace) override;

private:
  using Session::Session;

  struct LaunchState {
    std::unique_ptr<TileRunner> runner;
    std::vector<void *> arguments;
  };

  Status prepare(const grout_session_config &config);
  Status allocateBuffers();
  Status loadObject(uint32_t moduleIndex);
  Status prepareLaunch(const artifact::Launch &launch,
                       const grout_session_config &config);
  void resolveArguments(const artifact::Launch &launch,
                        const BoundBuffers &buffers, uintptr_t intermediates,
                        std::vector<void *> &arguments) const;

  bool poison = false;
  AlignedBytes workspace;
  std::vector<AlignedBytes> constants;      // for each buffer; most are empty
  std::map<uint32_t, SharedObject> objects; // by module
  std::vector<LaunchState> launches;
  /// Null unless the session is traced.
  std::unique_ptr<TraceLog> log;
  /// The last member, so that the threads end before the data that they use.
  WorkerPool pool;
};

} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_CPU_CPUSESSION_H
