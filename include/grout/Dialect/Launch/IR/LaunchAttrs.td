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
    I32EnumAttrCase<"task_count", 4>, I32EnumAttrCase<"semaphores", 5>,
    I32EnumAttrCase<"rank", 6>, I32EnumAttrCase<"peer", 7>]> {
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
    I32EnumAttrCase<"at_entry", 2>, I32EnumAttrCase<"before_wait", 3>]> {
  let cppNamespace = "::grout::launch";
}

def Launch_Im2colAttr : AttrDef<Launch_Dialect, "Im2col"> {
  let mnemonic = "im2col";
  let summary = "Which pixels of images a tensor map walks along";
  let description = [{
    A TMA copy from a tensor of images moves a given number of pixels, one after
    another. It walks along the pixels of a box in each image, then along those
    of the box in the next image. The innermost dimension of the tensor is the
    channels, the outermost is the images. Each array has one element for each
    dimension between these two, innermost first. `lower` and `upper` are the
    distances of the box's corners from the corners of the image. `steps` is the
    distance of neighbouring pixels of the box.

    Example, for a filter of 3 x 3 on images with one row or column of zeros
    around them:

    ```mlir
    #launch.im2col<lower = [-1, -1], upper = [-1, -1], steps = [1, 1]>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$lower,
                        ArrayRefParameter<"int64_t">:$upper,
                        ArrayRefParameter<"int64_t">:$steps);
  let assemblyFormat = [{
    `<` `lower` `=` `[` $lower `]` `,` `upper` `=` `[` $upper `]` `,`
    `steps` `=` `[` $steps `]` `>`
  }];
  let genVerifyDecl = 1;
}

def Launch_ArgAttr : AttrDef<Launch_Dialect, "Arg"> {
  let mnemonic = "arg";
  let summary = "One parameter of a kernel";
  let description = [{
    There are these kinds of parameters (see also docs/KernelABI.md):

    - `buffer`: the address of operand `operand` plus `offset` bytes.
    - `tensor_map`: a tiled view of the operand for TMA. `sizes`, in elements,
      and `strides`, in bytes, are innermost first, as the driver takes them.
      The innermost stride is the size of an element, and is left out. `box` is
      the number of elements that one copy moves, for each dimension. With
      `im2col`, the view has 3 to 5 dimensions, and `box` has two numbers: the
      channels and the pixels that one copy moves.
    - `sync_state`: the launch's own synchronisation state.
    - `semaphores`: the synchronisation state of the first launch that uses the
      same semaphores, which contains them.
    - `task_list` and `task_count`: the launch's tasks and their number.
    - `rank`: the number of the rank that runs the plan.
    - `peer`: the address of the launch's symmetric memory (see
      `#launch.exchange`) on rank `rank`.

    Example:

    ```mlir
    #launch.arg<tensor_map, operand = 0, sizes = [12288, 1024],
                strides = [24576], box = [64, 128], swizzle = b128>
    #launch.arg<tensor_map, operand = 2, sizes = [64, 56, 56, 1],
                strides = [128, 7168, 401408], box = [64, 128], swizzle = b128,
                im2col = <lower = [-1, -1], upper = [-1, -1], steps = [1, 1]>>
    #launch.arg<buffer, operand = 1>
    #launch.arg<sync_state>
    #launch.arg<semaphores>
    #launch.arg<peer, rank = 3>
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
                           "::grout::launch::Swizzle::none">:$swizzle,
    OptionalParameter<"::grout::launch::Im2colAttr">:$im2col,
    DefaultValuedParameter<"int64_t", "-1">:$rank);
  let builders = [
    AttrBuilder<(ins "::grout::launch::ArgKind":$kind), [{
      return $_get($_ctxt, kind, /*operand=*/-1, /*offset=*/0,
                   ::llvm::ArrayRef<int64_t>(), ::llvm::ArrayRef<int64_t>(),
                   ::llvm::ArrayRef<int64_t>(), Swizzle::none, Im2colAttr(),
                   /*rank=*/-1);
    }]>,
    AttrBuilder<(ins "::grout::launch::ArgKind":$kind, "int64_t":$operand), [{
      return $_get($_ctxt, kind, operand, /*offset=*/0,
                   ::llvm::ArrayRef<int64_t>(), ::llvm::ArrayRef<int64_t>(),
                   ::llvm::ArrayRef<int64_t>(), Swizzle::none, Im2colAttr(),
                   /*rank=*/-1);
    }]>,
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Returns a parameter of kind `peer`.
    static ArgAttr getPeer(::mlir::MLIRContext *context, int64_t rank) {
      return get(context, ArgKind::peer, /*operand=*/-1, /*offset=*/0,
                 ::llvm::ArrayRef<int64_t>(), ::llvm::ArrayRef<int64_t>(),
                 ::llvm::ArrayRef<int64_t>(), Swizzle::none, Im2colAttr(),
                 rank);
    }
  }];
}

def Launch_ExchangeAttr : AttrDef<Launch_Dialect, "Exchange"> {
  let mnemonic = "exchange";
  let summary = "The symmetric memory with which a launch exchanges data";
  let description = [{
    A plan that several ranks run has *symmetric memory*: each rank has as many
    bytes of it, and all ranks can read and write the memory of each other. A
    launch that exchanges data with the same launch on other ranks has `bytes`
    bytes of it, from byte `offset` on, a multiple of 256. They are 0 before the
    first run. An exchange without `offset` has no place yet;
    `launch-place-buffers` gives it one.

    A launch whose exchange is `cleared` makes all its bytes 0 again, and gets
    data from each other rank. So such launches may have the same bytes if they
    do not follow each other: also not as the last of a run and the first of the
    next (docs/Collectives.md). Other launches have bytes of their own, which
    begin with semaphores, as a synchronisation state does (docs/KernelABI.md).

    Example:

    ```mlir
    #launch.exchange<ranks = 4, bytes = 8192, offset = 0>
    ```
  }];
  let parameters = (ins "int64_t":$ranks, "int64_t":$bytes,
                        DefaultValuedParameter<"int64_t", "-1">:$offset,
                        DefaultValuedParameter<"bool", "false">:$cleared);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // GROUT_DIALECT_LAUNCH_IR_LAUNCHATTRS_TD
