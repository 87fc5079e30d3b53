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
    The body holds tile kernels, view-like tensor ops between them, and one
    `tsync.dependence` for every operand of a kernel that another kernel of the
    chain produces. `mode` says how the chain runs: `serial`, one kernel after
    another; `pdl`, the same by programmatic dependent launch, where a kernel
    may start before the one before it has ended, and then waits for its end
    before it touches what other kernels of the chain read or write;
    `overlap`, kernels that start early in the same way, but whose tiles wait
    for tiles; `persistent`, one kernel whose tiles are claimed in tile order.
    In all modes but the last a dependence may have a mode of its own; the
    chain's is then that of the others, and of kernels without a dependence.

    `selects_edges`, in modes `overlap` and `pdl`, asks for the mode that suits
    each dependence; `tsync-select-edge-modes` chooses and removes it.

    `order` has one map for each tile kernel, in the order of the body: from
    tile coordinates to a time. All times have one rank and are compared
    lexicographically; no two tiles may have the same time. Absent until chosen.
    In mode `overlap` it orders the tiles of each kernel, and all tiles of a
    kernel come before those of the next. Memory-bound kernels run one block for
    each tile on GPUs, and leave it to the hardware in which order. A kernel of
    which `isLaunchedWithNext` holds is launched together with the next one, and
    their tiles are synchronised by tile, in every mode.

    `residents` is the bound that `tsync-verify` proved: with at least so many
    tiles resident the chain cannot deadlock. Absent until proved; passes that
    change what was proved remove it, and a chain of which tiles wait for tiles
    is compiled only with it.

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
    /// The tile kernels of the body, in order.
    ::llvm::SmallVector<::grout::TileKernelOpInterface> getKernels();
    /// Whether one launch runs them all.
    bool isOneLaunch() { return ::grout::tsync::isOneLaunch(getMode()); }
    /// The dependences of the body, in order.
    auto getDependences() { return getBody().front().getOps<DependenceOp>(); }
    /// Whether any tiles may wait for tiles. Else launches of one kernel each
    /// wait for launches, and need neither policies nor a proof.
    bool isSynchronisedByTile();
    /// How many tiles must be resident, as proved, or 1 where no tiles wait for
    /// tiles. Fails with a diagnostic if there is no proof yet.
    ::mlir::FailureOr<int64_t> getProvedResidents();
    /// The launch, by its number in the chain, of `kernel`: one for all in mode
    /// `persistent`, and in others one for each that does not run with the next.
    unsigned getLaunchOf(::grout::TileKernelOpInterface kernel);
    /// Whether two kernels are in one launch. Takes time in its kernels only.
    bool areLaunchedTogether(::grout::TileKernelOpInterface first,
                             ::grout::TileKernelOpInterface second);
    /// The kernels of each launch.
    ::llvm::SmallVector<::llvm::SmallVector<::grout::TileKernelOpInterface>>
    getLaunches();
    /// How the launch of `kernel` keeps to the launches before it. The strictest mode of its dependences on other launches; the
    /// chain's where it has none.
    Mode getKernelMode(::grout::TileKernelOpInterface kernel);
    /// What that mode means.
    LaunchWait getLaunchWait(::grout::TileKernelOpInterface kernel) {
      return tsync::getLaunchWait(getKernelMode(kernel));
    }
    /// Whether operand `operand` of `kernel`, which starts early, is read only
    /// after the launches before have ended: the chain writes it, and its tiles
    /// wait for no tiles.
    bool isReadAfterLaunches(::grout::TileKernelOpInterface kernel,
                             unsigned operand);
    /// The dependence for operand `operand` of `kernel`; null if there is none.
    DependenceOp findDependence(::grout::TileKernelOpInterface kernel,
                                unsigned operand);
    /// Whether `value` is, or is made from, a result of a kernel of the chain.
    bool dependsOnKernels(::mlir::Value value);
    /// Replaces the chain by its kernels, which then are in none.
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
    that defines `consumer`, which reads `producer` itself or a view of it.

    `relation` is the exact dependence from (consumer tile, step) to producer
    tiles, in isl's notation, as `tsync-derive-dependences` found it; it is
    information, and is derived anew where it matters. `policy` says how
    semaphores implement it; it is absent until chosen, and a user may write it.

    `mode` says how the consumer waits, where that is not as the chain's mode
    says: `serial`, its kernel starts when all kernels before it have ended;
    `pdl`, it starts early, and what reads the operand waits for their end;
    `overlap`, its tiles wait for semaphores. Only the last takes a policy. A
    kernel starts as the strictest of its dependences asks.

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
    /// The kernels at both ends.
    ::grout::TileKernelOpInterface getProducerKernel();
    ::grout::TileKernelOpInterface getConsumerKernel();
    /// Its own mode, or else the chain's.
    Mode getEffectiveMode();
    /// Whether one launch runs both kernels.
    bool isWithinLaunch();
    /// Whether tiles of the consumer wait for semaphores. Else its launch waits
    /// for launches.
    bool isByTile();
    /// The operand of the consumer that reads the producer's result.
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
    In a launch of a plan, says of the kernel that defines `producer`: a tile
    that has written its results posts the semaphore that the map gives for its
    coordinates, of the array of shape `shape` that begins with semaphore `base`
    of the launch.

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
    In a launch of a plan, says of the kernel that defines `consumer`: before a
    tile reads operand `operand` in a step, it waits for the semaphores that
    `policy` gives for its coordinates and the step, in the array that begins
    with semaphore `base` of the launch. `posters` blocks compute each tile that
    posts, where the target has clusters, and each of them posts.

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
    Returns once semaphore `index` has been posted `count` times in this run.
    Acquires: everything written before those posts, by threads in `scope`, is
    then visible to the executing thread. With proxy `async` it is visible to
    TMA loads that this thread issues afterwards, too.

    `task` names the tile that waits, for reports of a wait that never ends: the
    words of a task, `body`, `x`, `y` and `z`.

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

def TSync_PostOp : TSync_Op<"post", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "posts a semaphore";
  let description = [{
    Adds 1 to semaphore `index`. Releases: everything that the executing thread
    wrote, or has seen written, is visible to whoever then completes a wait for
    it in `scope`. `proxy` says how the data was written: with `generic`, by
    ordinary stores; with `async`, by TMA stores whose completion this thread
    has waited for.

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
