//===- ThreadDiagnostics.h - What one thread emits --------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_SUPPORT_THREADDIAGNOSTICS_H
#define GROUT_SUPPORT_THREADDIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Threading.h"

namespace grout {

/// Shows a function the diagnostics of this thread, as long as it lives. Those
/// that it fails for, and all of other threads, go on to whoever takes them.
class ThreadDiagnostics {
public:
  using Handler = std::function<mlir::LogicalResult(mlir::Diagnostic &)>;

  ThreadDiagnostics(mlir::MLIRContext *context, Handler handle)
      : handler(context,
                [handle = std::move(handle),
                 thread = llvm::get_threadid()](mlir::Diagnostic &diagnostic) {
                  return llvm::get_threadid() == thread ? handle(diagnostic)
                                                        : mlir::failure();
                }) {}

private:
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace grout

#endif // GROUT_SUPPORT_THREADDIAGNOSTICS_H
