//===- Passes.td - Passes of the tgemm dialect -------------*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_TRANSFORMS_PASSES_TD
#define GROUT_DIALECT_TGEMM_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def TGemmApplyTilings : Pass<"tgemm-apply-tilings", "::mlir::ModuleOp"> {
  let summary = "give products the tilings that their module lists";
  let description = [{
    A module may have the attribute `tgemm.tilings`: a list with one tiling for
    each `tgemm.matmul` in it, in the order in which they stand there. This pass
    moves them to the ops, and removes the list. So a program can be compiled
    with many tilings without a change of its text, as grout-tune does. An op
    that has a tiling must be listed with the same.
  }];
}

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
    and leaves its choice in the attribute `tsync.execution`: `pdl`, with modes
    of edges if some kernels start in order, unless the model takes `serial` or
    `persistent` for faster, or `overlap` with modes of edges (see
    `tsync-select-edge-modes`). The last two let the next product's tiles fill
    some of what the last of several waves leaves unused. Where no times are
    modelled, as on a CPU, it is `persistent`.

    `tuning` names a file with measured times (docs/Tuning.md): a database of
    grout-tune, if it begins as SQLite files do, or else JSON lines. The fastest
    entry for all products of a function in this mode decides, or in mode `auto`
    in any mode, which then is the function's. Without one, the fastest entry of
    each product does, except where several must go together in one kernel.
    Where there is none, the model chooses. Entries that the target cannot
    compute are left out with a warning; a damaged file is an error.

    With `record-origins`, each op gets an attribute that says where its tiling
    is from, for explanations.

    A tiling that is there already is kept. Each is checked against the target's
    limits: the sizes that its MMA instructions have, the accumulators of a
    thread, and shared memory.
  }];
  let statistics = [
    Statistic<"numGiven", "given", "Tilings that were there">,
    Statistic<"numModelled", "modelled", "Tilings of the model">,
    Statistic<"numMeasured", "measured", "Tilings of the tuning database">
  ];
  let options = [
    Option<"mode", "mode", "::grout::tsync::ModeOption",
           /*default=*/"::grout::tsync::ModeOption::Serial",
           "How the products will run", "::grout::tsync::getModeValues()">,
    Option<"tuning", "tuning", "std::string", /*default=*/"\"\"",
           "File with measured times to choose by; none if empty">,
    Option<"recordOrigins", "record-origins", "bool", /*default=*/"false",
           "Leave an attribute that says where each tiling is from">,
  ];
  let dependentDialects = ["::grout::tsync::TSyncDialect"];
}

def TGemmExpandStreamK : Pass<"tgemm-expand-stream-k"> {
  let summary = "make the stream-K parts of tiles kernels";
  let description = [{
    Puts a `tgemm.partial_sums` before every `tgemm.matmul` whose tiling has
    stream-K tiles, and makes its result an operand of that. Both are then tile
    kernels, and dependences between them are derived and proved like others.
  }];
  let statistics = [
    Statistic<"numExpanded", "expanded", "Products whose parts become tiles">
  ];
}

#endif // GROUT_DIALECT_TGEMM_TRANSFORMS_PASSES_TD
