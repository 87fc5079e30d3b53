//===- TraceFile.h - Traces for Perfetto ------------------------*- C++ -*-===//
//
// Part of Grout. Writes traces in the JSON format of Chrome's tracing page,
// which Perfetto reads, too.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_TRACEFILE_H
#define GROUT_TOOLS_GROUT_RUN_TRACEFILE_H

#include "OwnedSession.h"

namespace grout {
namespace run {

/// Writes the traces of all ranks to a file. Each rank is a process of the
/// trace, and what runs at the same time is on different threads of it. Times
/// count from the first record of the rank.
Status writeTrace(const std::string &path,
                  const std::vector<SessionTrace> &traces);

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_TRACEFILE_H
