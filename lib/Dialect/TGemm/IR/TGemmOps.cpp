//===- TGemmOps.cpp - Ops of the tgemm dialect ----------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "EpilogueCanonicalization.h"
#include "Product.h"
#include "grout/Dialect/TGemm/IR/TGemm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

#define GET_OP_CLASSES
#include "grout/Dialect/TGemm/IR/TGemmOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

/// Returns the extent of the dimension that is `position` before the last one.
static int64_t getDimFromEnd(RankedTensorType type, unsigned position) {
  return type.getDimSize(type.getRank() - 1 - position);
}

bool MatmulOp::isBatched() { return getResult().getType().getRank() == 3; }

int64_t MatmulOp::getBatch() {
  return isBatched() ? getResult().getType().getDimSize(0) : 1;
}

int64_t MatmulOp::getM() { return getDimFromEnd(getResult().getType(), 1); }

int64_t MatmulOp::getN() { return getDimFromEnd(getResult().getType(), 0); }

int64_t MatmulOp::getK() {
  return getDimFromEnd(cast<RankedTensorType>(getLhs().getType()),
                       getTransposeLhs() ? 1 : 0);
}

FloatType MatmulOp::getInputElementType() {
  return cast<FloatType>(getElementTypeOrSelf(getLhs().getType()));
}

FloatType MatmulOp::getResultElementType() {
  return cast<FloatType>(getResult().getType().getElementType());
}

AffineMap MatmulOp::getEpilogueMap(unsigned index) {
  return cast<AffineMapAttr>(getEpilogueMaps()[index]).getValue();
}

std::optional<unsigned> MatmulOp::getPartialSumsOperand() {
  if (!getPartialSums())
    return std::nullopt;
  return getODSOperandIndexAndLength(3).first;
}

std::optional<StreamK> MatmulOp::getStreamK() {
  if (!getTiling() || !getTiling()->hasParts())
    return std::nullopt;
  return StreamK::get(*getTiling(), getM(), getN(), getK(), getNumProducts());
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

/// Checks that `type` has shape rows x columns, after transposition if
/// `transposed`, and a batch if `op` has one.
static LogicalResult verifyOperandShape(MatmulOp op, const Twine &name,
                                        RankedTensorType type, bool transposed,
                                        int64_t rows, int64_t columns) {
  int64_t rank = type.getRank();
  if (rank == 3 && (!op.isBatched() || type.getDimSize(0) != op.getBatch()))
    return op.emitOpError()
           << name << " has a batch of " << type.getDimSize(0)
           << ", but the result's is "
           << (op.isBatched() ? Twine(op.getBatch()) : Twine("absent"));
  int64_t actualRows = type.getDimSize(rank - 2);
  int64_t actualColumns = type.getDimSize(rank - 1);
  if (transposed)
    std::swap(actualRows, actualColumns);
  if (actualRows != rows || actualColumns != columns)
    return op.emitOpError()
           << name << " must be " << rows << " x " << columns
           << (transposed ? " after transposition" : "") << ", but is "
           << actualRows << " x " << actualColumns;
  return success();
}

/// Checks that the parts of a stream-K tiling fit the product, and that the
/// partial sums fit the parts.
static LogicalResult verifyParts(MatmulOp op) {
  bool hasParts = op.getTiling() && op.getTiling()->hasParts();
  if (hasParts && op.isBatched())
    return op.emitOpError("cannot use stream-K in a batch");
  if (hasParts)
    if (std::string problem =
            findPartsProblem(*op.getTiling(), op.getN(), op.getK());
        !problem.empty())
      return op.emitOpError(problem);
  Value sums = op.getPartialSums();
  if (!sums)
    return success();
  auto parts = sums.getDefiningOp<PartialSumsOp>();
  if (!hasParts || !parts || parts.getTiling() != *op.getTiling() ||
      parts.getLhs() != op.getLhs() || parts.getRhs() != op.getRhs() ||
      parts.getTransposeLhs() != op.getTransposeLhs() ||
      parts.getTransposeRhs() != op.getTransposeRhs())
    return op.emitOpError(
        "takes partial sums only of a tgemm.partial_sums with "
        "its own operands and tiling");
  return success();
}

/// Checks that the result of `op` can be summed over ranks.
static LogicalResult verifyRankSum(MatmulOp op) {
  if (!op.getSumRanks()) {
    if (op.getSumChannel())
      return op.emitOpError("has a sum_channel, but no sum_ranks");
    return success();
  }
  if (op.isBatched())
    return op.emitOpError("cannot sum a batch over ranks");
  if (op.getTiling() && op.getTiling()->hasParts())
    return op.emitOpError("cannot use stream-K and sum over ranks");
  if (op.getLaunchedWithNext())
    return op.emitOpError("sums over ranks, so it has a launch of its own");
  return success();
}

LogicalResult MatmulOp::verify() {
  if (getRhs().empty())
    return emitOpError("needs at least one rhs");
  for (int64_t extent : getResult().getType().getShape())
    if (extent == 0)
      return emitOpError("needs extents of at least 1");
  if (getK() == 0)
    return emitOpError("needs a reduction of at least 1");
  if (failed(verifySizes(*this)))
    return failure();
  if (failed(verifyOperandShape(*this, "lhs",
                                cast<RankedTensorType>(getLhs().getType()),
                                getTransposeLhs(), getM(), getK())))
    return failure();
  for (auto [index, rhs] : llvm::enumerate(getRhs())) {
    auto type = cast<RankedTensorType>(rhs.getType());
    if (type.getElementType() != getInputElementType())
      return emitOpError() << "rhs " << index << " has elements of "
                           << type.getElementType() << ", but lhs of "
                           << getInputElementType();
    if (failed(verifyOperandShape(*this, "rhs " + Twine(index), type,
                                  getTransposeRhs(), getK(), getN())))
      return failure();
    if (type != getRhs()[0].getType())
      return emitOpError("all rhs must have the same type");
  }

  if (failed(verifyEpilogue(*this, getEpilogueMaps())) ||
      failed(verifyRankSum(*this)))
    return failure();
  return verifyParts(*this);
}

LogicalResult MatmulOp::verifyRegions() { return verifyEpilogueBody(*this); }

//===----------------------------------------------------------------------===//
// Canonicalisation
//===----------------------------------------------------------------------===//

void MatmulOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns
      .add<DropUnusedEpilogueInputs<MatmulOp>, MergeEpilogueInputs<MatmulOp>>(
          context);
}

