//===- TGemmJoinProducts.cpp - Launches products side by side -------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/Transforms/JoinedProduct.h"
#include "grout/Dialect/TGemm/Transforms/Passes.h"
#include "grout/Dialect/TGemm/Transforms/TilingChoice.h"
#include "grout/Dialect/TGemm/Transforms/TilingOrigin.h"
#include "grout/Target/IR/Grout.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"

#define DEBUG_TYPE "tgemm-join-products"

namespace grout::tgemm {
#define GEN_PASS_DEF_TGEMMJOINPRODUCTS
#include "grout/Dialect/TGemm/Transforms/Passes.h.inc"
} // namespace grout::tgemm

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

/// A kernel has code for each product.
static constexpr size_t kMostProducts = 8;

/// Joined products must take less than this share of the time that they take
/// one after another.
static constexpr double kMargin = 0.95;

/// Whether `op` may stand where `place` does: all its operands are there.
static bool canMoveTo(MatmulOp op, Operation *place) {
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    Operation *writer = operand.getDefiningOp();
    return !writer || writer->getBlock() != place->getBlock() ||
           writer->isBeforeInBlock(place);
  });
}

/// Whether `tiling` leaves no more columns over for each of `ops` than for all
/// of them side by side, `columns` in all.
static bool fitsColumns(ArrayRef<MatmulOp> ops, TilingAttr tiling,
                        int64_t columns) {
  int64_t tiles = 0;
  for (MatmulOp op : ops)
    tiles += llvm::divideCeil(op.getN(), tiling.getN());
  return tiles <=
         static_cast<int64_t>(llvm::divideCeil(columns, tiling.getN()));
}

/// The tiling with which one kernel computes all of `ops` the fastest, if that
/// is faster than kernels of their own, and null otherwise.
static TilingAttr chooseTiling(ArrayRef<MatmulOp> ops,
                               const ProductModel &model) {
  auto all = llvm::to_vector_of<ProductOpInterface>(ops);
  JoinedProduct joined(ops);
  std::vector<ModelledTiling> tilings =
      model.modelTilings(joined.get(), KernelStart::between);
  const ModelledTiling *best = findFastest(tilings, [&](TilingAttr tiling) {
    SmallVector<TilingAttr> same(ops.size(), tiling);
    return !tiling.hasParts() &&
           fitsColumns(ops, tiling, joined.get().getN()) &&
           llvm::all_of(all,
                        [&](ProductOpInterface op) {
                          return model.findProblem(op, tiling).empty();
                        }) &&
           model.canShareKernel(all, same);
  });
  double apart = 0;
  for (ProductOpInterface op : all) {
    std::vector<ModelledTiling> own =
        model.modelTilings(op, KernelStart::between);
    const ModelledTiling *fastest =
        findFastest(own, [](TilingAttr) { return true; });
    if (!fastest)
      return {};
    apart += fastest->seconds;
  }
  if (!best)
    return {};
  bool isFaster = best->seconds < kMargin * apart;
  LDBG() << ops.size() << " products from " << ops.front()->getLoc()
         << (isFaster ? " share" : " do not share") << " a launch with "
         << best->tiling << ", modelled at "
         << llvm::format("%.2f us, and %.2f us", best->seconds * 1e6,
                         apart * 1e6)
         << " one after another";
  return isFaster ? best->tiling : TilingAttr();
}

namespace {

struct TGemmJoinProducts
    : grout::tgemm::impl::TGemmJoinProductsBase<TGemmJoinProducts> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<const Target *> target = getTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    const auto *model = (*target)->getInterface<ProductModel>();
    if (!model || !model->hasTimes())
      return;
    llvm::SetVector<MatmulOp> left;
    getOperation()->walk([&](MatmulOp op) {
      if (!op.getTiling() && canJoin(op, op))
        left.insert(op);
    });
    while (!left.empty()) {
      SmallVector<MatmulOp> ops = takeGroup(left);
      if (ops.size() == 1)
        continue;
      if (TilingAttr tiling = chooseTiling(ops, *model))
        join(ops, tiling);
    }
  }

private:
  /// The first of `left` and those that can join it, which are removed there.
  static SmallVector<MatmulOp> takeGroup(llvm::SetVector<MatmulOp> &left) {
    MatmulOp first = left.front();
    SmallVector<MatmulOp> ops;
    for (MatmulOp op : left)
      if (ops.size() != kMostProducts && op->getBlock() == first->getBlock() &&
          canJoin(first, op) && (op == first || canMoveTo(op, first)))
        ops.push_back(op);
    for (MatmulOp op : ops)
      left.remove(op);
    return ops;
  }

  void join(ArrayRef<MatmulOp> ops, TilingAttr tiling) {
    Operation *previous = nullptr;
    for (MatmulOp op : ops) {
      op.setTilingAttr(tiling);
      op.setLaunchedWithNext(op != ops.back());
      if (recordOrigins)
        setTilingOrigin(op, {TilingOrigin::ModelledTogether, 0, ""});
      if (previous)
        op->moveAfter(previous);
      previous = op;
    }
    numJoined += ops.size();
  }
};

} // namespace
