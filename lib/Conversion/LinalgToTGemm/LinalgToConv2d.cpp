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

namespace {

/// Makes what replaces one convolution.
class Conv2dBuilder {
public:
  explicit Conv2dBuilder(const Convolution &convolution)
      : convolution(convolution), builder(convolution.op),
        loc(convolution.op->getLoc()) {}
  /// The images, in the order of dimensions of the op's result.
  Value build();

private:
  Value transpose(Value tensor, ArrayRef<int64_t> order);
  Value transpose(const OrderedTensor &ordered) {
    return transpose(ordered.tensor, ordered.order);
  }
  /// Pixels by features.
  Value buildPixels(Type element);
  Value addInit(Value images);

  const Convolution &convolution;
  OpBuilder builder;
  Location loc;
};

} // namespace

/// `tensor` with dimension i of the result from dimension order[i].
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

Value Conv2dBuilder::buildPixels(Type element) {
  Value input = transpose(convolution.input);
  Value filter = transpose(convolution.filter);
  auto result = cast<RankedTensorType>(convolution.result.tensor.getType());
  auto getSize = [&](unsigned dim) {
    return result.getDimSize(convolution.result.order[dim]);
  };
  auto type = RankedTensorType::get(
      {getSize(0) * getSize(1) * getSize(2), getSize(3)}, element);
  return tgemm::Conv2dOp::create(
      builder, loc, type, input, filter, /*epilogue_inputs=*/ValueRange(),
      convolution.strides, convolution.dilations, convolution.padding,
      builder.getArrayAttr({}),
      convolution.op->getAttrOfType<tgemm::TilingAttr>(
          tgemm::TGemmDialect::kTilingAttrName));
}

/// `images` of f32 plus what the sums start from, in the op's type.
Value Conv2dBuilder::addInit(Value images) {
  auto type = cast<RankedTensorType>(convolution.result.tensor.getType());
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  // A bias is read where it is broadcast from.
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

Value Conv2dBuilder::build() {
  auto type = cast<RankedTensorType>(convolution.result.tensor.getType());
  Type element =
      convolution.init ? builder.getF32Type() : type.getElementType();
  Value pixels = buildPixels(element);
  SmallVector<int64_t> shape;
  for (int64_t dim : convolution.result.order)
    shape.push_back(type.getDimSize(dim));
  Value images = tensor::ExpandShapeOp::create(
      builder, loc, RankedTensorType::get(shape, element), pixels,
      ArrayRef<ReassociationIndices>{{0, 1, 2}, {3}});
  images = transpose(images, invertPermutationVector(convolution.result.order));
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
