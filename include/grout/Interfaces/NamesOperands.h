//===- NamesOperands.h - Ops that name others' operands ---------*- C++ -*-===//
//
// Part of Grout. Keeps patterns from renumbering operands that something
// outside the op names, without knowledge of what that is.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_INTERFACES_NAMESOPERANDS_H
#define GROUT_INTERFACES_NAMESOPERANDS_H

#include "mlir/IR/OpDefinition.h"

namespace grout {

/// An op that names operands, by their numbers, of an op that it uses a result
/// of.
template <typename ConcreteType>
// Not the op but mlir::Op constructs its traits.
// NOLINTNEXTLINE(bugprone-crtp-constructor-accessibility)
class NamesOperands
    : public mlir::OpTrait::TraitBase<ConcreteType, NamesOperands> {};

/// Whether another op may name operands of `op` by their numbers, so that they
/// must keep them.
inline bool hasNamedOperands(mlir::Operation *op) {
  return llvm::any_of(op->getUsers(), [](mlir::Operation *user) {
    return user->hasTrait<NamesOperands>();
  });
}

} // namespace grout

#endif // GROUT_INTERFACES_NAMESOPERANDS_H
