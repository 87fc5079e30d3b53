//===- LaunchTypes.td - Types of the launch dialect --------*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_LAUNCH_IR_LAUNCHTYPES_TD
#define GROUT_DIALECT_LAUNCH_IR_LAUNCHTYPES_TD

include "grout/Dialect/Launch/IR/LaunchDialect.td"
include "grout/Support/ElementTypes.td"
include "mlir/IR/AttrTypeBase.td"

def Launch_Buffer : StaticShapeMemRefOf<Grout_ElementTypes>;

def Launch_TokenType : TypeDef<Launch_Dialect, "Token"> {
  let mnemonic = "token";
  let summary = "A launch, as others are ordered after it";
  let description = [{
    An edge of a plan starts from a token. A token comes from a launch, or from
    `launch.start`.
  }];
}

def Launch_SemaphoresType : TypeDef<Launch_Dialect, "Semaphores"> {
  let mnemonic = "semaphores";
  let summary = "Semaphores that tiles of launches post and wait for";
  let description = [{
    The semaphores are in the synchronisation state of the first launch that
    uses them; see docs/KernelABI.md.
  }];
}

#endif // GROUT_DIALECT_LAUNCH_IR_LAUNCHTYPES_TD
