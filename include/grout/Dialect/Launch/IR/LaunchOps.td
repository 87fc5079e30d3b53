//===- LaunchOps.td - Ops of the launch dialect ------------*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_LAUNCH_IR_LAUNCHOPS_TD
#define GROUT_DIALECT_LAUNCH_IR_LAUNCHOPS_TD

include "grout/Dialect/Launch/IR/LaunchAttrs.td"
include "grout/Dialect/Launch/IR/LaunchDialect.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Launch_Op<string mnemonic, list<Trait> traits = []>
    : Op<Launch_Dialect, mnemonic, traits>;

// An i1 takes a byte of memory, which is 0 or 1.
def Launch_Buffer
    : StaticShapeMemRefOf<[F16, BF16, F32, F64, I1, I8, I16, I32, I64]>;

def Launch_PlanOp : Launch_Op<"plan", [
    IsolatedFromAbove, NoTerminator, SingleBlock, Symbol]> {
  let summary = "what the runtime executes for a compiled function";
  let description = [{
    The block's arguments are the inputs of the function, then its outputs,
    `num_inputs` of them inputs. All are dense and row-major. `reference` marks
    the plan that computes another plan's results plainly, for checking; its
    `rounded_to` is the coarsest type that the function rounds a value to, if
    that is f16 or bf16.

    Example:

    ```mlir
    launch.plan @double inputs 1 {
    ^bb0(%x: memref<64xf32>, %out: memref<64xf32>):
      launch.kernel "double" @kernels [@double_tile] (%x, %out)
        args [#launch.arg<buffer, operand = 0>, #launch.arg<buffer, operand = 1>]
        grids [[4]] order [affine_map<(i) -> (i)>]
        : memref<64xf32>, memref<64xf32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$num_inputs,
                       UnitAttr:$reference,
                       OptionalAttr<TypeAttrOf<AnyTypeOf<[F16, BF16]>>>
                         :$rounded_to);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `inputs` $num_inputs (`reference` $reference^)?
    attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
}

def Launch_BufferOp : Launch_Op<"buffer", [
    MemoryEffects<[MemAlloc]>, HasParent<"PlanOp">]> {
  let summary = "an intermediate buffer of a plan";
  let description = [{
    Device memory that the plan owns, with nothing in it at first. With `value`,
    a constant instead, which launches may only read.

    Example:

    ```mlir
    %h = launch.buffer "h" : memref<128x512xf16>
    %c = launch.buffer "bias" value dense<[1.0, 2.0]> : tensor<2xf32>
      : memref<2xf32>
    ```
  }];
  let arguments = (ins StrAttr:$name, OptionalAttr<ElementsAttr>:$value);
  let results = (outs Launch_Buffer:$result);
  let assemblyFormat = [{
    $name (`value` $value^)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

def Launch_KernelOp : Launch_Op<"kernel", [
    MemoryEffects<[MemRead, MemWrite]>, HasParent<"PlanOp">]> {
  let summary = "a launch of a kernel";
  let description = [{
    Runs a kernel of module `module` on the buffers. `entries` names its entry
    point, or on the CPU one tile body for each tile kernel of a chain. `args`
    says what each parameter is.

    A launch with `order` runs tiles: tile kernel `b` has the tile grid
    `grids[b]`, and `order[b]` gives its tiles their time, as in `tsync.chain`.
    They become the task list. Without `order` the launch has the fixed grid
    `grids[0]`, in blocks.

    `semaphores` is how many the launch uses, `residents` how many tiles must
    be resident. If `debug_sync_milliseconds` is not 0, its waits for semaphores
    give up after that time, and record it. `block` (threads), `cluster` (1 to 8 blocks that run a tile
    together, and of which a fixed grid has a multiple), `shared_memory` (bytes,
    dynamic) and `blocks_per_processor` concern GPUs.

    Where several kernels share a launch with a fixed grid, `parts` says how many
    blocks each has, in order.

    Launches of a plan run one after another, in order. With edge `full` a
    launch starts when all before it have ended. With `programmatic` it may
    start when every block of the launch before has asked for it or ended, and
    its kernel waits for that launch's end itself: in every block, before it
    reads or writes what other launches write or read. The edge of a plan's
    first launch is to whatever precedes the plan in its stream.

    Example: see `launch.plan`, and

    ```mlir
    launch.kernel "second" @kernels [@second] (%h, %w, %out) edge programmatic
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
    TypedArrayAttrBase<Launch_ArgAttr, "kernel parameters">:$args,
    ArrayAttr:$grids,
    OptionalAttr<AffineMapArrayAttr>:$order,
    DefaultValuedAttr<Launch_EdgeAttr, "::grout::launch::Edge::full">:$edge,
    DefaultValuedAttr<I64Attr, "0">:$semaphores,
    DefaultValuedAttr<I64Attr, "1">:$residents,
    DefaultValuedAttr<I64Attr, "0">:$block,
    DefaultValuedAttr<I64Attr, "1">:$cluster,
    DefaultValuedAttr<I64Attr, "0">:$shared_memory,
    DefaultValuedAttr<I64Attr, "1">:$blocks_per_processor,
    DefaultValuedAttr<I64Attr, "0">:$debug_sync_milliseconds,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$parts);
  let assemblyFormat = [{
    $name $module $entries `(` $buffers `)` (`edge` $edge^)? `args` $args
    `grids` $grids (`order` $order^)? attr-dict `:` type($buffers)
  }];
  let extraClassDeclaration = [{
    /// The tile grid of tile kernel `body`, or the fixed grid in blocks.
    ::llvm::SmallVector<int64_t> getGrid(unsigned body);
  }];
  let hasVerifier = 1;
}

#endif // GROUT_DIALECT_LAUNCH_IR_LAUNCHOPS_TD
