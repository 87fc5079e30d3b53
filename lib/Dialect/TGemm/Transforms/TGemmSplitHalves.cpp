//===- TGemmSplitHalves.cpp - Gated layers with stacked matrices ----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Common/ElementwiseBody.h"
#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Dialect/TGemm/Transforms/Passes.h"
#include "grout/Runtime/DeviceABI.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace grout::tgemm {
#define GEN_PASS_DEF_TGEMMSPLITHALVES
#include "grout/Dialect/TGemm/Transforms/Passes.h.inc"
} // namespace grout::tgemm

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

/// Returns whether the rows of both halves of the matrices begin at multiples
/// of `kTensorMapGranule` bytes, as GPUs copy them, if the rows of the matrices
/// do.
static bool areHalvesAligned(GroupedMatmulOp op) {
  auto type = cast<RankedTensorType>(op.getRhs().front().getType());
  int64_t granule = int64_t(8) * kernelabi::kTensorMapGranule;
  return op.getTransposeRhs() ||
         op.getN() / 2 * type.getElementTypeBitWidth() % granule == 0;
}

/// The two halves of the columns of a product.
using Halves = std::array<tensor::ExtractSliceOp, 2>;

/// Returns which half of the columns of `op` the slice is; none if it is no
/// half.
static std::optional<unsigned> getHalf(GroupedMatmulOp op,
                                       tensor::ExtractSliceOp slice) {
  int64_t columns = op.getN() / 2;
  ArrayRef<int64_t> offsets = slice.getStaticOffsets();
  if (slice.getType().getShape() != ArrayRef({op.getM(), columns}) ||
      !slice.hasUnitStride() || offsets[0] != 0 ||
      (offsets[1] != 0 && offsets[1] != columns))
    return std::nullopt;
  return offsets[1] == 0 ? 0 : 1;
}

/// Returns the halves of the result of `op`, if nothing else reads it.
static std::optional<Halves> findHalves(GroupedMatmulOp op) {
  Halves halves;
  if (op.getN() % 2 != 0 || !op.getResult().hasNUses(2))
    return std::nullopt;
  for (Operation *user : op->getUsers()) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    std::optional<unsigned> half = slice ? getHalf(op, slice) : std::nullopt;
    if (!half)
      return std::nullopt;
    halves[*half] = slice;
  }
  if (!halves[0] || !halves[1])
    return std::nullopt;
  return halves;
}

/// Adds to `found` the elementwise ops that compute from `value`, directly or
/// through others.
static void addElementwiseUsers(Value value, DenseSet<Operation *> &found) {
  for (Operation *user : value.getUsers()) {
    auto op = dyn_cast<linalg::LinalgOp>(user);
    if (op && isElementwise(op) && found.insert(op).second)
      addElementwiseUsers(op->getResult(0), found);
  }
}

/// Whether an elementwise op combines the two halves.
static bool areCombined(Halves halves) {
  DenseSet<Operation *> ofFirst, ofSecond;
  addElementwiseUsers(halves[0], ofFirst);
  addElementwiseUsers(halves[1], ofSecond);
  return llvm::any_of(ofFirst,
                      [&](Operation *op) { return ofSecond.contains(op); });
}

/// Replaces `op` by a product for each half.
static void split(GroupedMatmulOp op, Halves halves) {
  OpBuilder builder(op);
  auto type = cast<RankedTensorType>(op.getRhs().front().getType());
  unsigned dim = op.getTransposeRhs() ? 1 : 2;
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(op.getContext(), type.getShape());
  sizes[dim] = builder.getIndexAttr(op.getN() / 2);
  SmallVector<OpFoldResult> strides(3, builder.getIndexAttr(1));
  for (auto [number, half] : llvm::enumerate(halves)) {
    SmallVector<OpFoldResult> offsets(3, builder.getIndexAttr(0));
    offsets[dim] = builder.getIndexAttr(number * (op.getN() / 2));
    Value rhs = tensor::ExtractSliceOp::create(
        builder, op.getLoc(), op.getRhs().front(), offsets, sizes, strides);
    ProductOpInterface product =
        op.buildWithEpilogue(builder, half.getType(), rhs, ValueRange(),
                             builder.getAffineMapArrayAttr({}));
    half.replaceAllUsesWith(product.getResult());
    half.erase();
  }
  op.erase();
}

namespace {

struct TGemmSplitHalves
    : grout::tgemm::impl::TGemmSplitHalvesBase<TGemmSplitHalves> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<GroupedMatmulOp> ops;
    getOperation().walk([&](GroupedMatmulOp op) { ops.push_back(op); });
    for (GroupedMatmulOp op : ops) {
      if (op.getTiling() || !op.getEpilogue().empty() ||
          op.getRhs().size() != 1 || !areHalvesAligned(op))
        continue;
      std::optional<Halves> halves = findHalves(op);
      if (!halves || !areCombined(*halves))
        continue;
      split(op, *halves);
      ++numSplit;
    }
  }
};

} // namespace
