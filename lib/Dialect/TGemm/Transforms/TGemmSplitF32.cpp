//===- TGemmSplitF32.cpp - f32 matmuls as bf16 matmuls --------------------===//
//
// Part of Grout. An f32 number has 24 bits of significand, and three bf16
// numbers hold all of them. Sums of products of such pieces are described by
// Henry, Tang and Heinecke, "Leveraging the bfloat16 Artificial Intelligence
// Datatype For Higher-Precision Computations", ARITH 2019.
//
//===----------------------------------------------------------------------===//

#include "WidenedOperands.h"
#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Dialect/TGemm/Transforms/Passes.h"
#include "grout/Dialect/TGemm/Transforms/ProductModel.h"
#include "grout/Target/IR/Grout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tgemm-split-f32"

namespace grout::tgemm {
#define GEN_PASS_DEF_TGEMMSPLITF32
#include "grout/Dialect/TGemm/Transforms/Passes.h.inc"
} // namespace grout::tgemm

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

llvm::cl::ValuesClass tgemm::getF32ProductsValues() {
  return llvm::cl::values(
      clEnumValN(F32Products::Auto, "auto",
                 "exact where the target multiplies f32, or else bf16x6"),
      clEnumValN(F32Products::Exact, "exact", "products of f32"),
      clEnumValN(F32Products::BF16x6, "bf16x6",
                 "sums of six products of bf16, as good as f32"),
      clEnumValN(F32Products::BF16x3, "bf16x3",
                 "sums of three products of bf16, better than tf32"),
      clEnumValN(F32Products::BF16, "bf16",
                 "products of bf16, to which operands are rounded"));
}

namespace {

/// The pieces of the two operands that are multiplied; piece 0 is the largest.
/// The smallest products are added first, while the sum is small.
struct Term {
  unsigned lhs;
  unsigned rhs;
};

} // namespace

static constexpr Term kTerms[] = {{2, 0}, {1, 1}, {0, 2},
                                  {1, 0}, {0, 1}, {0, 0}};

/// The longest reduction that may be summed by tensor core instructions that
/// truncate, if results are to be as good as those of f32. Such instructions
/// lose up to 2^-25 of the sum for every 16 elements, so 2^-20 for this many.
static constexpr int64_t kSumDepth = 512;

static ArrayRef<Term> getTerms(F32Products products) {
  ArrayRef<Term> all(kTerms);
  switch (products) {
  case F32Products::BF16x6:
    return all;
  case F32Products::BF16x3:
    return all.take_back(3);
  case F32Products::BF16:
    return all.take_back(1);
  case F32Products::Auto:
  case F32Products::Exact:
    break;
  }
  return {};
}

/// Emits piece `index` of `value`: the remainder after the pieces before it,
/// rounded to bf16.
static Value emitPiece(OpBuilder &b, Location loc, Value value,
                       unsigned index) {
  Value piece = arith::TruncFOp::create(b, loc, b.getBF16Type(), value);
  for (unsigned i = 0; i != index; ++i) {
    Value wide = arith::ExtFOp::create(b, loc, b.getF32Type(), piece);
    value = arith::SubFOp::create(b, loc, value, wide);
    piece = arith::TruncFOp::create(b, loc, b.getBF16Type(), value);
  }
  return piece;
}

/// Emits the piece of `value` for index `at` of the loop over pieces.
static Value emitPieceAt(OpBuilder &b, Location loc, Value value, Value at,
                         ArrayRef<unsigned> pieces) {
  unsigned most = *llvm::max_element(pieces);
  SmallVector<Value> values;
  for (unsigned i = 0; i <= most; ++i)
    values.push_back(emitPiece(b, loc, value, i));
  Value result = values[pieces.front()];
  for (auto [i, piece] : llvm::enumerate(pieces.drop_front())) {
    Value place = arith::ConstantIndexOp::create(b, loc, i + 1);
    Value isHere =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, at, place);
    result = arith::SelectOp::create(b, loc, isHere, values[piece], result);
  }
  return result;
}

