//===- PlainFunction.h - What a reference is made from ----------*- C++ -*-===//
//
// Part of Grout. Private to convert-linalg-to-reference.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOREFERENCE_PLAINFUNCTION_H
#define GROUT_LIB_CONVERSION_LINALGTOREFERENCE_PLAINFUNCTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace grout::reference {

/// A copy of `func`, in no module, where softmax, and ops of other dialects
/// that say what they consist of (AggregatedOpInterface), are that, statements
/// of kernels are linalg, and kernels of chains are outside of chains. Softmax
/// of f16 and bf16 is computed in f32, unless `strictTypes`. Null, with a
/// diagnostic, if an op does not consist of what it says.
mlir::OwningOpRef<mlir::func::FuncOp>
buildPlainFunction(mlir::func::FuncOp func, bool strictTypes);

} // namespace grout::reference

#endif // GROUT_LIB_CONVERSION_LINALGTOREFERENCE_PLAINFUNCTION_H
