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

#endif // IMAGE_IMAGEOPS_TD
