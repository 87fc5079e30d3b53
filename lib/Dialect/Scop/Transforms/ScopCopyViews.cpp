//===- ScopCopyViews.cpp - Strides for every operand of a tile kernel -----===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "CopyTensor.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"
#include "grout/Interfaces/LinalgTileKernel.h"
#include "grout/Interfaces/TileKernelInterface.h"
#include "grout/Support/StridedView.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace grout::scop {
#define GEN_PASS_DEF_SCOPCOPYVIEWS
#include "grout/Dialect/Scop/Transforms/Passes.h.inc"
} // namespace grout::scop

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// Whether `op` stays a tile kernel. Other linalg ops become scop kernels,
/// which read any view in place.
static bool staysTileKernel(Operation *op) {
  return isa<TileKernelOpInterface>(op) &&
         (!isa<linalg::LinalgOp>(op) || op->hasAttr(kLinalgTileSizesAttrName));
}

namespace {

struct ScopCopyViews : grout::scop::impl::ScopCopyViewsBase<ScopCopyViews> {
  using Base::Base;

  void runOnOperation() override {
    llvm::DenseMap<Value, Value> copies;
    for (Operation &op : getOperation().getOps())
      if (staysTileKernel(&op))
        for (OpOperand &operand : op.getOpOperands())
          if (needsCopy(operand.get()))
            operand.set(getCopy(operand.get(), copies));
  }

  static bool needsCopy(Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.hasStaticShape() && !hasStrides(value);
  }

  /// Returns the copy of `view`. All kernels that read `view` share it.
  static Value getCopy(Value view, llvm::DenseMap<Value, Value> &copies) {
    Value &copy = copies[view];
    if (!copy) {
      OpBuilder builder(view.getContext());
      builder.setInsertionPointAfterValue(view);
      copy = createCopy(builder, view.getLoc(), view);
    }
    return copy;
  }
};

} // namespace
