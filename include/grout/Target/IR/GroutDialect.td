//===- GroutDialect.td - The grout dialect -----------------*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TARGET_IR_GROUTDIALECT_TD
#define GROUT_TARGET_IR_GROUTDIALECT_TD

include "mlir/IR/DialectBase.td"

def Grout_Dialect : Dialect {
  let name = "grout";
  let cppNamespace = "::grout";
  let summary = "What a module is compiled for, and how functions are called";
  let description = [{
    The dialect has an attribute, `#grout.target`, which names the processor for
    which a module is compiled. Passes read it from the module.

    `grout.in_place`, on an argument of a function, is the number of the result
    that the argument's memory holds afterwards. The caller passes one tensor
    for both. The result must be the argument itself, with elements replaced by
    `tensor.scatter`. Nothing else may read the argument's earlier contents.

    `grout.assert`, on a `tensor.scatter`, is a message. Kernels write nothing
    at places outside of the tensor. With this attribute they also fail with the
    message, like assertions of the device. CPUs ignore it.

    `grout.exact`, on a module, makes GPUs round each sum, product, quotient and
    root by itself, as IEEE 754 says. Without it, a product and a sum may become
    one operation, and quotients and roots are approximations.

    `grout.trace`, on a module, makes kernels of GPUs record when their tiles and
    blocks begin and end, if the runtime gives them memory for that. CPUs need
    no such kernels.

    Example: keys of a cache, in which one row is new.

    ```mlir
    func.func @append(%new: tensor<1x8x128xf16>,
                      %keys: tensor<8x512x128xf16> {grout.in_place = 0},
                      %place: tensor<1x1xi64>) -> tensor<8x512x128xf16> {
      %r = tensor.scatter %new into %keys[%place] scatter_dims([1]) unique
        : (tensor<1x8x128xf16>, tensor<8x512x128xf16>, tensor<1x1xi64>)
        -> tensor<8x512x128xf16>
      return %r : tensor<8x512x128xf16>
    }
    ```
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();

    /// The module attribute that names the target.
    static ::llvm::StringRef getTargetAttrName() { return "grout.target"; }

    /// The module attribute for exact arithmetic on GPUs.
    static ::llvm::StringRef getExactAttrName() { return "grout.exact"; }

    /// The module attribute for GPU kernels that record times.
    static ::llvm::StringRef getTraceAttrName() { return "grout.trace"; }

    /// The tensor.scatter attribute with the message with which a kernel fails
    /// if a place is outside of the tensor.
    static ::llvm::StringRef getAssertAttrName() { return "grout.assert"; }

    /// The function argument attribute with the number of the result that the
    /// argument's memory holds afterwards.
    static ::llvm::StringRef getInPlaceAttrName() { return "grout.in_place"; }
  }];
}

#endif // GROUT_TARGET_IR_GROUTDIALECT_TD
