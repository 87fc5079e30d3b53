//===- TGemmOps.cpp - Ops of the tgemm dialect ----------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Interfaces/NamesOperands.h"

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

/// Extent of `type` at the position that is `position` before the last one.
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

/// Checks that `type` is rows x columns, after transposition, with a batch
/// that fits `op`.
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

/// Checks that the tiling's parts fit the product, and partial sums the parts.
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
        "its own factors and tiling");
  return success();
}

/// Offsets in bytes must fit 64 bits.
static LogicalResult verifySize(Operation *op, Type type) {
  auto tensor = cast<RankedTensorType>(type);
  int64_t bytes = llvm::divideCeil(tensor.getElementTypeBitWidth(), 8);
  for (int64_t extent : tensor.getShape())
    if (llvm::MulOverflow(bytes, extent, bytes))
      return op->emitOpError()
             << "has a tensor of more than 2^63 bytes, " << type;
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
  for (Type type : (*this)->getOperandTypes())
    if (failed(verifySize(*this, type)))
      return failure();
  if (failed(verifySize(*this, getResult().getType())))
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

  if (getEpilogueMaps().size() != getEpilogueInputs().size())
    return emitOpError() << "has " << getEpilogueInputs().size()
                         << " epilogue inputs but " << getEpilogueMaps().size()
                         << " epilogue maps";
  unsigned rank = getResult().getType().getRank();
  for (auto [index, input] : llvm::enumerate(getEpilogueInputs())) {
    AffineMap map = getEpilogueMap(index);
    auto type = cast<RankedTensorType>(input.getType());
    if (map.getNumDims() != rank || map.getNumSymbols() != 0 ||
        map.getNumResults() != static_cast<unsigned>(type.getRank()))
      return emitOpError() << "epilogue map " << index << " must take " << rank
                           << " coordinates to " << type.getRank();
    // A projection keeps every access inside the input and simple to vectorise.
    if (!map.isProjectedPermutation(/*allowZeroInResults=*/true))
      return emitOpError() << "epilogue map " << index
                           << " must be a projected permutation";
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      auto dimExpr = dyn_cast<AffineDimExpr>(expr);
      int64_t needed =
          dimExpr ? getResult().getType().getDimSize(dimExpr.getPosition()) : 1;
      if (type.getDimSize(dim) != needed)
        return emitOpError()
               << "epilogue input " << index << " has " << type.getDimSize(dim)
               << " elements in dimension " << dim << ", but its map needs "
               << needed;
    }
  }

  if (failed(verifyParts(*this)))
    return failure();
  if (getEpilogue().empty() &&
      (getNumProducts() != 1 || !getEpilogueInputs().empty()))
    return emitOpError("needs an epilogue region to combine several products "
                       "or epilogue inputs");
  return success();
}

LogicalResult MatmulOp::verifyRegions() {
  if (getEpilogue().empty())
    return success();
  Block &block = getEpilogue().front();
  SmallVector<Type> expected(getNumProducts(), Float32Type::get(getContext()));
  for (Value input : getEpilogueInputs())
    expected.push_back(getElementTypeOrSelf(input.getType()));
  if (block.getArgumentTypes() != TypeRange(expected))
    return emitOpError() << "epilogue must take (" << TypeRange(expected)
                         << "), but takes (" << block.getArgumentTypes() << ")";
  for (Operation &op : block.without_terminator())
    if (!isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
            op.getDialect()) ||
        !isPure(&op) || op.getNumRegions() != 0)
      return op.emitOpError("is not allowed in an epilogue, which holds pure "
                            "arith and math ops only");
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield)
    return emitOpError("epilogue must end with tgemm.yield");
  if (yield.getValue().getType() != getResultElementType())
    return yield.emitOpError()
           << "yields " << yield.getValue().getType()
           << ", but the result has elements of " << getResultElementType();
  return success();
}

//===----------------------------------------------------------------------===//
// Canonicalisation
//===----------------------------------------------------------------------===//

namespace {

/// Removes epilogue inputs that the epilogue does not use.
struct DropUnusedEpilogueInputs : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatmulOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getEpilogue().empty() || hasNamedOperands(op))
      return failure();
    Block &block = op.getEpilogue().front();
    unsigned first = op.getNumProducts();
    BitVector unused(block.getNumArguments());
    SmallVector<Value> inputs;
    SmallVector<Attribute> maps;
    for (auto [index, input] : llvm::enumerate(op.getEpilogueInputs())) {
      if (block.getArgument(first + index).use_empty()) {
        unused.set(first + index);
        continue;
      }
      inputs.push_back(input);
      maps.push_back(op.getEpilogueMaps()[index]);
    }
    if (unused.none())
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      block.eraseArguments(unused);
      op.getEpilogueInputsMutable().assign(inputs);
      op.setEpilogueMapsAttr(rewriter.getArrayAttr(maps));
    });
    return success();
  }
};

