//===- TSyncOps.td - Ops of the tsync dialect --------------*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TSYNC_IR_TSYNCOPS_TD
#define GROUT_DIALECT_TSYNC_IR_TSYNCOPS_TD

include "grout/Dialect/TSync/IR/TSyncAttrs.td"
include "grout/Dialect/TSync/IR/TSyncDialect.td"
include "grout/Interfaces/NamesOperands.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class TSync_Op<string mnemonic, list<Trait> traits = []>
    : Op<TSync_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Chains and their dependences
//===----------------------------------------------------------------------===//

def TSync_ChainOp : TSync_Op<"chain", [
    SingleBlockImplicitTerminator<"YieldOp">, RecursiveMemoryEffects,
    NoRegionArguments]> {
  let summary = "tile kernels that run together, synchronised by tile";
  let description = [{
    The body holds tile kernels, view-like tensor ops between them, and a
    `tsync.dependence` for every operand of a kernel that another kernel of the
    chain produces. `mode` says how the chain runs:

    - `serial`: one kernel after another.
    - `pdl`: programmatic dependent launch. A kernel may start before the kernel
      before it has ended. It waits for that end before it accesses tensors that
      other kernels of the chain read or write.
    - `overlap`: kernels start early in the same way, but their tiles wait for
      tiles.
    - `persistent`: a single kernel, whose blocks claim tiles in tile order.

    In all modes but `persistent`, a dependence may have a mode of its own. The
    chain's mode is then the mode of the other dependences, and of kernels
    without a dependence.

    `selects_edges`, in modes `overlap` and `pdl`, requests the mode that suits
    each dependence. `tsync-select-edge-modes` chooses these modes, and removes
    the attribute.

    `order` has one map for each tile kernel, in the order of the body, from
    tile coordinates to a time. All times have the same rank, and are compared
    lexicographically. No two tiles may have the same time. `order` is absent
    until chosen. In mode `overlap`, it orders the tiles of each kernel, and all
    tiles of a kernel come before those of the next kernel. On GPUs,
    memory-bound kernels run one block for each tile, and the hardware chooses
    their order. If `isLaunchedWithNext` holds for a kernel, this kernel is
    launched together with the next kernel, and their tiles wait for tiles, in
    every mode.

    `residents` is the bound that `tsync-verify` proved: with at least this many
    resident tiles, the chain cannot deadlock. It is absent until proved, and a
    pass that changes a proved property removes it. If tiles of a chain wait for
    tiles, the compiler makes code for the chain only if `residents` is there.

    Example:

    ```mlir
    %0 = tsync.chain mode(persistent)
        order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
        : tensor<128x256xf16> {
      %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
        : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
      %o = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
        : tensor<128x512xf16>, tensor<512x256xf16> -> tensor<128x256xf16>
      tsync.dependence %h -> %o operand 0
        : tensor<128x512xf16>, tensor<128x256xf16>
      tsync.yield %o : tensor<128x256xf16>
    }
    ```
  }];
  let arguments = (ins
    TSync_ModeAttr:$mode,
    UnitAttr:$selects_edges,
    OptionalAttr<AffineMapArrayAttr>:$order,
    OptionalAttr<I64Attr>:$residents);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `mode` `(` $mode `)` (`selects_edges` $selects_edges^)? (`order` $order^)? (`residents` `(` $residents^ `)`)?
    attr-dict-with-keyword (`:` type($results)^)? $body
  }];
  let extraClassDeclaration = [{
    /// Returns the tile kernels of the body, in order.
    ::llvm::SmallVector<::grout::TileKernelOpInterface> getKernels();
    /// Returns whether a single launch runs all kernels.
    bool isOneLaunch() { return ::grout::tsync::isOneLaunch(getMode()); }
    /// Returns the dependences of the body, in order.
    auto getDependences() { return getBody().front().getOps<DependenceOp>(); }
    /// Returns whether any tiles may wait for tiles. Otherwise launches of one
    /// kernel each wait for launches, and the chain needs neither policies nor
    /// a proof.
    bool isSynchronisedByTile();
    /// Returns how many tiles must be resident, as proved, or 1 if no tiles
    /// wait for tiles. Fails with a diagnostic if there is no proof yet.
    ::mlir::FailureOr<int64_t> getProvedResidents();
    /// Returns the number, in the chain, of the launch that runs `kernel`. In
    /// mode `persistent` there is a single launch. In other modes, each kernel
    /// that is not launched with the next one ends a launch.
    unsigned getLaunchOf(::grout::TileKernelOpInterface kernel);
    /// Returns whether two kernels are in the same launch. The time that this
    /// takes depends only on the number of kernels in their launch.
    bool areLaunchedTogether(::grout::TileKernelOpInterface first,
                             ::grout::TileKernelOpInterface second);
    /// Returns the kernels of each launch.
    ::llvm::SmallVector<::llvm::SmallVector<::grout::TileKernelOpInterface>>
    getLaunches();
    /// Returns how the launch of `kernel` waits for earlier launches: the
    /// strictest mode of its dependences on other launches, or the chain's mode
    /// if it has none.
    Mode getKernelMode(::grout::TileKernelOpInterface kernel);
    /// Returns when the launch of `kernel` waits for the launches before it.
    LaunchWait getLaunchWait(::grout::TileKernelOpInterface kernel) {
      return tsync::getLaunchWait(getKernelMode(kernel));
    }
    /// Returns whether `kernel` starts early, and reads operand `operand` only
    /// after the launches before it have ended: the chain writes this operand,
    /// and no tiles wait for its tiles.
    bool isReadAfterLaunches(::grout::TileKernelOpInterface kernel,
                             unsigned operand);
    /// Returns the dependence for operand `operand` of `kernel`; null if there
    /// is none.
    DependenceOp findDependence(::grout::TileKernelOpInterface kernel,
                                unsigned operand);
    /// Returns whether `value` is a result of a kernel of the chain, or made
    /// from one.
    bool dependsOnKernels(::mlir::Value value);
    /// Replaces the chain by its kernels, which are then in no chain.
    void inlineKernels(::mlir::RewriterBase &rewriter);
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def TSync_YieldOp : TSync_Op<"yield", [
    Pure, Terminator, ReturnLike, HasParent<"ChainOp">]> {
  let summary = "ends a chain";
  let description = [{
    Yields the values of the chain that are used outside.

    Example:

    ```mlir
    tsync.yield %o : tensor<128x256xf16>
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let builders = [OpBuilder<(ins), [{}]>];
}

def TSync_DependenceOp : TSync_Op<"dependence", [
    HasParent<"ChainOp">, NamesOperands]> {
  let summary = "which producer tiles every consumer tile waits for";
  let description = [{
    Joins the kernel that defines `producer` to operand `operand` of the kernel
    that defines `consumer`. The operand is `producer` itself or a view of it.

    `relation` is the exact dependence from (consumer tile, step) to producer
    tiles, in isl's notation, as `tsync-derive-dependences` found it. It is only
    information: passes that need the dependence derive it anew. `policy` says
    how semaphores implement the dependence. It is absent until chosen, and a
    user may write it.

    `mode` says how the consumer waits, if it differs from the chain's mode:

    - `serial`: its kernel starts when all kernels before it have ended.
    - `pdl`: its kernel starts early, and waits for their end before it reads
      the operand.
    - `overlap`: its tiles wait for semaphores. Only this mode takes a policy.

    A kernel starts as the strictest of its dependences requires.

    Example:

    ```mlir
    tsync.dependence %h -> %o operand 0 policy
        <semaphore = affine_map<(i, j) -> (i)>, shape = [2], counts = [8],
         lower = affine_map<(i, j, k) -> (i)>,
         upper = affine_map<(i, j, k) -> (i)>>
        : tensor<128x512xf16>, tensor<128x256xf16>
    tsync.dependence %o -> %n operand 0 mode(pdl)
        : tensor<128x256xf16>, tensor<128x256xf16>
    ```
  }];
  let arguments = (ins
    AnyRankedTensor:$producer,
    AnyRankedTensor:$consumer,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$operand,
    OptionalAttr<StrAttr>:$relation,
    OptionalAttr<TSync_ModeAttr>:$mode,
    OptionalAttr<TSync_PolicyAttr>:$policy);
  let assemblyFormat = [{
    $producer `->` $consumer `operand` $operand (`relation` $relation^)?
    (`mode` `(` $mode^ `)`)? (`policy` $policy^)? attr-dict `:` type($producer)
    `,` type($consumer)
  }];
  let extraClassDeclaration = [{
    /// Return the kernels at both ends.
    ::grout::TileKernelOpInterface getProducerKernel();
    ::grout::TileKernelOpInterface getConsumerKernel();
    /// Returns the dependence's own mode, or else the chain's.
    Mode getEffectiveMode();
    /// Returns whether both kernels are in the same launch.
    bool isWithinLaunch();
    /// Returns whether tiles of the consumer wait for semaphores. Otherwise its
    /// launch waits for launches.
    bool isByTile();
    /// Returns the operand of the consumer that reads the producer's result.
    ::mlir::OpOperand &getConsumerOperand();
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// In launches
//===----------------------------------------------------------------------===//

def TSync_PostTilesOp : TSync_Op<"post_tiles"> {
  let summary = "what every tile of a kernel posts";
  let description = [{
    In a launch of a plan, this op is about the kernel that defines `producer`.
    When a tile of this kernel has written its results, it posts a semaphore.
    The map `semaphore` takes the tile's coordinates to a semaphore in an array
    of shape `shape`. This array begins with semaphore `base` of the launch.

    Example:

    ```mlir
    tsync.post_tiles %h base 0 semaphore affine_map<(i, j) -> (i)> shape [2]
        : tensor<128x512xf16>
    ```
  }];
  let arguments = (ins
    AnyRankedTensor:$producer,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$base,
    AffineMapAttr:$semaphore,
    DenseI64ArrayAttr:$shape);
  let assemblyFormat = [{
    $producer `base` $base `semaphore` $semaphore `shape` $shape attr-dict `:`
    type($producer)
  }];
  let hasVerifier = 1;
}

def TSync_WaitTilesOp : TSync_Op<"wait_tiles", [NamesOperands]> {
  let summary = "what every tile of a kernel waits for";
  let description = [{
    In a launch of a plan, this op is about the kernel that defines `consumer`.
    Before a tile of this kernel reads operand `operand` in a step, it waits for
    the semaphores that `policy` gives for the tile's coordinates and the step.
    These semaphores are in the array that begins with semaphore `base` of the
    launch. On targets with clusters, `posters` blocks compute each producer
    tile, and each of these blocks posts.

    Example:

    ```mlir
    tsync.wait_tiles %o operand 0 base 0 policy
        <semaphore = affine_map<(i, j) -> (i)>, shape = [2], counts = [8],
         lower = affine_map<(i, j, k) -> (i)>,
         upper = affine_map<(i, j, k) -> (i)>> : tensor<128x256xf16>
    ```
  }];
  let arguments = (ins
    AnyRankedTensor:$consumer,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$operand,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$base,
    TSync_PolicyAttr:$policy,
    DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$posters);
  let assemblyFormat = [{
    $consumer `operand` $operand `base` $base `policy` $policy attr-dict `:`
    type($consumer)
  }];
  let extraClassDeclaration = [{
    ::grout::TileKernelOpInterface getKernel() {
      return getConsumer().getDefiningOp<::grout::TileKernelOpInterface>();
    }
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Inside kernels
//===----------------------------------------------------------------------===//

def TSync_WaitOp : TSync_Op<"wait", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits until a semaphore is complete";
  let description = [{
    Returns when semaphore `index` has been posted `count` times in this run.
    The wait acquires: all writes before those posts, by threads in `scope`, are
    then visible to the executing thread. With proxy `async` they are also
    visible to TMA loads that this thread issues afterwards.

    `task` names the waiting tile, so that the runtime can report a wait that
    never ends. It has the words of a task: `body`, `x`, `y` and `z`.

    Example:

    ```mlir
    tsync.wait %semaphores[%index] count %count scope(device) proxy(async)
    tsync.wait %semaphores[%index] count %count scope(device) proxy(generic)
      task(%body, %x, %y, %z)
    ```
  }];
  let arguments = (ins TSync_SemaphoresType:$semaphores, I32:$index, I32:$count,
                       TSync_ScopeAttr:$scope, TSync_ProxyAttr:$proxy,
                       Variadic<I32>:$task);
  let assemblyFormat = [{
    $semaphores `[` $index `]` `count` $count `scope` `(` $scope `)` `proxy`
    `(` $proxy `)` (`task` `(` $task^ `)`)? attr-dict
  }];
  let hasVerifier = 1;
}

def TSync_PollAgainOp : TSync_Op<"poll_again", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "whether a thread polls again for data of another rank";
  let description = [{
    A thread that waits for data of other ranks polls in a loop, whose condition
    is the result: whether data is missing. But kernels with a watchdog give up
    after a time, and report that they wait for `rank`.

    Example:

    ```mlir
    %again = tsync.poll_again %is_missing of %rank in %semaphores
    ```
  }];
  let arguments = (ins TSync_SemaphoresType:$semaphores, I1:$isMissing,
                       I32:$rank);
  let results = (outs I1:$again);
  let assemblyFormat = [{
    $isMissing `of` $rank `in` $semaphores attr-dict
  }];
}

def TSync_PostOp : TSync_Op<"post", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "posts a semaphore";
  let description = [{
    Adds 1 to semaphore `index`. The post releases: all data that the executing
    thread wrote, or has seen written, is visible to every thread in `scope`
    whose wait for this semaphore then completes. `proxy` says how the data was
    written: `generic` is for ordinary stores, `async` for TMA stores whose
    completion this thread has waited for.

    Example:

    ```mlir
    tsync.post %semaphores[%index] scope(device) proxy(generic)
    ```
  }];
  let arguments = (ins TSync_SemaphoresType:$semaphores, I32:$index,
                       TSync_ScopeAttr:$scope, TSync_ProxyAttr:$proxy);
  let assemblyFormat = [{
    $semaphores `[` $index `]` `scope` `(` $scope `)` `proxy` `(` $proxy `)`
    attr-dict
  }];
}

#endif // GROUT_DIALECT_TSYNC_IR_TSYNCOPS_TD
