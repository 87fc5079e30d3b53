//===- ScopCopyUpdates.cpp - Copies for scatters --------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "CopyTensor.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"
#include "grout/Support/Reshapes.h"
#include "grout/Target/IR/Grout.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace grout::scop {
#define GEN_PASS_DEF_SCOPCOPYUPDATES
#include "grout/Dialect/Scop/Transforms/Passes.h.inc"
} // namespace grout::scop

using namespace mlir;
using namespace grout;
using namespace grout::scop;

using Scatters = llvm::SmallPtrSet<Operation *, 8>;

/// If result `number` of `func` is held by an argument, and scatters compute it
/// from that argument, adds these scatters to `inPlace`.
static void addInPlace(func::FuncOp func, unsigned number, Scatters &inPlace) {
  std::optional<unsigned> argument = getInPlaceArgument(func, number);
  if (!argument)
    return;
  Scatters chain;
  Value value = func.getBody().front().getTerminator()->getOperand(number);
  while (auto scatter = getReshaped(value).getDefiningOp<tensor::ScatterOp>()) {
    chain.insert(scatter);
    value = scatter.getDest();
  }
  if (getReshaped(value) == func.getArgument(*argument))
    inPlace.insert_range(chain);
}

/// Whether `value` has memory of its own, and only one use. A concatenation has
/// the memory of its parts.
static bool isTemporary(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto concat = dyn_cast_or_null<tensor::ConcatOp>(op))
    for (Value part : concat.getInputs()) {
      while (part.hasOneUse() && getReshaped(part) != part)
        part = part.getDefiningOp()->getOperand(0);
      if (!part.hasOneUse())
        return false;
    }
  return value.hasOneUse() && op && !op->hasTrait<OpTrait::ConstantLike>() &&
         !isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
              tensor::CollapseShapeOp>(op);
}

namespace {

struct ScopCopyUpdates
    : grout::scop::impl::ScopCopyUpdatesBase<ScopCopyUpdates> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (!func.getBody().hasOneBlock())
      return;
    Scatters inPlace;
    for (unsigned number = 0; number != func.getNumResults(); ++number)
      addInPlace(func, number, inPlace);
    func.walk([&](tensor::ScatterOp scatter) {
      auto type = scatter.getDestType();
      if (inPlace.contains(scatter) || isTemporary(scatter.getDest()) ||
          !type.hasStaticShape())
        return;
      OpBuilder builder(scatter);
      scatter.getDestMutable().assign(
          createCopy(builder, scatter.getLoc(), scatter.getDest()));
    });
  }
};

} // namespace
