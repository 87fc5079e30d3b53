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
    them, into one `tsync.chain` of the given mode. An op that is not a tile
    kernel stays outside. It stays before the chain if it is pure and needs no
    result of the chain: for example, the `linalg.fill` that a kernel starts
    from. Otherwise it splits the chain at its place. A kernel without tiles
    that is compiled on its own also splits the chain. So does, with a remark, a
    kernel that may have effects on memory. In mode `persistent`, in which a
    chain is a single launch, a kernel with the attribute `tsync.own_launch` is
    a chain of its own.

    Chains that are there already stay as they are. A remark says so if such a
    chain has another mode.
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
    tile, step) to producer tiles. A dependence that is there already keeps its
    policy, and gets a new relation. The cost does not depend on the number of
    tiles.

    Before that, the pass proves for each kernel that its tiles write every
    element of every result once. So if the TileKernelOpInterface of a kernel
    gives a wrong answer, the error is at this kernel, and not at a kernel that
    reads its results.
  }];
  let dependentDialects = ["::grout::tsync::TSyncDialect"];
}

def TSyncSelectPolicy : Pass<"tsync-select-policy"> {
  let summary = "choose the semaphores of every dependence without a policy";
  let description = [{
    Producer tiles with the same consumers share a semaphore. The granularity
    defines these consumers:

    - `tile`: each step of a consumer tile counts for itself.
    - `row`: a consumer tile counts as a whole.
    - `kernel`: there is a single semaphore for the whole producer.
    - `auto`: like `row`, which needs the fewest polls; finer waits were not
      faster on the GPUs measured. It is like `kernel`, and a remark says so, in
      three cases: `row` takes more than a second or two to derive,
      `tsync-verify` could not prove it within its budget, or it needs more
      semaphores than a chain may have.

    To choose for `auto`, the pass proves only chains that have a tile order.
    `tsync-verify` does not prove again chains that have not changed since.
    Operands of one consumer share semaphores if that is exact. A dependence
    that waits by launch needs no semaphore. If all dependences of a chain wait
    by launch, a granularity has no effect on it, and an explicit one gets a
    warning.
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
    Chooses modes for chains with `selects_edges`, which are in mode `overlap`
    or `pdl`, and removes this attribute. In mode `overlap`, the model of the
    target (docs/CostModel.md) decides for each GEMM. If tiles of the GEMM wait
    for tiles, they use time that the kernel before leaves idle. If this saves
    more time than the waits cost, its tiles wait for tiles, as the chain's mode
    says. All other dependences get the mode `serial` if the model says that
    their kernels are faster in order, and otherwise `pdl`.

    The option `modes` replaces the model, for all chains except those in mode
    `persistent`. It lists the modes of the dependences of the chain's second
    launch, of its third launch, and so on; further launches keep the chain's
    mode. In all cases, a dependence with a mode or a policy keeps it, and so
    does a dependence within a launch.
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
    Orders kernels as in the chain, and the tiles of a kernel in groups of rows,
    so that tiles that run at the same time share operands in the cache. If no
    tiles wait for tiles, and all tiles run at once, the number of rows depends
    on the bytes that a group of processors (GPC) then reads. Otherwise it is 8.
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
    Proves these properties, from the access relations of the kernels alone:

    - Every element of a result is written by exactly one tile.
    - Every element that a tile reads has been written: the waits before the
      read cover all tiles that write it. If several blocks split the steps of a
      tile, the waits must be by the block that runs the step.
    - No element is overwritten before its last read.
    - A semaphore is posted as often as its count says.
    - The tile order is free of deadlock: for any number of resident tiles, or
      for the bound that the pass sets as the chain's `residents`.

    Otherwise an error at the op names one consumer tile and the producer tile
    that it misses, or the cycle. If all dependences of a chain are in mode
    `serial` or `pdl`, it needs no policies, and only the first property is
    proved. If only some dependences are, the proof takes into account which
    tiles their waits for launches cover. In all modes but `persistent`, the
    proof orders tiles kernel by kernel, whatever the chain's order says: no
    block of a kernel starts before all blocks of the kernels before it have
    started.
  }];
  let options = [
    Option<"residents", "residents", "int64_t", /*default=*/"0",
           "Tiles that are sure to be resident; an order that may deadlock "
           "with so few is refused. 0: state the bound instead">,
  ];
  let dependentDialects = ["::grout::tsync::TSyncDialect"];
}

#endif // GROUT_DIALECT_TSYNC_TRANSFORMS_PASSES_TD
