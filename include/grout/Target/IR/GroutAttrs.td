//===- GroutAttrs.td - Attributes of the grout dialect -----*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TARGET_IR_GROUTATTRS_TD
#define GROUT_TARGET_IR_GROUTATTRS_TD

include "grout/Target/IR/GroutDialect.td"
include "mlir/IR/AttrTypeBase.td"

def Grout_TargetAttr : AttrDef<Grout_Dialect, "Target"> {
  let mnemonic = "target";
  let summary = "The processor that a module is compiled for";
  let description = [{
    Names one of the registered targets (`grout::registerTarget`). A target has
    the processor's limits, the models of its times, and the passes that make
    its kernels. A name that is not registered is an error.

    Example:

    ```mlir
    module attributes {grout.target = #grout.target<"h200">} {
    }
    ```
  }];
  let parameters = (ins StringRefParameter<"its name">:$name);
  let assemblyFormat = "`<` $name `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Returns the target that is registered by this name.
    const ::grout::Target &getTarget() const;
  }];
}

#endif // GROUT_TARGET_IR_GROUTATTRS_TD
