//===- Passes.td - Passes of the grout dialect -------------*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TARGET_TRANSFORMS_PASSES_TD
#define GROUT_TARGET_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def GroutSetTarget : Pass<"grout-set-target", "::mlir::ModuleOp"> {
  let summary = "say what a module is compiled for";
  let description = [{
    Gives the module the attribute `grout.target`, from which other passes know
    the processor. Refuses a module that already has another target.

    Example: `--grout-set-target=name=h200`.
  }];
  let options = [
    Option<"name", "name", "std::string", /*default=*/"\"cpu\"",
           "The target, as it is registered">,
    Option<"exact", "exact", "bool", /*default=*/"false",
           "Whether GPUs round each operation: gives the module grout.exact">,
    Option<"trace", "trace", "bool", /*default=*/"false",
           "Whether GPU kernels record times: gives the module grout.trace">,
  ];
  let dependentDialects = ["::grout::GroutDialect"];
}

#endif // GROUT_TARGET_TRANSFORMS_PASSES_TD
