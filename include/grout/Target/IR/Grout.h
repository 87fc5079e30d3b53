//===- Grout.h - The grout dialect ------------------------------*- C++ -*-===//
//
// Part of Grout. The IR of the grout dialect.
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

/// Returns the target of `op`'s module, or of `op` if it is the module; null if
/// the module has none.
const Target *findTarget(mlir::Operation *op);

/// Returns the same target; emits a diagnostic at `op` if there is none.
mlir::FailureOr<const Target *> getTarget(mlir::Operation *op);

/// Returns the same target; emits a diagnostic if its threads are not in warps,
/// to which kernels distribute loops.
mlir::FailureOr<const Target *> getGPU(mlir::Operation *op);

/// Returns the number of the argument of `func` whose memory holds result
/// `result` after the call, if there is one.
std::optional<unsigned> getInPlaceArgument(mlir::FunctionOpInterface func,
                                           unsigned result);

/// Begins an error at `op`: the target of its module cannot compile it. The
/// caller appends the reason.
mlir::InFlightDiagnostic emitTargetError(mlir::Operation *op);

} // namespace grout

#endif // GROUT_TARGET_IR_GROUT_H
