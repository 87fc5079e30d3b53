//===- WidenBody.h - Bodies that compute in f32 -----------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_TRANSFORMS_WIDENBODY_H
#define GROUT_LIB_TRANSFORMS_WIDENBODY_H

#include "mlir/IR/Block.h"

namespace grout {

/// Whether `body` computes in f16 or bf16, widens them, or rounds to them.
bool canWidenBody(mlir::Block &body);

/// What becomes of the last rounding, that of what a body yields.
enum class LastRounding {
  /// It is done.
  done,
  /// It is done by an arith.truncf with the flag `contract`: whoever puts a
  /// body around it that goes on in f32 may leave it out.
  optional,
  /// It is left out: the body yields f32.
  none,
};

/// Lets the ops of `arith` and `math` in `body` that compute in f16 or bf16
/// compute in f32. Values of 16 bits are widened where they are read, and what
/// is yielded in 16 bits is rounded once, at the end. An arith.truncf that
/// states its rounding mode is kept where it is, without the mode. Ops in
/// `body` have no regions.
void widenBody(mlir::Block &body, LastRounding last);

} // namespace grout

#endif // GROUT_LIB_TRANSFORMS_WIDENBODY_H
