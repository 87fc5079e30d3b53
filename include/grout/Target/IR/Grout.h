//===- Grout.h - The grout dialect ------------------------------*- C++ -*-===//
//
// Part of Grout. Everything of the grout dialect's IR.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TARGET_IR_GROUT_H
#define GROUT_TARGET_IR_GROUT_H

#include "grout/Target/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "grout/Target/IR/GroutDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "grout/Target/IR/GroutAttrs.h.inc"

namespace grout {

/// The target of the module that `op` is or is in; null if it has none.
const Target *findTarget(mlir::Operation *op);

/// The same, or a diagnostic at `op` if there is none.
mlir::FailureOr<const Target *> getTarget(mlir::Operation *op);

/// The same, or a diagnostic if it has no warps, whose threads share out loops.
mlir::FailureOr<const Target *> getGPU(mlir::Operation *op);

/// The number of the argument of `func` whose memory holds result `result`
/// afterwards, if there is one.
std::optional<unsigned> getInPlaceArgument(mlir::FunctionOpInterface func,
                                           unsigned result);

/// Begins an error at `op`, which the target of its module cannot compile; the
/// reason follows.
mlir::InFlightDiagnostic emitTargetError(mlir::Operation *op);

} // namespace grout

#endif // GROUT_TARGET_IR_GROUT_H
