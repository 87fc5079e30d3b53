//===- Passes.td - Passes of the tsync dialect -------------*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TSYNC_TRANSFORMS_PASSES_TD
#define GROUT_DIALECT_TSYNC_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def TSyncFormChains : Pass<"tsync-form-chains", "::mlir::func::FuncOp"> {
  let summary = "put the tile kernels of a function into chains";
  let description = [{
    Moves all tile kernels of a function, with the view-like tensor ops between
    them, into one `tsync.chain` of the given mode. Any other op stays outside:
    before the chain if it is pure and needs no result of the chain, such as the
    `linalg.fill` that a kernel starts from; otherwise it splits the chain there.
    So does a kernel without tiles that is compiled on its own, and, with a
    remark, one that may have effects on memory. In mode
    `persistent`, in which a chain is one launch, a kernel with the attribute
    `tsync.own_launch` is a chain of its own.

    Chains that are there already stay as they are; a remark tells of one whose
    mode is another.
  }];
  let statistics = [
    Statistic<"numChains", "chains", "Chains that are formed">,
    Statistic<"numKernels", "kernels", "Kernels in chains">
  ];
  let options = [
    Option<"mode", "mode", "::grout::tsync::ModeOption",
           /*default=*/"::grout::tsync::getModeOption("
           "::grout::tsync::Mode::persistent)",
           "How chains run; auto, as the function's attribute tsync.execution "
           "says, or persistent where there is none",
           "::grout::tsync::getModeValues()">,
  ];
  let dependentDialects = ["::grout::tsync::TSyncDialect"];
}

def TSyncDeriveDependences : Pass<"tsync-derive-dependences"> {
  let summary = "derive which producer tiles every consumer tile reads";
  let description = [{
    Adds a `tsync.dependence` for every operand of a kernel in a chain that
    another kernel of the chain produces, with the exact relation from (consumer
    tile, step) to producer tiles. One that is there already keeps its policy,
    and its relation is replaced. The cost does not depend on the number of
    tiles.

    Before that, it proves for each kernel that its tiles write every element of
    every result once, so that an error is at the kernel whose
    TileKernelOpInterface answers wrongly, and not at who reads its results.
  }];
  let dependentDialects = ["::grout::tsync::TSyncDialect"];
}

def TSyncSelectPolicy : Pass<"tsync-select-policy"> {
  let summary = "choose the semaphores of every dependence without a policy";
  let description = [{
    Producer tiles with the same consumers share a semaphore. `tile` asks for
    that at every step of a consumer tile, `row` for a consumer tile as a whole,
    `kernel` uses one semaphore for the whole producer. `auto` is `row`: it
    costs the fewest polls, and finer waits have not paid on the GPUs measured.
    It is `kernel`, and a remark says so, where `row` takes more than a second
    or two to derive, cannot be proved within the budget of tsync-verify, or
    needs more semaphores than a chain may have. Only chains that have a tile
    order are proved here; tsync-verify does not prove again what has not
    changed since.
    Operands of one consumer share semaphores where that is exact. A dependence
    that is waited for by launch needs none; a chain in which all are has no use
    for a granularity, and a warning says so if one is asked for.
  }];
  let options = [
    Option<"granularity", "granularity", "::grout::tsync::GranularityOption",
           /*default=*/"::grout::tsync::GranularityOption::Auto",
           "What a tile waits for",
           "::grout::tsync::getGranularityValues()">,
    Option<"maxOperations", "max-operations", "uint64_t", /*default=*/"200000",
           "Operations on integer sets that auto spends on a policy before it "
           "takes one that is simpler">,
    Option<"maxProofOperations", "max-proof-operations", "uint64_t",
           /*default=*/"::grout::IslContext::defaultMaxOperations",
           "The same for a step of the proof">,
  ];
  let dependentDialects = ["::grout::tsync::TSyncDialect"];
}

def TSyncSelectEdgeModes : Pass<"tsync-select-edge-modes"> {
  let summary = "choose how each kernel of a chain waits for earlier ones";
  let description = [{
    Acts on chains that say `selects_edges`, which are in mode `overlap` or
    `pdl`, and removes that. In mode `overlap` the tiles of a
    product wait for tiles, as the chain's mode says, if the target's
    model (docs/CostModel.md) says that they then save more of the time that the
    kernel before leaves unused than waiting for tiles costs. Dependences of
    other kernels get the mode `serial` if the model says that these had better
    start in order, or else `pdl`.

    `modes` says it instead of the model, for all chains but those in mode
    `persistent`: the modes of what the second launch of the chain depends on,
    the third, and so on; further ones keep the chain's mode. In all cases a
    dependence with a mode or a policy keeps it, and so does one within a
    launch.
  }];
  let statistics = [
    Statistic<"numByTile", "by-tile", "Launches whose tiles wait for tiles">
  ];
  let options = [
    ListOption<"modes", "modes", "::grout::tsync::Mode",
               "serial, pdl or overlap for each launch but the first">,
  ];
}

def TSyncAssignOrder : Pass<"tsync-assign-order"> {
  let summary = "choose the tile order of every chain without one";
  let description = [{
    Issues kernels in the order of the chain, and the tiles of a kernel in
    groups of rows, so that tiles issued together share operands in cache. How
    many rows, where tiles wait for no tiles and all run at once, depends on
    what a group of processors (GPC) then reads; else 8.
  }];
  let options = [
    Option<"groupRows", "group-rows", "int64_t", /*default=*/"0",
           "Rows of tiles in a group; 0 to choose">,
  ];
  let dependentDialects = ["::grout::tsync::TSyncDialect"];
}

def TSyncVerify : Pass<"tsync-verify"> {
  let summary = "prove that the synchronisation of every chain is safe";
  let description = [{
    Shows, from the kernels' access relations alone, that

    - every element of a result is written, by one tile;
    - every element that a tile reads has been written: the waits before the
      read, by the block that runs its step where several share out the steps,
      cover all tiles that write it;
    - no element is overwritten before its last read;
    - counts are reached: a semaphore is posted as often as its count says;
    - the tile order is free of deadlock, for any number of resident tiles or
      for the bound that it sets as the chain's `residents`.

    Otherwise an error at the op names one consumer tile and the producer tile
    that it misses, or the cycle. A chain of which all dependences are in mode
    `serial` or `pdl` needs no policies, and of the proof only the first part.
    Where only some are, what their waits for launches cover is part of the
    proof. In all modes but `persistent` the order that counts is kernel by
    kernel, whatever the chain's says: no block of a kernel starts before all of
    those before have.
  }];
  let options = [
    Option<"residents", "residents", "int64_t", /*default=*/"0",
           "Tiles that are sure to be resident; an order that may deadlock "
           "with so few is refused. 0: state the bound instead">,
  ];
  let dependentDialects = ["::grout::tsync::TSyncDialect"];
}

#endif // GROUT_DIALECT_TSYNC_TRANSFORMS_PASSES_TD
