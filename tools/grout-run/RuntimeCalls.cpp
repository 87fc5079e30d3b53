//===- RuntimeCalls.cpp - Calling the runtime's C API ---------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "RuntimeCalls.h"

#include <ostream>

using namespace grout;
using namespace grout::run;

Status run::toStatus(grout_status code) {
  return code == GROUT_OK ? Status::ok()
                          : Status::error(code, grout_last_error());
}

void run::writeToStream(const char *text, size_t size, void *stream) {
  static_cast<std::ostream *>(stream)->write(
      text, static_cast<std::streamsize>(size));
}
