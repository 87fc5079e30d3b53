//===- TGemmAttrs.td - Attributes of the tgemm dialect -----*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_IR_TGEMMATTRS_TD
#define GROUT_DIALECT_TGEMM_IR_TGEMMATTRS_TD

include "grout/Dialect/TGemm/IR/TGemmDialect.td"
include "mlir/IR/AttrTypeBase.td"

def TGemm_TilingAttr : AttrDef<TGemm_Dialect, "Tiling"> {
  let mnemonic = "tiling";
  let summary = "How a matrix product is cut into tiles";
  let description = [{
    A tile is `m` by `n` elements of the result, computed in steps of `k`
    elements of the reduction. `stages` is how many steps of operands may be in
    flight; targets that do not pipeline ignore it.

    A tile may be computed by several blocks, a *cluster*. `cluster_m` of them
    share out its rows and `cluster_n` its columns; blocks that need the same
    part of an operand load it once, by multicast. `split_k` of them split
    the steps, and then sum what each has (a reduce-scatter: of `split_k` equal
    parts of the columns, each block completes one). The tile remains the unit
    of order and synchronisation. Targets without clusters ignore all three.

    The MMAs of a GPU have operands A and B, of which A's rows come in
    blocks of 64, and B's columns in any multiple of 8. A is lhs, and B is rhs;
    with `swap_ab`, A is the transposed rhs, B the transposed lhs, and what they
    compute the transposed tile. So a tile may have any multiple of 8 rows, but
    its columns come in blocks of 64, and `split_k` blocks share out rows of the
    result. Targets without such instructions ignore it.

    The tiles of the last `tail` columns of the tile grid may have their steps
    shared out to `stream_k` *parts*, which are tasks of their own (stream-K):
    all parts but the last become tiles of a `tgemm.partial_sums`, and the last
    one adds their sums to its own and completes the tile. So a last wave that
    only few tiles would run in fills the processors.

    Examples:

    ```mlir
    #tgemm.tiling<m = 128, n = 256, k = 64, stages = 4>
    // Two blocks with 128 x 192 elements each, and rhs loaded once for both.
    #tgemm.tiling<m = 256, n = 192, k = 64, stages = 5, cluster_m = 2>
    // Two blocks with half of the reduction each.
    #tgemm.tiling<m = 64, n = 96, k = 64, stages = 8, split_k = 2>
    // Tiles of 200 rows, which are the columns of the MMAs.
    #tgemm.tiling<m = 200, n = 128, k = 64, stages = 5, swap_ab = true>
    // The tiles of the last 12 columns in four parts each.
    #tgemm.tiling<m = 128, n = 192, k = 64, stages = 5, stream_k = 4, tail = 12>
    ```
  }];
  let parameters = (ins "int64_t":$m, "int64_t":$n, "int64_t":$k,
                        DefaultValuedParameter<"int64_t", "1">:$stages,
                        DefaultValuedParameter<"int64_t", "1">:$cluster_m,
                        DefaultValuedParameter<"int64_t", "1">:$cluster_n,
                        DefaultValuedParameter<"int64_t", "1">:$split_k,
                        DefaultValuedParameter<"int64_t", "1">:$stream_k,
                        DefaultValuedParameter<"int64_t", "0">:$tail,
                        DefaultValuedParameter<"bool", "false">:$swap_ab);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let builders = [AttrBuilder<(ins "int64_t":$m, "int64_t":$n, "int64_t":$k,
                                   "int64_t":$stages), [{
    return $_get($_ctxt, m, n, k, stages, /*cluster_m=*/1, /*cluster_n=*/1,
                 /*split_k=*/1, /*stream_k=*/1, /*tail=*/0, /*swap_ab=*/false);
  }]>, AttrBuilder<(ins "int64_t":$m, "int64_t":$n, "int64_t":$k,
                        "int64_t":$stages, "int64_t":$cluster_m,
                        "int64_t":$cluster_n, "int64_t":$split_k,
                        CArg<"bool", "false">:$swap_ab), [{
    return $_get($_ctxt, m, n, k, stages, cluster_m, cluster_n, split_k,
                 /*stream_k=*/1, /*tail=*/0, swap_ab);
  }]>];
  let extraClassDeclaration = [{
    /// Blocks that compute a tile together.
    int64_t getClusterSize() const {
      return getClusterM() * getClusterN() * getSplitK();
    }
    /// Rows and columns of a tile that one block multiplies.
    int64_t getBlockM() const { return getM() / getClusterM(); }
    int64_t getBlockN() const { return getN() / getClusterN(); }
    /// Rows and columns of a block as the MMAs see it.
    int64_t getMmaM() const { return getSwapAb() ? getBlockN() : getBlockM(); }
    int64_t getMmaN() const { return getSwapAb() ? getBlockM() : getBlockN(); }
    /// MMA columns that one block completes.
    int64_t getResultMmaN() const { return getMmaN() / getSplitK(); }
    /// Whether stream-K splits some tiles.
    bool hasParts() const { return getStreamK() != 1; }
    /// This tiling, with the tiles of the last `tail` columns in `streamK`
    /// parts.
    TilingAttr withParts(int64_t streamK, int64_t tail) const;
    /// This tiling with so many stages.
    TilingAttr withStages(int64_t stages) const;
  }];
}

#endif // GROUT_DIALECT_TGEMM_IR_TGEMMATTRS_TD
