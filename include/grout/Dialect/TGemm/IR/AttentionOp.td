//===- AttentionOp.td - Attention as a tile kernel ---------*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_IR_ATTENTIONOP_TD
#define GROUT_DIALECT_TGEMM_IR_ATTENTIONOP_TD

include "grout/Dialect/TGemm/IR/TGemmAttrs.td"
include "grout/Dialect/TGemm/IR/TGemmDialect.td"
include "grout/Dialect/TGemm/IR/TGemmTypes.td"
include "grout/Interfaces/TileKernelInterface.td"
include "mlir/Dialect/Linalg/IR/LinalgInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TGemm_AttentionTilingAttr : AttrDef<TGemm_Dialect, "AttentionTiling"> {
  let mnemonic = "attention_tiling";
  let summary = "How attention is cut into tiles";
  let description = [{
    A tile has `m` rows, and goes through the keys in steps of `n` keys. By
    default, its rows are queries of one head. With `heads` above 1, they are
    queries of that many heads, which read the same keys: the tile has `m /
    heads` queries of each head, and row r is query r / heads of head r mod
    heads. `heads` divides the number of heads that read the same keys. If all
    heads read the same keys, `heads` need not divide their number, and the last
    tile may have fewer heads. `stages` is the number of steps whose keys and
    values may be in flight; targets that do not pipeline ignore it.

    With `splits` above 1, a cluster of that many blocks computes a tile. The
    blocks split its steps, and then join their results. Targets without
    clusters ignore `splits`. With `warpgroups` above 1, that many warpgroups of
    one block compute the same rows. They take the steps in turns, and then join
    their results. Targets without warpgroups ignore `warpgroups`.

    Examples:

    ```mlir
    #tgemm.attention_tiling<m = 128, n = 128, stages = 2>
    // One query of each of 4 heads, with keys split among 8 blocks.
    #tgemm.attention_tiling<m = 64, n = 128, heads = 4, splits = 8>
    // Nine queries of each of 7 heads.
    #tgemm.attention_tiling<m = 63, n = 128, heads = 7>
    // Two warpgroups, each with every other step.
    #tgemm.attention_tiling<m = 64, n = 128, stages = 4, warpgroups = 2>
    ```
  }];
  let parameters = (ins "int64_t":$m, "int64_t":$n,
                        DefaultValuedParameter<"int64_t", "1">:$stages,
                        DefaultValuedParameter<"int64_t", "1">:$heads,
                        DefaultValuedParameter<"int64_t", "1">:$splits,
                        DefaultValuedParameter<"int64_t", "1">:$warpgroups);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Returns the number of queries that a tile has of each of its heads.
    int64_t getQueries() const { return getM() / getHeads(); }
  }];
}

def TGemm_AttentionTensor : TGemm_TensorOfRank<[4]>;

def TGemm_BiasTensor : ConfinedType<
    StaticShapeTensorOf<Grout_GemmFloats>, [],
    !strconcat("static tensor of ", Grout_GemmFloatNames),
    "::mlir::RankedTensorType">;

