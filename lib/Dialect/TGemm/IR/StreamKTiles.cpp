//===- StreamKTiles.cpp - Stream-K tiles ----------------------------------===//
//
// Part of Grout. Defines the meaning of `stream_k` and `tail` of a tiling.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/IR/TGemm.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

StreamK StreamK::get(TilingAttr tiling, int64_t m, int64_t n, int64_t k,
                     int64_t products) {
  StreamK result;
  result.parts = tiling.getStreamK();
  result.partSteps =
      llvm::divideCeil(llvm::divideCeil(k, tiling.getK()), result.parts);
  result.firstStep = (result.parts - 1) * result.partSteps;
  result.columns = tiling.getTail();
  result.firstColumn = llvm::divideCeil(n, tiling.getN()) - result.columns;
  result.rows = llvm::divideCeil(m, tiling.getM());
  result.elements = tiling.getM() * tiling.getN() * products;
  return result;
}

std::string tgemm::findPartsProblem(TilingAttr tiling, int64_t n, int64_t k) {
  int64_t columns = llvm::divideCeilSigned(n, tiling.getN());
  if (tiling.getTail() > columns)
    return "has a tail of " + std::to_string(tiling.getTail()) +
           " columns of tiles, but only " + std::to_string(columns);
  int64_t steps = llvm::divideCeilSigned(k, tiling.getK());
  int64_t partSteps = llvm::divideCeilSigned(steps, tiling.getStreamK());
  // With this number of parts, no part is without steps.
  if (tiling.getStreamK() != llvm::divideCeilSigned(steps, partSteps))
    return "cannot split a K loop of " + std::to_string(steps) +
           " steps into " + std::to_string(tiling.getStreamK()) +
           " stream-K parts of " + std::to_string(partSteps);
  return "";
}

//===----------------------------------------------------------------------===//
// PartialSumsOp
//===----------------------------------------------------------------------===//

/// Returns extent `dim` of a matrix, or the other extent if it is stored
/// transposed.
static int64_t getExtent(Value matrix, unsigned dim, bool transposed) {
  return cast<RankedTensorType>(matrix.getType())
      .getDimSize(transposed ? 1 - dim : dim);
}

int64_t PartialSumsOp::getM() {
  return getExtent(getLhs(), 0, getTransposeLhs());
}

int64_t PartialSumsOp::getN() {
  return getExtent(getRhs().front(), 1, getTransposeRhs());
}

int64_t PartialSumsOp::getK() {
  return getExtent(getLhs(), 1, getTransposeLhs());
}

StreamK PartialSumsOp::getParts() {
  return StreamK::get(getTiling(), getM(), getN(), getK(), getRhs().size());
}

LogicalResult PartialSumsOp::verify() {
  if (getRhs().empty())
    return emitOpError("needs at least one rhs");
  if (getLhs().getType().getRank() != 2)
    return emitOpError("cannot use stream-K in a batch");
  for (Value rhs : getRhs()) {
    if (rhs.getType() != getRhs().front().getType())
      return emitOpError("all rhs must have the same type");
    if (cast<RankedTensorType>(rhs.getType()).getRank() != 2 ||
        getExtent(rhs, 0, getTransposeRhs()) != getK() ||
        getElementTypeOrSelf(rhs) != getElementTypeOrSelf(getLhs()))
      return emitOpError("needs each rhs to fit lhs");
  }
  if (!getTiling().hasParts())
    return emitOpError("needs a tiling with parts");
  if (std::string problem = findPartsProblem(getTiling(), getN(), getK());
      !problem.empty())
    return emitOpError(problem);
  if (getSums().getType().getShape() != ArrayRef(getParts().getShape()))
    return emitOpError("needs sums of shape ") << getParts().getShape();
  return success();
}

FailureOr<SmallVector<int64_t>> PartialSumsOp::getTileGrid() {
  StreamK parts = getParts();
  return SmallVector<int64_t>{parts.rows, parts.columns, parts.parts - 1};
}

int64_t PartialSumsOp::getStepCount() { return getParts().partSteps; }

TileAccess PartialSumsOp::getOperandAccess(OpOperand &operand) {
  // (row, column, part, step, local, local).
  auto dim = [&](unsigned i) { return getAffineDimExpr(i, getContext()); };
  TilingAttr tiling = getTiling();
  StreamK parts = getParts();
  AffineExpr step = dim(2) * parts.partSteps + dim(3);
  bool isLhs = operand.getOperandNumber() == 0;
  SmallVector<AffineExpr> element;
  SmallVector<int64_t> sizes;
  if (isLhs) {
    element = {dim(0) * tiling.getM() + dim(4), step * tiling.getK() + dim(5)};
    sizes = {tiling.getM(), tiling.getK()};
  } else {
    element = {step * tiling.getK() + dim(4),
               (dim(1) + parts.firstColumn) * tiling.getN() + dim(5)};
    sizes = {tiling.getK(), tiling.getN()};
  }
  if (isLhs ? getTransposeLhs() : getTransposeRhs())
    std::swap(element[0], element[1]);
  return {AffineMap::get(6, 0, element, getContext()), sizes, {}};
}

TileAccess PartialSumsOp::getResultAccess(OpResult) {
  // (row, column, part, step, local).
  auto dim = [&](unsigned i) { return getAffineDimExpr(i, getContext()); };
  return {AffineMap::get(5, 0, {dim(0), dim(1), dim(2), dim(4)}, getContext()),
          {getParts().elements},
          {}};
}

bool PartialSumsOp::isLaunchedWithNext() { return true; }

bool PartialSumsOp::isPartOfNext() { return true; }

TileWork PartialSumsOp::getTileWork() {
  TilingAttr tiling = getTiling();
  StreamK parts = getParts();
  int64_t m = std::min(tiling.getM(), getM());
  int64_t n = std::min(tiling.getN(), getN());
  int64_t k = std::min(parts.partSteps * tiling.getK(), getK());
  int64_t products = getRhs().size();
  TileWork work;
  work.flops = 2 * m * n * k * products;
  work.bytesRead = (m + n * products) * k *
                   getElementTypeOrSelf(getLhs()).getIntOrFloatBitWidth() / 8;
  work.bytesWritten = parts.elements * static_cast<int64_t>(sizeof(float));
  work.clusterSize = tiling.getClusterSize();
  return work;
}
