//===- CollectiveOps.cpp - Ops of the collective dialect ------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Collective/IR/Collective.h"

using namespace mlir;
using namespace grout;
using namespace grout::collective;

#define GET_OP_CLASSES
#include "grout/Dialect/Collective/IR/CollectiveOps.cpp.inc"

//===----------------------------------------------------------------------===//
// AllReduceOp
//===----------------------------------------------------------------------===//

OpFoldResult AllReduceOp::fold(FoldAdaptor) {
  return getRanks() == 1 ? OpFoldResult(getInput()) : OpFoldResult();
}

FailureOr<SmallVector<int64_t>> AllReduceOp::getTileGrid() { return failure(); }

bool AllReduceOp::runsWithoutTiles() { return true; }

bool AllReduceOp::isCollective() { return true; }

int64_t AllReduceOp::getStepCount() { return 1; }

/// The whole of a tensor of `type`, for an op with a single tile.
static TileAccess getWhole(RankedTensorType type) {
  unsigned rank = type.getRank();
  SmallVector<AffineExpr> elements;
  for (unsigned dim = 0; dim != rank; ++dim)
    elements.push_back(getAffineDimExpr(1 + dim, type.getContext()));
  return {AffineMap::get(1 + rank, 0, elements, type.getContext()),
          llvm::to_vector(type.getShape())};
}

TileAccess AllReduceOp::getOperandAccess(OpOperand &) {
  return getWhole(cast<RankedTensorType>(getInput().getType()));
}

TileAccess AllReduceOp::getResultAccess(OpResult) {
  return getWhole(cast<RankedTensorType>(getOutput().getType()));
}

TileWork AllReduceOp::getTileWork() {
  auto type = cast<RankedTensorType>(getInput().getType());
  int64_t elements = type.getNumElements();
  int64_t bytes = elements * type.getElementTypeBitWidth() / 8;
  TileWork work;
  work.flops = elements * (getRanks() - 1);
  work.bytesRead = bytes * getRanks();
  work.bytesWritten = bytes;
  return work;
}
