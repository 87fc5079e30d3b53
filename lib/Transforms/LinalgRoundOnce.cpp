//===- LinalgRoundOnce.cpp - One rounding for each kernel -----------------===//
//
// Part of Grout. Makes bodies compute in f32, and marks the roundings between
// them that may be left out if they become one body.
//
//===----------------------------------------------------------------------===//

#include "grout/Transforms/Passes.h"

#include "WidenBody.h"
#include "grout/Conversion/Common/Accumulation.h"
#include "grout/Conversion/Common/ComputeBound.h"
#include "grout/Conversion/Common/ElementwiseBody.h"
#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Interfaces/LinalgTileKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "linalg-round-once"

namespace grout {
#define GEN_PASS_DEF_LINALGROUNDONCE
#include "grout/Transforms/Passes.h.inc"
} // namespace grout

using namespace mlir;
using namespace grout;

static bool isReshape(Operation *op) {
  return isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op);
}

/// Collects the ops that read `value`, directly or after reshapes.
static void collectReaders(Value value, SmallPtrSetImpl<Operation *> &readers) {
  for (Operation *user : value.getUsers()) {
    if (isReshape(user))
      collectReaders(user->getResult(0), readers);
    else
      readers.insert(user);
  }
}

/// Whether all loops of `op` are parallel.
static bool isParallel(linalg::LinalgOp op) {
  return op.hasPureTensorSemantics() && op->getNumResults() == 1 &&
         op.getNumParallelLoops() == op.getNumLoops() &&
         !op->hasAttr(kLinalgTileSizesAttrName) &&
         llvm::all_of(*op.getBlock(), [](Operation &inner) {
           return inner.getNumRegions() == 0;
         });
}

static bool isProduct(Operation *op) {
  if (auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op))
    return !getComputeBound(linalgOp).empty();
  return isa_and_nonnull<tgemm::ProductOpInterface>(op);
}

/// Whether `op` reads, for each of its elements, the element of `value` at the
/// same place.
static bool readsInPlace(linalg::LinalgOp op, Value value) {
  return llvm::all_of(getReads(op), [&](const ElementRead &read) {
    return read.operand->get() != value || read.map.isIdentity();
  });
}

namespace {

struct LinalgRoundOnce : grout::impl::LinalgRoundOnceBase<LinalgRoundOnce> {
  using Base::Base;

  void runOnOperation() override;

private:
  /// Whether the epilogue of a product can compute `value`.
  bool isInEpilogue(Value value);
  /// Whether `reader`, which reads `value`, can be in the same epilogue.
  bool goesOnInEpilogue(Operation *reader, Value value);
  /// Whether a single op reads `value`, and one kernel can compute both.
  bool hasOneReader(Value value);
  void widenElementwise(linalg::LinalgOp op, LastRounding last);
  void widenProduct(linalg::LinalgOp op);

  llvm::DenseMap<Value, bool> inEpilogue;
};

} // namespace

bool LinalgRoundOnce::isInEpilogue(Value value) {
  auto [it, isNew] = inEpilogue.try_emplace(value, false);
  if (!isNew)
    return it->second;
  Operation *op = value.getDefiningOp();
  bool found = isProduct(op);
  if (op && isReshape(op)) {
    found = isInEpilogue(op->getOperand(0));
  } else if (auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
             linalgOp && grout::isElementwise(linalgOp)) {
    found = llvm::any_of(getReads(linalgOp), [&](const ElementRead &read) {
      return read.map.isIdentity() && isInEpilogue(read.operand->get());
    });
  }
  return inEpilogue[value] = found;
}

/// Whether `op` only widens its operand.
static bool isExtension(linalg::LinalgOp op) {
  auto extension = op.getBlock()
                       ->getTerminator()
                       ->getOperand(0)
                       .getDefiningOp<arith::ExtFOp>();
  return extension && isa<BlockArgument>(extension.getIn());
}

bool LinalgRoundOnce::goesOnInEpilogue(Operation *reader, Value value) {
  auto op = dyn_cast<linalg::LinalgOp>(reader);
  if (!op || !grout::isElementwise(op) || !readsInPlace(op, value))
    return false;
  if (!isExtension(op))
    return true;
  // If another kernel reads it in f32, it is stored in 16 bits, and widened
  // there.
  SmallPtrSet<Operation *, 4> readers;
  collectReaders(op->getResult(0), readers);
  return llvm::all_of(readers, [](Operation *next) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(next);
    return linalgOp && grout::isElementwise(linalgOp);
  });
}

/// Whether `op` computes truth values or integers. A comparison must use
/// rounded operands, as in the program.
static bool isComparison(linalg::LinalgOp op) {
  return !llvm::all_of(op->getResultTypes(), [](Type type) {
    return isa<FloatType>(getElementTypeOrSelf(type));
  });
}

