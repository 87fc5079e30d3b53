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
    InterfaceMethod<"Extents of the product, in elements.",
      "int64_t", "getBatch">,
    InterfaceMethod<"", "int64_t", "getM">,
    InterfaceMethod<"", "int64_t", "getN">,
    InterfaceMethod<"", "int64_t", "getK">,
    InterfaceMethod<"Whether the result has a batch dimension.",
      "bool", "isBatched">,
    InterfaceMethod<"The left factor's tensor.", "::mlir::Value", "getLhs">,
    InterfaceMethod<"The right factors' tensors.",
      "::mlir::OperandRange", "getRhs">,
    InterfaceMethod<"How many there are, and so accumulators.",
      "unsigned", "getNumProducts">,
    InterfaceMethod<"Whether lhs is stored as K x M, and each rhs as N x K.",
      "bool", "getTransposeLhs">,
    InterfaceMethod<"", "bool", "getTransposeRhs">,
    InterfaceMethod<"Element type of all factors.",
      "::mlir::FloatType", "getInputElementType">,
    InterfaceMethod<"", "::mlir::FloatType", "getResultElementType">,
    InterfaceMethod<[{
        Whether elements of lhs are in several rows of its matrix.
      }], "bool", "hasSharedElements", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
        Whether lhs are images with channels last, whose pixels are loaded one
        by one.
      }], "bool", "loadsPixels", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
        Where blocks of columns have an lhs of their own each, as those of a
        convolution of several groups: how many columns that are, which `n` of
        its tilings divides. None if all have the same.
      }], "::std::optional<int64_t>", "getColumnBlock", (ins),
      /*methodBody=*/"",
      /*defaultImplementation=*/"return ::std::nullopt;">,
    InterfaceMethod<[{
        Where the rows are in groups with a matrix of each rhs for each group,
        as those of tgemm.grouped_matmul: the number of groups. None if all rows
        have the same. Tiles then have rows of one group, and `getGroupEnds`
        says where groups end.
      }], "::std::optional<int64_t>", "getNumGroups", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return ::std::nullopt;">,
    InterfaceMethod<[{
        The tensor of i32 with the end of each group, which is read when the
        kernel runs; null if there are no groups.
      }], "::mlir::Value", "getGroupEnds", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return {};">,
    InterfaceMethod<"What `k` of its tilings is a multiple of.",
      "int64_t", "getReductionBlock", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return 1;">,
    InterfaceMethod<[{
        How the factors' matrices are made of their tensors, beyond what their
        extents and transpositions say: equal for products that take equally
        long. Empty if they are the tensors.
      }], "::std::string", "getOperandKey", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return {};">,
    InterfaceMethod<[{
        Elements of all factors in memory, which may be fewer than those of the
        matrices that are multiplied.
      }], "int64_t", "getOperandElements", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/[{
        return $_op.getBatch() * $_op.getK() *
               ($_op.getM() + $_op.getN() * $_op.getNumProducts());
      }]>,
    InterfaceMethod<[{
        The epilogue: a block that takes an f32 for each product, then an element
        of each input, and yields one of the result; or no block.
      }], "::mlir::Region &", "getEpilogue">,
    InterfaceMethod<"", "::mlir::OperandRange", "getEpilogueInputs">,
    InterfaceMethod<"The map of input `index`, from (m, n) or (b, m, n).",
      "::mlir::AffineMap", "getEpilogueMap", (ins "unsigned":$index)>,
    InterfaceMethod<[{
        Replaces the inputs and maps of an epilogue that there is, whose block
        has arguments for them.
      }], "void", "setEpilogueInputs",
      (ins "::mlir::ValueRange":$inputs, "::mlir::ArrayAttr":$maps),
      /*methodBody=*/"",
      /*defaultImplementation=*/[{
        llvm_unreachable("it has no epilogue");
      }]>,
    InterfaceMethod<[{
        Whether convert-linalg-to-tgemm makes an epilogue of what follows it, if
        it has none.
      }], "bool", "takesEpilogue", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
        Whether both can be one op with two `rhs`: they multiply the same lhs,
        in the same groups and tiles, by a rhs of the same shape.
      }], "bool", "canShareTilesWith",
      (ins "::grout::tgemm::ProductOpInterface":$other), /*methodBody=*/"",
      /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
        Builds, at `builder`, what then takes its place: a product of the same
        lhs and tiling with `rhs`, whose result is a `type`, with these inputs
        and maps of an epilogue that the caller moves in, if there is one. There
        are several `rhs` if `canShareTilesWith` was true of others.
      }], "::grout::tgemm::ProductOpInterface", "buildWithEpilogue",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Type":$type,
           "::mlir::ValueRange":$rhs, "::mlir::ValueRange":$inputs,
           "::mlir::ArrayAttr":$maps),
      /*methodBody=*/"",
      /*defaultImplementation=*/[{
        llvm_unreachable("it takes no epilogue");
      }]>,
    InterfaceMethod<"The result, a tensor of (b,) m, n.",
      "::mlir::Value", "getResult">,
    InterfaceMethod<"Its tiles; none until chosen.",
      "::std::optional<::grout::tgemm::TilingAttr>", "getTiling">,
    InterfaceMethod<"Chooses them; null takes back the choice.",
      "void", "setTilingAttr",
      (ins "::grout::tgemm::TilingAttr":$tiling)>,
    InterfaceMethod<[{
        Whether `tgemm-fuse-horizontally` may launch it beside other products.
      }], "bool", "canShareLaunch", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
        Says whether it runs in one launch with the next tile kernel of its
        chain, if it can share a launch.
      }], "void", "setLaunchedWithNext", (ins "bool":$isLaunchedWithNext),
      /*methodBody=*/"",
      /*defaultImplementation=*/[{
        llvm_unreachable("it has a launch of its own");
      }]>,
    InterfaceMethod<"How stream-K splits the K loop, if the tiling says so.",
      "::std::optional<::grout::tgemm::StreamK>", "getStreamK">,
    InterfaceMethod<[{
        How many elements of the reduction instructions may add up that do not
        round sums to the nearest f32: longer sums are f32 sums of such. None if
        they may add up all.
      }], "::std::optional<int64_t>", "getSumDepth", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return ::std::nullopt;">,
    InterfaceMethod<[{
        Whether it takes stream-K: `tgemm-expand-stream-k` makes tile kernels
        of them.
      }], "bool", "takesParts", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
        Over how many ranks the results are summed, after the epilogue. None if
        the result is that of this rank.
      }], "::std::optional<int64_t>", "getSumRanks", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return ::std::nullopt;">,
    InterfaceMethod<"The sums of parts, which another tile kernel makes; or null.",
      "::mlir::Value", "getPartialSums">,
    InterfaceMethod<"The number of that operand, if there is one.",
      "::std::optional<unsigned>", "getPartialSumsOperand">,
  ];
}

#endif // GROUT_DIALECT_TGEMM_IR_PRODUCTOPINTERFACE_TD
