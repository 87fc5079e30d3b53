//===- HangReport.h - What a stuck GPU was doing ----------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_HANGREPORT_H
#define GROUT_TOOLS_GROUT_RUN_HANGREPORT_H

#include "OwnedSession.h"

namespace grout {
namespace run {

/// Reports on stderr the synchronisation state of each launch of a session that
/// did not end in time, and ends the process: everything that would clean up
/// waits for the GPU.
[[noreturn]] void exitHung(const OwnedSession &session, double timeoutSeconds);

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_HANGREPORT_H
