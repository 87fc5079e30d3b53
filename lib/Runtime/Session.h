//===- Session.h - A plan made ready on a device ----------------*- C++ -*-===//
//
// Part of Grout. The base class of sessions on all devices.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_RUNTIME_SESSION_H
#define GROUT_LIB_RUNTIME_SESSION_H

#include "CallerBuffers.h"
#include "LoadedModule.h"
#include "SymmetricMemory.h"
#include "grout/RuntimeSupport/Status.h"

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace grout {
namespace runtime {

/// The records of a session's runs; see grout_session_read_trace.
struct Trace {
  std::vector<grout_trace_record> records;
  uint64_t lost = 0;
};

class Session {
public:
  /// Creates a session on the device of the plan.
  static Status create(std::shared_ptr<const LoadedModule> module,
                       const grout_session_config &config,
                       std::unique_ptr<Session> &session);
  virtual ~Session() = default;

  /// Checks the caller's buffers, and runs the plan on them.
  Status run(const void *const *inputs, void *const *outputs,
             const std::optional<CallerWorkspace> &workspace, void *stream);

  /// See grout_session_check.
  Status check();

  /// See grout_session_skip_epochs.
  Status skipEpochs(uint32_t epochs);

  /// See grout_session_read_trace. `read` is valid until the next call.
  Status readTrace(const Trace *&read);

  /// Calls `writeLine` for each line that grout_session_describe_state writes.
  /// This function takes no lock, because a run that hangs in the driver may
  /// hold the lock. So it reads only data that no run changes.
  virtual void describeState(
      const std::function<void(const std::string &)> &writeLine) const {}

protected:
  Session(std::shared_ptr<const LoadedModule> module,
          const artifact::Plan &plan, const grout_session_config &config,
          SymmetricMemory symmetric);

  /// Refuses a stream that the device cannot run on.
  virtual Status checkStream(void *stream) const = 0;
  /// Returns the bytes of intermediates that the session allocates itself.
  uint64_t getOwnWorkspace() const {
    return hasCallerWorkspace ? 0 : plan.workspace();
  }
  /// Calls `fill` with the address and the bytes of the workspace, whose
  /// address is `workspace`, and then of each intermediate that is in an
  /// output.
  Status fillIntermediates(
      const BoundBuffers &buffers, uintptr_t workspace,
      const std::function<Status(uintptr_t, uint64_t)> &fill) const;
  /// Runs the plan on checked buffers. Its intermediates are at `workspace`, or
  /// in the session's own memory if `workspace` is null.
  virtual Status runPlan(const BoundBuffers &buffers, void *workspace,
                         void *stream) = 0;
  virtual Status advanceSyncState(uint32_t epochs) = 0;
  /// Moves the records of all runs since the last call to `trace`, which is
  /// empty.
  virtual Status takeTrace(Trace &trace) = 0;
  /// Finds waits that gave up in runs that returned no error.
  virtual Status checkWaits() const { return Status::ok(); }

  std::shared_ptr<const LoadedModule> module;
  const artifact::Plan &plan;
  const bool hasCallerWorkspace;
  const bool isTraced;
  SymmetricMemory symmetric;

private:
  CallerBuffers callerBuffers;
  BoundBuffers bound;
  std::mutex mutex;
  uint64_t runs = 0;
  bool skipped = false;
  Trace trace;
  /// Whether a run failed after it had begun. The semaphores then have unknown
  /// values.
  bool broken = false;
};

} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_SESSION_H
