//===- TGemmNarrowResults.cpp - Store results narrow, widen in readers ----===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Dialect/TGemm/Transforms/Passes.h"
#include "grout/Interfaces/LinalgTileKernel.h"
#include "grout/Support/ElementTypes.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tgemm-narrow-results"

namespace grout::tgemm {
#define GEN_PASS_DEF_TGEMMNARROWRESULTS
#include "grout/Dialect/TGemm/Transforms/Passes.h.inc"
} // namespace grout::tgemm

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

/// Collects the ops that read `value`, directly or after a reshape. Returns
/// whether all of them become statements of memory-bound kernels.
static bool collectReaders(Value value, SmallVectorImpl<Operation *> &readers) {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(user))
      return collectReaders(user->getResult(0), readers);
    readers.push_back(user);
    return isa<linalg::LinalgOp>(user) &&
           !user->hasAttr(kLinalgTileSizesAttrName);
  });
}

/// Whether a single memory-bound kernel reads `value`, so that this kernel can
/// convert it. That is so if all readers depend on the result of the first one,
/// as the readers in a norm depend on its sum. If several kernels read it, one
/// of them would convert it, and pass the wide elements on to the others.
static bool isReadByOneKernel(Value value) {
  SmallVector<Operation *> readers;
  if (!collectReaders(value, readers) || readers.empty())
    return false;
  Operation *first =
      *llvm::min_element(readers, [](Operation *a, Operation *b) {
        return a->isBeforeInBlock(b);
      });
  llvm::SetVector<Operation *> dependent;
  getForwardSlice(first, &dependent);
  return llvm::all_of(readers, [&](Operation *reader) {
    return reader == first || dependent.contains(reader);
  });
}

/// Returns the conversion from f16 or bf16, which products can store, that
/// computes the result of `op`; null if there is none.
static arith::ExtFOp getWidening(ProductOpInterface op) {
  if (op.getEpilogue().empty())
    return {};
  auto widening = op.getEpilogue()
                      .front()
                      .getTerminator()
                      ->getOperand(0)
                      .getDefiningOp<arith::ExtFOp>();
  if (!widening)
    return {};
  Type narrow = widening.getIn().getType();
  return isNarrowFloat(narrow) ? widening : arith::ExtFOp();
}

/// Makes `op` yield the operand of `widening`, and converts the result of `op`
/// behind it.
static void narrow(ProductOpInterface op, arith::ExtFOp widening) {
  Value result = op.getResult(), element = widening.getIn();
  auto wide = cast<RankedTensorType>(result.getType());
  op.getEpilogue().front().getTerminator()->setOperand(0, element);
  result.setType(wide.clone(element.getType()));
  if (widening.use_empty())
    widening.erase();

  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  Value empty = tensor::EmptyOp::create(builder, op.getLoc(), wide.getShape(),
                                        wide.getElementType());
  AffineMap identity = builder.getMultiDimIdentityMap(wide.getRank());
  auto widened = linalg::GenericOp::create(
      builder, op.getLoc(), wide, result, empty, {identity, identity},
      SmallVector<utils::IteratorType>(wide.getRank(),
                                       utils::IteratorType::parallel),
      [&](OpBuilder &inside, Location loc, ValueRange elements) {
        Value element = arith::ExtFOp::create(
            inside, loc, wide.getElementType(), elements.front());
        linalg::YieldOp::create(inside, loc, element);
      });
  result.replaceAllUsesExcept(widened.getResult(0), widened);
}

namespace {

struct TGemmNarrowResults
    : grout::tgemm::impl::TGemmNarrowResultsBase<TGemmNarrowResults> {
  using Base::Base;

  void runOnOperation() override {
    getOperation().walk([&](ProductOpInterface op) {
      arith::ExtFOp widening = getWidening(op);
      if (!widening || !isReadByOneKernel(op.getResult()))
        return;
      LDBG() << "the result of " << op.getLoc() << " stays "
             << widening.getIn().getType();
      narrow(op, widening);
      ++numNarrowed;
    });
  }
};

} // namespace
