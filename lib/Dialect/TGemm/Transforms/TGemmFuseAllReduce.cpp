//===- TGemmFuseAllReduce.cpp - Products that are summed over ranks -------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Collective/IR/Collective.h"
#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Dialect/TGemm/Transforms/Passes.h"
#include "grout/Runtime/DeviceABI.h"
#include "grout/Target/IR/Grout.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tgemm-fuse-all-reduce"

namespace grout::tgemm {
#define GEN_PASS_DEF_TGEMMFUSEALLREDUCE
#include "grout/Dialect/TGemm/Transforms/Passes.h.inc"
} // namespace grout::tgemm

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

/// Returns the product of which `value` is the result, perhaps reshaped, if
/// nothing else reads it; or null.
static MatmulOp findProduct(Value value) {
  while (value.hasOneUse()) {
    Operation *op = value.getDefiningOp();
    if (auto product = dyn_cast_or_null<MatmulOp>(op))
      return product;
    if (!isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      return {};
    value = op->getOperand(0);
  }
  return {};
}

/// Returns why kernels do not sum the result of `op` over ranks; empty if they
/// do.
static StringRef findProblem(MatmulOp op) {
  if (op.getSumRanks())
    return "it is summed over ranks already";
  if (op.isBatched())
    return "it has a batch";
  int64_t row = op.getN() * op.getResultElementType().getWidth() / 8;
  if (row % kernelabi::kTensorMapGranule != 0)
    return "its rows are no multiple of 16 bytes";
  return "";
}

namespace {

struct TGemmFuseAllReduce
    : tgemm::impl::TGemmFuseAllReduceBase<TGemmFuseAllReduce> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<const Target *> target = getTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    if (!(*target)->getSpec().hasRankSums)
      return;
    getOperation().walk([&](collective::AllReduceOp op) {
      MatmulOp product = findProduct(op.getInput());
      if (!product)
        return;
      if (StringRef problem = findProblem(product); !problem.empty()) {
        LDBG() << product.getLoc() << " does not sum over ranks: " << problem;
        return;
      }
      product.setSumRanks(op.getRanks());
      product.setSumChannelAttr(op.getChannelAttr());
      op.replaceAllUsesWith(op.getInput());
      op.erase();
      ++numFused;
    });
  }
};

} // namespace
