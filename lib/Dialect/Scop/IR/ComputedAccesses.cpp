//===- ComputedAccesses.cpp - scop.gather and scop.scatter ----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/IR/Scop.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// Whether `value` is an iterator that is always less than `extent`.
static bool isIteratorWithin(Value value, int64_t extent) {
  auto index = value.getDefiningOp<IndexOp>();
  if (!index)
    return false;
  auto statement = index->getParentOfType<StmtOp>();
  return statement.getExtents()[index.getIterator()] <= extent;
}

bool GatherOp::isInside(unsigned dim) {
  return isIteratorWithin(getIndices()[dim],
                          getArray().getType().getDimSize(dim));
}

bool ScatterOp::isInside(unsigned dim) {
  return isIteratorWithin(getIndices()[dim],
                          getArray().getType().getDimSize(dim));
}

/// The kernel around `op`, which must be in a statement and take one index for
/// each dimension of `array`.
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
