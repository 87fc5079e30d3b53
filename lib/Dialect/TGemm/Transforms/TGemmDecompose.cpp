//===- TGemmDecompose.cpp - Ops of tgemm as linalg ops --------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Dialect/TGemm/Transforms/Decompose.h"
#include "grout/Dialect/TGemm/Transforms/Passes.h"
#include "grout/Dialect/TSync/IR/TSync.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace grout::tgemm {
#define GEN_PASS_DEF_TGEMMDECOMPOSE
#include "grout/Dialect/TGemm/Transforms/Passes.h.inc"
} // namespace grout::tgemm

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

void tgemm::decomposeOps(func::FuncOp func) {
  IRRewriter rewriter(func.getContext());
  func.walk([&](tsync::ChainOp chain) { chain.inlineKernels(rewriter); });
  func.walk([&](linalg::AggregatedOpInterface op) {
    if (!isa<TGemmDialect>(op->getDialect()))
      return;
    FailureOr<SmallVector<Value>> values = op.decomposeOperation(rewriter);
    assert(succeeded(values) && "all ops of tgemm can be decomposed");
    rewriter.replaceOp(op, *values);
  });
  // The decomposed product computes these sums itself.
  func.walk([&](PartialSumsOp op) {
    if (op.use_empty())
      rewriter.eraseOp(op);
  });
}

namespace {

struct TGemmDecompose : grout::tgemm::impl::TGemmDecomposeBase<TGemmDecompose> {
  using Base::Base;

  void runOnOperation() override { decomposeOps(getOperation()); }
};

} // namespace