bool LinalgRoundOnce::hasOneReader(Value value) {
  SmallPtrSet<Operation *, 4> readers;
  collectReaders(value, readers);
  if (readers.size() != 1)
    return false;
  auto reader = dyn_cast<linalg::LinalgOp>(*readers.begin());
  if (!reader || isProduct(reader) || isComparison(reader) ||
      reader->hasAttr(kLinalgTileSizesAttrName) ||
      !reader.hasPureTensorSemantics())
    return false;
  return !isInEpilogue(value) || goesOnInEpilogue(reader, value);
}

void LinalgRoundOnce::widenElementwise(linalg::LinalgOp op, LastRounding last) {
  if (!isa<linalg::GenericOp>(op)) {
    IRRewriter rewriter(op);
    FailureOr<linalg::GenericOp> generic =
        linalg::generalizeNamedOp(rewriter, op);
    if (failed(generic))
      return;
    op = *generic;
  }
  LDBG() << op->getName() << " at " << op.getLoc() << " computes in f32"
         << (last == LastRounding::optional ? ", and need not round" : "");
  widenBody(*op.getBlock(), last);
  ++numWidened;
}

/// Returns `tensor`, from which a product starts, with elements of `type`; null
/// if it is not filled.
static Value widenFill(OpBuilder &builder, Value tensor, Type type) {
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  if (!fill || fill.value().getType() != getElementTypeOrSelf(tensor))
    return {};
  Location loc = fill.getLoc();
  Value empty = tensor::EmptyOp::create(
      builder, loc, cast<ShapedType>(tensor.getType()).getShape(), type);
  Value scalar = builder.createOrFold<arith::ExtFOp>(loc, type, fill.value());
  return linalg::FillOp::create(builder, loc, scalar, empty).getResult(0);
}

/// Changes the result of a product from f16 or bf16 to f32, and adds an
/// elementwise op that rounds it.
void LinalgRoundOnce::widenProduct(linalg::LinalgOp op) {
  Value result = op->getResult(0);
  OpBuilder builder(op);
  Type f32 = builder.getF32Type();
  Value init = widenFill(builder, op.getDpsInits()[0], f32);
  if (!init)
    return;
  auto narrow = cast<RankedTensorType>(result.getType());
  op.getDpsInitsMutable()[0].set(init);
  op.getRegionOutputArgs()[0].setType(f32);
  result.setType(init.getType());
  widenBody(*op.getBlock(), LastRounding::none);

  builder.setInsertionPointAfter(op);
  AffineMap identity = builder.getMultiDimIdentityMap(narrow.getRank());
  Value empty = tensor::EmptyOp::create(builder, op.getLoc(), narrow.getShape(),
                                        narrow.getElementType());
  auto rounded = linalg::GenericOp::create(
      builder, op.getLoc(), narrow, result, empty, {identity, identity},
      SmallVector<utils::IteratorType>(narrow.getRank(),
                                       utils::IteratorType::parallel),
      [&](OpBuilder &inside, Location loc, ValueRange elements) {
        Value element = arith::TruncFOp::create(
            inside, loc, narrow.getElementType(), elements.front());
        linalg::YieldOp::create(inside, loc, element);
      });
  result.replaceAllUsesExcept(rounded.getResult(0), rounded);
  widenBody(*rounded.getBlock(), LastRounding::optional);
  ++numWidened;
}

/// Whether `op` is a product that rounds its sums to 16 bits.
static bool isHalfProduct(linalg::LinalgOp op) {
  return isProduct(op) && op.hasPureTensorSemantics() &&
         op->getNumResults() == 1 && !op.hasDynamicShape() &&
         !op->hasAttr(kLinalgTileSizesAttrName) &&
         isNarrowFloat(getElementTypeOrSelf(op->getResult(0)));
}

void LinalgRoundOnce::runOnOperation() {
  // Values of another function may have had the same addresses.
  inEpilogue.clear();
  // Decide for all ops first, as decisions depend on ops that are changed
  // afterwards.
  SmallVector<std::pair<linalg::LinalgOp, LastRounding>> elementwise;
  SmallVector<linalg::LinalgOp> products;
  getOperation().walk([&](linalg::LinalgOp op) {
    if (isParallel(op) && canWidenBody(*op.getBlock()))
      elementwise.push_back({op, hasOneReader(op->getResult(0))
                                     ? LastRounding::optional
                                     : LastRounding::done});
    else if (isHalfProduct(op) && hasOneReader(op->getResult(0)))
      products.push_back(op);
  });
  for (auto [op, last] : elementwise)
    widenElementwise(op, last);
  for (linalg::LinalgOp op : products)
    widenProduct(op);
}