/// Makes an epilogue input that occurs twice, with one map, occur once.
struct MergeEpilogueInputs : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatmulOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getEpilogue().empty())
      return failure();
    Block &block = op.getEpilogue().front();
    unsigned first = op.getNumProducts();
    bool changed = false;
    for (unsigned i = 0, e = op.getEpilogueInputs().size(); i != e; ++i) {
      for (unsigned j = i + 1; j != e; ++j) {
        BlockArgument later = block.getArgument(first + j);
        if (op.getEpilogueInputs()[i] != op.getEpilogueInputs()[j] ||
            op.getEpilogueMaps()[i] != op.getEpilogueMaps()[j] ||
            later.use_empty())
          continue;
        rewriter.replaceAllUsesWith(later, block.getArgument(first + i));
        changed = true;
      }
    }
    return success(changed);
  }
};

} // namespace

void MatmulOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<DropUnusedEpilogueInputs, MergeEpilogueInputs>(context);
}

//===----------------------------------------------------------------------===//
// TileKernelOpInterface
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<int64_t>> MatmulOp::getTileGrid() {
  std::optional<TilingAttr> tiling = getTiling();
  if (!tiling)
    return failure();
  SmallVector<int64_t> grid;
  if (isBatched())
    grid.push_back(getBatch());
  grid.push_back(llvm::divideCeil(getM(), tiling->getM()));
  grid.push_back(llvm::divideCeil(getN(), tiling->getN()));
  return grid;
}

int64_t MatmulOp::getStepCount() {
  std::optional<TilingAttr> tiling = getTiling();
  return tiling ? llvm::divideCeil(getK(), tiling->getK()) : 1;
}

std::optional<int64_t> MatmulOp::getStepsInOrder() {
  std::optional<TilingAttr> tiling = getTiling();
  if (!tiling || tiling->getSplitK() == 1)
    return std::nullopt;
  return llvm::divideCeil(getStepCount(), tiling->getSplitK());
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

/// What a tile reads of the sums of its parts: all of them, if it has any.
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
    // An epilogue input is read once, at the result's coordinates.
    SmallVector<AffineExpr> coordinates;
    if (isBatched())
      coordinates.push_back(exprs.batch());
    coordinates.push_back(exprs.row() * tiling.getM() + exprs.local(0));
    coordinates.push_back(exprs.column() * tiling.getN() + exprs.local(1));
    sizes = {tiling.getM(), tiling.getN()};
    auto tile = AffineMap::get(exprs.rank + 3, 0, coordinates, getContext());
    return {getEpilogueMap(number - firstInput).compose(tile), sizes};
  }

  SmallVector<AffineExpr> results;
  if (cast<RankedTensorType>(operand.get().getType()).getRank() == 3)
    results.push_back(exprs.batch());
  if (transposed)
    std::swap(rows, columns);
  results.append({rows, columns});
  return exprs.access(results, sizes);
}

TileAccess MatmulOp::getResultAccess(OpResult result) {
  TilingAttr tiling = *getTiling();
  TileExprs exprs(*this);
  SmallVector<AffineExpr> results;
  if (isBatched())
    results.push_back(exprs.batch());
  results.push_back(exprs.row() * tiling.getM() + exprs.local(0));
  results.push_back(exprs.column() * tiling.getN() + exprs.local(1));
  return exprs.access(results, {tiling.getM(), tiling.getN()});
}

bool MatmulOp::isReadAfterSteps(OpOperand &operand) {
  return operand.getOperandNumber() > getRhs().size();
}

TileWork MatmulOp::getTileWork() {
  TilingAttr tiling = *getTiling();
  int64_t m = std::min(tiling.getM(), getM());
  int64_t n = std::min(tiling.getN(), getN());
  int64_t products = getNumProducts();
  int64_t inputBytes = getInputElementType().getWidth() / 8;
  TileWork work;
  work.flops = 2 * m * n * getK() * products;
  work.bytesRead = (m + n * products) * getK() * inputBytes;
  for (auto [index, input] : llvm::enumerate(getEpilogueInputs())) {
    int64_t elements = 1;
    AffineMap map = getEpilogueMap(index);
    unsigned rank = map.getNumDims();
    elements *= map.isFunctionOfDim(rank - 2) ? m : 1;
    elements *= map.isFunctionOfDim(rank - 1) ? n : 1;
    work.bytesRead +=
        elements *
        getElementTypeOrSelf(input.getType()).getIntOrFloatBitWidth() / 8;
  }
  work.bytesWritten = m * n * getResultElementType().getWidth() / 8;
  work.clusterSize = tiling.getClusterSize();
  return work;
}
