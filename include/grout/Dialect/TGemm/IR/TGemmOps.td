//===- TGemmOps.td - Ops of the tgemm dialect --------------*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_IR_TGEMMOPS_TD
#define GROUT_DIALECT_TGEMM_IR_TGEMMOPS_TD

include "grout/Dialect/TGemm/IR/AttentionOp.td"
include "grout/Dialect/TGemm/IR/Conv2dOp.td"
include "grout/Dialect/TGemm/IR/GroupedMatmulOp.td"
include "grout/Dialect/TGemm/IR/ProductOpInterface.td"
include "grout/Dialect/TGemm/IR/TGemmAttrs.td"
include "grout/Dialect/TGemm/IR/TGemmDialect.td"
include "grout/Dialect/TGemm/IR/TGemmTypes.td"
include "grout/Interfaces/TileKernelInterface.td"
include "mlir/Dialect/Linalg/IR/LinalgInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TGemm_Tensor : TGemm_TensorOfRank<[2, 3]>;

def TGemm_PartialSumsTensor : ConfinedType<StaticShapeTensorOf<[F32]>,
    [HasAnyRankOfPred<[4]>], "static 4-D tensor of f32",
    "::mlir::RankedTensorType">;

def TGemm_MatmulOp : TGemm_Op<"matmul", [
    Pure, AttrSizedOperandSegments, IsolatedFromAbove, SingleBlock,
    DeclareOpInterfaceMethods<TileKernelOpInterface, ["getStepsInOrder",
        "isReadAfterSteps", "isLaunchedWithNext", "isCollective"]>,
    ProductOpInterface, AggregatedOpInterface]> {
  let summary = "matrix product with a fused epilogue";
  let description = [{
    Multiplies `lhs` (M x K) by each `rhs` (K x N), accumulating in f32, and
    applies the epilogue to the accumulators at every element:

        result[b, m, n] = epilogue(sum_k lhs[b, m, k] * rhs_0[b, k, n], ...,
                                   input_0[map_0(b, m, n)], ...)

    With several `rhs`, all of one shape, the epilogue gets one accumulator for
    each. So a gated layer (`silu(x * w_gate) * (x * w_up)`) is a single op.

    With rank 3, the leading dimension is a batch. An operand of rank 2 is then
    shared by the whole batch. `transpose_lhs` says that `lhs` is stored as K x
    M, `transpose_rhs` that each `rhs` is stored as N x K.

    The epilogue region takes one f32 for each `rhs`, then one element of each
    epilogue input. The map of an input in `epilogue_maps` takes (m, n), or (b,
    m, n) with rank 3, to the element. The region holds pure `arith` and `math`
    ops on scalars, uses no value from outside, and yields an element of the
    result. Without a region, the op yields its only accumulator, converted to
    the result's element type.

    Matrix instructions do not round sums to the nearest f32. `sum_depth` is the
    largest number of elements of the reduction that such instructions may add
    up; longer sums add up these sums in f32. `tgemm-split-f32` sets it. A
    target that rounds each sum ignores it.

    `tiling` is absent until `tgemm-assign-tiling` or the user chooses it.

    `partial_sums` are the sums of the tiles that stream-K splits. A
    `tgemm.partial_sums` of the same operands and tiling computes them, and
    `tgemm-expand-stream-k` adds both. Such a tile runs only the steps that are
    left, adds the parts' sums to its own in their order, and then applies the
    epilogue.

    `sum_ranks` is a number of ranks: the result is then the sum of what the
    epilogue yields on all of them, as `collective.all_reduce` computes it.
    `sum_channel` is the `channel` of that sum. Blocks send their tiles to other
    ranks as soon as they have computed them. The op then has neither a batch
    nor stream-K parts. `tgemm-fuse-all-reduce` sets both.

    `launched_with_next` says that this op runs in one launch with the next tile
    kernel of its chain, side by side. `tgemm-fuse-horizontally` sets it.

    Example:

    ```mlir
    %h = tgemm.matmul %x, %w epilogue(%bias : tensor<512xf16>) {
      epilogue_maps = [affine_map<(m, n) -> (n)>],
      tiling = #tgemm.tiling<m = 64, n = 64, k = 32>
    } : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16> {
    ^bb0(%acc: f32, %b: f16):
      %b32 = arith.extf %b : f16 to f32
      %sum = arith.addf %acc, %b32 : f32
      %out = arith.truncf %sum : f32 to f16
      tgemm.yield %out : f16
    }
    ```
  }];

  let arguments = (ins
    TGemm_Tensor:$lhs,
    Variadic<TGemm_Tensor>:$rhs,
    Variadic<TGemm_EpilogueTensor>:$epilogue_inputs,
    Optional<TGemm_PartialSumsTensor>:$partial_sums,
    DefaultValuedAttr<AffineMapArrayAttr, "{}">:$epilogue_maps,
    UnitAttr:$transpose_lhs,
    UnitAttr:$transpose_rhs,
    OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$sum_depth,
    OptionalAttr<TGemm_TilingAttr>:$tiling,
    UnitAttr:$launched_with_next,
    OptionalAttr<ConfinedAttr<I64Attr, [IntMinValue<2>, IntMaxValue<8>]>>:$sum_ranks,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$sum_channel);
  let results = (outs TGemm_Tensor:$result);
  let regions = (region MaxSizedRegion<1>:$epilogue);

  let assemblyFormat = [{
    $lhs `,` $rhs (`epilogue` `(` $epilogue_inputs^ `:`
    type($epilogue_inputs) `)`)? (`partial_sums` `(` $partial_sums^ `:`
    type($partial_sums) `)`)? attr-dict `:` type($lhs) `,` type($rhs) `->`
    type($result) ($epilogue^)?
  }];

  let extraClassDeclaration = [{
    // ProductOpInterface. The batch is 1 with rank 2.
    int64_t getBatch();
    int64_t getM();
    int64_t getN();
    int64_t getK();
    /// Returns whether the result has a batch dimension.
    bool isBatched();
    /// Returns the element type of lhs and every rhs.
    ::mlir::FloatType getInputElementType();
    ::mlir::FloatType getResultElementType();
    /// Returns the number of rhs, which is also the number of accumulators.
    unsigned getNumProducts() { return getRhs().size(); }
    /// Returns the map of epilogue input `index`, from (m, n) or (b, m, n).
    ::mlir::AffineMap getEpilogueMap(unsigned index);
    void setEpilogueInputs(::mlir::ValueRange inputs,
                           ::mlir::ArrayAttr maps) {
      getEpilogueInputsMutable().assign(inputs);
      setEpilogueMapsAttr(maps);
    }
    /// Returns the number of the operand `partial_sums`, if there is one.
    std::optional<unsigned> getPartialSumsOperand();
    /// Returns how stream-K splits the K loop, if the tiling has stream-K
    /// parts.
    std::optional<StreamK> getStreamK();
    bool takesParts() { return !getSumRanks(); }
    bool canShareLaunch() { return !getPartialSums() && !getSumRanks(); }

    /// Creates linalg ops that compute the same, before this op, and returns
    /// their results.
    ::mlir::FailureOr<::llvm::SmallVector<::mlir::Value>>
    decomposeOperation(::mlir::OpBuilder &builder);
  }];

  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
}

