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
    and launches of kernels on them, a graph whose edges are tokens. Launches
    are `launch.tiles` first, which hold tile kernels, and `launch.kernel` when
    there is code for them. So a plan can be scheduled, and proved to keep its
    launches apart where it must, whatever their code is. It is the compiled
    function's last form before it is written to an artifact.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
  }];
}

#endif // GROUT_DIALECT_LAUNCH_IR_LAUNCHDIALECT_TD
