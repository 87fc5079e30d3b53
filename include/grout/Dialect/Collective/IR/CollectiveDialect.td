//===- CollectiveDialect.td - The collective dialect -------*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_COLLECTIVE_IR_COLLECTIVEDIALECT_TD
#define GROUT_DIALECT_COLLECTIVE_IR_COLLECTIVEDIALECT_TD

include "mlir/IR/OpBase.td"

def Collective_Dialect : Dialect {
  let name = "collective";
  let cppNamespace = "::grout::collective";
  let summary = "Operations of several ranks on tensors that each of them has";
  let description = [{
    A program runs on several *ranks*, for example one for each GPU of a host.
    All ranks run the same function, each with inputs of its own. An op of this
    dialect computes from the operands that all ranks have. So all ranks run
    the same ops of this dialect, in the same order.

    The ranks of an op are numbered from 0. Code is the same for all ranks: a
    rank learns its number when its session is created.
  }];
}

#endif // GROUT_DIALECT_COLLECTIVE_IR_COLLECTIVEDIALECT_TD
