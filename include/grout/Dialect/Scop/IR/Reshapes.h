//===- Reshapes.h - Tensors with another shape ------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_SCOP_IR_RESHAPES_H
#define GROUT_DIALECT_SCOP_IR_RESHAPES_H

#include "mlir/IR/Value.h"

namespace grout::scop {

/// The tensor that `value` is with another shape: all of its elements, in their
/// order, through any number of tensor.expand_shape and collapse_shape.
mlir::Value getReshaped(mlir::Value value);

} // namespace grout::scop

#endif // GROUT_DIALECT_SCOP_IR_RESHAPES_H
