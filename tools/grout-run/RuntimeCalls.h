//===- RuntimeCalls.h - Calling the runtime's C API -------------*- C++ -*-===//
//
// Part of Grout. Converts statuses and texts of the C API for C++.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_RUNTIMECALLS_H
#define GROUT_TOOLS_GROUT_RUN_RUNTIMECALLS_H

#include "grout/RuntimeSupport/Status.h"

namespace grout {
namespace run {

using runtime::Status;

/// Converts the result of a call, with the message that the call left in this
/// thread.
Status toStatus(grout_status code);

/// A grout_text_writer; `stream` is a std::ostream.
void writeToStream(const char *text, size_t size, void *stream);

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_RUNTIMECALLS_H
