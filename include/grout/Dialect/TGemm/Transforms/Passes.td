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
    last-level cache (docs/CostModel.md). On a CPU, tiles are 64 elements wide,
    and smaller for small products.

    `mode` says how the products of a function will run, as for
    `tsync-form-chains`. In mode `persistent` their tilings are chosen such that
    one kernel can compute all of them. Mode `auto` chooses for each function,
    and leaves its choice in the attribute `tsync.mode`: `pdl`, unless the model
    takes `overlap` or `persistent` for faster, which let the next product's
    tiles fill some of what the last of several waves leaves unused. On a CPU it
    is `persistent`.

    `tuning` names a file with measured times (docs/Tuning.md). The fastest
    entry for all products of a function in this mode decides, or in mode `auto`
    in any mode, which then is the function's. Without one, the fastest entry of
    each product does, except where several must go together in one kernel.
    Where there is none, the model chooses. Entries that are wrong are left out
    with a warning.

    With `record-origins`, each op gets an attribute that says where its tiling
    is from, for explanations.

    A tiling that is there already is kept. Each is checked against the target's
    limits: the sizes that its matrix instructions have, the accumulators of a
    thread, and shared memory.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"cpu\"",
           "Target whose limits and speeds count: cpu, h200 or a100">,
    Option<"mode", "mode", "std::string", /*default=*/"\"serial\"",
           "How the products will run: serial, pdl, overlap, persistent or "
           "auto">,
    Option<"tuning", "tuning", "std::string", /*default=*/"\"\"",
           "File with measured times to choose by; none if empty">,
    Option<"recordOrigins", "record-origins", "bool", /*default=*/"false",
           "Leave an attribute that says where each tiling is from">,
  ];
}

def TGemmExpandStreamK : Pass<"tgemm-expand-stream-k"> {
  let summary = "make the parts of tiles that are shared out kernels";
  let description = [{
    Puts a `tgemm.partial_sums` before every `tgemm.matmul` whose tiling has
    tiles in parts, and makes its result an operand of that. Both are then tile
    kernels, and dependences between them are derived and proved like others.
  }];
}

#endif // GROUT_DIALECT_TGEMM_TRANSFORMS_PASSES_TD
