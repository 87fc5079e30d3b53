//===- Passes.td - Passes of the scop dialect --------------*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_SCOP_TRANSFORMS_PASSES_TD
#define GROUT_DIALECT_SCOP_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ScopCopyResults : Pass<"scop-copy-results", "::mlir::func::FuncOp"> {
  let summary = "give every result of a function a tensor of its own";
  let description = [{
    A caller passes memory for each result, which kernels write. So a result
    that is an argument, a constant, a part of a tensor, or the same as an
    earlier result, also with another shape, becomes a copy (`linalg.copy`),
    which `convert-linalg-to-scop` then fuses with what it copies.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ScopCopyViews : Pass<"scop-copy-views", "::mlir::func::FuncOp"> {
  let summary = "copy what tile kernels could not read by strides";
  let description = [{
    Products, and ops of linalg with tiles, read their operands by strides. What
    slices and reshapes make of a tensor may have none: the images of
    `x[:, 1:, :]` one after the other, say. Such an operand becomes a copy
    (`linalg.copy`), one for all kernels that read it. `convert-linalg-to-scop`
    fuses it with what it copies, or reads the view through its accesses, as it
    does for all other ops.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ScopCopyUpdates : Pass<"scop-copy-updates", "::mlir::func::FuncOp"> {
  let summary = "copy what tensor.scatter must not change";
  let description = [{
    A kernel that scatters into a tensor changes its memory. So what
    `tensor.scatter` starts from becomes a copy (`linalg.copy`) if something else
    uses it, too, or if it is an argument, a constant or a view; but for arguments
    that are updated on their way to a result that they hold
    (`grout.in_place`).
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ScopCollapseLoops : Pass<"scop-collapse-loops"> {
  let summary = "make one loop of those that all accesses walk as one";
  let description = [{
    Joins neighbouring iterators of a statement, and neighbouring dimensions of
    an array, where every access of the kernel goes through them as through one:
    an elementwise computation gets a single loop, whatever the rank of its
    tensors. Iterators and dimensions of extent 1 are dropped. An iterator whose
    value a region asks for becomes a quotient or remainder. So does one in an
    access that reads few elements, where rows would have no vectors otherwise:
    the bias of channels of 7 x 7.

    Operands and results with fewer dimensions are reshaped outside of the
    kernel, by `tensor.collapse_shape` and `tensor.expand_shape`. Slices keep
    their shape, since their elements may not follow each other.

    Kernels on buffers, and those with a schedule or a constraint tree, stay as
    they are.
  }];
  let dependentDialects = ["::grout::scop::ScopDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ScopDistribute : Pass<"scop-distribute"> {
  let summary = "make one kernel for each part of an outermost sequence";
  let description = [{
    A kernel on tensors whose schedule begins with a sequence runs one group of
    statements after another. Each becomes a kernel with its part of the
    schedule, which is proved before, and in which loops that only other groups
    kept from being parallel are marked as such. Arrays that several groups use
    become tensors between the kernels: a result of the first that writes them.

    A group with a single instance that starts or ends a sum over everything
    stays with it. A group whose values nobody uses goes away. A kernel that sums
    up so few points that one block of the target, a GPU, goes through all of it
    in the time of a launch stays whole.
  }];
  let statistics = [
    Statistic<"numKernels", "kernels", "Kernels that there are then">
  ];
  let dependentDialects = ["::grout::scop::ScopDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ScopPrintDependences : Pass<"scop-print-dependences"> {
  let summary = "print the statements of every kernel and their dependences";
  let description = [{
    As a scheduling problem in isl's notation, on the standard output: what the
    scheduler gets, and what `scop-verify-schedule` proves schedules against.
  }];
}

def ScopInlineProducers : Pass<"scop-inline-producers"> {
  let summary = "compute small or reshaped values where they are used";
  let description = [{
    A statement that combines nothing, and writes a local that nobody else
    writes, is copied into the statements that read it, if it has far fewer
    points than they do (a constant, a vector for each row), or if it is read
    with other loops than it is written with, once, or by the places of a window
    that have little to compute for it, in one statement or in one for each.
    Threads of different blocks would not
    share it otherwise, and it would need a launch of its own. So is
    what readers have for less than a read: what is computed from iterators
    alone, and the copy of an input in which neighbours stay neighbours.

    Functions of many operations (sine, power) are not computed again for a
    large reader, however few points they have.

    Kernels with a schedule or a constraint tree stay as they are.
  }];
  let statistics = [
    Statistic<"numInlined", "inlined", "Producers computed where they are read">
  ];
  let options = [
    Option<"ratio", "ratio", "int64_t", /*default=*/"16",
           "How many times more points a reader has, at least, than a statement "
           "that is copied into all of its readers">,
  ];
  let dependentDialects = ["::grout::scop::ScopDialect"];
}

def ScopSplitLoops : Pass<"scop-split-loops"> {
  let summary = "make two loops of one whose accesses divide it";
  let description = [{
    An iterator that an access divides by a divisor of its extent, or of which it
    takes the remainder, becomes two: `d0 floordiv 128` and `d0 mod 128`, which a
    reshape or a concatenation leaves behind, become two iterators. So do the
    dimensions of local arrays through which it goes, and the iterators of other
    statements that go through these, unless one of them keeps its order, or
    another access would not be linear then. So accesses become linear, and loops
    of several statements the same. `scop-collapse-loops` joins them again where
    that gains nothing.

    Kernels with a schedule or a constraint tree stay as they are.
  }];
  let statistics = [
    Statistic<"numSplit", "split", "Loops that become two">
  ];
  let dependentDialects = ["::grout::scop::ScopDialect",
                           "::mlir::arith::ArithDialect"];
}

def ScopSplitReductions : Pass<"scop-split-reductions"> {
  let summary = "share reductions with few results out to all processors";
  let description = [{
    A GPU has one block for a row that is combined, or for 32 bytes of the
    columns. If that leaves processors idle for longer than another launch
    takes, a loop over which is combined becomes two. The inner one is combined
    into an array of partial results, one for each iteration of the outer one,
    which blocks share out; a statement in a second kernel combines these, always
    in the same order. Statements whose iterations are tied to those of the loop,
    since they access the same elements, get the two loops, too.

    What depends on the results goes into the second kernel. An array that both
    need is a result of the first, unless the second can compute it by reading no
    more bytes. The second kernel is then looked at in the same way.

    The loop and how it is split are chosen such that all processors have
    blocks and vectors are as wide as before. Where no divisor of an extent does
    that, a remark says so.

    Kernels on buffers, and those with a schedule or a constraint tree, stay as
    they are.
  }];
  let statistics = [
    Statistic<"numSplit", "split", "Reductions that are combined in parts">
  ];
  let options = [
    Option<"processors", "processors", "int64_t", /*default=*/"0",
           "Processors instead of those of the target; 0: its own">,
    Option<"blocksPerProcessor", "blocks-per-processor", "int64_t",
           /*default=*/"2", "Blocks on a processor that keep its part of the "
           "memory rate busy">,
    Option<"minBytes", "min-bytes", "int64_t", /*default=*/"1 << 20",
           "Bytes that a kernel must at least read and write to be split">,
    Option<"minBlockBytes", "min-block-bytes", "int64_t",
           /*default=*/"192 << 10",
           "Bytes that each block of a reduction must at least read for a "
           "smaller kernel to be split, too">,
    Option<"launchNanoseconds", "launch-ns", "int64_t", /*default=*/"-1",
           "What another launch costs, in ns, which splitting has to save; -1: "
           "as on the target">,
  ];
  let dependentDialects = ["::grout::scop::ScopDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ScopFormLaunches : Pass<"scop-form-launches"> {
  let summary = "make one kernel for each launch of a GPU";
  let description = [{
    Statements share a launch where threads can share the work: all go through
    the loops that go to blocks, and none reads what another block computes. Of
    the ways to group them, each step takes the one that saves most time, by a
    model of launches, bytes moved, and SMs that have work. What depends on no
    other op of the function can share an earlier launch, and stays apart if
    others would have to wait for it.

    Kernels on buffers, and those with a schedule or a constraint tree, stay as
    they are. So do those whose dependences isl does not find in time, with a
    remark.
  }];
  let statistics = [
    Statistic<"numKernels", "kernels", "Kernels that there are then">
  ];
  let options = [
    Option<"maxOperations", "max-operations", "uint64_t",
           /*default=*/"2'000'000",
           "Operations of isl that a kernel may take; 0: no limit">,
  ];
  let dependentDialects = ["::grout::scop::ScopDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ScopSchedule : Pass<"scop-schedule"> {
  let summary = "find a schedule for every kernel without one";
  let description = [{
    Derives the exact dependences between the statements of a kernel, and solves
    for a schedule that keeps them, one dimension at a time by integer linear
    programming (`solver=ilp`), or by isl's own scheduler (`solver=isl`). A
    constraint tree steers the former: with `tree=from-ir` the one in the kernel;
    with `auto` or `akg` one that is built as `scop-build-constraint-tree` does,
    unless the kernel has one. A schedule that is there already is kept.

    A remark says what happened where the constraint tree could not be followed,
    or where no solver found a schedule in time and the kernel keeps the order
    of its statements.

    With a GPU as the target, a legal schedule that it cannot run is given up
    like one that is not legal. A row that is no iterator is such, vectors of
    three, or `thread_x` on two loops. A remark at the node of the tree, or at
    the kernel if it has no tree of its own, says why.
  }];
  let options = [
    Option<"tree", "tree", "std::string", /*default=*/"\"none\"",
           "What steers the scheduler: none; from-ir: the scop.tree of the "
           "kernel, where it has one; auto: that, or a tree by what warps of a "
           "GPU move; akg: that, or a tree as AKG's greedy optimiser would">,
    Option<"solver", "solver", "::grout::scop::SolverOption",
           /*default=*/"::grout::scop::SolverOption::Ilp",
           "Who finds schedules", "::grout::scop::getSolverValues()">,
    Option<"trace", "trace", "bool", /*default=*/"false",
           "Print what was tried, and why it failed, on the standard output">,
    Option<"maxOperations", "max-operations", "uint64_t",
           /*default=*/"2'000'000",
           "Operations of isl that a kernel may take; 0: no limit">,
  ];
  let dependentDialects = ["::grout::scop::ScopDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ScopBuildConstraintTree : Pass<"scop-build-constraint-tree"> {
  let summary = "add a constraint tree to every kernel without one";
  let description = [{
    The tree says what is not linear about a schedule for a GPU: which loops go
    to blocks and which to threads, along which neighbouring threads go, and how
    wide vectors are.

    `policy=auto` compares scenarios by the sectors of memory that warps move;
    the best ones become the alternatives of the tree. A kernel that is better
    several launches gets a sequence of those. `policy=akg` is the greedy
    optimiser of MindSpore's AKG, for comparison.

    Kernels that have a tree or a schedule are left alone, as are those where
    there is nothing to choose.
  }];
  let options = [
    Option<"policy", "policy", "std::string", /*default=*/"\"auto\"",
           "auto or akg">,
    Option<"maxScenarios", "max-scenarios", "unsigned", /*default=*/"4",
           "Scenarios of policy auto that become alternatives">,
  ];
  let dependentDialects = ["::grout::scop::ScopDialect"];
}

def ScopExplain : Pass<"scop-explain"> {
  let summary = "print what the schedules of kernels mean for memory";
  let description = [{
    On the standard output, for every kernel: with which others it shares a
    launch, its loops and where they run, the strides of all accesses, and how
    many sectors of 32 bytes a warp moves for each, beside those that hold what
    it needs. If the module has a GPU as its target, and blocks have tiles there,
    it prints what these take of each loop, and which reads go through shared
    memory, along which loop.
  }];
}

def ScopMergeLaunches : Pass<"scop-merge-launches", "::mlir::func::FuncOp"> {
  let summary = "let scheduled kernels that are independent share a launch";
  let description = [{
    Puts kernels on tensors of which none needs what another one computes, also
    through views and other kernels, into a `scop.launch`, so that a GPU starts
    them at once. Each launch is that of the first kernel that is left, and
    takes those after it that nothing keeps from running there, and that
    `convert-tiles-to-kernels` can give the same blocks. See docs/ScopKernels.md.

    Kernels of a launch are ordered by how much memory a block of each moves,
    the most first.
  }];
  let statistics = [
    Statistic<"numMerged", "merged", "Kernels that share the launch of another">
  ];
  let dependentDialects = ["::grout::scop::ScopDialect"];
}

def ScopAssignGPUTiling
    : Pass<"scop-assign-gpu-tiling", "::mlir::func::FuncOp"> {
  let summary = "make the blocks of scop kernels the tiles of tile kernels";
  let description = [{
    Gives each scheduled `scop.kernel` that other tile kernels of its function
    read from, or that reads from others, tiles: what one block computes when
    `convert-tiles-to-kernels` compiles the kernel. So it can be in a chain.
    Kernels stay without where a block's results are not one box, and all do in mode
    `persistent`, in which memory-bound kernels are launches of their own.
  }];
  let options = [
    Option<"mode", "mode", "::grout::tsync::ModeOption",
           /*default=*/"::grout::tsync::ModeOption::Auto",
           "How chains will run; auto, as the function's attribute "
           "tsync.execution says",
           "::grout::tsync::getModeValues()">,
  ];
  let dependentDialects = ["::grout::scop::ScopDialect"];
}

def ScopAssignCPUTiling
    : Pass<"scop-assign-cpu-tiling", "::mlir::func::FuncOp"> {
  let summary = "choose the tiles of scop kernels on a CPU";
  let description = [{
    Gives every scheduled `scop.kernel` on tensors without tiles a size for each
    of its outer loops, from extents alone: tiles of about `min-points` points
    of statements, or more if that makes more than a few tiles for every worker.
    They are as long as can be along the innermost loops, but no less than 64
    iterations wide in a loop along which an array is contiguous. Kernels that
    cannot have such tiles stay without, and are one.
  }];
  let options = [
    Option<"processors", "processors", "int64_t", /*default=*/"8",
           "Workers that share out the tiles">,
    Option<"minPoints", "min-points", "int64_t", /*default=*/"16384",
           "Points of statements that a tile has at least, if there are as "
           "many">,
  ];
  let dependentDialects = ["::grout::scop::ScopDialect"];
}

def ScopVerifyAccesses : Pass<"scop-verify-accesses"> {
  let summary = "check what the kernels of a program access";
  let description = [{
    Every access of a statement is of an element of its array, and a local is
    read where a statement has written it. Otherwise an error at the statement
    names the instance and the element. This comes before any pass that changes
    kernels, as these rely on it: an array of one element has no index, for
    example.
  }];
}

def ScopVerifySchedule : Pass<"scop-verify-schedule"> {
  let summary = "prove that the schedule of every kernel keeps its dependences";
  let description = [{
    An exact test: no instance of a statement runs before, or at once with, one
    that it depends on, and the schedule claims no more parallelism or freedom
    to permute loops than there is. Otherwise an error at the statement names
    one pair of instances. A kernel without a schedule is an error, too.
  }];
}

#endif // GROUT_DIALECT_SCOP_TRANSFORMS_PASSES_TD
