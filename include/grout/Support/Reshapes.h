//===- Reshapes.h - Tensors with another shape ------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_SUPPORT_RESHAPES_H
#define GROUT_SUPPORT_RESHAPES_H

#include "mlir/IR/Value.h"

namespace grout {

/// Looks through any number of tensor.expand_shape and tensor.collapse_shape.
/// Returns the tensor of which `value` has all elements, in the same order.
mlir::Value getReshaped(mlir::Value value);

} // namespace grout

#endif // GROUT_SUPPORT_RESHAPES_H
