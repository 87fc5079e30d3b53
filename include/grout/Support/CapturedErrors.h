//===- CapturedErrors.h - Captures errors of a trial ------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_SUPPORT_CAPTUREDERRORS_H
#define GROUT_SUPPORT_CAPTUREDERRORS_H

#include "grout/Support/ThreadDiagnostics.h"

namespace grout {

/// Captures the diagnostics of this thread while the object exists, so that a
/// failed trial emits no error. Diagnostics of other threads pass through.
class CapturedErrors {
public:
  explicit CapturedErrors(mlir::MLIRContext *context)
      : diagnostics(context, [this](mlir::Diagnostic &diagnostic) {
          if (first.empty())
            first = diagnostic.str();
          return mlir::success();
        }) {}

  /// Returns the first captured diagnostic; empty if there was none.
  llvm::StringRef getFirst() const { return first; }

private:
  std::string first;
  ThreadDiagnostics diagnostics;
};

} // namespace grout

#endif // GROUT_SUPPORT_CAPTUREDERRORS_H
