//===- ProductOpInterface.td - Contractions in tiles -------*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_IR_PRODUCTOPINTERFACE_TD
#define GROUT_DIALECT_TGEMM_IR_PRODUCTOPINTERFACE_TD

include "grout/Interfaces/TileKernelInterface.td"

def ProductOpInterface : OpInterface<"ProductOpInterface", [
    TileKernelOpInterface]> {
  let cppNamespace = "::grout::tgemm";
  let description = [{
    A GEMM: a tile kernel that multiplies matrices and applies an epilogue to
    the sums. Tilings, their limits, models, tuning keys, explanations, and all
    code outside of the loads use a GEMM only through this interface.
    `tgemm.matmul` implements it. So does `tgemm.conv2d`, whose operand A is
    made from its input in another way than by `transpose_lhs`.

    The op multiplies `batch` times M x K by K x N, for each of `getNumProducts`
    operands B (`rhs`). Its operands are lhs, each rhs, the inputs of the
    epilogue, and the partial sums, if there are any, in this order.
  }];
  let methods = [
    InterfaceMethod<"Returns the number of GEMMs in the batch.",
      "int64_t", "getBatch">,
    InterfaceMethod<"Returns the number of rows of the result.",
      "int64_t", "getM">,
    InterfaceMethod<"Returns the number of columns of the result.",
      "int64_t", "getN">,
    InterfaceMethod<"Returns the number of elements of the reduction.",
      "int64_t", "getK">,
    InterfaceMethod<"Returns whether the result has a batch dimension.",
      "bool", "isBatched">,
    InterfaceMethod<"Returns operand A.", "::mlir::Value", "getLhs">,
    InterfaceMethod<"Returns all operands B.",
      "::mlir::OperandRange", "getRhs">,
    InterfaceMethod<[{
        Returns the number of operands B. There is an accumulator for each.
      }],
      "unsigned", "getNumProducts">,
    InterfaceMethod<"Returns whether operand A is stored as K x M.",
      "bool", "getTransposeLhs">,
    InterfaceMethod<"Returns whether each operand B is stored as N x K.",
      "bool", "getTransposeRhs">,
    InterfaceMethod<"Returns the element type of operands A and B.",
      "::mlir::FloatType", "getInputElementType">,
    InterfaceMethod<"Returns the element type of the result.",
      "::mlir::FloatType", "getResultElementType">,
    InterfaceMethod<[{
        Returns whether several rows of the matrix A have the same element of
        the tensor lhs. For example, this holds for the im2col matrix of a
        convolution.
      }], "bool", "hasSharedElements", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
        Returns whether lhs are images with channels last, and the kernel loads
        their pixels one by one.
      }], "bool", "loadsPixels", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
        Returns the number of consecutive columns that use the same matrix A.
        For example, each group of a convolution has its own matrix A. `n` of a
        tiling divides this number. None if all columns use the same matrix A.
      }], "::std::optional<int64_t>", "getColumnBlock", (ins),
      /*methodBody=*/"",
      /*defaultImplementation=*/"return ::std::nullopt;">,
    InterfaceMethod<[{
        Returns the number of groups of rows. Each group has a matrix of its own
        in each operand B, as in `tgemm.grouped_matmul`. A tile has rows of one
        group, and `getGroupEnds` says where groups end. None if all rows use
        the same matrices.
      }], "::std::optional<int64_t>", "getNumGroups", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return ::std::nullopt;">,
    InterfaceMethod<[{
        Returns the tensor of i32 that has the end of each group. The kernel
        reads it. Null if there are no groups.
      }], "::mlir::Value", "getGroupEnds", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return {};">,
    InterfaceMethod<"Returns a number that divides `k` of each tiling.",
      "int64_t", "getReductionBlock", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return 1;">,
    InterfaceMethod<[{
        Returns a text that says how the matrices A and B are made from the
        tensors, beyond their extents and transpositions. Two GEMMs with the
        same text and extents take equally long. Empty if the tensors are the
        matrices.
      }], "::std::string", "getOperandKey", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return {};">,
    InterfaceMethod<[{
        Returns the number of elements that operands A and B have in memory. The
        matrices that the GEMM multiplies may have more elements.
      }], "int64_t", "getOperandElements", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/[{
        return $_op.getBatch() * $_op.getK() *
               ($_op.getM() + $_op.getN() * $_op.getNumProducts());
      }]>,
    InterfaceMethod<[{
        Returns the region of the epilogue. Its block takes an f32 for each
        operand B, then an element of each epilogue input, and yields an element
        of the result. The region is empty if there is no epilogue.
      }], "::mlir::Region &", "getEpilogue">,
    InterfaceMethod<"Returns the inputs of the epilogue.",
      "::mlir::OperandRange", "getEpilogueInputs">,
    InterfaceMethod<[{
        Returns the map of epilogue input `index`, from (m, n) or (b, m, n).
      }],
      "::mlir::AffineMap", "getEpilogueMap", (ins "unsigned":$index)>,
    InterfaceMethod<[{
        Replaces the inputs and maps of the epilogue. There is an epilogue, and
        its block has arguments for the new inputs.
      }], "void", "setEpilogueInputs",
      (ins "::mlir::ValueRange":$inputs, "::mlir::ArrayAttr":$maps),
      /*methodBody=*/"",
      /*defaultImplementation=*/[{
        llvm_unreachable("it has no epilogue");
      }]>,
    InterfaceMethod<[{
        Returns whether `convert-linalg-to-tgemm` turns the ops that follow into
        an epilogue, if the op has none.
      }], "bool", "takesEpilogue", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
        Returns whether this op and `other` can become one op with the operands
        B of both. They then have the same operand A, groups and tiles, and
        operands B of the same shape.
      }], "bool", "canShareTilesWith",
      (ins "::grout::tgemm::ProductOpInterface":$other), /*methodBody=*/"",
      /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
        Builds an op that replaces this op, and has an epilogue. The new op has
        the same operand A and tiling, the operands B `rhs`, a result of type
        `type`, and the epilogue inputs `inputs` with `maps`. The caller moves
        the block of the epilogue in, if there is one. `rhs` has several values
        if `canShareTilesWith` held for other ops.
      }], "::grout::tgemm::ProductOpInterface", "buildWithEpilogue",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Type":$type,
           "::mlir::ValueRange":$rhs, "::mlir::ValueRange":$inputs,
           "::mlir::ArrayAttr":$maps),
      /*methodBody=*/"",
      /*defaultImplementation=*/[{
        llvm_unreachable("it takes no epilogue");
      }]>,
    InterfaceMethod<"Returns the result, a tensor of (m, n) or (b, m, n).",
      "::mlir::Value", "getResult">,
    InterfaceMethod<"Returns the tiling; none if no pass has chosen it yet.",
      "::std::optional<::grout::tgemm::TilingAttr>", "getTiling">,
    InterfaceMethod<"Sets the tiling; null removes it.",
      "void", "setTilingAttr",
      (ins "::grout::tgemm::TilingAttr":$tiling)>,
    InterfaceMethod<[{
        Returns whether `tgemm-fuse-horizontally` may launch the op together
        with other GEMMs.
      }], "bool", "canShareLaunch", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
        Sets whether the op runs in one launch with the next tile kernel of its
        chain. Only called if the op can share a launch.
      }], "void", "setLaunchedWithNext", (ins "bool":$isLaunchedWithNext),
      /*methodBody=*/"",
      /*defaultImplementation=*/[{
        llvm_unreachable("it has a launch of its own");
      }]>,
    InterfaceMethod<[{
        Returns how stream-K splits the K loop. None if the tiling has no
        stream-K parts.
      }],
      "::std::optional<::grout::tgemm::StreamK>", "getStreamK">,
    InterfaceMethod<[{
        Returns how many elements of the reduction MMA instructions may add up
        that truncate their sums. The kernel adds such partial sums up in f32.
        None if the instructions may add up all elements.
      }], "::std::optional<int64_t>", "getSumDepth", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return ::std::nullopt;">,
    InterfaceMethod<[{
        Returns whether tilings of the op may have stream-K parts, which
        `tgemm-expand-stream-k` turns into tile kernels.
      }], "bool", "takesParts", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
        Returns the number of ranks whose results are summed after the epilogue.
        None if the result is that of this rank alone.
      }], "::std::optional<int64_t>", "getSumRanks", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return ::std::nullopt;">,
    InterfaceMethod<[{
        Returns the partial sums, which another tile kernel computes; null if
        there are none.
      }],
      "::mlir::Value", "getPartialSums">,
    InterfaceMethod<[{
        Returns the number of the operand that has the partial sums, if there is
        one.
      }],
      "::std::optional<unsigned>", "getPartialSumsOperand">,
  ];
}

#endif // GROUT_DIALECT_TGEMM_IR_PRODUCTOPINTERFACE_TD
