//===- TGemmConcatenateInPlace.cpp - Products written into concatenations
//---------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Dialect/TGemm/Transforms/Passes.h"
#include "grout/Runtime/DeviceABI.h"
#include "grout/Support/StridedView.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tgemm-concatenate-in-place"

namespace grout::tgemm {
#define GEN_PASS_DEF_TGEMMCONCATENATEINPLACE
#include "grout/Dialect/TGemm/Transforms/Passes.h.inc"
} // namespace grout::tgemm

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

/// Alignment of the rows of a part, in bytes. Without it, the elements would be
/// stored one by one.
static constexpr int64_t kRowAlignment = kernelabi::kTensorMapGranule;

namespace {

/// The insertions that fill a tensor with parts, side by side along dimension
/// `dim`.
struct Concatenation {
  int64_t dim;
  /// In the order of their places in the tensor.
  SmallVector<tensor::InsertSliceOp> insertions;
};

} // namespace

/// Returns the dimension along which `op` inserts a part, if the part spans the
/// whole result in all other dimensions.
static std::optional<int64_t> findDim(tensor::InsertSliceOp op) {
  if (!op.hasUnitStride() || op.getDroppedDims().any() ||
      !op.getSourceType().hasStaticShape() ||
      !op.getResultType().hasStaticShape() ||
      llvm::any_of(op.getStaticOffsets(), ShapedType::isDynamic))
    return std::nullopt;
  std::optional<int64_t> found;
  for (auto [dim, part, all] : llvm::enumerate(op.getSourceType().getShape(),
                                               op.getResultType().getShape())) {
    if (part == all)
      continue;
    if (found)
      return std::nullopt;
    found = dim;
  }
  return found;
}

/// Returns the concatenation whose last insertion is `last`.
static std::optional<Concatenation>
findConcatenation(tensor::InsertSliceOp last) {
  std::optional<int64_t> dim = findDim(last);
  if (!dim)
    return std::nullopt;
  Concatenation found = {*dim, {last}};
  Value rest = last.getDest();
  while (auto before = rest.getDefiningOp<tensor::InsertSliceOp>()) {
    if (!before->hasOneUse() || findDim(before) != dim)
      return std::nullopt;
    found.insertions.push_back(before);
    rest = before.getDest();
  }
  if (!rest.getDefiningOp<tensor::EmptyOp>())
    return std::nullopt;
  auto getOffset = [&](tensor::InsertSliceOp op) {
    return op.getStaticOffsets()[*dim];
  };
  llvm::sort(found.insertions,
             [&](tensor::InsertSliceOp one, tensor::InsertSliceOp other) {
               return getOffset(one) < getOffset(other);
             });
  int64_t end = 0;
  for (tensor::InsertSliceOp op : found.insertions) {
    if (getOffset(op) != end)
      return std::nullopt;
    end += op.getSourceType().getDimSize(*dim);
  }
  if (end != last.getResultType().getDimSize(*dim))
    return std::nullopt;
  return found;
}

/// Whether all users of `value`, whose place in memory is `view`, can read it
/// from there. Products, attention, and `insertion` can.
static bool canRead(Value value, const StridedView &view,
                    tensor::InsertSliceOp insertion) {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (user == insertion || isa<ProductOpInterface, AttentionOp>(user))
      return true;
    std::optional<StridedView> made = getStridedView(user, view);
    return made && canRead(user->getResult(0), *made, insertion);
  });
}

/// Returns the product that computes the tensor that `op` inserts, if the
/// product can write it into the concatenation, and other users of it can read
/// it there.
static ProductOpInterface findProduct(tensor::InsertSliceOp op) {
  RankedTensorType all = op.getResultType();
  std::optional<StridedView> view = StridedView::getDense(all.getShape());
  for (auto [offset, stride] :
       llvm::zip_equal(op.getStaticOffsets(), view->strides))
    view->offset += offset * stride;
  view->shape = llvm::to_vector(op.getSourceType().getShape());
  Value made = op.getSource();
  while (view &&
         isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
             made.getDefiningOp())) {
    view = getSourceView(made.getDefiningOp(), *view);
    made = made.getDefiningOp()->getOperand(0);
  }
  auto product = made.getDefiningOp<ProductOpInterface>();
  if (!view || !product || !canRead(made, *view, op))
    return {};
  int64_t bytes = all.getElementTypeBitWidth() / 8;
  auto isAligned = [&](int64_t elements) {
    return elements * bytes % kRowAlignment == 0;
  };
  bool areRowsAligned =
      isAligned(view->offset) && view->strides.back() == 1 &&
      isAligned(view->shape.back()) &&
      llvm::all_of(ArrayRef(view->strides).drop_back(), isAligned);
  return areRowsAligned ? product : ProductOpInterface();
}

namespace {

struct TGemmConcatenateInPlace
    : grout::tgemm::impl::TGemmConcatenateInPlaceBase<TGemmConcatenateInPlace> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<tensor::InsertSliceOp> ends;
    getOperation().walk([&](tensor::InsertSliceOp op) {
      if (llvm::none_of(op->getUsers(), [&](Operation *user) {
            auto next = dyn_cast<tensor::InsertSliceOp>(user);
            return next && next.getDest() == op;
          }))
        ends.push_back(op);
    });
    for (tensor::InsertSliceOp op : ends)
      if (std::optional<Concatenation> found = findConcatenation(op))
        placeParts(op, *found);
  }

private:
  /// Replaces the insertions of `concatenation`, which end with `last`, by a
  /// tensor.concat if products compute all of its parts.
  void placeParts(tensor::InsertSliceOp last,
                  const Concatenation &concatenation) {
    llvm::SmallDenseSet<Operation *> products;
    SmallVector<Value> inputs;
    for (tensor::InsertSliceOp op : concatenation.insertions) {
      ProductOpInterface product = findProduct(op);
      if (!product || !products.insert(product).second)
        return;
      inputs.push_back(op.getSource());
    }
    LDBG() << inputs.size() << " products are written where " << last->getLoc()
           << " concatenates them";
    OpBuilder builder(last);
    auto concat =
        tensor::ConcatOp::create(builder, last->getLoc(), last.getResultType(),
                                 concatenation.dim, inputs);
    last->replaceAllUsesWith(concat);
    for (size_t left = inputs.size(); left != 0; --left) {
      auto before = last.getDest().getDefiningOp<tensor::InsertSliceOp>();
      last.erase();
      last = before;
    }
    numPlaced += inputs.size();
  }
};

} // namespace
