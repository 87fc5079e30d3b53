//===- Passes.td - Passes of the tgemm dialect -------------*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_TRANSFORMS_PASSES_TD
#define GROUT_DIALECT_TGEMM_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def TGemmAssignTiling : Pass<"tgemm-assign-tiling"> {
  let summary = "choose the tile shape of every matrix product that has none";
  let description = [{
    Sets `tiling` on every `tgemm.matmul` without one, by a model of the target:
    the time of the waves that a tile shape makes, with its loads. A tiling that
    is there already is kept, and checked against the target's limits.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"cpu\"",
           "Target whose limits and speeds count: cpu or h200">,
  ];
}

#endif // GROUT_DIALECT_TGEMM_TRANSFORMS_PASSES_TD