//===----------------------------------------------------------------------===//
// TileKernelOpInterface
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<int64_t>> MatmulOp::getTileGrid() {
  return tgemm::getTileGrid(*this);
}

int64_t MatmulOp::getStepCount() { return tgemm::getStepCount(*this); }

std::optional<int64_t> MatmulOp::getStepsInOrder() {
  return tgemm::getStepsInOrder(*this);
}

namespace {

/// Affine expressions of a tile: (b, i, j, step) and two local coordinates.
struct TileExprs {
  explicit TileExprs(MatmulOp op)
      : context(op.getContext()), rank(op.isBatched() ? 3 : 2) {}

  AffineExpr batch() const { return getAffineDimExpr(0, context); }
  AffineExpr row() const { return getAffineDimExpr(rank - 2, context); }
  AffineExpr column() const { return getAffineDimExpr(rank - 1, context); }
  AffineExpr step() const { return getAffineDimExpr(rank, context); }
  AffineExpr local(unsigned index) const {
    return getAffineDimExpr(rank + 1 + index, context);
  }
  TileAccess access(ArrayRef<AffineExpr> exprs,
                    ArrayRef<int64_t> localSizes) const {
    return {AffineMap::get(rank + 1 + localSizes.size(), 0, exprs, context),
            llvm::to_vector(localSizes)};
  }

  MLIRContext *context;
  unsigned rank;
};

} // namespace

/// Returns the partial sums that a tile reads: all sums of its parts, if it has
/// parts.
static TileAccess getPartialSumsAccess(MatmulOp op) {
  StreamK parts = *op.getStreamK();
  TileExprs exprs(op);
  AffineExpr column = exprs.column() - parts.firstColumn;
  TileAccess access =
      exprs.access({exprs.row(), column, exprs.local(0), exprs.local(1)},
                   {parts.parts - 1, parts.elements});
  access.guards.push_back(column);
  return access;
}

TileAccess MatmulOp::getOperandAccess(OpOperand &operand) {
  TilingAttr tiling = *getTiling();
  TileExprs exprs(*this);
  unsigned number = operand.getOperandNumber();
  unsigned firstInput = 1 + getRhs().size();

  AffineExpr rows, columns;
  SmallVector<int64_t> sizes;
  bool transposed = false;
  if (number == 0) {
    rows = exprs.row() * tiling.getM() + exprs.local(0);
    columns = exprs.step() * tiling.getK() + exprs.local(1);
    sizes = {tiling.getM(), tiling.getK()};
    transposed = getTransposeLhs();
  } else if (number < firstInput) {
    rows = exprs.step() * tiling.getK() + exprs.local(0);
    columns = exprs.column() * tiling.getN() + exprs.local(1);
    sizes = {tiling.getK(), tiling.getN()};
    transposed = getTransposeRhs();
  } else if (number == getPartialSumsOperand()) {
    return getPartialSumsAccess(*this);
  } else {
    return getEpilogueAccess(*this, number - firstInput);
  }

  SmallVector<AffineExpr> results;
  if (cast<RankedTensorType>(operand.get().getType()).getRank() == 3)
    results.push_back(exprs.batch());
  if (transposed)
    std::swap(rows, columns);
  results.append({rows, columns});
  return exprs.access(results, sizes);
}

TileAccess MatmulOp::getResultAccess(OpResult) {
  return tgemm::getResultAccess(*this);
}

bool MatmulOp::isReadAfterSteps(OpOperand &operand) {
  return operand.getOperandNumber() > getRhs().size();
}

bool MatmulOp::isLaunchedWithNext() { return getLaunchedWithNext(); }

bool MatmulOp::isCollective() { return getSumRanks().has_value(); }

TileWork MatmulOp::getTileWork() {
  TilingAttr tiling = *getTiling();
  int64_t rows = std::min(tiling.getM(), getM()) +
                 std::min(tiling.getN(), getN()) * getNumProducts();
  int64_t elementBytes = getInputElementType().getWidth() / 8;
  return getProductWork(*this, getK(), rows * getK() * elementBytes);
}

//===----------------------------------------------------------------------===//
// YieldOp
//===----------------------------------------------------------------------===//

LogicalResult YieldOp::verify() {
  if (isa_and_nonnull<ProductOpInterface>((*this)->getParentOp()))
    return success();
  return emitOpError("ends the epilogue of a product, and is in none");
}
