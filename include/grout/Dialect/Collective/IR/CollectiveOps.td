//===- CollectiveOps.td - Ops of the collective dialect ----*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_COLLECTIVE_IR_COLLECTIVEOPS_TD
#define GROUT_DIALECT_COLLECTIVE_IR_COLLECTIVEOPS_TD

include "grout/Dialect/Collective/IR/CollectiveDialect.td"
include "grout/Dialect/Collective/IR/CollectiveOpInterface.td"
include "grout/Interfaces/TileKernelInterface.td"
include "grout/Support/ElementTypes.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Collective_Ranks
    : ConfinedAttr<I64Attr, [IntMinValue<1>, IntMaxValue<8>]>;
def Collective_Dim : ConfinedAttr<I64Attr, [IntNonNegative]>;
def Collective_Channel
    : OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>;

/// Tensors that are added up, and tensors that are copied.
def Collective_Terms : StaticShapeTensorOf<Grout_GemmFloats>;
def Collective_Tensor : StaticShapeTensorOf<Grout_ElementTypes>;

/// An op is in no chain, has no tiles, and does nothing if there is one rank.
/// Subclasses define `isSum`.
class Collective_Op<string mnemonic, code isSum, list<Trait> traits = []>
    : Op<Collective_Dialect, mnemonic, traits # [
        Pure, DeclareOpInterfaceMethods<CollectiveOpInterface, ["isSum"]>,
        DeclareOpInterfaceMethods<TileKernelOpInterface,
                                  ["runsWithoutTiles", "isCollective"]>]> {
  let hasFolder = 1;
  let hasVerifier = 1;
  let extraClassDefinition = [{
    bool $cppClass::isSum() { return }] # isSum # [{; }
    ::mlir::OpFoldResult $cppClass::fold(FoldAdaptor) {
      return getRanks() == 1 ? ::mlir::OpFoldResult(getInput())
                             : ::mlir::OpFoldResult();
    }
    ::mlir::FailureOr<::llvm::SmallVector<int64_t>> $cppClass::getTileGrid() {
      return ::mlir::failure();
    }
    bool $cppClass::runsWithoutTiles() { return true; }
    bool $cppClass::isCollective() { return true; }
    int64_t $cppClass::getStepCount() { return 1; }
    ::grout::TileAccess
    $cppClass::getOperandAccess(::mlir::OpOperand &) {
      return ::grout::collective::getWhole(getInput().getType());
    }
    ::grout::TileAccess $cppClass::getResultAccess(::mlir::OpResult) {
      return ::grout::collective::getWhole(getOutput().getType());
    }
    ::grout::TileWork $cppClass::getTileWork() {
      return ::grout::collective::getTileWork(*this);
    }
  }];
}

def Collective_AllReduceOp
    : Collective_Op<"all_reduce", "true", [SameOperandsAndResultType]> {
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
    Collective_Terms:$input,
    Collective_Ranks:$ranks,
    Collective_Channel:$channel);
  let results = (outs Collective_Terms:$output);
  let assemblyFormat = [{
    $input `ranks` $ranks (`channel` $channel^)? attr-dict `:` type($input)
  }];
}

def Collective_ReduceScatterOp : Collective_Op<"reduce_scatter", "true"> {
  let summary = "a part of the sum of a tensor over all ranks";
  let description = [{
    Returns one of `ranks` equal parts of the sum of the operands that the ranks
    have. Dimension `dim` of the sum is cut: rank r gets the r-th part. The sum
    is that of `collective.all_reduce`, with the same bits. With a single rank,
    the result is the operand.

    For `channel`s and launches, see `collective.all_reduce`.

    Example: rank 1 gets the rows 16 to 31 of the sum.

    ```mlir
    %rows = collective.reduce_scatter %partial ranks 4 dim 0
      : tensor<64x4096xbf16> -> tensor<16x4096xbf16>
    ```
  }];
  let arguments = (ins
    Collective_Terms:$input,
    Collective_Ranks:$ranks,
    Collective_Dim:$dim,
    Collective_Channel:$channel);
  let results = (outs Collective_Terms:$output);
  let assemblyFormat = [{
    $input `ranks` $ranks `dim` $dim (`channel` $channel^)? attr-dict
    `:` type($input) `->` type($output)
  }];
}

def Collective_AllGatherOp : Collective_Op<"all_gather", "false"> {
  let summary = "the tensors of all ranks, one behind the other";
  let description = [{
    Returns the operands that the `ranks` ranks have, concatenated in dimension
    `dim` in the order of the ranks. So all ranks get the same tensor. With a
    single rank, the result is the operand.

    For `channel`s and launches, see `collective.all_reduce`.

    Example: each rank has some columns.

    ```mlir
    %all = collective.all_gather %columns ranks 2 dim 1
      : tensor<64x4096xbf16> -> tensor<64x8192xbf16>
    ```
  }];
  let arguments = (ins
    Collective_Tensor:$input,
    Collective_Ranks:$ranks,
    Collective_Dim:$dim,
    Collective_Channel:$channel);
  let results = (outs Collective_Tensor:$output);
  let assemblyFormat = [{
    $input `ranks` $ranks `dim` $dim (`channel` $channel^)? attr-dict
    `:` type($input) `->` type($output)
  }];
}

def Collective_AllToAllOp : Collective_Op<"all_to_all", "false"> {
  let summary = "one part of the tensor of each rank";
  let description = [{
    Cuts the operand in dimension `split_dim` into `ranks` equal parts, and gives
    the r-th part to rank r. Returns the parts that this rank gets, concatenated
    in dimension `concat_dim` in the order of the ranks that give them. With a
    single rank, the result is the operand.

    For `channel`s and launches, see `collective.all_reduce`.

    Example: each rank has all heads of 16 tokens, and gets 8 of the 32 heads of
    all 64 tokens.

    ```mlir
    %heads = collective.all_to_all %tokens ranks 4 split_dim 1 concat_dim 0
      : tensor<16x32x128xbf16> -> tensor<64x8x128xbf16>
    ```
  }];
  let arguments = (ins
    Collective_Tensor:$input,
    Collective_Ranks:$ranks,
    Collective_Dim:$split_dim,
    Collective_Dim:$concat_dim,
    Collective_Channel:$channel);
  let results = (outs Collective_Tensor:$output);
  let assemblyFormat = [{
    $input `ranks` $ranks `split_dim` $split_dim `concat_dim` $concat_dim
    (`channel` $channel^)? attr-dict `:` type($input) `->` type($output)
  }];
}

#endif // GROUT_DIALECT_COLLECTIVE_IR_COLLECTIVEOPS_TD
