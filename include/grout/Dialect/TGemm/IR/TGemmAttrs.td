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
    A tile is `m` by `n` elements of the result, computed in K steps of `k`
    elements of the reduction. `stages` is the number of steps whose operands
    may be in flight; targets that do not pipeline ignore it.

    A *cluster* of several blocks may compute a tile: `cluster_m` blocks split
    its rows, and `cluster_n` blocks split its columns. Blocks that need the
    same part of an operand load it once, by multicast. `split_k` blocks split
    the steps, and then add up their sums by a reduce-scatter: each block
    completes one of `split_k` equal parts of the columns. The tile remains the
    unit of order and synchronisation. Targets without clusters ignore all three
    numbers.

    The MMA instructions of a GPU have operands A and B. The rows of A come in
    blocks of 64, the columns of B in multiples of 8. Without `swap_ab`, A is
    lhs and B is rhs. With `swap_ab`, A is the transposed rhs, B is the
    transposed lhs, and the MMAs compute the transposed tile. So a tile may have
    any multiple of 8 rows, but its columns come in blocks of 64, and the
    `split_k` blocks each complete a part of the rows. Targets without such
    instructions ignore `swap_ab`.

    With stream-K, the steps of some tiles are split into `stream_k` *parts*,
    which are tasks of their own: those of the tiles in the last `tail` columns
    of the tile grid. All parts but the last become tiles of a
    `tgemm.partial_sums`. The last part adds their sums to its own and completes
    the tile. So a last wave with few tiles still keeps all processors busy.

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
    /// Returns the number of blocks that compute a tile together.
    int64_t getClusterSize() const {
      return getClusterM() * getClusterN() * getSplitK();
    }
    /// Return the rows and columns of a tile that one block multiplies.
    int64_t getBlockM() const { return getM() / getClusterM(); }
    int64_t getBlockN() const { return getN() / getClusterN(); }
    /// Return the rows and columns of a block as the MMAs see them.
    int64_t getMmaM() const { return getSwapAb() ? getBlockN() : getBlockM(); }
    int64_t getMmaN() const { return getSwapAb() ? getBlockM() : getBlockN(); }
    /// Returns the number of MMA columns that one block completes.
    int64_t getResultMmaN() const { return getMmaN() / getSplitK(); }
    /// Returns whether stream-K splits some tiles.
    bool hasParts() const { return getStreamK() != 1; }
    /// Returns this tiling, with the tiles of the last `tail` columns in
    /// `streamK` parts.
    TilingAttr withParts(int64_t streamK, int64_t tail) const;
    /// Returns this tiling with `stages` stages.
    TilingAttr withStages(int64_t stages) const;
  }];
}

#endif // GROUT_DIALECT_TGEMM_IR_TGEMMATTRS_TD
