//===- LinalgToMatvec.cpp - Matrix-vector products ------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Passes.h"

#include "Contraction.h"
#include "grout/Conversion/Common/DeadOps.h"
#include "grout/Target/IR/Grout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "convert-linalg-to-matvec"

namespace grout {
#define GEN_PASS_DEF_CONVERTLINALGTOMATVEC
#include "grout/Conversion/Passes.h.inc"
} // namespace grout

using namespace mlir;
using namespace grout;

/// Whether the result of `product` is a matrix with one row, and `rhs` has at
/// most `mostBytes` bytes, with the elements of each column next to each other.
static bool isMatvec(const Contraction &product, int64_t mostBytes) {
  auto result = cast<RankedTensorType>(product.op->getResult(0).getType());
  auto rhs = cast<RankedTensorType>(product.rhs.getType());
  return result.getRank() == 2 && result.hasStaticShape() &&
         result.getDimSize(0) == 1 && product.transposeRhs && !product.init &&
         !product.getTiling() && rhs.getRank() == 2 && rhs.hasStaticShape() &&
         rhs.getNumElements() <=
             mostBytes / llvm::divideCeil(rhs.getElementTypeBitWidth(), 8);
}

/// Builds the replacement for the result of `product`.
static Value buildMatvec(const Contraction &product) {
  OpBuilder builder(product.op);
  Location loc = product.op->getLoc();
  auto result = cast<RankedTensorType>(product.op->getResult(0).getType());
  auto row = cast<RankedTensorType>(product.lhs.getType());
  Type element = result.getElementType();
  Type sum =
      element.getIntOrFloatBitWidth() < 32 ? builder.getF32Type() : element;
  int64_t columns = result.getDimSize(1);
  Value vector = tensor::CollapseShapeOp::create(
      builder, loc,
      RankedTensorType::get({row.getNumElements()}, row.getElementType()),
      product.lhs, SmallVector<ReassociationIndices>{{0, 1}});
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(sum));
  Value empty = tensor::EmptyOp::create(builder, loc, {columns}, sum);
  Value start = linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
  Value sums = linalg::MatvecOp::create(builder, loc, empty.getType(),
                                        ValueRange{product.rhs, vector}, start)
                   .getResult(0);
  if (sum != element) {
    Value narrow = tensor::EmptyOp::create(builder, loc, {columns}, element);
    auto map = builder.getMultiDimIdentityMap(1);
    sums = linalg::GenericOp::create(
               builder, loc, narrow.getType(), sums, narrow,
               ArrayRef<AffineMap>{map, map}, utils::IteratorType::parallel,
               [&](OpBuilder &inside, Location at, ValueRange values) {
                 linalg::YieldOp::create(inside, at,
                                         ValueRange(arith::TruncFOp::create(
                                             inside, at, element, values[0])));
               })
               .getResult(0);
  }
  return tensor::ExpandShapeOp::create(
      builder, loc, result, sums, SmallVector<ReassociationIndices>{{0, 1}});
}

namespace {

struct ConvertLinalgToMatvec
    : grout::impl::ConvertLinalgToMatvecBase<ConvertLinalgToMatvec> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    FailureOr<const Target *> target = getTarget(function);
    if (failed(target))
      return signalPassFailure();
    int64_t mostBytes = (*target)->getSpec().memoryBound.maxMatvecBytes;
    SmallVector<linalg::LinalgOp> candidates;
    function.walk([&](linalg::LinalgOp op) { candidates.push_back(op); });
    for (linalg::LinalgOp op : candidates) {
      // Malformed ops are refused by the conversion of products. Each product
      // is matched only now, as an earlier replacement may have changed its
      // operands.
      Refusal refusal;
      FailureOr<Contraction> product = matchContraction(op, refusal);
      if (failed(product) || !isMatvec(*product, mostBytes))
        continue;
      LDBG() << op->getName() << " at " << op->getLoc()
             << " is one row, and bound by memory";
      ++numProducts;
      op->getResult(0).replaceAllUsesWith(buildMatvec(*product));
      op->erase();
    }
    eraseDeadOps(function);
  }
};

} // namespace
