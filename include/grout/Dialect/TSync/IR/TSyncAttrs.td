//===- TSyncAttrs.td - Attributes and types of tsync -------*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TSYNC_IR_TSYNCATTRS_TD
#define GROUT_DIALECT_TSYNC_IR_TSYNCATTRS_TD

include "grout/Dialect/TSync/IR/TSyncDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"

def TSync_ScopeAttr : I32EnumAttr<"Scope", "threads that an operation orders", [
    I32EnumAttrCase<"block", 0>, I32EnumAttrCase<"device", 1>,
    I32EnumAttrCase<"system", 2>]> {
  let cppNamespace = "::grout::tsync";
}

def TSync_ProxyAttr : I32EnumAttr<"Proxy",
    "the path by which the synchronised data is accessed", [
    I32EnumAttrCase<"generic", 0>, I32EnumAttrCase<"async", 1>]> {
  let cppNamespace = "::grout::tsync";
}

def TSync_ModeAttr : I32EnumAttr<"Mode",
    "how a chain runs, or how a dependence of it is waited for", [
    I32EnumAttrCase<"serial", 0>, I32EnumAttrCase<"persistent", 1>,
    I32EnumAttrCase<"pdl", 2>, I32EnumAttrCase<"overlap", 3>]> {
  let cppNamespace = "::grout::tsync";
}

def TSync_ExecutionAttr : AttrDef<TSync_Dialect, "Execution"> {
  let mnemonic = "execution";
  let summary = "How the chains of a function are to run";
  let description = [{
    `tgemm-assign-tiling` with mode `auto` stores its choice of a mode in the
    attribute `tsync.execution` of a function, and `tsync-form-chains` reads it
    there. With `selects_edges`, each dependence gets the mode that suits it:
    any mode with `overlap`, `serial` or `pdl` with `pdl`.

    Example:

    ```mlir
    #tsync.execution<persistent>
    #tsync.execution<overlap, selects_edges>
    ```
  }];
  let parameters = (ins
    EnumParameter<TSync_ModeAttr>:$mode,
    DefaultValuedParameter<"bool", "false">:$selectsEdges);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Returns the name of the function attribute that holds an execution.
    static ::llvm::StringRef getAttrName() { return "tsync.execution"; }
  }];
}

def TSync_PolicyAttr : AttrDef<TSync_Dialect, "Policy"> {
  let mnemonic = "policy";
  let summary = "How semaphores implement a dependence";
  let description = [{
    `semaphore` maps the coordinates of a producer tile to coordinates in an
    array of semaphores of shape `shape`. Every producer tile posts its
    semaphore once. `counts` is the number of posts that complete a semaphore:
    one number for all semaphores, or one for each in row-major order. `lower`
    and `upper` map (tile..., step) of the consumer to a box of semaphores. Both
    ends are included, and clamped to the array. All semaphores of the box must
    be complete before the step. `guard` maps tile coordinates to a number: a
    tile with a negative number waits for nothing. Without `guard`, all tiles
    wait.

    Example: eight rows of 24 tiles each; a consumer tile waits for its row.

    ```mlir
    #tsync.policy<semaphore = affine_map<(i, j) -> (i)>, shape = [8],
                  counts = [24], lower = affine_map<(i, j, k) -> (i)>,
                  upper = affine_map<(i, j, k) -> (i)>>
    ```
  }];
  let parameters = (ins
    "::mlir::AffineMap":$semaphore,
    OptionalArrayRefParameter<"int64_t">:$shape,
    ArrayRefParameter<"int64_t">:$counts,
    "::mlir::AffineMap":$lower,
    "::mlir::AffineMap":$upper,
    "::mlir::AffineMap":$guard);
  let builders = [AttrBuilder<(ins
    "::mlir::AffineMap":$semaphore, "::llvm::ArrayRef<int64_t>":$shape,
    "::llvm::ArrayRef<int64_t>":$counts, "::mlir::AffineMap":$lower,
    "::mlir::AffineMap":$upper), [{
    return $_get($_ctxt, semaphore, shape, counts, lower, upper,
                 /*guard=*/::mlir::AffineMap());
  }]>];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Returns this policy with other counts.
    PolicyAttr withCounts(::llvm::ArrayRef<int64_t> counts) const;
    /// Returns the number of semaphores: the product of `shape`.
    int64_t getNumSemaphores() const;
    /// Returns how many posts complete the semaphore of row-major index
    /// `semaphore`.
    int64_t getCount(int64_t semaphore) const;
    /// Returns the count of all semaphores, if it is the same for all.
    std::optional<int64_t> getUniformCount() const;
  }];
}

def TSync_SemaphoresType : TypeDef<TSync_Dialect, "Semaphores"> {
  let mnemonic = "semaphores";
  let summary = "The semaphores of a launch, in the memory that its tiles share";
  let description = [{
    The counters keep their values from launch to launch. They come with the
    epoch, from which a kernel computes the count that a semaphore reaches in
    this launch; see docs/KernelABI.md.
  }];
}

#endif // GROUT_DIALECT_TSYNC_IR_TSYNCATTRS_TD
