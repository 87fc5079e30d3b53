//===- ProductDecomposition.cpp - Products in linalg ----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "DecompositionBuilder.h"
#include "grout/Dialect/Collective/IR/Collective.h"
#include "grout/Dialect/TGemm/IR/TGemm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

Value tgemm::emitEpilogue(DecompositionBuilder &b, ProductOpInterface op,
                          ValueRange sums) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  Type element = type.getElementType();
  bool hasRegion = !op.getEpilogue().empty();
  if (!hasRegion && element.isF32())
    return sums.front();
  SmallVector<Value> inputs(sums);
  llvm::append_range(inputs, op.getEpilogueInputs());
  SmallVector<AffineMap> maps(inputs.size() + 1,
                              b.getMultiDimIdentityMap(type.getRank()));
  for (unsigned i = 0; i != op.getEpilogueInputs().size(); ++i)
    maps[sums.size() + i] = op.getEpilogueMap(i);
  return b.createGeneric(
      inputs, b.createEmpty(type.getShape(), element), maps,
      [&](DecompositionBuilder &inside, ValueRange elements) {
        if (!hasRegion)
          return inside.convert(elements.front(), element);
        Block &block = op.getEpilogue().front();
        IRMapping mapping;
        mapping.map(block.getArguments(), elements.take_front(inputs.size()));
        for (Operation &computation : block.without_terminator())
          inside.clone(computation, mapping);
        return mapping.lookup(block.getTerminator()->getOperand(0));
      });
}

//===----------------------------------------------------------------------===//
// tgemm.matmul
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Value>> MatmulOp::decomposeOperation(OpBuilder &builder) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(*this);
  DecompositionBuilder b(getLoc(), builder);
  // Loops are (b, m, n, k), or (m, n, k).
  unsigned rank = getResult().getType().getRank();
  AffineExpr m = b.getAffineDimExpr(rank - 2);
  AffineExpr n = b.getAffineDimExpr(rank - 1);
  AffineExpr k = b.getAffineDimExpr(rank);
  auto getMap = [&](Value tensor, AffineExpr row, AffineExpr column) {
    SmallVector<AffineExpr> exprs;
    if (cast<RankedTensorType>(tensor.getType()).getRank() == 3)
      exprs.push_back(b.getAffineDimExpr(0));
    exprs.append({row, column});
    return AffineMap::get(rank + 1, 0, exprs, getContext());
  };
  SmallVector<Value> sums;
  for (Value rhs : getRhs()) {
    AffineMap maps[] = {
        getTransposeLhs() ? getMap(getLhs(), k, m) : getMap(getLhs(), m, k),
        getTransposeRhs() ? getMap(rhs, n, k) : getMap(rhs, k, n),
        getMap(getResult(), m, n)};
    sums.push_back(
        b.createProduct(getLhs(), rhs, getResult().getType().getShape(), maps));
  }
  Value result = emitEpilogue(b, *this, sums);
  if (getSumRanks())
    result = collective::AllReduceOp::create(
        b, result.getType(), result, getSumRanksAttr(), getSumChannelAttr());
  return SmallVector<Value>{result};
}

//===----------------------------------------------------------------------===//
// tgemm.conv2d
//===----------------------------------------------------------------------===//

/// Returns the first input channel that feature `feature` of `op` reads.
static AffineExpr getFirstChannel(Conv2dOp op, AffineExpr feature) {
  int64_t block = op.getBlockFeatures();
  return (feature.floorDiv(block) * block).floorDiv(op.getGroupFeatures()) *
         op.getGroupChannels();
}

/// Returns the input of `op` with its padding, and with channels of zeros
/// behind the last one if features read such channels.
static Value emitPadding(DecompositionBuilder &b, Conv2dOp op) {
  auto first = cast<AffineConstantExpr>(
      getFirstChannel(op, b.getAffineConstantExpr(op.getN() - 1)));
  int64_t end = first.getValue() + op.getFilterChannels();
  ArrayRef<int64_t> padding = op.getPadding();
  int64_t low[] = {0, padding[0], padding[2], 0};
  int64_t high[] = {0, padding[1], padding[3],
                    std::max<int64_t>(end - op.getChannels(), 0)};
  if (llvm::all_of(low, [](int64_t zeros) { return zeros == 0; }) &&
      llvm::all_of(high, [](int64_t zeros) { return zeros == 0; }))
    return op.getInput();
  SmallVector<int64_t> shape(op.getInput().getType().getShape());
  for (auto [dim, extent] : llvm::enumerate(shape))
    extent += low[dim] + high[dim];
  FloatType element = op.getInputElementType();
  Value zero =
      arith::ConstantOp::create(b, b.getFloatAttr(element, /*value=*/0));
  return tensor::PadOp::create(
      b, RankedTensorType::get(shape, element), op.getInput(),
      getAsIndexOpFoldResult(b.getContext(), low),
      getAsIndexOpFoldResult(b.getContext(), high), zero);
}

FailureOr<SmallVector<Value>> Conv2dOp::decomposeOperation(OpBuilder &builder) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(*this);
  DecompositionBuilder b(getLoc(), builder);
  AffineExpr image, p, q, feature, r, s, channel;
  bindDims(getContext(), image, p, q, feature, r, s, channel);
  AffineMap maps[] = {
      AffineMap::get(7, 0,
                     {image, p * getStrides()[0] + r * getDilations()[0],
                      q * getStrides()[1] + s * getDilations()[1],
                      getFirstChannel(*this, feature) + channel},
                     getContext()),
      AffineMap::get(7, 0, {feature, r, s, channel}, getContext()),
      AffineMap::get(7, 0, {image, p, q, feature}, getContext())};
  Value sums =
      b.createProduct(emitPadding(b, *this), getFilter(),
                      {getImages(), getPixels(0), getPixels(1), getN()}, maps);
  ReassociationIndices pixels = {0, 1, 2}, features = {3};
  Value matrix = tensor::CollapseShapeOp::create(
      b, sums, ArrayRef<ReassociationIndices>{pixels, features});
  return SmallVector<Value>{emitEpilogue(b, *this, matrix)};
}
