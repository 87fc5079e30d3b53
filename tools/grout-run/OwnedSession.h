//===- OwnedSession.h - A plan made ready on a device -----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_OWNEDSESSION_H
#define GROUT_TOOLS_GROUT_RUN_OWNEDSESSION_H

#include "OwnedModule.h"

namespace grout {
namespace run {

/// The records of a session, whose strings belong to the session.
struct SessionTrace {
  std::vector<grout_trace_record> records;
  uint64_t lost = 0;
};

/// Owns a session of the runtime, and destroys it.
class OwnedSession {
public:
  Status create(const OwnedModule &module, const grout_session_config &config);
  void reset() { session.reset(); }

  Status run(const void *const *inputs, void *const *outputs, void *stream) {
    return toStatus(grout_session_run(session.get(), inputs, outputs, stream));
  }
  Status check() { return toStatus(grout_session_check(session.get())); }
  Status skipEpochs(uint32_t epochs) {
    return toStatus(grout_session_skip_epochs(session.get(), epochs));
  }
  /// Returns the records since the last call.
  Status readTrace(SessionTrace &trace);
  /// Prints the progress of each launch of the session.
  Status describeState(std::ostream &out) const;

private:
  struct Destroy {
    void operator()(grout_session *owned) const {
      grout_session_destroy(owned);
    }
  };
  std::unique_ptr<grout_session, Destroy> session;
};

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_OWNEDSESSION_H
