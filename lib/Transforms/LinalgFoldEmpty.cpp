//===- LinalgFoldEmpty.cpp - Ops without iterations -----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Transforms/Passes.h"

#include "grout/Conversion/Common/DeadOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace grout {
#define GEN_PASS_DEF_LINALGFOLDEMPTY
#include "grout/Transforms/Passes.h.inc"
} // namespace grout

using namespace mlir;

static bool isEmpty(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && llvm::is_contained(tensor.getShape(), 0);
}

/// Whether `op` has no iterations, so that it yields the initial values of its
/// outputs.
static bool yieldsOutputs(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return linalgOp.hasPureTensorSemantics() &&
           llvm::is_contained(linalgOp.getStaticLoopRanges(), 0);
  auto softmax = dyn_cast<linalg::SoftmaxOp>(op);
  return softmax && softmax.hasPureTensorSemantics() &&
         isEmpty(softmax.getInput().getType());
}

/// Replaces `op` by the initial values of its outputs.
static LogicalResult replaceByOutputs(DestinationStyleOpInterface op) {
  for (OpOperand &init : op.getDpsInitsMutable())
    if (init.get().getDefiningOp<tensor::EmptyOp>() &&
        !isEmpty(init.get().getType()) &&
        !op.getTiedOpResult(&init).use_empty())
      return op->emitOpError(
          "cannot be compiled: a loop of it has extent 0, so it yields the "
          "elements of tensor.empty, which are undefined; use linalg.fill");
  op->replaceAllUsesWith(op.getDpsInits());
  op->erase();
  return success();
}

/// Replaces `op`, which pads a tensor without elements, by the padding, if that
/// is a single value.
static void replaceByPadding(tensor::PadOp op) {
  auto type = op.getResultType();
  Value value = op.getConstantPaddingValue();
  if (!value || !type.hasStaticShape())
    return;
  OpBuilder builder(op);
  // The constant may be defined in the region of the op.
  if (Operation *constant = value.getDefiningOp();
      constant && op->isProperAncestor(constant))
    value = builder.clone(*constant)->getResult(0);
  Value empty = tensor::EmptyOp::create(builder, op.getLoc(), type.getShape(),
                                        type.getElementType());
  auto fill = linalg::FillOp::create(builder, op.getLoc(), value, empty);
  op->replaceAllUsesWith(fill);
  op->erase();
}

static LogicalResult foldOp(Operation *op) {
  if (yieldsOutputs(op))
    return replaceByOutputs(cast<DestinationStyleOpInterface>(op));
  if (auto pad = dyn_cast<tensor::PadOp>(op);
      pad && isEmpty(pad.getSourceType())) {
    replaceByPadding(pad);
  } else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op);
             insert && isEmpty(insert.getSourceType())) {
    insert->replaceAllUsesWith(ValueRange(insert.getDest()));
    insert->erase();
  }
  return success();
}

/// Refuses signatures that no artifact can hold.
static LogicalResult checkSignature(func::FuncOp function) {
  for (TypeRange types : {TypeRange(function.getArgumentTypes()),
                          TypeRange(function.getResultTypes())})
    for (Type type : types)
      if (isEmpty(type))
        return function.emitError()
               << "cannot be compiled: " << type << " in its signature has no "
               << "elements, as it has extent 0; extents must be at least 1";
  return success();
}

namespace {

struct LinalgFoldEmpty : grout::impl::LinalgFoldEmptyBase<LinalgFoldEmpty> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    bool isRefused = failed(checkSignature(function));
    for (Block &block : function.getBody())
      for (Operation &op : llvm::make_early_inc_range(block))
        isRefused |= failed(foldOp(&op));
    if (isRefused)
      return signalPassFailure();
    grout::eraseDeadOps(function);
  }
};

} // namespace
