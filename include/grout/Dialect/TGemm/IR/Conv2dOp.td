//===- Conv2dOp.td - Convolutions as tile kernels ----------*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_IR_CONV2DOP_TD
#define GROUT_DIALECT_TGEMM_IR_CONV2DOP_TD

include "grout/Dialect/TGemm/IR/ProductOpInterface.td"
include "grout/Dialect/TGemm/IR/TGemmAttrs.td"
include "grout/Dialect/TGemm/IR/TGemmDialect.td"
include "grout/Dialect/TGemm/IR/TGemmTypes.td"
include "grout/Interfaces/TileKernelInterface.td"
include "mlir/Dialect/Linalg/IR/LinalgInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TGemm_ImageTensor : TGemm_TensorOfRank<[4]>;
def TGemm_PixelTensor : TGemm_TensorOfRank<[2]>;

def TGemm_Conv2dOp : TGemm_Op<"conv2d", [
    Pure, IsolatedFromAbove, SingleBlock,
    DeclareOpInterfaceMethods<TileKernelOpInterface, ["getStepsInOrder",
        "isReadAfterSteps", "isLaunchedWithNext"]>, ProductOpInterface,
    AggregatedOpInterface]> {
  let summary = "2-D convolution with a fused epilogue";
  let description = [{
    Convolves images of `input` (n, y, x, channel) with `filter` (feature, r, s,
    channel). In both, channels are the innermost dimension. The op accumulates
    in f32, and applies the epilogue to the sum at every pixel (n, p, q) and
    feature f:

        sum = sum_{r, s, c} filter[f, r, s, c] *
              input[n, p * strides[0] + r * dilations[0] - padding[0],
                       q * strides[1] + s * dilations[1] - padding[2], c]
        result[(n * P + p) * Q + q, f] =
            epilogue(sum, input_0[map_0((n * P + p) * Q + q, f)], ...)

    Elements outside of an image are 0. The index c counts from the first
    channel that feature f reads, first(f). With one group, f reads all
    channels. With `groups`, f reads the channels of its own group. For C
    channels and F features in G groups:

        first(f) = (f floordiv (F / G)) * (C / G)

    With `feature_block`, that many consecutive features read the same channels.
    These begin with the channels of the first feature's group, and are as many
    as the filter has channels. Channels beyond the last one of the input count
    as 0. The default of `feature_block` is F / G. In general:

        first(f) = (f floordiv feature_block * feature_block floordiv (F / G))
                   * (C / G)

    So narrow groups can share tiles: `tgemm-merge-groups` widens their filters
    by zeros.

    `padding` is the number of rows and columns of zeros around an image: above,
    below, left and right. The result has as many rows P and columns Q of pixels
    as fit:

        P = (y + padding[0] + padding[1] - (r - 1) * dilations[0] - 1)
            floordiv strides[0] + 1

    The op is an implicit GEMM. Operand A is the im2col matrix, which is never
    in memory: for each pixel, it has all elements that the sum of the pixel
    reads. Operand B is the filter. The result is the result of this GEMM, a
    matrix of pixels by features; `tensor.expand_shape` makes images of it. The
    epilogue is as in `tgemm.matmul`, and its maps take (m, n).

    The reduction has three nested loops: over blocks of 64 of the filter's
    channels, over the rows and columns of the filter, and over the channels of
    the block. So neighbouring steps read the same few channels. The last block
    of channels counts as full: with c channels, K = R * S * 64 * ceildiv(c,
    64). `k` of the tiling is a multiple of 64. With several groups, `n` of the
    tiling divides the number of features of a block.

    `tiling` is absent until `tgemm-assign-tiling` or the user chooses it.
    `launched_with_next` is as in `tgemm.matmul`.

    Example:

    ```mlir
    %y = tgemm.conv2d %x, %w epilogue(%bias : tensor<64xf16>) {
      strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
      padding = array<i64: 1, 1, 1, 1>,
      epilogue_maps = [affine_map<(m, n) -> (n)>],
      tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stages = 4>
    } : tensor<1x56x56x64xf16>, tensor<64x3x3x64xf16> -> tensor<3136x64xf16> {
    ^bb0(%acc: f32, %b: f16):
      %b32 = arith.extf %b : f16 to f32
      %sum = arith.addf %acc, %b32 : f32
      %out = arith.truncf %sum : f32 to f16
      tgemm.yield %out : f16
    }
    ```
  }];

  let arguments = (ins
    TGemm_ImageTensor:$input,
    TGemm_ImageTensor:$filter,
    Variadic<TGemm_EpilogueTensor>:$epilogue_inputs,
    DenseI64ArrayAttr:$strides,
    DenseI64ArrayAttr:$dilations,
    DenseI64ArrayAttr:$padding,
    DefaultValuedAttr<I64Attr, "1">:$groups,
    OptionalAttr<I64Attr>:$feature_block,
    DefaultValuedAttr<AffineMapArrayAttr, "{}">:$epilogue_maps,
    OptionalAttr<TGemm_TilingAttr>:$tiling,
    UnitAttr:$launched_with_next);
  let results = (outs TGemm_PixelTensor:$result);
  let regions = (region MaxSizedRegion<1>:$epilogue);

  let assemblyFormat = [{
    $input `,` $filter (`epilogue` `(` $epilogue_inputs^ `:`
    type($epilogue_inputs) `)`)? attr-dict `:` type($input) `,` type($filter)
    `->` type($result) ($epilogue^)?
  }];

  let extraClassDeclaration = [{
    /// The channels of a block of the reduction.
    static constexpr int64_t kChannelBlock = 64;

    /// Return the number of images, of channels, and of rows (`axis` 0) or
    /// columns (`axis` 1) of an image.
    int64_t getImages();
    int64_t getChannels();
    int64_t getImageSize(size_t axis);
    /// Return the rows or columns of the filter, and of the pixels of one image
    /// in the result.
    int64_t getFilterSize(size_t axis);
    int64_t getPixels(size_t axis);
    /// Returns the number of channels that each feature reads: the filter's.
    int64_t getFilterChannels();
    /// Return the channels and the features of a group.
    int64_t getGroupChannels() { return getChannels() / getGroups(); }
    int64_t getGroupFeatures() { return getN() / getGroups(); }
    /// Returns the number of consecutive features that read the same channels.
    int64_t getBlockFeatures() {
      return getFeatureBlock().value_or(getGroupFeatures());
    }
    /// Returns the number of zeros before the first row or column.
    int64_t getLowPadding(size_t axis) { return getPadding()[2 * axis]; }
    /// Returns whether each pixel of the result reads only the same pixel of
    /// the input, in all its channels.
    bool isPointwise();
    /// Return the number of blocks of channels, and of blocks of the whole
    /// reduction: each element of the filter has one for each block of
    /// channels.
    int64_t getChannelBlocks();
    int64_t getReductionBlocks();

    // ProductOpInterface.
    int64_t getBatch() { return 1; }
    int64_t getM();
    int64_t getN();
    int64_t getK() { return getReductionBlocks() * kChannelBlock; }
    bool isBatched() { return false; }
    ::mlir::Value getLhs() { return getInput(); }
    ::mlir::OperandRange getRhs() { return getODSOperands(1); }
    unsigned getNumProducts() { return 1; }
    bool getTransposeLhs() { return false; }
    bool getTransposeRhs() { return true; }
    ::mlir::FloatType getInputElementType();
    ::mlir::FloatType getResultElementType();
    bool loadsPixels() { return true; }
    std::optional<int64_t> getColumnBlock();
    int64_t getReductionBlock() { return kChannelBlock; }
    bool hasSharedElements() { return !isPointwise(); }
    std::string getOperandKey();
    int64_t getOperandElements() {
      return getInput().getType().getNumElements() +
             getFilter().getType().getNumElements();
    }
    ::mlir::AffineMap getEpilogueMap(unsigned index);
    void setEpilogueInputs(::mlir::ValueRange inputs,
                           ::mlir::ArrayAttr maps) {
      getEpilogueInputsMutable().assign(inputs);
      setEpilogueMapsAttr(maps);
    }
    bool canShareLaunch() { return true; }
    bool takesEpilogue() { return true; }
    /// Builds a `tgemm.matmul` if the convolution is pointwise: operand A is
    /// then the input itself.
    ProductOpInterface buildWithEpilogue(
        ::mlir::OpBuilder &builder, ::mlir::Type type, ::mlir::ValueRange rhs,
        ::mlir::ValueRange inputs, ::mlir::ArrayAttr maps);

    /// Creates linalg ops that compute the same, before this op, and returns
    /// their results.
    ::mlir::FailureOr<::llvm::SmallVector<::mlir::Value>>
    decomposeOperation(::mlir::OpBuilder &builder);
    std::optional<StreamK> getStreamK() { return std::nullopt; }
    ::mlir::Value getPartialSums() { return {}; }
    std::optional<unsigned> getPartialSumsOperand() { return std::nullopt; }
  }];

  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
}

#endif // GROUT_DIALECT_TGEMM_IR_CONV2DOP_TD
