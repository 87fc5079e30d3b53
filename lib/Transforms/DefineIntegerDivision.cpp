//===- DefineIntegerDivision.cpp - A quotient for every divisor -----------===//
//
// Part of Grout. Processors differ in integer divisions by zero, and in that of
// the smallest integer by -1. Some trap, which ends the process; others return
// a result. This pass makes the results those of RISC-V's instructions and of
// XLA.
//
//===----------------------------------------------------------------------===//

#include "grout/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

namespace grout {
#define GEN_PASS_DEF_DEFINEINTEGERDIVISION
#include "grout/Transforms/Passes.h.inc"
} // namespace grout

using namespace mlir;

static bool isRemainder(Operation *op) {
  return isa<arith::RemSIOp, arith::RemUIOp>(op);
}

static bool isSigned(Operation *op) {
  return isa<arith::DivSIOp, arith::CeilDivSIOp, arith::FloorDivSIOp,
             arith::RemSIOp>(op);
}

static bool isDivision(Operation *op) {
  return isSigned(op) ||
         isa<arith::DivUIOp, arith::CeilDivUIOp, arith::RemUIOp>(op);
}

/// Whether `op` has a defined result for any dividend.
static bool isDefined(Operation *op) {
  APInt divisor;
  return matchPattern(op->getOperand(1), m_ConstantInt(&divisor)) &&
         !divisor.isZero() && !(isSigned(op) && divisor.isAllOnes());
}

static unsigned getWidth(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isIndex() ? IndexType::kInternalStorageBitWidth
                           : element.getIntOrFloatBitWidth();
}

/// Emits `value` as a scalar of `type`, or as all elements of `type`.
static Value emit(ImplicitLocOpBuilder &b, Type type, const APInt &value) {
  TypedAttr attr = b.getIntegerAttr(getElementTypeOrSelf(type), value);
  if (auto shaped = dyn_cast<ShapedType>(type))
    attr = DenseElementsAttr::get(shaped, Attribute(attr));
  return arith::ConstantOp::create(b, attr);
}

/// Makes `op` divide by 1 where its divisor has no defined result, and selects
/// the defined result there.
static void define(Operation *op) {
  ImplicitLocOpBuilder b(op->getLoc(), op);
  Type type = op->getResult(0).getType();
  unsigned width = getWidth(type);
  auto constant = [&](const APInt &value) { return emit(b, type, value); };
  auto isEqual = [&](Value left, Value right) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, left, right);
  };
  Value dividend = op->getOperand(0), divisor = op->getOperand(1);
  Value zero = constant(APInt::getZero(width));
  Value one = constant(APInt(width, 1));
  Value allOnes = constant(APInt::getAllOnes(width));

  Value isZero = isEqual(divisor, zero);
  Value isSpecial = isZero, isMinusOne;
  if (isSigned(op)) {
    isMinusOne = isEqual(divisor, allOnes);
    isSpecial = arith::OrIOp::create(b, isZero, isMinusOne);
  }
  op->setOperand(1, arith::SelectOp::create(b, isSpecial, one, divisor));

  b.setInsertionPointAfter(op);
  Value result = op->getResult(0);
  llvm::SmallPtrSet<Operation *, 4> own;
  auto select = [&](Value condition, Value then) {
    auto chosen = arith::SelectOp::create(b, condition, then, result);
    own.insert(chosen);
    result = chosen;
  };
  // The remainder of a division by 1 is 0, like that of a division by -1.
  if (isMinusOne && !isRemainder(op))
    select(isMinusOne, arith::SubIOp::create(b, zero, dividend));
  select(isZero, isRemainder(op) ? dividend : allOnes);
  op->getResult(0).replaceUsesWithIf(
      result, [&](OpOperand &use) { return !own.contains(use.getOwner()); });
}

/// i1 has no number 1 besides -1 by which to divide. Signed and unsigned
/// operations on it have the same results, so this returns an unsigned one.
static Operation *dropSignOfBits(Operation *op) {
  if (!isSigned(op) || getWidth(op->getResult(0).getType()) != 1)
    return op;
  OpBuilder b(op);
  Value left = op->getOperand(0), right = op->getOperand(1);
  Operation *unsignedOp =
      isRemainder(op)
          ? arith::RemUIOp::create(b, op->getLoc(), left, right).getOperation()
          : arith::DivUIOp::create(b, op->getLoc(), left, right).getOperation();
  op->replaceAllUsesWith(unsignedOp);
  op->erase();
  return unsignedOp;
}

/// Whether the text form of `op` shows its body. The bodies of other ops follow
/// from their names.
static bool showsBody(linalg::LinalgOp op) {
  return isa<linalg::GenericOp, linalg::MapOp, linalg::ReduceOp>(op);
}

/// Replaces `op` by a linalg.generic, whose body may be changed.
static void generalize(linalg::LinalgOp op) {
  DictionaryAttr attributes = op->getDiscardableAttrDictionary();
  IRRewriter rewriter(op);
  FailureOr<linalg::GenericOp> generic =
      linalg::generalizeNamedOp(rewriter, op);
  if (succeeded(generic))
    (*generic)->setDiscardableAttrs(attributes);
}

namespace {

struct DefineIntegerDivision
    : grout::impl::DefineIntegerDivisionBase<DefineIntegerDivision> {
  void runOnOperation() override {
    SmallVector<Operation *> divisions;
    llvm::SetVector<Operation *> named;
    getOperation()->walk([&](Operation *op) {
      if (!isDivision(op) || isDefined(op))
        return;
      divisions.push_back(op);
      auto parent = dyn_cast<linalg::LinalgOp>(op->getParentOp());
      if (parent && !showsBody(parent))
        named.insert(parent);
    });
    // Bodies are moved, so the ops in them stay valid.
    for (Operation *op : named)
      generalize(cast<linalg::LinalgOp>(op));
    for (Operation *op : divisions)
      define(dropSignOfBits(op));
  }
};

} // namespace
