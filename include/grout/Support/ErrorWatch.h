//===- ErrorWatch.h - Whether anybody has said why --------------*- C++ -*-===//
//
// Part of Grout. What others implement (policies, generators) has to say why it
// fails, and may forget it.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_SUPPORT_ERRORWATCH_H
#define GROUT_SUPPORT_ERRORWATCH_H

#include "grout/Support/ThreadDiagnostics.h"

namespace grout {

/// Notes whether an error is emitted on this thread as long as it lives. Errors
/// go on to whoever takes them.
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
