//===- LinalgToConv2d.cpp - linalg convolutions to tgemm ------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Passes.h"

#include "Convolution.h"
#include "grout/Conversion/Common/DeadOps.h"
#include "grout/Conversion/Common/Outputs.h"
#include "grout/Dialect/TGemm/Transforms/ProductModel.h"
#include "grout/Target/IR/Grout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "convert-linalg-to-conv2d"

namespace grout {
#define GEN_PASS_DEF_CONVERTLINALGTOCONV2D
#include "grout/Conversion/Passes.h.inc"
} // namespace grout

using namespace mlir;
using namespace grout;

/// The dimension of channels, and of features, of which each group has a part.
static constexpr int64_t kInner = 3;

namespace {

/// Builds the replacement of one convolution.
class Conv2dBuilder {
public:
  explicit Conv2dBuilder(const Convolution &convolution)
      : convolution(convolution), builder(convolution.op),
        loc(convolution.op->getLoc()) {}
  /// Builds the images, in the order of dimensions of the op's result.
  Value build();

private:
  Value transpose(Value tensor, ArrayRef<int64_t> order);
  /// Returns the tensor in the order of the convolution, with groups merged
  /// into dimension `inner`.
  Value transpose(const OrderedTensor &ordered, int64_t inner);
  /// Builds the result as a matrix: pixels by features.
  Value buildPixels(Type element);
  /// Returns the images with these pixels, in the order of the op's result.
  Value buildImages(Value pixels);
  Value addInit(Value images);

  const Convolution &convolution;
  OpBuilder builder;
  Location loc;
};

} // namespace

/// Transposes `tensor`: dimension i of the result is dimension order[i].
Value Conv2dBuilder::transpose(Value tensor, ArrayRef<int64_t> order) {
  if (isIdentityPermutation(order))
    return tensor;
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape;
  for (int64_t dim : order)
    shape.push_back(type.getDimSize(dim));
  Value init =
      tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  return linalg::TransposeOp::create(builder, loc, tensor, init, order)
      ->getResult(0);
}

/// Returns groups of `rank` dimensions that pair dimension `dim` with the next
/// one.
static SmallVector<ReassociationIndices> pairDims(int64_t rank, int64_t dim) {
  SmallVector<ReassociationIndices> dims;
  for (int64_t i = 0; i != rank; ++i)
    if (i == dim + 1)
      dims.back().push_back(i);
    else
      dims.push_back({i});
  return dims;
}

/// Returns `order` with its last dimension, the group, before dimension
/// `inner`.
static SmallVector<int64_t> withGroup(ArrayRef<int64_t> order, int64_t inner) {
  SmallVector<int64_t> all(order.drop_back());
  all.insert(all.begin() + inner, order.back());
  return all;
}

/// Returns `order` after the group, its last dimension, is merged with
/// dimension `inner`. None if `inner` is not directly behind the group in the
/// tensor.
static std::optional<SmallVector<int64_t>> mergeGroup(ArrayRef<int64_t> order,
                                                      int64_t inner) {
  int64_t group = order.back();
  if (order[inner] != group + 1)
    return std::nullopt;
  SmallVector<int64_t> merged(order.drop_back());
  for (int64_t &dim : merged)
    dim -= dim > group;
  return merged;
}

Value Conv2dBuilder::transpose(const OrderedTensor &ordered, int64_t inner) {
  if (ordered.order.size() == 4)
    return transpose(ordered.tensor, ordered.order);
  // If the tensor was only expanded into groups, this collapses it again.
  if (auto merged = mergeGroup(ordered.order, inner))
    return transpose(
        builder.createOrFold<tensor::CollapseShapeOp>(
            loc, ordered.tensor, pairDims(5, ordered.order.back())),
        *merged);
  return tensor::CollapseShapeOp::create(
      builder, loc, transpose(ordered.tensor, withGroup(ordered.order, inner)),
      pairDims(5, inner));
}

Value Conv2dBuilder::buildPixels(Type element) {
  Value input = transpose(convolution.input, kInner);
  Value filter = transpose(convolution.filter, /*inner=*/0);
  auto result = cast<RankedTensorType>(convolution.result.tensor.getType());
  auto getSize = [&](unsigned dim) {
    return result.getDimSize(convolution.result.order[dim]);
  };
  auto type = RankedTensorType::get(
      {getSize(0) * getSize(1) * getSize(2), convolution.groups * getSize(3)},
      element);
  return tgemm::Conv2dOp::create(
      builder, loc, type, input, filter, /*epilogue_inputs=*/ValueRange(),
      convolution.strides, convolution.dilations, convolution.padding,
      convolution.groups, /*feature_block=*/IntegerAttr(),
      builder.getArrayAttr({}),
      convolution.op->getAttrOfType<tgemm::TilingAttr>(
          tgemm::TGemmDialect::kTilingAttrName));
}

