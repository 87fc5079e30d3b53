//===- OwnedSession.cpp - A plan made ready on a device -------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "OwnedSession.h"

using namespace grout;
using namespace grout::run;

Status OwnedSession::create(const OwnedModule &module,
                            const grout_session_config &config) {
  grout_session *created = nullptr;
  GROUT_RETURN_IF_ERROR(
      toStatus(grout_session_create(module.get(), &config, &created)));
  session.reset(created);
  return Status::ok();
}

Status OwnedSession::readTrace(SessionTrace &trace) {
  const grout_trace_record *records = nullptr;
  uint64_t count = 0;
  GROUT_RETURN_IF_ERROR(toStatus(
      grout_session_read_trace(session.get(), &records, &count, &trace.lost)));
  trace.records.assign(records, records + count);
  return Status::ok();
}

Status OwnedSession::describeState(std::ostream &out) const {
  return toStatus(
      grout_session_describe_state(session.get(), writeToStream, &out));
}
