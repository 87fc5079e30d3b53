//===- LaunchDialect.td - The launch dialect ---------------*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_LAUNCH_IR_LAUNCHDIALECT_TD
#define GROUT_DIALECT_LAUNCH_IR_LAUNCHDIALECT_TD

include "mlir/IR/OpBase.td"

def Launch_Dialect : Dialect {
  let name = "launch";
  let cppNamespace = "::grout::launch";
  let summary = "Launch plans";
  let description = [{
    A launch plan is what the runtime executes for a compiled function: buffers,
    and launches of kernels on them, ordered by edges. It is the compiled
    function's last form before it is written to an artifact.
  }];
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
}

#endif // GROUT_DIALECT_LAUNCH_IR_LAUNCHDIALECT_TD
