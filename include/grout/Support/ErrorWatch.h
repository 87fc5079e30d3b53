//===- ErrorWatch.h - Whether anybody has said why --------------*- C++ -*-===//
//
// Part of Grout. What others implement (policies, generators) has to say why it
// fails, and may forget it.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_SUPPORT_ERRORWATCH_H
#define GROUT_SUPPORT_ERRORWATCH_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Threading.h"

namespace grout {

/// Notes whether an error is emitted on this thread as long as it lives. Errors
/// go on to whoever takes them.
class ErrorWatch {
public:
  explicit ErrorWatch(mlir::MLIRContext *context)
      : handler(context,
                [this, thread = llvm::get_threadid()](mlir::Diagnostic &diag) {
                  if (diag.getSeverity() == mlir::DiagnosticSeverity::Error &&
                      llvm::get_threadid() == thread)
                    hasSeen = true;
                  return mlir::failure();
                }) {}

  bool hasSeenError() const { return hasSeen; }

private:
  bool hasSeen = false;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace grout

#endif // GROUT_SUPPORT_ERRORWATCH_H
