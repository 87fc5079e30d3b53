//===- NamesOperands.h - Ops that refer to operands -------------*- C++ -*-===//
//
// Part of Grout. Keeps patterns from renumbering the operands of an op if
// another op refers to them by number. Patterns need not know the other op.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_INTERFACES_NAMESOPERANDS_H
#define GROUT_INTERFACES_NAMESOPERANDS_H

#include "mlir/IR/OpDefinition.h"

namespace grout {

/// The trait of an op that refers, by number, to operands of another op, whose
/// result it uses.
template <typename ConcreteType>
// Not the op but mlir::Op constructs its traits.
// NOLINTNEXTLINE(bugprone-crtp-constructor-accessibility)
class NamesOperands
    : public mlir::OpTrait::TraitBase<ConcreteType, NamesOperands> {};

/// Returns whether another op may refer to operands of `op` by number, so that
/// their numbers must not change.
inline bool hasNamedOperands(mlir::Operation *op) {
  return llvm::any_of(op->getUsers(), [](mlir::Operation *user) {
    return user->hasTrait<NamesOperands>();
  });
}

} // namespace grout

#endif // GROUT_INTERFACES_NAMESOPERANDS_H