def TGemm_PartialSumsOp : TGemm_Op<"partial_sums", [
    Pure, DeclareOpInterfaceMethods<TileKernelOpInterface,
                                    ["isLaunchedWithNext", "isPartOfNext"]>]> {
  let summary = "sums over some of the steps of some tiles of a product";
  let description = [{
    Computes the sums of all stream-K parts but the last of a GEMM's tiles.
    `sums[i, j, p]` are the sums of part `p` of tile (i, j), where j counts from
    the first of the last `tail` columns of tiles. Each of these parts has the
    same number of steps. It has sums for each `rhs`. The target chooses the
    order of a tile's elements in `sums`. A part is a tile of this op. The op
    runs in one launch with the `tgemm.matmul` that adds the sums up, whatever
    the mode of the chain.

    Example:

    ```mlir
    %sums = tgemm.partial_sums %x, %w {
      tiling = #tgemm.tiling<m = 64, n = 64, k = 32, stream_k = 4, tail = 3>
    } : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<2x3x3x4096xf32>
    %h = tgemm.matmul %x, %w partial_sums(%sums : tensor<2x3x3x4096xf32>) {
      tiling = #tgemm.tiling<m = 64, n = 64, k = 32, stream_k = 4, tail = 3>
    } : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    ```
  }];

  let arguments = (ins
    TGemm_Tensor:$lhs,
    Variadic<TGemm_Tensor>:$rhs,
    UnitAttr:$transpose_lhs,
    UnitAttr:$transpose_rhs,
    TGemm_TilingAttr:$tiling);
  let results = (outs TGemm_PartialSumsTensor:$sums);

  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($sums)
  }];

  let hasVerifier = 1;

  let extraClassDeclaration = [{
    /// Return the extents of the GEMM, in elements.
    int64_t getM();
    int64_t getN();
    int64_t getK();
    /// Returns how stream-K splits the K loop.
    StreamK getParts();
  }];
}

def TGemm_YieldOp : TGemm_Op<"yield", [
    Pure, Terminator, ReturnLike]> {
  let summary = "ends an epilogue";
  let description = [{
    Yields the element of the result that the epilogue computed.

    Example:

    ```mlir
    tgemm.yield %out : f16
    ```
  }];
  let arguments = (ins AnyFloat:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
  let hasVerifier = 1;
}

#endif // GROUT_DIALECT_TGEMM_IR_TGEMMOPS_TD
