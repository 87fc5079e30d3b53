//===- LaunchOps.td - Ops of the launch dialect ------------*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_LAUNCH_IR_LAUNCHOPS_TD
#define GROUT_DIALECT_LAUNCH_IR_LAUNCHOPS_TD

include "grout/Dialect/Launch/IR/LaunchAttrs.td"
include "grout/Dialect/Launch/IR/LaunchDialect.td"
include "grout/Dialect/Launch/IR/LaunchInterfaces.td"
include "grout/Dialect/Launch/IR/LaunchTypes.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Launch_Op<string mnemonic, list<Trait> traits = []>
    : Op<Launch_Dialect, mnemonic, traits>;

def Launch_PlanOp : Launch_Op<"plan", [
    IsolatedFromAbove, NoTerminator, SingleBlock, Symbol]> {
  let summary = "what the runtime executes for a compiled function";
  let description = [{
    The block's arguments are the inputs of the function, then its outputs;
    `num_inputs` is the number of inputs. All are dense and row-major.
    `in_place` has a number for each output: -1, or the number of the input that
    this output updates in place. The caller passes the same tensor for both,
    and launches use only the output.

    `reference of` names a function. The plan then computes the results of this
    function by plain code, for checking. `rounded_to` is the coarsest type that
    the function rounds a value to, if that type is narrower than f32.

    The launches are a graph. They may run one after another, in the order of
    the block, or in any other order that the edges allow. A launch without
    edges starts when all work before the plan has ended. The runtime has a
    stream for each branch; branch 0 is the caller's stream. Launches of the
    same branch start in the order of the block. Launches of different branches
    run beside each other, as far as edges allow. The plan has ended when all
    branches have ended.

    An *edge* orders a launch after an earlier launch, here called E. There are
    these kinds of edges:

    | edge | the launch starts | and |
    |---|---|---|
    | `full` | when E has ended | |
    | `programmatic` | when all blocks of E have triggered or ended | its kernel waits for the end of E before it writes, or reads an input that is not early |
    | `launch_order` | likewise | it ends after E |
    | `tile` | likewise | it ends after E, and its tiles wait for tiles of E |

    A kernel that waits for launches triggers after this wait, unless the launch
    says that it triggers before. If it triggers before the wait, then the
    launches that it triggers can rely only on launches that had ended when this
    kernel itself started.

    The verifier of the plan proves these properties:

    - If launch A writes a buffer, and a later launch B reads or writes it, then
      edges order B after A. If B only reads the buffer, it is enough that its
      tiles wait for tiles of A.
    - If launch A reads a buffer, and a later launch B writes it, then edges
      order B after A.
    - If a launch reads an input early, all launches that write this input have
      ended when the launch starts.
    - Launches write every output that is not in place of an input. A buffer
      that a launch reads is an input or a constant, or an earlier launch has
      written it.
    - A launch with an edge from `launch.start` waits for the work before the
      plan before it does anything else, and triggers after that wait.
    - If two buffers share a byte of the workspace, then all launches that
      access the first buffer have ended when a launch writes the second. The
      same holds for buffers that share bytes of an output; the output itself is
      the last of these.
    - A `launch.part` counts as its whole buffer, except that two parts without
      a common element are independent.
    - Launches that exchange data with other ranks run one after another.
    - Of two launches that need more than one resident tile, edges order one
      after the other. Side by side, each could hold processors that the tiles
      of the other need.

    Example:

    ```mlir
    launch.plan @double inputs 1 {
    ^bb0(%x: memref<64xf32>, %out: memref<64xf32>):
      %h = launch.buffer "h" : memref<64xf32>
      %t = launch.kernel "double" @kernels [@double_tile] (%x, %h) writes [1]
        args [#launch.arg<buffer, operand = 0>, #launch.arg<buffer, operand = 1>]
        grids [[4]] order [affine_map<(i) -> (i)>]
        : memref<64xf32>, memref<64xf32>
      %t2 = launch.kernel "again" @kernels [@double_tile] (%h, %out) writes [1]
        after full(%t)
        args [#launch.arg<buffer, operand = 0>, #launch.arg<buffer, operand = 1>]
        grids [[4]] order [affine_map<(i) -> (i)>]
        : memref<64xf32>, memref<64xf32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$num_inputs,
                       OptionalAttr<DenseI64ArrayAttr>:$in_place,
                       OptionalAttr<FlatSymbolRefAttr>:$reference,
                       OptionalAttr<TypeAttrOf<AnyTypeOf<Grout_NarrowFloats>>>
                         :$rounded_to);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `inputs` $num_inputs (`in_place` $in_place^)?
    (`reference` `of` $reference^)?
    attr-dict-with-keyword $body
  }];
  let extraClassDeclaration = [{
    /// Returns the number of the input that output `output` is in place of, if
    /// any.
    std::optional<unsigned> getInPlaceInput(unsigned output);
    /// Returns whether argument `number` is an output that holds no data when
    /// the plan starts.
    bool isEmptyOutput(unsigned number);
    /// Returns the launches, in the order of the block.
    auto getLaunches() {
      return getBody().front().getOps<LaunchOpInterface>();
    }
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Launch_BufferOp : Launch_Op<"buffer", [
    MemoryEffects<[MemAlloc]>, HasParent<"PlanOp">]> {
  let summary = "an intermediate buffer of a plan";
  let description = [{
    Device memory that the plan owns. It holds no data when the plan starts.
    With `value`, the buffer is a constant, which launches may only read.

    `offset` is the byte of the plan's workspace at which the buffer starts, a
    multiple of 256. With `argument`, the number of an output among the plan's
    arguments, it is a byte of that output instead: an output can hold
    intermediates until a launch writes it. A buffer without an offset has no
    place yet; `launch-place-buffers` gives it one.

    Example:

    ```mlir
    %h = launch.buffer "h" : memref<128x512xf16>
    %g = launch.buffer "g" at 131072 : memref<128x512xf16>
    %i = launch.buffer "i" at 0 of argument 3 : memref<128x512xf16>
    %c = launch.buffer "bias" value dense<[1.0, 2.0]> : tensor<2xf32>
      : memref<2xf32>
    ```
  }];
  let arguments = (ins
    StrAttr:$name,
    OptionalAttr<ElementsAttr>:$value,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$offset,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$argument);
  let results = (outs Launch_Buffer:$result);
  let builders = [
    // Builds a buffer without a place.
    OpBuilder<(ins "::mlir::Type":$type, "::mlir::StringRef":$name,
                   "::mlir::ElementsAttr":$value), [{
      build($_builder, $_state, type, name, value, /*offset=*/{},
            /*argument=*/{});
    }]>];
  let assemblyFormat = [{
    $name (`value` $value^)?
    (`at` $offset^ (`of` `argument` $argument^)?)? attr-dict `:` type($result)
  }];
  let extraClassDeclaration = [{
    /// Returns the size in bytes. Each element takes whole bytes.
    int64_t getBytes();
    /// Returns the size in bytes, rounded up to where another buffer may start.
    int64_t getAlignedBytes();
    /// Returns the plan's argument whose bytes hold the buffer; null if the
    /// buffer is in the workspace or has no place yet.
    ::mlir::BlockArgument getHost();
  }];
  let hasVerifier = 1;
}

def Launch_PartOp : Launch_Op<"part", [Pure, HasParent<"PlanOp">]> {
  let summary = "some elements of a buffer, as a buffer";
  let description = [{
    The layout of `result` names elements of `source`, counted from its first
    element: a rectangle. For example, a launch that computes one of several
    concatenated tensors writes such a part. Launches that access parts without
    a common element need no order.

    Example:

    ```mlir
    %c = launch.buffer "c" : memref<784x256xf16>
    %p = launch.part %c : memref<784x256xf16>
      as memref<784x128xf16, strided<[256, 1], offset: 64>>
    ```
  }];
  let arguments = (ins Launch_Buffer:$source);
  let results = (outs Launch_Buffer:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `as` type($result)";
  let hasVerifier = 1;
}

def Launch_StartOp : Launch_Op<"start", [Pure, HasParent<"PlanOp">]> {
  let summary = "what precedes the plan in its stream";
  let description = [{
    A token that stands for all work before the plan in its stream. An edge from
    it leads to a launch that may start before this work has ended.

    Example:

    ```mlir
    %start = launch.start
    ```
  }];
  let results = (outs Launch_TokenType:$token);
  let assemblyFormat = "attr-dict";
}

def Launch_SemaphoresOp : Launch_Op<"semaphores", [
    MemoryEffects<[MemAlloc]>, HasParent<"PlanOp">]> {
  let summary = "semaphores that launches of a plan share";
  let description = [{
    `count` counters, each 0 when the plan starts.

    Example:

    ```mlir
    %s = launch.semaphores 8
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntPositive]>:$count);
  let results = (outs Launch_SemaphoresType:$result);
  let assemblyFormat = "$count attr-dict";
}

