//===- CollectiveOps.cpp - Ops of the collective dialect ------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Collective/IR/Collective.h"

#include "grout/Support/TensorSize.h"

using namespace mlir;
using namespace grout;
using namespace grout::collective;

#include "grout/Dialect/Collective/IR/CollectiveOpInterface.cpp.inc"

#define GET_OP_CLASSES
#include "grout/Dialect/Collective/IR/CollectiveOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Tile kernels
//===----------------------------------------------------------------------===//

TileAccess collective::getWhole(RankedTensorType type) {
  unsigned rank = type.getRank();
  SmallVector<AffineExpr> elements;
  for (unsigned dim = 0; dim != rank; ++dim)
    elements.push_back(getAffineDimExpr(1 + dim, type.getContext()));
  return {AffineMap::get(1 + rank, 0, elements, type.getContext()),
          llvm::to_vector(type.getShape())};
}

TileWork collective::getTileWork(CollectiveOpInterface op) {
  RankedTensorType type = op.getOutput().getType();
  int64_t bytes = *getSize(type.getShape(), type.getElementType());
  int64_t terms = op.isSum() ? static_cast<int64_t>(op.getRanks()) : 1;
  TileWork work;
  work.flops = type.getNumElements() * (terms - 1);
  work.bytesRead = bytes * terms;
  work.bytesWritten = bytes;
  return work;
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

/// Checks that ranks have data to exchange.
static LogicalResult verifyElements(CollectiveOpInterface op) {
  if (op.getInput().getType().getNumElements() != 0)
    return success();
  return op->emitOpError("exchanges tensors without elements");
}

/// Returns the type of the parts that the ranks of `op` have if dimension `dim`
/// of `whole` is cut. Fails if the ranks cannot have equal parts.
static FailureOr<RankedTensorType>
getPart(CollectiveOpInterface op, uint64_t dim, RankedTensorType whole) {
  if (dim >= static_cast<uint64_t>(whole.getRank()))
    return op->emitOpError("has no dimension ")
           << dim << " of " << whole << " to cut";
  int64_t ranks = op.getRanks(), extent = whole.getDimSize(dim);
  if (extent % ranks != 0)
    return op->emitOpError("has ")
           << ranks << " ranks, which do not divide dimension " << dim << " of "
           << whole;
  SmallVector<int64_t> shape(whole.getShape());
  shape[dim] = extent / ranks;
  return whole.clone(shape);
}

/// Checks that `part` is one of the parts that the ranks of `op` have if
/// dimension `dim` of `whole` is cut.
static LogicalResult verifyParts(CollectiveOpInterface op, uint64_t dim,
                                 RankedTensorType whole,
                                 RankedTensorType part) {
  FailureOr<RankedTensorType> wanted = getPart(op, dim, whole);
  if (failed(wanted))
    return failure();
  if (part != *wanted)
    return op->emitOpError("cuts ")
           << whole << " into parts of type " << *wanted << ", not " << part;
  return verifyElements(op);
}

LogicalResult AllReduceOp::verify() { return verifyElements(*this); }

LogicalResult ReduceScatterOp::verify() {
  return verifyParts(*this, getDim(), getInput().getType(),
                     getOutput().getType());
}

LogicalResult AllGatherOp::verify() {
  return verifyParts(*this, getDim(), getOutput().getType(),
                     getInput().getType());
}

LogicalResult AllToAllOp::verify() {
  RankedTensorType input = getInput().getType();
  FailureOr<RankedTensorType> part = getPart(*this, getSplitDim(), input);
  if (failed(part))
    return failure();
  if (getConcatDim() >= static_cast<uint64_t>(input.getRank()))
    return emitOpError("has no dimension ")
           << getConcatDim() << " of " << input << " to concatenate";
  SmallVector<int64_t> shape(part->getShape());
  shape[getConcatDim()] *= static_cast<int64_t>(getRanks());
  if (getOutput().getType() != input.clone(shape))
    return emitOpError("makes ") << input.clone(shape) << " of " << input
                                 << ", not " << getOutput().getType();
  return verifyElements(*this);
}
