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
    An attribute, `#grout.target`, which names the processor that a module is
    compiled for. Passes read it from the module.

    `grout.in_place`, of an argument of a function, is the number of the result
    that the argument's memory holds afterwards: the caller passes one tensor for
    both. The result must be the argument itself with elements replaced by
    `tensor.scatter`, and nothing else may read what the argument held before.

    `grout.assert`, of a `tensor.scatter`, is a message. Kernels write nothing at
    places outside of the tensor; with this they fail, and say it, as assertions
    of the device do. There is no such thing on CPUs.

    `grout.exact`, of a module, lets GPUs round each sum, product, quotient and
    root by itself, as IEEE 754 says. Without it a product and a sum may be one
    operation, and quotients and roots are approximations.

    Example: keys of a cache, of which one row is new.

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

    /// The attribute of a module that says what it is compiled for.
    static ::llvm::StringRef getTargetAttrName() { return "grout.target"; }

    /// The attribute of a module whose arithmetic is exact on GPUs, too.
    static ::llvm::StringRef getExactAttrName() { return "grout.exact"; }

    /// The attribute of a tensor.scatter that says with which message a kernel
    /// fails if a place is outside.
    static ::llvm::StringRef getAssertAttrName() { return "grout.assert"; }

    /// The attribute of an argument of a function that says which result its
    /// memory holds afterwards.
    static ::llvm::StringRef getInPlaceAttrName() { return "grout.in_place"; }
  }];
}

#endif // GROUT_TARGET_IR_GROUTDIALECT_TD
