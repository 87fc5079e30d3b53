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
    The block's arguments are the inputs of the function, then its outputs,
    `num_inputs` of them inputs. All are dense and row-major. `in_place` has, for
    each output, the number of the input of which it is what the memory holds
    afterwards, or -1: the caller passes one tensor for both, and launches use
    the output. `reference of` names the
    function whose results the plan computes plainly, for checking; its
    `rounded_to` is the coarsest type that the function rounds a value to, if
    that is f16 or bf16.

    The launches are a graph. They may run in the order of the block, one after
    another, or in any that the edges allow. A launch without edges starts when
    what precedes the plan has ended. Launches of the same branch start in the
    order of the block; those of other branches run beside them, as far as edges
    allow. The runtime has a stream for each branch: branch 0 is the caller's.
    The plan has ended when all branches have. These are the kinds of edges:

    | edge | the launch starts | and |
    |---|---|---|
    | `full` | when that one has ended | |
    | `programmatic` | when all blocks of that one have triggered or ended | its kernel waits for that one's end before it writes, or reads what is not early |
    | `launch_order` | likewise | it ends after that one |
    | `tile` | likewise | it ends after that one, and tiles wait for tiles |

    A kernel with a wait for launches triggers after it, unless it says that it
    does so before: then those that it triggers start when nothing has surely
    ended but what had when it started itself.

    The plan is verified: every launch that reads or writes a buffer which an
    earlier one writes, or writes what an earlier one reads, is ordered after
    that by edges, or, if it reads, by tile. What it reads early has been written
    when it starts. Launches write every output that is not in place of an input,
    and what a launch reads is an input, a constant, or written before. A launch
    behind `launch.start` waits for what precedes the plan before it does
    anything, and triggers after that. Buffers that have a byte of the workspace
    in common are used one after the other: whatever accesses the first has ended
    when a launch writes the second. So are buffers in the bytes of an output,
    and the output is the last of them. A `launch.part` of a buffer is that
    buffer, but for elements that another part does not have. Of two launches
    that need more than one resident tile, one is ordered after the other: side
    by side, each could hold processors that the other one's tiles need.

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
                       OptionalAttr<TypeAttrOf<AnyTypeOf<[F16, BF16]>>>
                         :$rounded_to);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `inputs` $num_inputs (`in_place` $in_place^)?
    (`reference` `of` $reference^)?
    attr-dict-with-keyword $body
  }];
  let extraClassDeclaration = [{
    /// The input that output `output` is in place of, if any.
    std::optional<unsigned> getInPlaceInput(unsigned output);
    /// Whether argument `number` is an output in which there is nothing when
    /// the plan starts.
    bool isEmptyOutput(unsigned number);
    /// The launches, in the order of the block.
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
    Device memory that the plan owns, with nothing in it at first. With `value`,
    a constant instead, which launches may only read.

    `offset` is the byte of the plan's workspace at which the buffer starts, a
    multiple of 256. With `argument`, the number of an output among the plan's
    arguments, it is a byte of that output instead: what has nothing in it yet
    can hold intermediates. Without an offset, the buffer has no place yet;
    `launch-place-buffers` gives it one.

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
    // Without a place.
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
    /// The bytes of its elements, which are whole bytes each.
    int64_t getBytes();
    /// The same, up to where another buffer may start.
    int64_t getAlignedBytes();
    /// The plan's argument in whose bytes it is; null: the workspace, or
    /// nowhere yet.
    ::mlir::BlockArgument getHost();
  }];
  let hasVerifier = 1;
}

def Launch_PartOp : Launch_Op<"part", [Pure, HasParent<"PlanOp">]> {
  let summary = "some elements of a buffer, as a buffer";
  let description = [{
    The elements that the layout of `result` names, counted from the first of
    `source`: a rectangle of it, as what a launch writes that computes one of
    several tensors which are concatenated. Launches that access parts without
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
    The launch that runs before the first one of the plan, if any does: for
    edges to it, of launches that may start before it has ended.

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
    The body computes on tensors: its arguments are what the `ins` buffers hold,
    and what it yields is what the `outs` buffers get. A tensor may have another
    shape than its buffer, if it has as many elements, and that is dense. It
    holds one tile kernel or several, view-like tensor ops, constants, and what
    tiles post and wait for (`tsync.post_tiles`, `tsync.wait_tiles`), in the
    semaphores `uses`.

    `order` gives the tiles of each kernel, in the order of the body, their
    time, as in `tsync.chain`; without it, any will do. `residents` is how many
    tiles must be resident. `branch` is the branch of the plan that it is on.

    `starts_early` says that its kernel may be made to wait for launches by
    itself, so that a policy may choose edges other than `full`. `early` are the
    numbers of the inputs that it may then read before its wait; without it, all
    threads wait before they read or write anything. `trigger` says when it
    triggers launches that start early; absent until chosen:

    | trigger | blocks trigger |
    |---|---|
    | `never` | not at all: others start when they have ended |
    | `after_wait` | when they have waited for launches, or, if they do not, after their first loads |
    | `at_entry` | first of all, or, if all threads wait at their start, after that |
    | `before_wait` | first of all, before any wait |

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
    // Without edges and semaphores.
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
    /// The tile kernels of the body, in order.
    ::llvm::SmallVector<::grout::TileKernelOpInterface> getKernels();
    /// Whether the semaphores that it uses are in its own synchronisation
    /// state: it is the first that does.
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
    Runs a kernel of module `module` on the buffers, of which it writes those
    with the numbers `written`, and reads the others. `entries` names its entry
    point, or on the CPU one tile body for each tile kernel of a chain. `args`
    says what each parameter is.

    A launch with `order` runs tiles: tile kernel `b` has the tile grid
    `grids[b]`, and `order[b]` gives its tiles their time, as in `tsync.chain`.
    They become the task list. Without `order` the launch has the fixed grid
    `grids[0]`, in blocks.

    The launch posts and waits for semaphores of `uses`, which are in the state
    of the first launch that uses them; `residents` is how many tiles must be
    resident. If `debug_sync_milliseconds` is not 0, its waits for semaphores
    give up after that time, and record it. `block` (up to 1024 threads),
    `cluster` (1 to 8 blocks that run a tile together, and of which a fixed grid
    has a multiple), `shared_memory` (bytes, dynamic, up to 227 KiB) and
    `blocks_per_processor` (1 to 32) concern GPUs.

    Where several kernels share a launch with a fixed grid, `parts` says how many
    blocks each has, in order. `branch` is the branch of the plan that the launch
    is on.

    A kernel that an edge other than `full` leads to waits for launches by
    itself, as `launch.plan` says. `early` are the numbers of the buffers that
    it may read before; without it, all threads wait before they read or write
    anything. With `triggers_before_wait`, it triggers others before.

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
    `grids` $grids (`order` $order^)? attr-dict `:` type($buffers)
  }];
  let extraClassDeclaration = [{
    /// The tile grid of tile kernel `body`, or the fixed grid in blocks.
    ::llvm::SmallVector<int64_t> getGrid(unsigned body);
    /// Whether it uses semaphores that are in its own synchronisation state: it
    /// is the first that does.
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
