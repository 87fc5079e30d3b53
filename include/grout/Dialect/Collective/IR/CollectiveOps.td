//===- CollectiveOps.td - Ops of the collective dialect ----*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_COLLECTIVE_IR_COLLECTIVEOPS_TD
#define GROUT_DIALECT_COLLECTIVE_IR_COLLECTIVEOPS_TD

include "grout/Dialect/Collective/IR/CollectiveDialect.td"
include "grout/Interfaces/TileKernelInterface.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Collective_AllReduceOp : Op<Collective_Dialect, "all_reduce", [
    Pure, SameOperandsAndResultType,
    DeclareOpInterfaceMethods<TileKernelOpInterface, ["runsWithoutTiles", "isCollective"]>]> {
  let summary = "the sum of a tensor over all ranks";
  let description = [{
    Returns the sum of the operands that the `ranks` ranks have. The sum is
    computed in f32, in the order of the ranks, and is rounded once. So all
    ranks get the same bits. With a single rank, the result is the operand.

    All-reduces of different `channel`s are different sums, even if their
    operands are equal on this rank: they may differ on another rank. Give each
    op of a function a channel of its own, unless all ranks have the same
    constants.

    An all-reduce is in no chain: its kernel waits for all launches that compute
    the operand.

    Example:

    ```mlir
    %sum = collective.all_reduce %partial ranks 4 : tensor<64x4096xbf16>
    %one = collective.all_reduce %x ranks 2 channel 0 : tensor<64xf32>
    ```
  }];
  let arguments = (ins
    StaticShapeTensorOf<[F16, BF16, F32]>:$input,
    ConfinedAttr<I64Attr, [IntMinValue<1>, IntMaxValue<8>]>:$ranks,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$channel);
  let results = (outs StaticShapeTensorOf<[F16, BF16, F32]>:$output);
  let assemblyFormat = [{
    $input `ranks` $ranks (`channel` $channel^)? attr-dict `:` type($input)
  }];
  let hasFolder = 1;
}

#endif // GROUT_DIALECT_COLLECTIVE_IR_COLLECTIVEOPS_TD
