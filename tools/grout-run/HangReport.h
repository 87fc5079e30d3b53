//===- HangReport.h - Reports the state of a stuck GPU ----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_HANGREPORT_H
#define GROUT_TOOLS_GROUT_RUN_HANGREPORT_H

#include "OwnedSession.h"

namespace grout {
namespace run {

/// Call this if a session did not end in time. Prints the synchronisation state
/// of each of its launches on stderr, and ends the process without destructors,
/// because they would wait for the GPU. If several threads call it, the first
/// one reports.
[[noreturn]] void exitHung(const OwnedSession &session,
                           const grout_session_config &config);

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_HANGREPORT_H
