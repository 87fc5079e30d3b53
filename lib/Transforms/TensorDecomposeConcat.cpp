//===- TensorDecomposeConcat.cpp - Concatenations as inserted slices ------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace grout {
#define GEN_PASS_DEF_TENSORDECOMPOSECONCAT
#include "grout/Transforms/Passes.h.inc"
} // namespace grout

using namespace mlir;

namespace {

struct TensorDecomposeConcat
    : grout::impl::TensorDecomposeConcatBase<TensorDecomposeConcat> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<tensor::ConcatOp> ops;
    getOperation().walk([&](tensor::ConcatOp op) { ops.push_back(op); });
    for (tensor::ConcatOp op : ops) {
      if (!op.getResultType().hasStaticShape()) {
        op.emitOpError("must have a static result type");
        return signalPassFailure();
      }
      OpBuilder builder(op);
      FailureOr<SmallVector<Value>> results = op.decomposeOperation(builder);
      if (failed(results)) {
        op.emitOpError("cannot be decomposed");
        return signalPassFailure();
      }
      op->replaceAllUsesWith(*results);
      op.erase();
      ++numConcatenations;
    }
  }
};

} // namespace
