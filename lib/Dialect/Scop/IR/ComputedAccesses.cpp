//===- ComputedAccesses.cpp - scop.gather and scop.scatter ----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/IR/IndexSum.h"
#include "grout/Dialect/Scop/IR/Scop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

namespace {

/// Computes values of a region as functions of its iterators.
class IteratorExprs {
public:
  /// Returns null if `value` is no such function.
  AffineExpr get(Value value) {
    if (auto it = known.find(value); it != known.end())
      return it->second;
    Operation *op = value.getDefiningOp();
    AffineExpr expr = op ? compute(op) : AffineExpr();
    known[value] = expr;
    return expr;
  }

private:
  AffineExpr compute(Operation *op);

  llvm::DenseMap<Value, AffineExpr> known;
};

} // namespace

AffineExpr IteratorExprs::compute(Operation *op) {
  MLIRContext *context = op->getContext();
  if (auto index = dyn_cast<IndexOp>(op))
    return getAffineDimExpr(index.getIterator(), context);
  if (std::optional<int64_t> constant =
          op->getNumResults() == 1 ? getConstantIntValue(op->getResult(0))
                                   : std::nullopt)
    return getAffineConstantExpr(*constant, context);
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivUIOp,
           arith::RemUIOp>(op))
    return {};
  AffineExpr lhs = get(op->getOperand(0)), rhs = get(op->getOperand(1));
  if (!lhs || !rhs)
    return {};
  if (isa<arith::AddIOp>(op))
    return lhs + rhs;
  if (isa<arith::SubIOp>(op))
    return lhs - rhs;
  auto factor = dyn_cast<AffineConstantExpr>(rhs);
  if (!factor)
    return {};
  if (isa<arith::MulIOp>(op))
    return lhs * factor;
  // Unsigned operations need operands that are not negative.
  auto extents = op->getParentOfType<StmtOp>().getExtents();
  if (factor.getValue() <= 0 || getRange(lhs, extents).low < 0)
    return {};
  return isa<arith::DivUIOp>(op) ? lhs.floorDiv(factor) : lhs % factor;
}

AffineExpr scop::getIteratorExpr(Value value) {
  return IteratorExprs().get(value);
}

/// Whether `value`, in a statement, is always a valid index of a dimension with
/// extent `extent`.
static bool isAlwaysInside(Operation *op, Value value, int64_t extent) {
  AffineExpr expr = getIteratorExpr(value);
  if (!expr)
    return false;
  IntegerRange range =
      getRange(expr, op->getParentOfType<StmtOp>().getExtents());
  return range.low >= 0 && range.high < extent;
}

bool GatherOp::isInside(unsigned dim) {
  return isAlwaysInside(*this, getIndices()[dim],
                        getArray().getType().getDimSize(dim));
}

bool ScatterOp::isInside(unsigned dim) {
  return isAlwaysInside(*this, getIndices()[dim],
                        getArray().getType().getDimSize(dim));
}

/// Returns the kernel around `op`. Fails with an error unless `op` is in a
/// statement, and has one index for each dimension of `array`.
static FailureOr<KernelOp> getCheckedKernel(Operation *op, MemRefType array,
                                            ValueRange indices) {
  auto statement = op->getParentOfType<StmtOp>();
  if (!statement)
    return op->emitOpError("must be in a scop.stmt");
  if (int64_t(indices.size()) != array.getRank())
    return op->emitOpError() << "has " << indices.size() << " indices, but "
                             << array << " takes " << array.getRank();
  return cast<KernelOp>(statement->getParentOp());
}

LogicalResult GatherOp::verify() {
  FailureOr<KernelOp> kernel =
      getCheckedKernel(*this, getArray().getType(), getIndices());
  if (failed(kernel))
    return failure();
  auto array = dyn_cast<BlockArgument>(getArray());
  if (!array || array.getOwner()->getParentOp() != *kernel ||
      kernel->isOutput(array))
    return emitOpError("gathers from an array that is no input of the kernel");
  return success();
}

LogicalResult ScatterOp::verify() {
  FailureOr<KernelOp> kernel =
      getCheckedKernel(*this, getArray().getType(), getIndices());
  if (failed(kernel))
    return failure();
  auto array = dyn_cast<BlockArgument>(getArray());
  if (!array || array.getOwner()->getParentOp() != *kernel ||
      !kernel->isOutput(array))
    return emitOpError("scatters into an array that is no output of the "
                       "kernel");
  if (!array.hasOneUse())
    return emitOpError("scatters into an array that something else in the "
                       "kernel accesses");
  if ((*this)->getParentOfType<StmtOp>().isReduction())
    return emitOpError("is in a reduction");
  return success();
}
