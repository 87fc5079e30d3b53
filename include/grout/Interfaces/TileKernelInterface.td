//===- TileKernelInterface.td - Ops that run as a grid of tiles -*- tablegen -*-===//
//
// Part of Grout. This interface joins the dialects: the passes of tsync use an
// op only through it.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_INTERFACES_TILEKERNELINTERFACE_TD
#define GROUT_INTERFACES_TILEKERNELINTERFACE_TD

include "mlir/IR/OpBase.td"

def TileKernelOpInterface : OpInterface<"TileKernelOpInterface"> {
  let cppNamespace = "::grout";
  let description = [{
    A **tile kernel** is an op on tensors whose work is a grid of independent
    tiles. Each tile may proceed in steps (the K steps of a GEMM).

    A tile reads and writes boxes of its operands and results. A `TileAccess`
    describes a box: an affine map from (tile coordinates..., step, local
    coordinates...) to element coordinates, and the extent of every local
    coordinate. Elements outside of the tensor are not accessed.

    So the shape of the tensor bounds the access, and maps need no special case
    for ragged edges.

    The answers depend on the op alone: asking again gives the same answers.
    They are not trusted. Before a pass uses them, `verifyTiles` (VerifyTiles.h)
    checks each answer, and proves the answers about results.
  }];

  let methods = [
    InterfaceMethod<[{
        The tile grid: the number of tiles in each dimension, at least 1,
        outermost first. Fails if no tile shape has been chosen yet; nothing
        else is asked then.
      }],
      "::mlir::FailureOr<::llvm::SmallVector<int64_t>>", "getTileGrid", (ins)>,
    InterfaceMethod<[{
        Whether an op without a tile shape can still be compiled, as a kernel
        that is in no chain; else it needs one.
      }],
      "bool", "runsWithoutTiles", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
        The number of steps of one tile; 1 if its work has no steps.
      }],
      "int64_t", "getStepCount", (ins)>,
    InterfaceMethod<[{
        How many consecutive steps of a tile are run one after another, where
        they are split among several blocks: steps [i * n, (i + 1) * n) by one
        of them, in order, and others beside them. A step then reads safely only
        what a step of its own block has waited for. All blocks have to be done
        with their steps before any of them writes or posts. None if all steps
        are in order.
      }],
      "::std::optional<int64_t>", "getStepsInOrder", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return ::std::nullopt;">,
    InterfaceMethod<[{
        The elements of tensor operand `operand` that a tile reads in a step.
      }],
      "::grout::TileAccess", "getOperandAccess",
      (ins "::mlir::OpOperand &":$operand)>,
    InterfaceMethod<[{
        The elements of result `result` that a tile writes. Exact: a tile writes
        all of its box, and every element is in the box of exactly one tile. Of
        a result that updates an operand (`getUpdatedOperand`), elements may be
        in no box, and keep their values. With `isChosenAtRunTime`, the box has
        all elements that the tile may write.
      }],
      "::grout::TileAccess", "getResultAccess",
      (ins "::mlir::OpResult":$result)>,
    InterfaceMethod<[{
        Whether `operand` is read only after the last step (by the epilogue),
        so that a tile may run all its steps before waiting for it.
      }],
      "bool", "isReadAfterSteps", (ins "::mlir::OpOperand &":$operand),
      /*methodBody=*/"", /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
        The operand of which `result` has the memory, and all elements that the
        kernel does not write; null if it has memory of its own.
      }],
      "::mlir::OpOperand *", "getUpdatedOperand", (ins "::mlir::OpResult":$result),
      /*methodBody=*/"", /*defaultImplementation=*/"return nullptr;">,
    InterfaceMethod<[{
        Whether the kernel runs in one launch with the next one of its chain,
        where other kernels have launches of their own. If that reads what it
        writes, tiles wait for tiles.
      }],
      "bool", "isLaunchedWithNext", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
        Whether what the kernel computes is a part of the work of the next one,
        with which it is launched, and which alone reads it.
      }],
      "bool", "isPartOfNext", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
        Whether the kernel exchanges data with the same kernel on other ranks.
        Such kernels run one after another, in the order of the function, so
        that all ranks run them in the same order. All blocks of a launch run at
        once.
      }],
      "bool", "isCollective", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
        The work of one whole tile. Nothing of it is negative, or more than 2^60.
      }],
      "::grout::TileWork", "getTileWork", (ins)>,
  ];
}

#endif // GROUT_INTERFACES_TILEKERNELINTERFACE_TD