/// Adds the initial value of the sums to `images`, which are f32. Returns the
/// sum in the op's type.
Value Conv2dBuilder::addInit(Value images) {
  auto type = cast<RankedTensorType>(convolution.result.tensor.getType());
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  // Read a bias before it is broadcast.
  IndexedInput init = {convolution.init, identity};
  if (std::optional<IndexedInput> source = skipMove(init))
    init = *source;
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  SmallVector<utils::IteratorType> parallel(type.getRank(),
                                            utils::IteratorType::parallel);
  auto sum = linalg::GenericOp::create(
      builder, loc, type, ValueRange{images, init.value}, empty,
      ArrayRef<AffineMap>{identity, init.map, identity}, parallel,
      [](OpBuilder &b, Location loc, ValueRange args) {
        Value start = args[1];
        if (!start.getType().isF32())
          start = arith::ExtFOp::create(b, loc, b.getF32Type(), start);
        Value sum = arith::AddFOp::create(b, loc, args[0], start);
        if (!args[2].getType().isF32())
          sum = arith::TruncFOp::create(b, loc, args[2].getType(), sum);
        linalg::YieldOp::create(b, loc, sum);
      });
  return sum->getResult(0);
}

/// Returns `pixels` by features as images of `shape`, which may have groups of
/// features.
static Value expandPixels(OpBuilder &builder, Location loc, Value pixels,
                          ArrayRef<int64_t> shape) {
  SmallVector<ReassociationIndices> dims = {{0, 1, 2}, {3}};
  if (shape.size() == 5)
    dims.back().push_back(4);
  auto type = cast<RankedTensorType>(pixels.getType()).clone(shape);
  return tensor::ExpandShapeOp::create(builder, loc, type, pixels, dims);
}

Value Conv2dBuilder::buildImages(Value pixels) {
  const OrderedTensor &result = convolution.result;
  auto type = cast<RankedTensorType>(result.tensor.getType());
  auto order = llvm::to_vector<4>(result.order);
  SmallVector<int64_t> shape;
  bool hasGroups = order.size() == 5;
  if (hasGroups)
    order = withGroup(order, kInner);
  for (int64_t dim : order)
    shape.push_back(type.getDimSize(dim));
  std::optional<SmallVector<int64_t>> merged =
      hasGroups ? mergeGroup(result.order, kInner) : std::nullopt;
  if (!merged)
    return transpose(expandPixels(builder, loc, pixels, shape),
                     invertPermutationVector(order));
  // Split the groups last, so that an op that merges them can cancel the split.
  shape[kInner] *= shape.pop_back_val();
  Value images = transpose(expandPixels(builder, loc, pixels, shape),
                           invertPermutationVector(*merged));
  Type element = cast<RankedTensorType>(pixels.getType()).getElementType();
  return tensor::ExpandShapeOp::create(builder, loc, type.clone(element),
                                       images,
                                       pairDims(5, result.order.back()));
}

Value Conv2dBuilder::build() {
  auto type = cast<RankedTensorType>(convolution.result.tensor.getType());
  Type element =
      convolution.init ? builder.getF32Type() : type.getElementType();
  Value images = buildImages(buildPixels(element));
  return convolution.init ? addInit(images) : images;
}

namespace {

struct ConvertLinalgToConv2d
    : grout::impl::ConvertLinalgToConv2dBase<ConvertLinalgToConv2d> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    const Target *target = findTarget(function);
    if (target && !target->getInterface<tgemm::ProductModel>())
      return;
    function.walk(dropUnreadOutputs);
    eraseDeadOps(function);
    for (linalg::LinalgOp op :
         llvm::to_vector(function.getOps<linalg::LinalgOp>())) {
      if (!linalg::isaConvolutionOpInterface(op))
        continue;
      Refusal refusal;
      FailureOr<Convolution> convolution = matchConvolution(op, refusal);
      if (failed(convolution)) {
        LDBG() << op->getName() << " at " << op.getLoc()
               << " stays: " << refusal.reason;
        continue;
      }
      Value result = Conv2dBuilder(*convolution).build();
      op->getResult(0).replaceAllUsesWith(result);
      op->erase();
      ++numConvolutions;
    }
    eraseDeadOps(function);
  }
};

} // namespace
