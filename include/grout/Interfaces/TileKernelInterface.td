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
        Returns the tile grid: the number of tiles in each dimension, outermost
        first. Each number is at least 1. Fails if no pass has chosen a tile
        shape yet. Passes then call no other method.
      }],
      "::mlir::FailureOr<::llvm::SmallVector<int64_t>>", "getTileGrid", (ins)>,
    InterfaceMethod<[{
        Returns whether the op can be compiled without a tile shape, as a kernel
        that is in no chain.
      }],
      "bool", "runsWithoutTiles", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
        Returns the number of steps of one tile; 1 if its work has no steps.
      }],
      "int64_t", "getStepCount", (ins)>,
    InterfaceMethod<[{
        Returns how many consecutive steps of a tile one block runs in order, if
        several blocks split the steps. Block i runs steps [i * n, (i + 1) * n),
        while the other blocks run theirs. A step can rely only on waits of its
        own block. No block writes or posts before all blocks have finished
        their steps. None if all steps run in order.
      }],
      "::std::optional<int64_t>", "getStepsInOrder", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return ::std::nullopt;">,
    InterfaceMethod<[{
        Returns the elements of tensor operand `operand` that a tile reads in a
        step.
      }],
      "::grout::TileAccess", "getOperandAccess",
      (ins "::mlir::OpOperand &":$operand)>,
    InterfaceMethod<[{
        Returns the elements of result `result` that a tile writes. The box is
        exact: a tile writes all of its box, and every element is in the box of
        exactly one tile. If the result updates an operand
        (`getUpdatedOperand`), elements may be in no box, and keep their values.
        With `isChosenAtRunTime`, the box has all elements that the tile may
        write.
      }],
      "::grout::TileAccess", "getResultAccess",
      (ins "::mlir::OpResult":$result)>,
    InterfaceMethod<[{
        Returns whether a tile reads `operand` only after its last step, as an
        epilogue does. The tile may then run all its steps before it waits for
        the operand.
      }],
      "bool", "isReadAfterSteps", (ins "::mlir::OpOperand &":$operand),
      /*methodBody=*/"", /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
        Returns the operand whose memory `result` has. The result then keeps
        those elements of the operand that the kernel does not write. Null if
        the result has memory of its own.
      }],
      "::mlir::OpOperand *", "getUpdatedOperand", (ins "::mlir::OpResult":$result),
      /*methodBody=*/"", /*defaultImplementation=*/"return nullptr;">,
    InterfaceMethod<[{
        Returns whether the kernel runs in one launch with the next kernel of
        its chain, even in modes in which each kernel has its own launch. If the
        next kernel reads the results, its tiles wait for tiles of this kernel.
      }],
      "bool", "isLaunchedWithNext", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
        Returns whether the kernel computes a part of the work of the next
        kernel. Both run in one launch, and only the next kernel reads the
        results.
      }],
      "bool", "isPartOfNext", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
        Returns whether the kernel exchanges data with the same kernel on other
        ranks.
        Such kernels run one after another, in the order of the function, so
        that all ranks run them in the same order. All blocks of a launch run at
        once.
      }],
      "bool", "isCollective", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
        Returns the work of one whole tile. Each of its numbers is between 0 and
        2^60.
      }],
      "::grout::TileWork", "getTileWork", (ins)>,
  ];
}

#endif // GROUT_INTERFACES_TILEKERNELINTERFACE_TD
