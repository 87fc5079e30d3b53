//===- GroupedMatmulOp.cpp - Products of groups of rows -------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "DecompositionBuilder.h"
#include "EpilogueCanonicalization.h"
#include "Product.h"

#include "grout/Dialect/TGemm/IR/Limits.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

static RankedTensorType getTensorType(Value tensor) {
  return cast<RankedTensorType>(tensor.getType());
}

int64_t GroupedMatmulOp::getM() {
  return getTensorType(getResult()).getDimSize(0);
}

int64_t GroupedMatmulOp::getN() {
  return getTensorType(getResult()).getDimSize(1);
}

int64_t GroupedMatmulOp::getK() {
  return getTensorType(getLhs()).getDimSize(1);
}

std::optional<int64_t> GroupedMatmulOp::getNumGroups() {
  return getTensorType(getEnds()).getDimSize(0);
}

FloatType GroupedMatmulOp::getInputElementType() {
  return cast<FloatType>(getTensorType(getLhs()).getElementType());
}

FloatType GroupedMatmulOp::getResultElementType() {
  return cast<FloatType>(getTensorType(getResult()).getElementType());
}

std::string GroupedMatmulOp::getOperandKey() {
  return "groups=" + std::to_string(*getNumGroups());
}

int64_t GroupedMatmulOp::getOperandElements() {
  int64_t used = std::min(*getNumGroups(), getM());
  return getM() * getK() + used * getK() * getN() * getNumProducts();
}

AffineMap GroupedMatmulOp::getEpilogueMap(unsigned index) {
  return cast<AffineMapAttr>(getEpilogueMaps()[index]).getValue();
}

bool GroupedMatmulOp::canShareTilesWith(ProductOpInterface other) {
  auto op = dyn_cast<GroupedMatmulOp>(*other);
  return op && getLhs() == op.getLhs() && getEnds() == op.getEnds() &&
         getRhs().size() == 1 &&
         op.getRhs().getTypes() == getRhs().getTypes() &&
         getTransposeRhs() == op.getTransposeRhs() &&
         getTilingAttr() == op.getTilingAttr();
}

ProductOpInterface GroupedMatmulOp::buildWithEpilogue(OpBuilder &builder,
                                                      Type type, ValueRange rhs,
                                                      ValueRange inputs,
                                                      ArrayAttr maps) {
  return GroupedMatmulOp::create(builder, getLoc(), type, getLhs(), rhs, inputs,
                                 getEnds(), maps, getTransposeRhsAttr(),
                                 getTilingAttr());
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

/// Checks that `rhs` has a matrix of K x N for each group.
static LogicalResult verifyRhs(GroupedMatmulOp op, unsigned index, Value rhs) {
  RankedTensorType type = getTensorType(rhs);
  if (type.getElementType() != op.getInputElementType())
    return op.emitOpError()
           << "rhs " << index << " has elements of " << type.getElementType()
           << ", but lhs of " << op.getInputElementType();
  SmallVector<int64_t> expected = {*op.getNumGroups(), op.getK(), op.getN()};
  if (op.getTransposeRhs())
    std::swap(expected[1], expected[2]);
  if (type.getShape() == ArrayRef(expected))
    return success();
  return op.emitOpError() << "rhs " << index << " must be " << expected[0]
                          << " x " << expected[1] << " x " << expected[2]
                          << (op.getTransposeRhs()
                                  ? " (groups, N and K), but is "
                                  : " (groups, K and N), but is ")
                          << type.getDimSize(0) << " x " << type.getDimSize(1)
                          << " x " << type.getDimSize(2);
}

LogicalResult GroupedMatmulOp::verify() {
  if (getRhs().empty())
    return emitOpError("needs at least one rhs");
  for (int64_t extent : {getM(), getN(), getK(), *getNumGroups()})
    if (extent == 0)
      return emitOpError("needs extents of at least 1");
  if (failed(verifySizes(*this)))
    return failure();
  if (getM() > kMaxGroupRows || *getNumGroups() > kMaxGroupRows)
    return emitOpError() << "needs at most " << kMaxGroupRows
                         << " rows, and as many groups";
  if (getTensorType(getLhs()).getDimSize(0) != getM())
    return emitOpError() << "lhs has " << getTensorType(getLhs()).getDimSize(0)
                         << " rows, but the result " << getM();
  for (auto [index, rhs] : llvm::enumerate(getRhs()))
    if (failed(verifyRhs(*this, index, rhs)))
      return failure();
  if (getTiling() && getTiling()->hasParts())
    return emitOpError("cannot use stream-K");
  return verifyEpilogue(*this, getEpilogueMaps());
}

LogicalResult GroupedMatmulOp::verifyRegions() {
  return verifyEpilogueBody(*this);
}

void GroupedMatmulOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                  MLIRContext *context) {
  patterns.add<DropUnusedEpilogueInputs<GroupedMatmulOp>,
               MergeEpilogueInputs<GroupedMatmulOp>>(context);
}

