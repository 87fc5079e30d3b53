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
    A `scop.kernel` holds *statements*. A statement runs once for every point of
    a box of iterators. Each time, it reads and writes elements of arrays
    through affine maps, and computes with scalars in between. By definition,
    statements run one after the other, in the order of the kernel, each with
    its iterators from the outermost to the innermost.

    From this order isl derives the exact dependences. A scheduler finds another
    order that keeps them, which is stored as a *schedule*. A proof checks the
    schedule before code is made from it. A *constraint tree* steers the
    scheduler.
  }];
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
}

#endif // GROUT_DIALECT_SCOP_IR_SCOPDIALECT_TD
