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
    Sets `tiling` on every `tgemm.matmul` without one. On a GPU, a model of the
    target chooses tile, cluster and stages: the time of the waves that a tiling
    makes, whose steps take as long as their products or their loads from the
    last-level cache (docs/CostModel.md). With `one-kernel`, tilings are chosen
    such that one kernel can compute all of them. On a CPU, tiles are 64 elements
    wide, and smaller for small products.

    A tiling that is there already is kept. Each is checked against the target's
    limits: the sizes that its matrix instructions have, the accumulators of a
    thread, and shared memory.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"cpu\"",
           "Target whose limits and speeds count: cpu or h200">,
    Option<"oneKernel", "one-kernel", "bool", /*default=*/"false",
           "Choose tilings that tiles of one kernel can have together">,
  ];
}

#endif // GROUT_DIALECT_TGEMM_TRANSFORMS_PASSES_TD
