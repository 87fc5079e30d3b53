//===- Status.h - Success or an error with a message ------------*- C++ -*-===//
//
// Part of Grout. Every function of the runtime that can fail returns a Status.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_RUNTIMESUPPORT_STATUS_H
#define GROUT_RUNTIMESUPPORT_STATUS_H

#include "grout-c/Runtime.h"

#include <sstream>
#include <string>
#include <utility>

namespace grout {
namespace runtime {

/// Success, or a status code with a message for people.
class [[nodiscard]] Status {
public:
  static Status ok() { return Status(); }

  /// Returns an error whose message is the concatenation of `parts`.
  template <typename... Parts>
  static Status error(grout_status code, const Parts &...parts) {
    std::ostringstream message;
    (message << ... << parts);
    Status status;
    status.errorCode = code;
    status.text = message.str();
    return status;
  }

  bool isError() const { return errorCode != GROUT_OK; }
  grout_status code() const { return errorCode; }
  const std::string &message() const { return text; }

  /// Returns the same error, and puts `place` in front of its message.
  Status in(const std::string &place) && {
    if (isError())
      text = place + ": " + text;
    return std::move(*this);
  }

private:
  grout_status errorCode = GROUT_OK;
  std::string text;
};

} // namespace runtime
} // namespace grout

/// Returns from the enclosing function if `expression`, a Status, is an error.
#define GROUT_RETURN_IF_ERROR(expression)                                      \
  do {                                                                         \
    ::grout::runtime::Status returnIfError = (expression);                     \
    if (returnIfError.isError())                                               \
      return returnIfError;                                                    \
  } while (false)

#endif // GROUT_RUNTIMESUPPORT_STATUS_H
