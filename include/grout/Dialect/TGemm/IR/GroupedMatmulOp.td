//===- GroupedMatmulOp.td - Products of groups of rows -----*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_IR_GROUPEDMATMULOP_TD
#define GROUT_DIALECT_TGEMM_IR_GROUPEDMATMULOP_TD

include "grout/Dialect/TGemm/IR/ProductOpInterface.td"
include "grout/Dialect/TGemm/IR/TGemmAttrs.td"
include "grout/Dialect/TGemm/IR/TGemmDialect.td"
include "grout/Dialect/TGemm/IR/TGemmTypes.td"
include "grout/Interfaces/TileKernelInterface.td"
include "mlir/Dialect/Linalg/IR/LinalgInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TGemm_RowsTensor : TGemm_TensorOfRank<[2]>;
def TGemm_WeightsTensor : TGemm_TensorOfRank<[3]>;

def TGemm_GroupEndsTensor : ConfinedType<
    StaticShapeTensorOf<[I32]>, [HasAnyRankOfPred<[1]>],
    "static 1-D tensor of i32", "::mlir::RankedTensorType">;

def TGemm_GroupedMatmulOp : TGemm_Op<"grouped_matmul", [
    Pure, AttrSizedOperandSegments, IsolatedFromAbove, SingleBlock,
    DeclareOpInterfaceMethods<TileKernelOpInterface, ["getStepsInOrder",
        "isReadAfterSteps"]>, ProductOpInterface, AggregatedOpInterface]> {
  let summary = "products of groups of rows with a matrix for each group";
  let description = [{
    Multiplies the rows of `lhs` (M x K), which are in groups, by the matrix of
    their group: `rhs` (G x K x N) has one for each. It accumulates in f32, and
    applies the epilogue to the accumulators of every row that is in a group:

        result[m, n] = epilogue(sum_k lhs[m, k] * rhs_0[g(m), k, n], ...,
                                input_0[map_0(m, n)], ...)

    `ends` says which rows are in a group, and is read when the kernel runs: row
    m is in the first group whose end is beyond m. So with four rows, and ends 1,
    1 and 3, row 0 is in group 0, rows 1 and 2 are in group 2, and group 1 is
    empty. Row 3 is in no group: the op reads nothing of it, and does not write
    its result, whose elements are then undefined. Ends may be any numbers. An
    end that is below the end before it, or negative, makes an empty group; an
    end beyond M counts as M.

    With several `rhs`, all of one shape, the epilogue gets one accumulator for
    each, as in `tgemm.matmul`. `transpose_rhs` says that each `rhs` is stored as
    G x N x K. The epilogue, its maps, which take (m, n), and `tiling` are
    those of `tgemm.matmul`.

    A tile has up to `m` rows of one group, and `n` columns. The number of tiles
    of a group depends on the number of its rows, so it is known only when the
    kernel runs. The grid has as many rows of tiles as any ends can need: with r
    = min(G, M), which is the largest number of groups that have rows, these are
    r + floor((M - r) / m). Tiles that the ends do not need do nothing.

    Since `ends` chooses the rows of a tile, no other kernel can wait for these
    tiles one by one: the op is in a chain of its own.

    Example:

    ```mlir
    %y = tgemm.grouped_matmul %x, %w ends(%ends : tensor<8xi32>) {
      tiling = #tgemm.tiling<m = 64, n = 128, k = 64, stages = 4>
    } : tensor<512x256xf16>, tensor<8x256x1024xf16> -> tensor<512x1024xf16>
    ```
  }];

  let arguments = (ins
    TGemm_RowsTensor:$lhs,
    Variadic<TGemm_WeightsTensor>:$rhs,
    Variadic<TGemm_EpilogueTensor>:$epilogue_inputs,
    TGemm_GroupEndsTensor:$ends,
    DefaultValuedAttr<AffineMapArrayAttr, "{}">:$epilogue_maps,
    UnitAttr:$transpose_rhs,
    OptionalAttr<TGemm_TilingAttr>:$tiling);
  let results = (outs TGemm_RowsTensor:$result);
  let regions = (region MaxSizedRegion<1>:$epilogue);

  let assemblyFormat = [{
    $lhs `,` $rhs `ends` `(` $ends `:` type($ends) `)` (`epilogue` `(`
    $epilogue_inputs^ `:` type($epilogue_inputs) `)`)? attr-dict `:` type($lhs)
    `,` type($rhs) `->` type($result) ($epilogue^)?
  }];

  let extraClassDeclaration = [{
    // ProductOpInterface.
    int64_t getBatch() { return 1; }
    int64_t getM();
    int64_t getN();
    int64_t getK();
    bool isBatched() { return false; }
    unsigned getNumProducts() { return getRhs().size(); }
    bool getTransposeLhs() { return false; }
    ::mlir::FloatType getInputElementType();
    ::mlir::FloatType getResultElementType();
    std::optional<int64_t> getNumGroups();
    ::mlir::Value getGroupEnds() { return getEnds(); }
    std::string getOperandKey();
    int64_t getOperandElements();
    ::mlir::AffineMap getEpilogueMap(unsigned index);
    void setEpilogueInputs(::mlir::ValueRange inputs,
                           ::mlir::ArrayAttr maps) {
      getEpilogueInputsMutable().assign(inputs);
      setEpilogueMapsAttr(maps);
    }
    bool takesEpilogue() { return true; }
    bool canShareTilesWith(ProductOpInterface other);
    ProductOpInterface buildWithEpilogue(
        ::mlir::OpBuilder &builder, ::mlir::Type type, ::mlir::ValueRange rhs,
        ::mlir::ValueRange inputs, ::mlir::ArrayAttr maps);
    std::optional<StreamK> getStreamK() { return std::nullopt; }
    ::mlir::Value getPartialSums() { return {}; }
    std::optional<unsigned> getPartialSumsOperand() { return std::nullopt; }

    /// Creates linalg ops that compute the same, before this op, and returns
    /// their results.
    ::mlir::FailureOr<::llvm::SmallVector<::mlir::Value>>
    decomposeOperation(::mlir::OpBuilder &builder);
  }];

  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
}

#endif // GROUT_DIALECT_TGEMM_IR_GROUPEDMATMULOP_TD
