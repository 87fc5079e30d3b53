//===- NamesOperands.td - Ops that name others' operands ---*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_INTERFACES_NAMESOPERANDS_TD
#define GROUT_INTERFACES_NAMESOPERANDS_TD

include "mlir/IR/OpBase.td"

// The trait of an op that refers, by number, to operands of another op, whose
// result it uses. Patterns must call `hasNamedOperands` before they renumber
// operands.
def NamesOperands : NativeOpTrait<"NamesOperands"> {
  let cppNamespace = "::grout";
}

#endif // GROUT_INTERFACES_NAMESOPERANDS_TD
