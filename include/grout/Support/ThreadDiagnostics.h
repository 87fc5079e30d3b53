//===- ThreadDiagnostics.h - Diagnostics of one thread ----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_SUPPORT_THREADDIAGNOSTICS_H
#define GROUT_SUPPORT_THREADDIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Threading.h"

namespace grout {

/// Calls a handler for the diagnostics of this thread while the object exists.
/// If the handler returns failure, the diagnostic goes on to other handlers.
/// Diagnostics of other threads always do.
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
