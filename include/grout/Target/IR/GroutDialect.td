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
  let summary = "What a module is compiled for";
  let description = [{
    An attribute, `#grout.target`, which names the processor that a module is
    compiled for. Passes read it from the module.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();

    /// The attribute of a module that says what it is compiled for.
    static ::llvm::StringRef getTargetAttrName() { return "grout.target"; }
  }];
}

#endif // GROUT_TARGET_IR_GROUTDIALECT_TD
