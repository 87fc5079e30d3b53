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
    A caller passes memory for each result of a function, and kernels write this
    memory. So some results become copies (`linalg.copy`): arguments, constants,
    parts of a tensor, and results that are the same value as an earlier result,
    also with another shape. `convert-linalg-to-scop` then fuses the copy with
    its source.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ScopCopyViews : Pass<"scop-copy-views", "::mlir::func::FuncOp"> {
  let summary = "copy what tile kernels could not read by strides";
  let description = [{
    GEMMs, and linalg ops with tiles, read their operands by strides. Some views
    of a tensor, made by slices and reshapes, have no strides: for example, the
    images of `x[:, 1:, :]` one after the other. Such an operand becomes a copy
    (`linalg.copy`), one for all kernels that read it. `convert-linalg-to-scop`
    fuses the copy with its source, or reads the view through its accesses, as
    it does for all other ops.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ScopCopyUpdates : Pass<"scop-copy-updates", "::mlir::func::FuncOp"> {
  let summary = "copy what tensor.scatter must not change";
  let description = [{
    A kernel that scatters into a tensor changes the memory of this tensor. So
    the destination of a `tensor.scatter` becomes a copy (`linalg.copy`) if
    something else uses it, too, or if it is an argument, a constant or a view.
    The exception is an argument that is updated in place (`grout.in_place`),
    and whose updates lead to the result that it holds.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ScopCollapseLoops : Pass<"scop-collapse-loops"> {
  let summary = "make one loop of those that all accesses walk as one";
  let description = [{
    Joins neighbouring iterators of a statement, and neighbouring dimensions of
    an array, if every access of the kernel goes through them as through a
    single one. So an elementwise computation gets a single loop, whatever the
    rank of its tensors. Iterators and dimensions of extent 1 are dropped. If a
    region uses the value of an iterator that was joined, it gets a quotient or
    a remainder instead. An access that reads few elements may also get
    quotients and remainders, if rows would have no vectors otherwise. An
    example is the bias of channels of 7 x 7 pixels.

    If operands and results get fewer dimensions, `tensor.collapse_shape` and
    `tensor.expand_shape` reshape them outside of the kernel. Slices keep their
    shape, because their elements may not be contiguous.

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
    If the schedule of a kernel on tensors begins with a sequence, the kernel
    runs one group of statements after another. Each group becomes a kernel with
    its part of the schedule. The pass proves the schedule first. It marks loops
    as parallel if only other groups kept them from being parallel. Arrays that
    several groups use become tensors between the kernels: results of the first
    kernel that writes them.

    If a group has a single instance, and starts or ends a sum over everything,
    it stays with that sum. A group whose values nobody uses goes away. On a
    GPU, a kernel that sums up few points stays whole, if one block can go
    through all of them in the time of a launch.
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
    Prints each kernel as a scheduling problem in isl's notation, on the
    standard output. The scheduler solves this problem, and
    `scop-verify-schedule` proves schedules against it.
  }];
}

def ScopInlineProducers : Pass<"scop-inline-producers"> {
  let summary = "compute small or reshaped values where they are used";
  let description = [{
    Copies a statement into the statements that read its result. Otherwise
    threads of different blocks could not share the value, and the statement
    would need a launch of its own. The statement must not be a reduction, and
    must be the only one that writes its local array. It is copied into a reader
    in these cases:

    - It has far fewer points than the reader, and depends on inputs alone: for
      example, a constant, or a vector for each row.
    - A single statement reads it, with other loops than it is written with, and
      computes few values again.
    - Statements read it at several places of a window, and the value takes few
      operations. The places may be those of one reduction, or each place may
      have a statement of its own.
    - Its value costs less than a read: it is computed from iterators alone, or
      it copies an input such that neighbours stay neighbours.
    - It only converts elements to a wider type, and a reader combines more of
      them into one than threads could keep in registers.
    - It only copies elements in another order, or widens them there, and the
      reader combines so many of them into one, in any order.
    - It only subtracts a mean from each element, and a reader combines so many
      of these differences into one. For example, the differences from the mean
      of a large group go into a variance and into the result of a norm.

    The pass does not compute functions of many operations (sine, power) again
    for a large reader, however few points the statement has.

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

def ScopDropDuplicates : Pass<"scop-drop-duplicates", "::mlir::func::FuncOp"> {
  let summary = "drop kernels that compute what an earlier kernel computes";
  let description = [{
    For example, `scop-form-launches` splits a kernel whose parts each
    concatenate the same two tensors. If the concatenation needs a launch of its
    own, there is one for each part. The pass keeps the first.

    A kernel is kept if something needs memory of its own for a result: if the
    result is returned or concatenated, or if a kernel updates it in place.
  }];
  let statistics = [
    Statistic<"numDropped", "dropped", "Kernels that are dropped">
  ];
}

def ScopSplitLoops : Pass<"scop-split-loops"> {
  let summary = "make two loops of one whose accesses divide it";
  let description = [{
    A reshape or a concatenation leaves accesses such as `d0 floordiv 128` and
    `d0 mod 128` behind. If an access divides an iterator by a divisor of its
    extent, or takes the remainder, this iterator becomes two iterators. So
    accesses become linear, and several statements get the same loops.

    If the iterator goes through a dimension of a local array, this dimension
    becomes two, and so do the iterators of other statements that go through
    this dimension. Two cases are exceptions. A dimension of a local array stays
    whole if an access to it would no longer be linear: for example, the second
    part of a concatenation is at `d0 + 80`, and 80 is no multiple of the inner
    extent. Then only accesses to other dimensions connect iterators. If a
    statement goes through one of the iterators in order, other than to reduce,
    only the iterator whose access divides is split. `scop-collapse-loops` joins
    the two loops again if they gain nothing.

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
    On a GPU, one block computes each reduction along a row, or the reductions
    of 32 bytes of columns. If this leaves processors idle for longer than
    another launch takes, the loop of the reduction becomes two. The inner loop
    is reduced to an array of partial results, one for each iteration of the
    outer loop, and blocks distribute the outer loop. A statement in a second
    kernel combines the partial results, always in the same order. If the
    iterations of other statements are tied to those of the loop, because they
    access the same elements, these statements get the two loops, too.

    A variance needs a mean first, and would take two splits, one after the
    other. Instead, the sum of (x - mean)^2 is split together with the sum of x:
    each part subtracts the mean of its own n elements, and the second kernel
    adds n * (mean of the part - mean)^2 to each part (Chan, Golub and LeVeque,
    1979). That is at least as accurate.

    All statements that depend on the results go into the second kernel. An
    array that both kernels need is a result of the first kernel, unless the
    second can compute it by reading no more bytes. The pass then treats the
    second kernel in the same way.

    The pass chooses the loop and the factor of the split such that all
    processors have blocks, and vectors are as wide as before. If no divisor of
    an extent allows this, a remark says so.

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
    Statements share a launch if threads can share their work: all of them go
    through the loops that are distributed to blocks, and none reads a value
    that another block computes. The pass groups statements step by step. Each
    step takes the grouping that saves most time, by a model of launches, bytes
    moved, and busy SMs. A statement that depends on no other op of the function
    can share an earlier launch. It stays apart if others would have to wait for
    it.

    On a GPU, a group of several phases, such as the sums of a norm and its
    result, then becomes two kernels if the traffic of warps says that these are
    faster. For example, a group norm with channels first and a result with
    channels last is two kernels, and both go along neighbours.

    Kernels on buffers, and those with a schedule or a constraint tree, stay as
    they are. So do kernels whose dependences isl does not find within
    `max-operations`; a remark says so.
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
    Derives the exact dependences between the statements of a kernel, and finds
    a schedule that keeps them: dimension by dimension with integer linear
    programming (`solver=ilp`), or with isl's own scheduler (`solver=isl`). A
    constraint tree steers `solver=ilp`. With `tree=from-ir` this is the tree in
    the kernel. With `auto` or `akg`, a kernel without a tree gets one that the
    pass builds as `scop-build-constraint-tree` does. A schedule that is there
    already is kept.

    A remark says so if the scheduler could not follow the constraint tree.
    Another remark says so if no solver found a schedule within
    `max-operations`; the kernel then keeps the order of its statements.

    If the target is a GPU, the scheduler rejects a legal schedule that the GPU
    cannot run, like one that is not legal. Examples are a row that is not an
    iterator, vectors of three elements, and `thread_x` on two loops. A remark
    at the node of the tree says why, or at the kernel if it has no tree of its
    own.
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
    The tree states the parts of a GPU schedule for which there is no linear
    objective: which loops blocks and threads distribute, along which loop
    neighbouring threads go, and how wide vectors are.

    `policy=auto` compares scenarios by the sectors of memory that warps move.
    The best scenarios become the alternatives of the tree. If a kernel is
    faster as several launches, its tree is a sequence of these launches.
    `policy=akg` is the greedy optimiser of MindSpore's AKG, for comparison.

    The pass leaves kernels alone that have a tree or a schedule, or for which
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
    Prints on the standard output, for every kernel:

    - the other kernels with which it shares a launch;
    - its loops, and where they run;
    - the strides of all accesses;
    - for each access, how many sectors of 32 bytes a warp moves, and how many
      sectors hold the elements that the warp needs;
    - if the target is a GPU, and blocks have tiles: the size of the tiles in
      each loop, and which reads go through shared memory, along which loop.
  }];
}

def ScopMergeLaunches : Pass<"scop-merge-launches", "::mlir::func::FuncOp"> {
  let summary = "let scheduled kernels that are independent share a launch";
  let description = [{
    Puts independent kernels on tensors into a `scop.launch`, so that a GPU
    starts them at the same time. None of the kernels needs a result of another,
    also through views and other kernels. The pass takes the first kernel that
    is left, and adds each later kernel that can run at its place, and to which
    `convert-tiles-to-kernels` can give the same blocks. See
    docs/ScopKernels.md.

    The kernels of a launch are ordered by the bytes that a block of each moves,
    with the most bytes first.
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
    Gives tiles to each scheduled `scop.kernel` that reads a result of another
    tile kernel of its function, or whose result another tile kernel reads. So
    the kernel can be in a chain. A tile is the work of one block when
    `convert-tiles-to-kernels` compiles the kernel. A kernel gets no tiles if
    the results of a block are not a single box. In mode `persistent` no kernel
    gets tiles, because memory-bound kernels have launches of their own.
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
    Gives every scheduled `scop.kernel` on tensors without tiles a tile size for
    each of its outer loops, from extents alone. A tile has about `min-points`
    points of statements, or more if there would otherwise be more than a few
    tiles for every worker. Tiles are as long as possible along the innermost
    loops. In a loop along which an array is contiguous, they are at least 64
    iterations wide. A kernel that cannot have such tiles gets none, and runs as
    a whole.
  }];
  let options = [
    Option<"processors", "processors", "int64_t", /*default=*/"8",
           "Workers that split the tiles">,
    Option<"minPoints", "min-points", "int64_t", /*default=*/"16384",
           "Points of statements that a tile has at least, if there are as "
           "many">,
  ];
  let dependentDialects = ["::grout::scop::ScopDialect"];
}

def ScopVerifyAccesses : Pass<"scop-verify-accesses"> {
  let summary = "check what the kernels of a program access";
  let description = [{
    Checks that every access of a statement is to an element of its array, and
    that statements read only elements of a local that a statement has written.
    Otherwise an error at the statement names the instance and the element. This
    pass runs before all passes that change kernels, because they rely on these
    properties. For example, they drop the index of an array with one element.
  }];
}

def ScopVerifySchedule : Pass<"scop-verify-schedule"> {
  let summary = "prove that the schedule of every kernel keeps its dependences";
  let description = [{
    The test is exact. No instance of a statement runs before, or at the same
    time as, an instance that it depends on. The schedule claims no more
    parallelism, and no more freedom to permute loops, than there is. Otherwise
    an error at the statement names one pair of instances. A kernel without a
    schedule is an error, too.
  }];
}

#endif // GROUT_DIALECT_SCOP_TRANSFORMS_PASSES_TD