//===----------------------------------------------------------------------===//
// TileKernelOpInterface
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<int64_t>> GroupedMatmulOp::getTileGrid() {
  FailureOr<SmallVector<int64_t>> grid = tgemm::getTileGrid(*this);
  if (failed(grid))
    return failure();
  // Each group that has rows may end in a ragged tile.
  int64_t used = std::min(*getNumGroups(), getM());
  grid->front() = used + (getM() - used) / getTiling()->getM();
  return grid;
}

int64_t GroupedMatmulOp::getStepCount() { return tgemm::getStepCount(*this); }

std::optional<int64_t> GroupedMatmulOp::getStepsInOrder() {
  return tgemm::getStepsInOrder(*this);
}

/// Returns an access at `exprs` of (i, j, step) and local coordinates, which
/// have `sizes`. Rows can be any.
static TileAccess getAccess(GroupedMatmulOp op, ArrayRef<AffineExpr> exprs,
                            ArrayRef<int64_t> sizes) {
  return {AffineMap::get(3 + sizes.size(), 0, exprs, op.getContext()),
          llvm::to_vector(sizes)};
}

/// Returns an access to all rows and the columns of a tile, through `map`.
static TileAccess getResultRows(GroupedMatmulOp op, AffineMap map) {
  TilingAttr tiling = *op.getTiling();
  AffineExpr i, j, step, row, column;
  bindDims(op.getContext(), i, j, step, row, column);
  TileAccess access =
      getAccess(op, {row, j * tiling.getN() + column},
                {op.getM(), std::min(tiling.getN(), op.getN())});
  access.map = map.compose(access.map);
  return access;
}

TileAccess GroupedMatmulOp::getOperandAccess(OpOperand &operand) {
  TilingAttr tiling = *getTiling();
  AffineExpr i, j, step, first, second, third;
  bindDims(getContext(), i, j, step, first, second, third);
  unsigned number = operand.getOperandNumber();
  unsigned firstInput = 1 + getRhs().size();
  if (operand.get() == getEnds() && number == getNumOperands() - 1)
    return getAccess(*this, first, *getNumGroups());
  if (number >= firstInput)
    return getResultRows(*this, getEpilogueMap(number - firstInput));
  AffineExpr depth = step * tiling.getK();
  if (number == 0)
    return getAccess(*this, {first, depth + second}, {getM(), tiling.getK()});
  AffineExpr columns = j * tiling.getN();
  if (getTransposeRhs())
    return getAccess(*this, {first, columns + second, depth + third},
                     {*getNumGroups(), tiling.getN(), tiling.getK()});
  return getAccess(*this, {first, depth + second, columns + third},
                   {*getNumGroups(), tiling.getK(), tiling.getN()});
}

TileAccess GroupedMatmulOp::getResultAccess(OpResult) {
  TileAccess access =
      getResultRows(*this, AffineMap::getMultiDimIdentityMap(2, getContext()));
  access.isChosenAtRunTime = true;
  return access;
}

bool GroupedMatmulOp::isReadAfterSteps(OpOperand &operand) {
  unsigned number = operand.getOperandNumber();
  return number > getRhs().size() && number != getNumOperands() - 1;
}

