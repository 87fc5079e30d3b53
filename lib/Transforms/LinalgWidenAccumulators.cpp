//===- LinalgWidenAccumulators.cpp - Sums in wider types ------------------===//
//
// Part of Grout. Each op that accumulates is replaced by an op on wider
// tensors, and an elementwise op behind it that rounds. All of them become
// parts of scop kernels, in which such tensors are registers.
//
//===----------------------------------------------------------------------===//

#include "grout/Transforms/Passes.h"

#include "grout/Conversion/Common/Accumulation.h"
#include "grout/Conversion/Common/ComputeBound.h"
#include "grout/Conversion/Common/DeadOps.h"
#include "grout/Conversion/Common/Softmax.h"
#include "grout/Interfaces/LinalgTileKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/MathExtras.h"

#define DEBUG_TYPE "linalg-widen-accumulators"

namespace grout {
#define GEN_PASS_DEF_LINALGWIDENACCUMULATORS
#include "grout/Transforms/Passes.h.inc"
} // namespace grout

using namespace mlir;
using namespace grout;

/// Converts `value`, a float, to `type`.
static Value convert(OpBuilder &builder, Location loc, Value value, Type type) {
  unsigned from = value.getType().getIntOrFloatBitWidth();
  unsigned to = type.getIntOrFloatBitWidth();
  if (from < to)
    return builder.createOrFold<arith::ExtFOp>(loc, type, value);
  if (from > to)
    return builder.createOrFold<arith::TruncFOp>(loc, type, value);
  return value;
}

/// Converts the elements of `tensor` to `element` by an elementwise op.
static Value convertTensor(OpBuilder &builder, Location loc, Value tensor,
                           Type element) {
  auto type = cast<RankedTensorType>(tensor.getType());
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), element);
  return linalg::GenericOp::create(
             builder, loc, empty.getType(), tensor, empty, {identity, identity},
             SmallVector<utils::IteratorType>(type.getRank(),
                                              utils::IteratorType::parallel),
             [&](OpBuilder &inside, Location at, ValueRange elements) {
               linalg::YieldOp::create(
                   inside, at, convert(inside, at, elements[0], element));
             })
      .getResult(0);
}

/// Returns `init`, the initial value of a sum, with elements of type `element`.
static Value widenInit(OpBuilder &builder, Location loc, Value init,
                       Type element) {
  auto fill = init.getDefiningOp<linalg::FillOp>();
  if (!fill)
    return convertTensor(builder, loc, init, element);
  auto type = cast<RankedTensorType>(init.getType());
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), element);
  Value scalar = convert(builder, loc, fill.value(), element);
  return linalg::FillOp::create(builder, loc, scalar, empty).getResult(0);
}

namespace {

/// Builds the wider form of one op.
class Widener {
public:
  Widener(linalg::LinalgOp op, Accumulation accumulation, FloatType sumType)
      : op(op), accumulation(std::move(accumulation)), sumType(sumType),
        builder(op) {}

  void run();

private:
  linalg::GenericOp createOp();
  void cloneBody(Block &block);
  void cloneOp(Operation &inner);
  /// Returns the type that values of `type` have at least in the copy of
  /// `inner`.
  Type getWider(Operation *inner, Type type) const;
  /// Returns the new form of `value`; in `type` if it is a float.
  Value get(Location loc, Value value, Type type);

  linalg::LinalgOp op;
  Accumulation accumulation;
  FloatType sumType;
  OpBuilder builder;
  IRMapping mapping;
};

} // namespace

Type Widener::getWider(Operation *inner, Type type) const {
  if (!isa<FloatType>(type))
    return type;
  Type least = type;
  if (accumulation.chain.contains(inner))
    least = sumType;
  else if (accumulation.terms.contains(inner))
    least = Float32Type::get(type.getContext());
  return least.getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth() ? least
                                                                      : type;
}

Value Widener::get(Location loc, Value value, Type type) {
  Value mapped = mapping.lookupOrDefault(value);
  return isa<FloatType>(type) ? convert(builder, loc, mapped, type) : mapped;
}

void Widener::cloneOp(Operation &inner) {
  Location loc = inner.getLoc();
  SmallVector<Value> operands =
      llvm::map_to_vector(inner.getOperands(), [&](Value operand) {
        return get(loc, operand, getWider(&inner, operand.getType()));
      });
  Type type = inner.getResult(0).getType();
  // A value that is wide enough needs no cast.
  if (isa<arith::ExtFOp, arith::TruncFOp>(inner) &&
      (accumulation.chain.contains(&inner) ||
       accumulation.terms.contains(&inner))) {
    mapping.map(inner.getResult(0),
                convert(builder, loc, operands[0], getWider(&inner, type)));
    return;
  }
  Operation *copy = builder.clone(inner, mapping);
  copy->setOperands(operands);
  for (Value result : copy->getResults())
    result.setType(getWider(&inner, result.getType()));
  mapping.map(inner.getResults(), copy->getResults());
  // If a sum in f64 is rounded to f32, its order does not show in the result.
  // Vectors need another order.
  auto fast = dyn_cast<arith::ArithFastMathInterface>(copy);
  if (fast && accumulation.chain.contains(&inner) && sumType.isF64() &&
      !type.isF64())
    copy->setAttr(
        fast.getFastMathAttrName(),
        arith::FastMathFlagsAttr::get(copy->getContext(),
                                      fast.getFastMathFlagsAttr().getValue() |
                                          arith::FastMathFlags::reassoc));
}

