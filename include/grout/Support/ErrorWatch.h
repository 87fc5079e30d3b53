//===- ErrorWatch.h - Notices missing errors --------------------*- C++ -*-===//
//
// Part of Grout. Policies and generators from outside must emit an error if
// they fail, but may forget to.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_SUPPORT_ERRORWATCH_H
#define GROUT_SUPPORT_ERRORWATCH_H

#include "grout/Support/ThreadDiagnostics.h"

namespace grout {

/// Notes whether this thread emits an error while the object exists. Errors
/// pass through to other handlers.
class ErrorWatch {
public:
  explicit ErrorWatch(mlir::MLIRContext *context)
      : diagnostics(context, [this](mlir::Diagnostic &diagnostic) {
          hasSeen |=
              diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
          return mlir::failure();
        }) {}

  bool hasSeenError() const { return hasSeen; }

private:
  bool hasSeen = false;
  ThreadDiagnostics diagnostics;
};

} // namespace grout

#endif // GROUT_SUPPORT_ERRORWATCH_H
