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
    The runtime executes a compiled function as a launch plan: buffers, and
    launches of kernels on these buffers. The launches are a graph whose edges
    are tokens. A launch is first a `launch.tiles`, which holds tile kernels,
    and becomes a `launch.kernel` when there is code for it. So passes can
    schedule a plan, and the plan's verifier can prove that launches which share
    data are ordered, whatever their code is. A plan is the last form of a
    function before the compiler writes it to an artifact.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
  }];
}

#endif // GROUT_DIALECT_LAUNCH_IR_LAUNCHDIALECT_TD