void Widener::cloneBody(Block &block) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&block);
  mapping.map(op.getBlock()->getArguments(), block.getArguments());
  for (Operation &inner : op.getBlock()->without_terminator())
    cloneOp(inner);
  Operation *yield = op.getBlock()->getTerminator();
  SmallVector<Value> yielded;
  for (auto [value, init] :
       llvm::zip_equal(yield->getOperands(), op.getRegionOutputArgs()))
    yielded.push_back(
        get(yield->getLoc(), value, mapping.lookup(Value(init)).getType()));
  linalg::YieldOp::create(builder, yield->getLoc(), yielded);
}

linalg::GenericOp Widener::createOp() {
  SmallVector<Value> inits = llvm::to_vector_of<Value>(op.getDpsInits());
  for (unsigned number : accumulation.results)
    inits[number] = widenInit(builder, op.getLoc(), inits[number], sumType);
  auto wide = linalg::GenericOp::create(
      builder, op.getLoc(), TypeRange(ValueRange(inits)), op.getDpsInputs(),
      inits, op.getIndexingMapsArray(), op.getIteratorTypesArray());
  wide->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  Block &block = wide.getRegion().emplaceBlock();
  for (Value operand : wide->getOperands())
    block.addArgument(getElementTypeOrSelf(operand.getType()), op.getLoc());
  cloneBody(block);
  return wide;
}

void Widener::run() {
  linalg::GenericOp wide = createOp();
  for (auto [old, result] :
       llvm::zip_equal(op->getResults(), wide->getResults())) {
    Type element = getElementTypeOrSelf(old.getType());
    Value rounded = old.getType() == result.getType()
                        ? Value(result)
                        : convertTensor(builder, op.getLoc(), result, element);
    old.replaceAllUsesWith(rounded);
  }
  op->erase();
}

/// Returns how many terms each sum of `op` has; none if that is not known.
static std::optional<int64_t> countTerms(linalg::LinalgOp op) {
  int64_t terms = 1;
  for (auto [extent, iterator] :
       llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
    if (iterator == utils::IteratorType::reduction &&
        (ShapedType::isDynamic(extent) ||
         llvm::MulOverflow(terms, extent, terms)))
      return std::nullopt;
  return terms;
}

/// Whether the sums of `op` can have another type. Those of matrix products are
/// f32 anyway, unless the op has tile sizes.
static bool canWiden(linalg::LinalgOp op) {
  bool isTiled = op->hasAttr(kLinalgTileSizesAttrName);
  return op.hasPureTensorSemantics() &&
         (isTiled || getComputeBound(op).empty()) &&
         llvm::all_of(op->getResultTypes(), [](Type type) {
           auto tensor = dyn_cast<RankedTensorType>(type);
           return tensor && tensor.hasStaticShape() && !tensor.getEncoding();
         });
}

namespace {

struct LinalgWidenAccumulators
    : grout::impl::LinalgWidenAccumulatorsBase<LinalgWidenAccumulators> {
  using Base::Base;

  void runOnOperation() override {
    getOperation().walk([&](linalg::SoftmaxOp op) { decompose(op); });
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    for (linalg::LinalgOp op : ops)
      if (canWiden(op))
        widen(op);
    eraseDeadOps(getOperation());
  }

  void decompose(linalg::SoftmaxOp op) {
    auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
    if (!type || !type.hasStaticShape() || op->getNumResults() == 0)
      return;
    OpBuilder builder(op);
    if (isNarrowFloat(type.getElementType())) {
      op->replaceAllUsesWith(ValueRange(decomposeHalfSoftmax(builder, op)));
    } else {
      FailureOr<SmallVector<Value>> results = op.decomposeOperation(builder);
      if (failed(results))
        return;
      op->replaceAllUsesWith(*results);
    }
    op.erase();
  }

  void widen(linalg::LinalgOp op) {
    // A tile kernel has its sums in memory.
    std::optional<int64_t> terms = countTerms(op);
    bool isLong = longSum != 0 && (!terms || *terms >= longSum) &&
                  !op->hasAttr(kLinalgTileSizesAttrName);
    Accumulation accumulation = findAccumulation(op, [&](FloatType type) {
      return isNarrowFloat(type) || (isLong && type.isF32());
    });
    if (accumulation.results.empty())
      return;
    LDBG() << op->getName() << " at " << op.getLoc() << ": "
           << accumulation.results.size() << " sums are in "
           << (isLong ? "f64" : "f32");
    numWidened += accumulation.results.size();
    // If the program sums up in f32, the terms are rounded as in the program.
    accumulation.terms = findAccumulation(op, isNarrowFloat).terms;
    Builder builder(op.getContext());
    FloatType sumType = isLong ? FloatType(builder.getF64Type())
                               : FloatType(builder.getF32Type());
    Widener(op, std::move(accumulation), sumType).run();
  }
};

} // namespace