def TGemm_AttentionOp : TGemm_Op<"attention", [
    Pure, DeclareOpInterfaceMethods<TileKernelOpInterface, ["getStepsInOrder"]>,
    AggregatedOpInterface]> {
  let summary = "softmax of scaled products of queries and keys, times values";
  let description = [{
    For every batch `b`, head `h` and query `i`, with `g(h)` the head of keys
    and values that head `h` reads, the op computes:

        score[j] = scale * sum_d query[b, h, i, d] * key[b, g(h), j, d]
                   + bias[bias_map(b, h, i, j)]
        result[b, h, i, e] =
            sum_j exp(score[j]) * value[b, g(h), j, e] / sum_j exp(score[j])

    The sums are over all keys `j`, or with `causal = c` over the keys with j <=
    i + c. If a query has no keys, or all of its scores are minus infinity, the
    result is NaN, or 0 with `zero_without_keys`. Sums are in f32. The
    exponentials are relative to the largest score, of all keys or of the keys
    so far (online softmax, Milakov and Gimelshein, 2018; Dao et al., 2022).

    `layouts` are the orders of dimensions in memory of query, key, value and
    result, as permutations of (b, h, i, d). Without `layouts`, the tensors have
    this order themselves. The number of heads of keys and values divides the
    number of heads of queries (grouped-query attention): `g(h) = h floordiv
    (heads / key heads)`. Values may have another size than keys. `bias_map`
    takes (b, h, i, j) to an element of `bias`, and is a projected permutation.

    With `part_keys = c`, the keys are cut into parts of `c` keys; the last part
    may have fewer. The op then computes partial results of each part, from
    which `tgemm-split-attention` makes the result. The partial results are of
    f32, in the order (b, h, i, d). With B batches, part p has batches p * B to
    p * B + B - 1. A row has four elements more than a value:

    - first the sums of exponentials times values, relative to the largest score
      of the part, or to 0 if this score is minus infinity;
    - then the largest score;
    - the sum of the exponentials;
    - two zeros.

    `tiling` is absent until `tgemm-assign-attention-tiling` or the user chooses
    it.

    Example:

    ```mlir
    // Tensors of (batch, position, head, element), as a product of a layer's
    // input and its weights has them.
    %0 = tgemm.attention %q, %k, %v bias(%mask : tensor<128x128xf16>) {
      scale = 1.250000e-01 : f32, causal = 0,
      layouts = [affine_map<(b, h, i, d) -> (b, i, h, d)>,
                 affine_map<(b, h, i, d) -> (b, i, h, d)>,
                 affine_map<(b, h, i, d) -> (b, i, h, d)>,
                 affine_map<(b, h, i, d) -> (b, i, h, d)>],
      bias_map = affine_map<(b, h, i, j) -> (i, j)>,
      tiling = #tgemm.attention_tiling<m = 64, n = 64, stages = 2>
    } : tensor<2x128x12x64xf16>, tensor<2x128x4x64xf16>, tensor<2x128x4x64xf16>
      -> tensor<2x128x12x64xf16>
    ```
  }];

  let arguments = (ins
    TGemm_AttentionTensor:$query,
    TGemm_AttentionTensor:$key,
    TGemm_AttentionTensor:$value,
    Optional<TGemm_BiasTensor>:$bias,
    F32Attr:$scale,
    OptionalAttr<I64Attr>:$causal,
    UnitAttr:$zero_without_keys,
    OptionalAttr<AffineMapArrayAttr>:$layouts,
    OptionalAttr<AffineMapAttr>:$bias_map,
    OptionalAttr<I64Attr>:$part_keys,
    OptionalAttr<TGemm_AttentionTilingAttr>:$tiling);
  let results = (outs TGemm_AttentionTensor:$result);

  let assemblyFormat = [{
    $query `,` $key `,` $value (`bias` `(` $bias^ `:` type($bias) `)`)?
    attr-dict `:` type($query) `,` type($key) `,` type($value) `->`
    type($result)
  }];

  let extraClassDeclaration = [{
    /// Return the number of batches, heads of queries, heads of keys, queries
    /// and keys; the elements of a query or key, and of a value.
    int64_t getBatch();
    int64_t getHeads();
    int64_t getKeyHeads();
    int64_t getQueries();
    int64_t getKeys();
    int64_t getKeySize();
    int64_t getValueSize();
    /// Returns how many heads of queries read the same head of keys.
    int64_t getGroup() { return getHeads() / getKeyHeads(); }
    /// Returns the number of tiles of `tileHeads` heads that cover a group; the
    /// last tile may have fewer heads.
    int64_t getGroupTiles(int64_t tileHeads) {
      return (getGroup() + tileHeads - 1) / tileHeads;
    }
    /// Return the number of parts, the keys of a part, and the elements of a
    /// row of the result.
    int64_t getParts();
    int64_t getKeysOfPart();
    int64_t getResultSize();
    /// The elements of a part's row behind the sums of values.
    static constexpr int64_t kPartElements = 4;
    /// Returns the element type of query, key and value.
    ::mlir::FloatType getInputElementType();
    ::mlir::FloatType getResultElementType();

    /// Return the layout of operand 0, 1 or 2, and of the result.
    ::mlir::AffineMap getOperandLayout(unsigned number);
    ::mlir::AffineMap getResultLayout();

    /// Creates linalg ops that compute the same, before this op, and returns
    /// their results.
    ::mlir::FailureOr<::llvm::SmallVector<::mlir::Value>>
    decomposeOperation(::mlir::OpBuilder &builder);
  }];

  let hasVerifier = 1;
}

#endif // GROUT_DIALECT_TGEMM_IR_ATTENTIONOP_TD
