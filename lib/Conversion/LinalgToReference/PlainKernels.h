//===- PlainKernels.h - Statements as linalg --------------------*- C++ -*-===//
//
// Part of Grout. Private to convert-linalg-to-reference.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOREFERENCE_PLAINKERNELS_H
#define GROUT_LIB_CONVERSION_LINALGTOREFERENCE_PLAINKERNELS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace grout::reference {

/// Replaces every `scop.kernel` on tensors in `func` by a linalg.generic for
/// each statement, in their order, whatever the schedule. Those stay that have
/// a statement with control flow, or which scatters, reads other elements of an
/// array than it writes, or writes at what is no multiple of one iterator.
void replaceKernels(mlir::func::FuncOp func);

} // namespace grout::reference

#endif // GROUT_LIB_CONVERSION_LINALGTOREFERENCE_PLAINKERNELS_H