def Launch_TilesOp : Launch_Op<"tiles", [
    AttrSizedOperandSegments, IsolatedFromAbove,
    SingleBlockImplicitTerminator<"YieldOp">,
    MemoryEffects<[MemRead, MemWrite]>, HasParent<"PlanOp">,
    LaunchOpInterface]> {
  let summary = "a launch of tile kernels, before there is code for it";
  let description = [{
    The body computes on tensors. Its arguments are the contents of the `ins`
    buffers, and `launch.yield` gives the contents of the `outs` buffers. A
    tensor may have another shape than its buffer, if the buffer is dense and
    both have the same number of elements. The body holds one or several tile
    kernels, view-like tensor ops, and constants. `tsync.post_tiles` and
    `tsync.wait_tiles` say which of the semaphores `uses` the tiles post and
    wait for.

    `order` has one map for each kernel, in the order of the body, from its
    tiles to their time, as in `tsync.chain`. Without it, tiles may run in any
    order. `residents` is the number of tiles that must be resident at once.
    `branch` is the branch of the plan.

    `starts_early` says that the kernel can wait for launches by itself, so that
    a policy may choose edges other than `full`. `early` lists the inputs that
    the kernel may then read before this wait; without the list, all threads
    wait before they read or write anything. `trigger` says when the kernel
    triggers, so that later launches may start early. It is absent until chosen:

    | trigger | blocks trigger |
    |---|---|
    | `never` | not at all: later launches start when the kernel has ended |
    | `after_wait` | when they have waited for launches; if they do not wait, after their first loads |
    | `at_entry` | before anything else; if all threads wait at their start, after this wait |
    | `before_wait` | before anything else, even before any wait |

    Example:

    ```mlir
    %t1 = launch.tiles "second" ins(%h, %w) outs(%out) after programmatic(%t0)
        starts_early early [1] trigger(after_wait)
        : (memref<64x64xf16>, memref<64x64xf16>) -> memref<64x64xf16> {
    ^bb0(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>):
      %o = tgemm.matmul %a, %b {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
        : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
      launch.yield %o : tensor<64x64xf16>
    }
    ```
  }];
  let arguments = (ins
    StrAttr:$name,
    Variadic<Launch_Buffer>:$inputs,
    Variadic<Launch_Buffer>:$outputs,
    Variadic<Launch_TokenType>:$after,
    Optional<Launch_SemaphoresType>:$semaphores,
    DefaultValuedAttr<DenseI32ArrayAttr, "{}">:$edges,
    OptionalAttr<AffineMapArrayAttr>:$order,
    DefaultValuedAttr<I64Attr, "1">:$residents,
    UnitAttr:$starts_early,
    OptionalAttr<DenseI64ArrayAttr>:$early,
    OptionalAttr<Launch_TriggerAttr>:$trigger,
    DefaultValuedAttr<I64Attr, "0">:$branch);
  let results = (outs Launch_TokenType:$token);
  let builders = [
    // Builds a launch without edges and semaphores.
    OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::ValueRange":$inputs,
                   "::mlir::ValueRange":$outputs), [{
      build($_builder, $_state, $_builder.getType<TokenType>(), name, inputs,
            outputs, /*after=*/::mlir::ValueRange(), /*semaphores=*/nullptr,
            /*edges=*/::llvm::ArrayRef<int32_t>(), /*order=*/nullptr,
            /*residents=*/1, /*starts_early=*/false, /*early=*/nullptr,
            /*trigger=*/nullptr, /*branch=*/0);
    }]>];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $name (`ins` `(` $inputs^ `)`)? (`outs` `(` $outputs^ `)`)?
    (`after` custom<Edges>($after, $edges)^)? (`uses` `(` $semaphores^ `)`)?
    (`starts_early` $starts_early^)? (`early` $early^)?
    (`trigger` `(` $trigger^ `)`)? (`branch` $branch^)? (`order` $order^)?
    attr-dict-with-keyword
    `:` functional-type($inputs, $outputs) $body
  }];
  let extraClassDeclaration = [{
    /// Returns the tile kernels of the body, in order.
    ::llvm::SmallVector<::grout::TileKernelOpInterface> getKernels();
    /// Returns whether this is the first launch that uses its semaphores. They
    /// are then in its own synchronisation state.
    bool ownsSemaphores();
    YieldOp getYield();

    // LaunchOpInterface
    ::llvm::SmallVector<::mlir::Value> getReads();
    ::llvm::SmallVector<::mlir::Value> getWrites();
    bool waitsAtEntry();
    bool triggersBeforeWait();
    bool readsEarly(::mlir::Value buffer);
    bool waitsForTiles(::mlir::Value buffer, ::mlir::Operation *earlier);
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Launch_YieldOp : Launch_Op<"yield", [
    Pure, Terminator, ReturnLike, HasParent<"TilesOp">]> {
  let summary = "what a launch of tile kernels writes";
  let description = [{
    One tensor for each output of the launch.

    Example:

    ```mlir
    launch.yield %o : tensor<64x64xf16>
    ```
  }];
  let arguments = (ins Variadic<AnyStaticShapeTensor>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let builders = [OpBuilder<(ins), [{}]>];
}

def Launch_KernelOp : Launch_Op<"kernel", [
    AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>,
    HasParent<"PlanOp">, LaunchOpInterface]> {
  let summary = "a launch of a kernel";
  let description = [{
    Runs a kernel of module `module` on the buffers. The kernel writes the
    buffers with the numbers `written`, and reads the others. `entries` names
    the entry point, or on the CPU one tile body for each tile kernel of the
    launch. `args` describes each parameter.

    A launch with `order` runs tiles, which become its task list. Tile kernel
    `b` has the tile grid `grids[b]`, and `order[b]` maps its tiles to their
    time, as in `tsync.chain`. A launch without `order` has the fixed grid
    `grids[0]`, in blocks.

    The launch posts and waits for the semaphores `uses`, which are in the
    synchronisation state of the first launch that uses them. `residents` is the
    number of tiles that must be resident at once. If `debug_sync_milliseconds`
    is not 0, the launch's waits for semaphores give up after that time, and
    record that they did.

    These attributes are for GPUs:

    - `block`: threads of a block, up to 1024.
    - `cluster`: blocks that compute a tile together, 1 to 8. The number of
      blocks of a fixed grid is a multiple of it.
    - `shared_memory`: bytes of dynamic shared memory, up to 227 KiB.
    - `blocks_per_processor`: 1 to 32.

    If several kernels share a launch with a fixed grid, `parts` is the number
    of blocks of each, in order. `branch` is the branch of the plan.

    A launch with `exchange` exchanges data with the same launch on other ranks.
    All launches with an exchange have the same number of ranks, and their bytes
    are apart.

    If an edge other than `full` leads to the launch, its kernel waits for
    launches by itself, as `launch.plan` says. `early` lists the buffers that
    the kernel may read before this wait; without the list, all threads wait
    before they read or write anything. With `triggers_before_wait`, the kernel
    triggers before this wait.

    Example: see `launch.plan`, and

    ```mlir
    %t1 = launch.kernel "second" @kernels [@second] (%h, %w, %out) writes [2]
      after programmatic(%t0) early [1]
      args [#launch.arg<buffer, operand = 0>,
            #launch.arg<buffer, operand = 1>,
            #launch.arg<buffer, operand = 2>]
      grids [[16]] {block = 128 : i64}
      : memref<64xf32>, memref<64xf32>, memref<64xf32>
    ```
  }];
  let arguments = (ins
    StrAttr:$name,
    FlatSymbolRefAttr:$module,
    FlatSymbolRefArrayAttr:$entries,
    Variadic<Launch_Buffer>:$buffers,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$written,
    Variadic<Launch_TokenType>:$after,
    DefaultValuedAttr<DenseI32ArrayAttr, "{}">:$edges,
    OptionalAttr<DenseI64ArrayAttr>:$early,
    Optional<Launch_SemaphoresType>:$semaphores,
    TypedArrayAttrBase<Launch_ArgAttr, "kernel parameters">:$args,
    ArrayAttr:$grids,
    OptionalAttr<AffineMapArrayAttr>:$order,
    OptionalAttr<Launch_ExchangeAttr>:$exchange,
    DefaultValuedAttr<I64Attr, "1">:$residents,
    DefaultValuedAttr<I64Attr, "0">:$block,
    DefaultValuedAttr<I64Attr, "1">:$cluster,
    DefaultValuedAttr<I64Attr, "0">:$shared_memory,
    DefaultValuedAttr<I64Attr, "1">:$blocks_per_processor,
    DefaultValuedAttr<I64Attr, "0">:$debug_sync_milliseconds,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$parts,
    UnitAttr:$triggers_before_wait,
    DefaultValuedAttr<I64Attr, "0">:$branch);
  let results = (outs Launch_TokenType:$token);
  let assemblyFormat = [{
    $name $module $entries `(` $buffers `)` (`writes` $written^)?
    (`after` custom<Edges>($after, $edges)^)? (`early` $early^)?
    (`branch` $branch^)? (`uses` `(` $semaphores^ `)`)? `args` $args
    `grids` $grids (`order` $order^)? (`exchange` $exchange^)? attr-dict
    `:` type($buffers)
  }];
  let extraClassDeclaration = [{
    /// Returns the tile grid of tile kernel `body`, or the fixed grid in
    /// blocks.
    ::llvm::SmallVector<int64_t> getGrid(unsigned body);
    /// Returns whether this is the first launch that uses its semaphores. They
    /// are then in its own synchronisation state.
    bool ownsSemaphores();

    // LaunchOpInterface
    ::llvm::SmallVector<::mlir::Value> getReads();
    ::llvm::SmallVector<::mlir::Value> getWrites();
    bool waitsAtEntry();
    bool triggersBeforeWait();
    bool readsEarly(::mlir::Value buffer);
    bool waitsForTiles(::mlir::Value buffer, ::mlir::Operation *earlier);
  }];
  let hasVerifier = 1;
}

#endif // GROUT_DIALECT_LAUNCH_IR_LAUNCHOPS_TD
