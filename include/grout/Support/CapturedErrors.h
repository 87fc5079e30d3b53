//===- CapturedErrors.h - What would be an error, as text -------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_SUPPORT_CAPTUREDERRORS_H
#define GROUT_SUPPORT_CAPTUREDERRORS_H

#include "grout/Support/ThreadDiagnostics.h"

namespace grout {

/// Keeps diagnostics of this thread from everybody else, as long as it lives:
/// what is only tried is no error. Those of other threads are let through.
class CapturedErrors {
public:
  explicit CapturedErrors(mlir::MLIRContext *context)
      : diagnostics(context, [this](mlir::Diagnostic &diagnostic) {
          if (first.empty())
            first = diagnostic.str();
          return mlir::success();
        }) {}

  /// The first of them; empty if there was none.
  llvm::StringRef getFirst() const { return first; }

private:
  std::string first;
  ThreadDiagnostics diagnostics;
};

} // namespace grout

#endif // GROUT_SUPPORT_CAPTUREDERRORS_H
