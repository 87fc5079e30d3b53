//===- LaunchAttrs.td - Attributes of the launch dialect ---*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_LAUNCH_IR_LAUNCHATTRS_TD
#define GROUT_DIALECT_LAUNCH_IR_LAUNCHATTRS_TD

include "grout/Dialect/Launch/IR/LaunchDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def Launch_SwizzleAttr : I32EnumAttr<"Swizzle",
    "how a tensor map permutes 16-byte chunks in shared memory", [
    I32EnumAttrCase<"none", 0>, I32EnumAttrCase<"b32", 1>,
    I32EnumAttrCase<"b64", 2>, I32EnumAttrCase<"b128", 3>]> {
  let cppNamespace = "::grout::launch";
}

def Launch_ArgKindAttr : I32EnumAttr<"ArgKind", "what a kernel parameter is", [
    I32EnumAttrCase<"buffer", 0>, I32EnumAttrCase<"tensor_map", 1>,
    I32EnumAttrCase<"sync_state", 2>, I32EnumAttrCase<"task_list", 3>,
    I32EnumAttrCase<"task_count", 4>, I32EnumAttrCase<"semaphores", 5>]> {
  let cppNamespace = "::grout::launch";
}

def Launch_EdgeAttr : I32EnumAttr<"Edge",
    "how a launch is ordered after another one", [
    I32EnumAttrCase<"full", 0>, I32EnumAttrCase<"programmatic", 1>,
    I32EnumAttrCase<"launch_order", 2>, I32EnumAttrCase<"tile", 3>]> {
  let cppNamespace = "::grout::launch";
}

def Launch_TriggerAttr : I32EnumAttr<"Trigger",
    "when a launch triggers those that start early", [
    I32EnumAttrCase<"never", 0>, I32EnumAttrCase<"after_wait", 1>,
    I32EnumAttrCase<"at_entry", 2>]> {
  let cppNamespace = "::grout::launch";
}

def Launch_ArgAttr : AttrDef<Launch_Dialect, "Arg"> {
  let mnemonic = "arg";
  let summary = "One parameter of a kernel";
  let description = [{
    `buffer` passes the address of operand `operand`, `offset` bytes into it.
    `tensor_map` passes a tiled view of it for TMA:
    `sizes` in elements and `strides` in bytes are innermost first, as the
    driver takes them (the innermost stride is the element's size and is left
    out); `box` is what one copy moves, in elements. `semaphores` passes the
    synchronisation state of the first launch that uses the same semaphores,
    which are there. The other kinds pass the launch's own synchronisation
    state, its task list, and the number of tasks; see docs/KernelABI.md.

    Example:

    ```mlir
    #launch.arg<tensor_map, operand = 0, sizes = [12288, 1024],
                strides = [24576], box = [64, 128], swizzle = b128>
    #launch.arg<buffer, operand = 1>
    #launch.arg<sync_state>
    #launch.arg<semaphores>
    ```
  }];
  let parameters = (ins
    EnumParameter<Launch_ArgKindAttr>:$kind,
    DefaultValuedParameter<"int64_t", "-1">:$operand,
    DefaultValuedParameter<"int64_t", "0">:$offset,
    OptionalArrayRefParameter<"int64_t">:$sizes,
    OptionalArrayRefParameter<"int64_t">:$strides,
    OptionalArrayRefParameter<"int64_t">:$box,
    DefaultValuedParameter<"::grout::launch::Swizzle",
                           "::grout::launch::Swizzle::none">:$swizzle);
  let builders = [
    AttrBuilder<(ins "::grout::launch::ArgKind":$kind), [{
      return $_get($_ctxt, kind, /*operand=*/-1, /*offset=*/0,
                   ::llvm::ArrayRef<int64_t>(), ::llvm::ArrayRef<int64_t>(),
                   ::llvm::ArrayRef<int64_t>(), Swizzle::none);
    }]>,
    AttrBuilder<(ins "::grout::launch::ArgKind":$kind, "int64_t":$operand), [{
      return $_get($_ctxt, kind, operand, /*offset=*/0,
                   ::llvm::ArrayRef<int64_t>(), ::llvm::ArrayRef<int64_t>(),
                   ::llvm::ArrayRef<int64_t>(), Swizzle::none);
    }]>,
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // GROUT_DIALECT_LAUNCH_IR_LAUNCHATTRS_TD