TileWork GroupedMatmulOp::getTileWork() {
  TilingAttr tiling = *getTiling();
  int64_t rows = std::min(tiling.getM(), getM()) +
                 std::min(tiling.getN(), getN()) * getNumProducts();
  int64_t elementBytes = getInputElementType().getWidth() / 8;
  return getProductWork(*this, getK(), rows * getK() * elementBytes);
}

//===----------------------------------------------------------------------===//
// Decomposition
//===----------------------------------------------------------------------===//

/// Returns, for each row, the number of its group, and G for rows in no group.
/// An end that is not beyond the ends before it is not beyond any row that
/// these leave. So the first group whose end is beyond a row is the least of
/// all whose ends are.
static Value emitGroups(DecompositionBuilder &b, GroupedMatmulOp op) {
  Type i32 = b.getI32Type();
  int64_t groups = *op.getNumGroups();
  Value none = arith::ConstantOp::create(b, b.getI32IntegerAttr(groups));
  Value init = linalg::FillOp::create(b, none, b.createEmpty(op.getM(), i32))
                   .getResult(0);
  AffineExpr m, g;
  bindDims(b.getContext(), m, g);
  AffineMap maps[] = {AffineMap::get(2, 0, g, b.getContext()),
                      AffineMap::get(2, 0, m, b.getContext())};
  return b.createGeneric(
      op.getEnds(), init, maps,
      [&](DecompositionBuilder &inside, ValueRange elements) -> Value {
        auto index = [&](int64_t dim) {
          return arith::IndexCastOp::create(
              inside, i32, linalg::IndexOp::create(inside, dim));
        };
        Value isBehind = arith::CmpIOp::create(
            inside, arith::CmpIPredicate::sgt, elements[0], index(0));
        Value group = arith::SelectOp::create(inside, isBehind, index(1), none);
        return arith::MinSIOp::create(inside, group, elements[1]);
      });
}

/// Returns the sums of products with `rhs`. Rows in no group have zeros.
static Value emitSums(DecompositionBuilder &b, GroupedMatmulOp op, Value groups,
                      Value rhs) {
  AffineExpr m, n, k;
  bindDims(b.getContext(), m, n, k);
  auto getMap = [&](ArrayRef<AffineExpr> exprs) {
    return AffineMap::get(3, 0, exprs, b.getContext());
  };
  AffineMap maps[] = {getMap({m, k}), getMap({m}), getMap({m, n})};
  int64_t count = *op.getNumGroups();
  return b.createGeneric(
      {op.getLhs(), groups}, b.createFilled({op.getM(), op.getN()}, 0), maps,
      [&](DecompositionBuilder &inside, ValueRange elements) -> Value {
        Type f32 = inside.getF32Type(), indexType = inside.getIndexType();
        Value number =
            arith::IndexCastOp::create(inside, indexType, elements[1]);
        Value last = arith::ConstantIndexOp::create(inside, count - 1);
        Value group = arith::MinSIOp::create(inside, number, last);
        SmallVector<Value> at = {group, linalg::IndexOp::create(inside, 2),
                                 linalg::IndexOp::create(inside, 1)};
        if (op.getTransposeRhs())
          std::swap(at[1], at[2]);
        Value weight = tensor::ExtractOp::create(inside, rhs, at);
        Value product =
            arith::MulFOp::create(inside, inside.convert(elements[0], f32),
                                  inside.convert(weight, f32));
        Value sum = arith::AddFOp::create(inside, elements[2], product);
        Value isNone = arith::CmpIOp::create(inside, arith::CmpIPredicate::sgt,
                                             number, last);
        return arith::SelectOp::create(inside, isNone, elements[2], sum);
      });
}

FailureOr<SmallVector<Value>>
GroupedMatmulOp::decomposeOperation(OpBuilder &builder) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(*this);
  DecompositionBuilder b(getLoc(), builder);
  Value groups = emitGroups(b, *this);
  SmallVector<Value> sums;
  for (Value rhs : getRhs())
    sums.push_back(emitSums(b, *this, groups, rhs));
  return SmallVector<Value>{emitEpilogue(b, *this, sums)};
}
