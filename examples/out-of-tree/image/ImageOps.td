//===- ImageOps.td - A dialect of filters ------------------*- tablegen -*-===//
//
// Part of Grout. A dialect of your own, which knows nothing of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef IMAGE_IMAGEOPS_TD
#define IMAGE_IMAGEOPS_TD

include "mlir/Dialect/Linalg/IR/LinalgInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Image_Dialect : Dialect {
  let name = "image";
  let summary = "filters of images";
  let cppNamespace = "::image";
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def Image_Picture
    : ConfinedType<TensorRankOf<[F32], [2]>, [HasStaticShapePred],
                   "matrix of f32 of static shape", "::mlir::RankedTensorType">;

def Image_SmoothOp : Op<Image_Dialect, "smooth", [
    AggregatedOpInterface, Pure, SameOperandsAndResultType]> {
  let summary = "smooths the columns of an image";
  let description = [{
    Each row of the result is a quarter of the row above, a half of the row and
    a quarter of the row below. Rows outside of the image are zero.

    Example:

    ```mlir
    %y = image.smooth %x : tensor<50x24xf32>
    ```
  }];
  let arguments = (ins Image_Picture:$input);
  let results = (outs Image_Picture:$output);
  // DeclareOpInterfaceMethods would leave out the namespaces.
  let extraClassDeclaration = [{
    ::mlir::FailureOr<::llvm::SmallVector<::mlir::Value>>
    decomposeOperation(::mlir::OpBuilder &builder);
  }];
  let assemblyFormat = "$input attr-dict `:` type($input)";
}

def Image_Channels
    : ConfinedType<TensorRankOf<[F16], [2]>, [HasStaticShapePred],
                   "matrix of f16 of static shape", "::mlir::RankedTensorType">;

def Image_MixOp : Op<Image_Dialect, "mix", [Pure]> {
  let summary = "mixes the channels of pixels";
  let description = [{
    Each row of `pixels` has the channels of a pixel, and each row of `weights`
    has a factor for each channel. Channel n of pixel m of the result is the sum
    of the products of row m of `pixels` and row n of `weights`.

    Example:

    ```mlir
    %y = image.mix %x, %w
        : tensor<100x96xf16>, tensor<72x96xf16> -> tensor<100x72xf16>
    ```
  }];
  let arguments = (ins Image_Channels:$pixels, Image_Channels:$weights);
  let results = (outs Image_Channels:$mixed);
  let assemblyFormat = [{
    $pixels `,` $weights attr-dict `:` type($pixels) `,` type($weights) `->`
    type($mixed)
  }];
}

#endif // IMAGE_IMAGEOPS_TD
