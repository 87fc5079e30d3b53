//===- HangReport.h - What a stuck GPU was doing ----------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_HANGREPORT_H
#define GROUT_TOOLS_GROUT_RUN_HANGREPORT_H

#include "Cuda/CudaSession.h"

namespace grout {
namespace run {

/// Reports on stderr the synchronisation state of each launch of a plan that
/// did not end in time, and ends the process: everything that would clean up
/// waits for the GPU.
[[noreturn]] void exitHung(const runtime::CudaSession &session,
                           const artifact::Plan &plan, double timeoutSeconds);

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_HANGREPORT_H
