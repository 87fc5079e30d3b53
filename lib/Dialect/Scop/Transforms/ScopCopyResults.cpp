//===- ScopCopyResults.cpp - Own memory for every result ------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "CopyTensor.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"
#include "grout/Support/Reshapes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace grout::scop {
#define GEN_PASS_DEF_SCOPCOPYRESULTS
#include "grout/Dialect/Scop/Transforms/Passes.h.inc"
} // namespace grout::scop

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// Whether no kernel writes `value`, or `value` is only a part of a tensor.
static bool hasNoMemory(Value value) {
  Operation *op = value.getDefiningOp();
  return !op || isa<tensor::ExtractSliceOp>(op) ||
         op->hasTrait<OpTrait::ConstantLike>();
}

/// Whether a kernel can copy a tensor of type `type`. Other types are refused
/// later, with an error about the user's op.
static bool canBeCopied(RankedTensorType type) {
  return type.hasStaticShape() && (isa<FloatType>(type.getElementType()) ||
                                   type.getElementType().isSignlessInteger());
}

namespace {

struct ScopCopyResults
    : grout::scop::impl::ScopCopyResultsBase<ScopCopyResults> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (!func.getBody().hasOneBlock())
      return;
    Operation *terminator = func.getBody().front().getTerminator();
    OpBuilder builder(terminator);
    llvm::SmallPtrSet<Value, 4> returned;
    for (OpOperand &operand : terminator->getOpOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.get().getType());
      Value value = getReshaped(operand.get());
      if (!type || !canBeCopied(type) ||
          (!hasNoMemory(value) && returned.insert(value).second))
        continue;
      operand.set(createCopy(builder, terminator->getLoc(), operand.get()));
    }
  }
};

} // namespace
