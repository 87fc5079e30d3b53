//===- GatherOp.cpp - scop.gather -----------------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/IR/Scop.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

bool GatherOp::isInside(unsigned dim) {
  auto index = getIndices()[dim].getDefiningOp<IndexOp>();
  auto statement = (*this)->getParentOfType<StmtOp>();
  return index && statement.getExtents()[index.getIterator()] <=
                      getArray().getType().getDimSize(dim);
}

LogicalResult GatherOp::verify() {
  auto statement = (*this)->getParentOfType<StmtOp>();
  if (!statement)
    return emitOpError("must be in a scop.stmt");
  auto kernel = cast<KernelOp>(statement->getParentOp());
  auto array = dyn_cast<BlockArgument>(getArray());
  if (!array || array.getOwner()->getParentOp() != kernel ||
      kernel.isOutput(array))
    return emitOpError("gathers from an array that is no input of the kernel");
  int64_t rank = getArray().getType().getRank();
  if (int64_t(getIndices().size()) != rank)
    return emitOpError() << "has " << getIndices().size() << " indices, but "
                         << getArray().getType() << " takes " << rank;
  return success();
}
