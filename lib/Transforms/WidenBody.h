//===- WidenBody.h - Bodies that compute in f32 -----------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_TRANSFORMS_WIDENBODY_H
#define GROUT_LIB_TRANSFORMS_WIDENBODY_H

#include "mlir/IR/Block.h"

namespace grout {

/// Whether `body` computes in f16 or bf16, widens such values, or rounds to
/// them.
bool canWidenBody(mlir::Block &body);

/// How to treat the last rounding, that of the yielded value.
enum class LastRounding {
  /// The value is rounded.
  done,
  /// The body rounds by an arith.truncf with the flag `contract`: if the body
  /// becomes part of a larger one that computes in f32, the rounding may be
  /// left out.
  optional,
  /// The value is not rounded: the body yields f32.
  none,
};

/// Makes the ops of `arith` and `math` in `body` that compute in f16 or bf16
/// compute in f32. Widens 16-bit values where they are read, and rounds a value
/// that is yielded in 16 bits once, at the end. An arith.truncf with a rounding
/// mode stays where it is, but loses the mode. Ops in `body` must not have
/// regions.
void widenBody(mlir::Block &body, LastRounding last);

} // namespace grout

#endif // GROUT_LIB_TRANSFORMS_WIDENBODY_H
