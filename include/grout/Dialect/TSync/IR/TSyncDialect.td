//===- TSyncDialect.td - The tsync dialect -----------------*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TSYNC_IR_TSYNCDIALECT_TD
#define GROUT_DIALECT_TSYNC_IR_TSYNCDIALECT_TD

include "mlir/IR/OpBase.td"

def TSync_Dialect : Dialect {
  let name = "tsync";
  let cppNamespace = "::grout::tsync";
  let summary = "Synchronisation of dependent kernels by tile";
  let description = [{
    `tsync` says which tiles of a kernel wait for which tiles of earlier
    kernels. A *chain* holds tile kernels (ops with `TileKernelOpInterface`)
    that run together. A *dependence* joins two kernels of a chain. It has the
    derived relation from consumer tiles to producer tiles, and the *policy*
    that implements this relation with semaphores. Inside kernels, `tsync.wait`
    and `tsync.post` wait for and post semaphores, and state their memory order,
    scope and proxy.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    /// The discardable unit attribute of a tile kernel that shares no launch
    /// with others: in mode `persistent` it is a chain of its own.
    static constexpr ::llvm::StringLiteral kOwnLaunchAttrName =
        "tsync.own_launch";
    /// The discardable i64 attribute of a proved tile kernel that is not an op
    /// of Grout: a digest of the answers that were proved.
    static constexpr ::llvm::StringLiteral kProvedAnswersAttrName =
        "tsync.proved_answers";

    void registerAttributes();
    void registerTypes();
  }];
}

#endif // GROUT_DIALECT_TSYNC_IR_TSYNCDIALECT_TD
