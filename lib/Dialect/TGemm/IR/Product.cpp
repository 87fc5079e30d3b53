//===- Product.cpp - Shared by matmuls and convolutions -------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Product.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

LogicalResult tgemm::verifySizes(Operation *op) {
  auto verifySize = [&](Type type) -> LogicalResult {
    auto tensor = cast<RankedTensorType>(type);
    int64_t bytes = llvm::divideCeil(tensor.getElementTypeBitWidth(), 8);
    for (int64_t extent : tensor.getShape())
      if (llvm::MulOverflow(bytes, extent, bytes))
        return op->emitOpError()
               << "has a tensor of more than 2^63 bytes, " << type;
    return success();
  };
  for (Type type : op->getOperandTypes())
    if (failed(verifySize(type)))
      return failure();
  for (Type type : op->getResultTypes())
    if (failed(verifySize(type)))
      return failure();
  return success();
}

LogicalResult tgemm::verifyEpilogue(ProductOpInterface op, ArrayAttr maps) {
  auto resultType = cast<RankedTensorType>(op.getResult().getType());
  if (maps.size() != op.getEpilogueInputs().size())
    return op.emitOpError()
           << "has " << op.getEpilogueInputs().size() << " epilogue inputs but "
           << maps.size() << " epilogue maps";
  unsigned rank = resultType.getRank();
  for (auto [index, input] : llvm::enumerate(op.getEpilogueInputs())) {
    AffineMap map = op.getEpilogueMap(index);
    auto type = cast<RankedTensorType>(input.getType());
    if (map.getNumDims() != rank || map.getNumSymbols() != 0 ||
        map.getNumResults() != static_cast<unsigned>(type.getRank()))
      return op.emitOpError() << "epilogue map " << index << " must take "
                              << rank << " coordinates to " << type.getRank();
    // With a projection, all accesses are inside the input, and easy to
    // vectorise.
    if (!map.isProjectedPermutation(/*allowZeroInResults=*/true))
      return op.emitOpError()
             << "epilogue map " << index << " must be a projected permutation";
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      auto dimExpr = dyn_cast<AffineDimExpr>(expr);
      int64_t needed =
          dimExpr ? resultType.getDimSize(dimExpr.getPosition()) : 1;
      if (type.getDimSize(dim) != needed)
        return op.emitOpError()
               << "epilogue input " << index << " has " << type.getDimSize(dim)
               << " elements in dimension " << dim << ", but its map needs "
               << needed;
    }
  }
  if (op.getEpilogue().empty() &&
      (op.getNumProducts() != 1 || !op.getEpilogueInputs().empty()))
    return op.emitOpError(
        "needs an epilogue region to combine several products "
        "or epilogue inputs");
  return success();
}

LogicalResult tgemm::verifyEpilogueBody(ProductOpInterface op) {
  if (op.getEpilogue().empty())
    return success();
  Block &block = op.getEpilogue().front();
  SmallVector<Type> expected(op.getNumProducts(),
                             Float32Type::get(op.getContext()));
  for (Value input : op.getEpilogueInputs())
    expected.push_back(getElementTypeOrSelf(input.getType()));
  if (block.getArgumentTypes() != TypeRange(expected))
    return op.emitOpError()
           << "epilogue must take (" << TypeRange(expected) << "), but takes ("
           << block.getArgumentTypes() << ")";
  for (Operation &inner : block.without_terminator())
    if (!isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
            inner.getDialect()) ||
        !isPure(&inner) || inner.getNumRegions() != 0)
      return inner.emitOpError(
          "is not allowed in an epilogue, which holds pure "
          "arith and math ops only");
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield)
    return op.emitOpError("epilogue must end with tgemm.yield");
  if (yield.getValue().getType() != op.getResultElementType())
    return yield.emitOpError()
           << "yields " << yield.getValue().getType()
           << ", but the result has elements of " << op.getResultElementType();
  return success();
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

std::string tgemm::findColumnBlockProblem(ProductOpInterface op,
                                          TilingAttr tiling) {
  std::optional<int64_t> block = op.getColumnBlock();
  if (!block || *block % tiling.getN() == 0)
    return "";
  return "needs tiles with n that divides the " + std::to_string(*block) +
         " columns of a block, got " + std::to_string(tiling.getN());
}

FailureOr<SmallVector<int64_t>> tgemm::getTileGrid(ProductOpInterface op) {
  std::optional<TilingAttr> tiling = op.getTiling();
  if (!tiling)
    return failure();
  SmallVector<int64_t> grid;
  if (op.isBatched())
    grid.push_back(op.getBatch());
  grid.push_back(llvm::divideCeil(op.getM(), tiling->getM()));
  grid.push_back(llvm::divideCeil(op.getN(), tiling->getN()));
  return grid;
}

int64_t tgemm::getStepCount(ProductOpInterface op) {
  std::optional<TilingAttr> tiling = op.getTiling();
  return tiling ? llvm::divideCeil(op.getK(), tiling->getK()) : 1;
}

std::optional<int64_t> tgemm::getStepsInOrder(ProductOpInterface op) {
  std::optional<TilingAttr> tiling = op.getTiling();
  if (!tiling || tiling->getSplitK() == 1)
    return std::nullopt;
  return llvm::divideCeil(getStepCount(op), tiling->getSplitK());
}

TileAccess tgemm::getResultAccess(ProductOpInterface op) {
  TilingAttr tiling = *op.getTiling();
  MLIRContext *context = op.getContext();
  // Dimensions are (b,) i, j, step, and then an element of the tile.
  unsigned rank = op.isBatched() ? 3 : 2;
  auto dim = [&](unsigned number) { return getAffineDimExpr(number, context); };
  SmallVector<AffineExpr> exprs;
  if (op.isBatched())
    exprs.push_back(dim(0));
  exprs.push_back(dim(rank - 2) * tiling.getM() + dim(rank + 1));
  exprs.push_back(dim(rank - 1) * tiling.getN() + dim(rank + 2));
  return {AffineMap::get(rank + 3, 0, exprs, context),
          {tiling.getM(), tiling.getN()}};
}

TileAccess tgemm::getEpilogueAccess(ProductOpInterface op, unsigned index) {
  TileAccess access = getResultAccess(op);
  access.map = op.getEpilogueMap(index).compose(access.map);
  return access;
}

TileWork tgemm::getProductWork(ProductOpInterface op, int64_t depth,
                               int64_t operandBytes) {
  TilingAttr tiling = *op.getTiling();
  int64_t m = std::min(tiling.getM(), op.getM());
  int64_t n = std::min(tiling.getN(), op.getN());
  TileWork work;
  work.flops = 2 * m * n * depth * op.getNumProducts();
  work.bytesRead = operandBytes;
  for (auto [index, input] : llvm::enumerate(op.getEpilogueInputs())) {
    int64_t elements = 1;
    AffineMap map = op.getEpilogueMap(index);
    unsigned rank = map.getNumDims();
    elements *= map.isFunctionOfDim(rank - 2) ? m : 1;
    elements *= map.isFunctionOfDim(rank - 1) ? n : 1;
    work.bytesRead +=
        elements *
        getElementTypeOrSelf(input.getType()).getIntOrFloatBitWidth() / 8;
  }
  work.bytesWritten = m * n * op.getResultElementType().getWidth() / 8;
  work.clusterSize = tiling.getClusterSize();
  return work;
}
