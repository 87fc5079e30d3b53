//===- NamesOperands.td - Ops that name others' operands ---*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_INTERFACES_NAMESOPERANDS_TD
#define GROUT_INTERFACES_NAMESOPERANDS_TD

include "mlir/IR/OpBase.td"

// An op that names operands, by their numbers, of an op that it uses a result
// of. Patterns ask `hasNamedOperands` before they renumber operands.
def NamesOperands : NativeOpTrait<"NamesOperands"> {
  let cppNamespace = "::grout";
}

#endif // GROUT_INTERFACES_NAMESOPERANDS_TD
