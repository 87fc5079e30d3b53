//===- ScopDialect.td - The scop dialect -------------------*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_SCOP_IR_SCOPDIALECT_TD
#define GROUT_DIALECT_SCOP_IR_SCOPDIALECT_TD

include "mlir/IR/OpBase.td"

def Scop_Dialect : Dialect {
  let name = "scop";
  let cppNamespace = "::grout::scop";
  let summary = "Memory-bound operators as static control parts";
  let description = [{
    A `scop.kernel` holds *statements*: each is executed once for every point of
    a box of iterators, reads and writes elements of arrays through affine maps,
    and computes with scalars in between. Statements mean what they mean one
    after the other, in the order of the kernel, each with its iterators from
    the outermost to the innermost. From that isl derives the exact dependences,
    a scheduler finds another order that keeps them, and the order is stored as
    a *schedule*, which is proved before code is made from it. A *constraint
    tree* steers the scheduler.
  }];
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
}

#endif // GROUT_DIALECT_SCOP_IR_SCOPDIALECT_TD