/// Returns a tensor with the `pieces` of `operand`, one after the other along
/// dimension `depth`.
static Value splitOperand(OpBuilder &builder, Location loc, Value operand,
                          unsigned depth, ArrayRef<unsigned> pieces) {
  auto type = cast<RankedTensorType>(operand.getType());
  unsigned rank = type.getRank();
  bool isSplit = pieces.size() > 1;
  SmallVector<int64_t> shape(type.getShape());
  AffineMap identity = builder.getMultiDimIdentityMap(rank + isSplit);
  AffineMap source = identity;
  if (isSplit) {
    shape.insert(shape.begin() + depth, pieces.size());
    source = identity.dropResult(depth);
  }
  Value empty =
      tensor::EmptyOp::create(builder, loc, shape, builder.getBF16Type());
  SmallVector<utils::IteratorType> loops(rank + isSplit,
                                         utils::IteratorType::parallel);
  Value split =
      linalg::GenericOp::create(
          builder, loc, empty.getType(), operand, empty, {source, identity},
          loops,
          [&](OpBuilder &b, Location loc, ValueRange elements) {
            Value piece =
                isSplit ? emitPieceAt(b, loc, elements.front(),
                                      linalg::IndexOp::create(b, loc, depth),
                                      pieces)
                        : emitPiece(b, loc, elements.front(), pieces.front());
            linalg::YieldOp::create(b, loc, piece);
          })
          .getResult(0);
  if (!isSplit)
    return split;
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0, e = rank; dim != e; ++dim) {
    int64_t first = dim + (dim > depth);
    groups.push_back({first});
    if (dim == depth)
      groups.back().push_back(first + 1);
  }
  return tensor::CollapseShapeOp::create(builder, loc, split, groups);
}

static void split(MatmulOp op, ArrayRef<Term> terms) {
  OpBuilder builder(op);
  auto splitEach = [&](MutableOperandRange operands, bool isColumns,
                       unsigned Term::*piece) {
    SmallVector<unsigned> pieces =
        llvm::map_to_vector(terms, [&](Term term) { return term.*piece; });
    for (OpOperand &operand : operands) {
      auto type = cast<RankedTensorType>(operand.get().getType());
      unsigned depth = type.getRank() - (isColumns ? 1 : 2);
      operand.set(
          splitOperand(builder, op.getLoc(), operand.get(), depth, pieces));
    }
  };
  splitEach(op.getLhsMutable(), !op.getTransposeLhs(), &Term::lhs);
  splitEach(op.getRhsMutable(), op.getTransposeRhs(), &Term::rhs);
}

namespace {

struct TGemmSplitF32 : grout::tgemm::impl::TGemmSplitF32Base<TGemmSplitF32> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<const Target *> target = getTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    const auto *model = (*target)->getInterface<ProductModel>();
    bool lacksF32 = model && !model->multipliesF32();
    F32Products chosen = products;
    if (chosen == F32Products::Auto)
      chosen = lacksF32 ? F32Products::BF16x6 : F32Products::Exact;
    ArrayRef<Term> terms = getTerms(chosen);
    if (terms.empty())
      LDBG() << "products of f32 stay: "
             << (products == F32Products::Auto
                     ? "the target multiplies them, or has no products"
                     : "they are to be exact");
    if (terms.empty() && !lacksF32)
      return;
    WalkResult result = getOperation()->walk([&](MatmulOp op) {
      if (!op.getInputElementType().isF32())
        return WalkResult::advance();
      if (!isa<func::FuncOp>(op->getParentOp())) {
        // An op that is a tile kernel already is a deliberate choice.
        if (products == F32Products::Auto || terms.empty()) {
          LDBG() << op.getLoc() << " stays: it is a tile kernel already";
          return WalkResult::advance();
        }
        return WalkResult(op.emitOpError()
                          << "is a tile kernel already, too late for its "
                             "operands to be split");
      }
      if (narrowOperands(op)) {
        LDBG() << op.getLoc() << " multiplies operands as they were: "
               << op.getInputElementType();
        ++numNarrowed;
      } else if (!terms.empty()) {
        LDBG() << op.getLoc() << " sums up " << terms.size()
               << " products of bf16";
        split(op, terms);
        ++numSplit;
      } else {
        return WalkResult::advance();
      }
      if (chosen == F32Products::BF16x6 || chosen == F32Products::Exact)
        op.setSumDepth(kSumDepth);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
