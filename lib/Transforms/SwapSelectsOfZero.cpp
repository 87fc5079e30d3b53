//===- SwapSelectsOfZero.cpp - Signs of zero in LLVM's selects ------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

namespace grout {
#define GEN_PASS_DEF_SWAPSELECTSOFZERO
#include "grout/Transforms/Passes.h.inc"
} // namespace grout

using namespace mlir;

/// Returns the opposite of "less" and of "greater"; nothing for others.
static std::optional<arith::CmpFPredicate>
getOpposite(arith::CmpFPredicate predicate) {
  using Predicate = arith::CmpFPredicate;
  switch (predicate) {
  case Predicate::OLT:
    return Predicate::UGE;
  case Predicate::OGT:
    return Predicate::ULE;
  case Predicate::ULT:
    return Predicate::OGE;
  case Predicate::UGT:
    return Predicate::OLE;
  default:
    return std::nullopt;
  }
}

static bool comparesWithZero(arith::CmpFOp compare) {
  return matchPattern(compare.getLhs(), m_AnyZeroFloat()) ||
         matchPattern(compare.getRhs(), m_AnyZeroFloat());
}

/// Whether a local variable is only loaded and stored to.
static bool isPrivate(memref::AllocaOp variable) {
  return llvm::all_of(variable->getUsers(),
                      llvm::IsaPred<memref::LoadOp, memref::StoreOp>);
}

/// Returns the value that `load` reads from a local variable, if the same block
/// stores it. LLVM forwards it, too.
static Value getStored(memref::LoadOp load) {
  auto variable = load.getMemRef().getDefiningOp<memref::AllocaOp>();
  if (!variable || variable.getType().getRank() != 0 || !isPrivate(variable))
    return {};
  for (Operation *op = load->getPrevNode(); op; op = op->getPrevNode()) {
    auto store = dyn_cast<memref::StoreOp>(op);
    if (store && store.getMemRef() == variable)
      return store.getValue();
    if (op->getNumRegions() != 0)
      return {};
  }
  return {};
}

static arith::CmpFOp getComparison(Value condition) {
  if (auto load = condition.getDefiningOp<memref::LoadOp>())
    condition = getStored(load);
  return condition ? condition.getDefiningOp<arith::CmpFOp>() : nullptr;
}

static void swapOperands(arith::SelectOp select) {
  arith::CmpFOp compare = getComparison(select.getCondition());
  if (!compare || !comparesWithZero(compare) ||
      !matchPattern(select.getTrueValue(), m_PosZeroFloat()))
    return;
  auto opposite = getOpposite(compare.getPredicate());
  if (!opposite)
    return;
  ImplicitLocOpBuilder b(select.getLoc(), select);
  auto condition =
      arith::CmpFOp::create(b, *opposite, compare.getLhs(), compare.getRhs());
  auto swapped = arith::SelectOp::create(b, condition, select.getFalseValue(),
                                         select.getTrueValue());
  select.replaceAllUsesWith(swapped.getResult());
  select.erase();
}

namespace {

struct SwapSelectsOfZero
    : grout::impl::SwapSelectsOfZeroBase<SwapSelectsOfZero> {
  void runOnOperation() override { getOperation()->walk(swapOperands); }
};

} // namespace
