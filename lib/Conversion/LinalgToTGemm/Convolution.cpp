//===- Convolution.cpp - linalg ops that are 2-D convolutions -------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Convolution.h"

#include "grout/Interfaces/LinalgTileKernel.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;

/// The number of axes: rows and columns.
static constexpr size_t kAxes = 2;

namespace {

/// The loops of a convolution.
struct ConvolutionLoops {
  std::optional<unsigned> image, feature, channel, group;
  /// For each axis, the loop over pixels of the result, and the loop over
  /// elements of the filter.
  unsigned pixels[kAxes], taps[kAxes];
};

/// The access to one dimension of the input: element pixel * stride + tap *
/// dilation.
struct Window {
  unsigned pixel, tap;
  int64_t stride, dilation;
};

} // namespace

/// Returns a loop, and the number by which it is multiplied, if `e` is such a
/// product.
static std::optional<std::pair<unsigned, int64_t>> getScaledLoop(AffineExpr e) {
  int64_t factor = 1;
  if (auto product = dyn_cast<AffineBinaryOpExpr>(e);
      product && product.getKind() == AffineExprKind::Mul) {
    auto constant = dyn_cast<AffineConstantExpr>(product.getRHS());
    if (!constant)
      return std::nullopt;
    factor = constant.getValue();
    e = product.getLHS();
  }
  auto dim = dyn_cast<AffineDimExpr>(e);
  if (!dim || factor < 1 || !llvm::isInt<32>(factor))
    return std::nullopt;
  return std::pair(dim.getPosition(), factor);
}

static std::optional<Window>
getWindow(AffineExpr expr, ArrayRef<utils::IteratorType> iterators) {
  auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!sum || sum.getKind() != AffineExprKind::Add)
    return std::nullopt;
  auto pixel = getScaledLoop(sum.getLHS()), tap = getScaledLoop(sum.getRHS());
  if (!pixel || !tap)
    return std::nullopt;
  if (iterators[pixel->first] != utils::IteratorType::parallel)
    std::swap(pixel, tap);
  if (iterators[pixel->first] != utils::IteratorType::parallel ||
      iterators[tap->first] != utils::IteratorType::reduction)
    return std::nullopt;
  return Window{pixel->first, tap->first, pixel->second, tap->second};
}

/// Returns the dimensions at which `map` has `loops`. None if it has other
/// results.
static std::optional<SmallVector<int64_t, 5>>
getOrder(AffineMap map, ArrayRef<unsigned> loops) {
  if (map.getNumResults() != loops.size())
    return std::nullopt;
  SmallVector<int64_t, 5> order;
  for (unsigned loop : loops) {
    std::optional<unsigned> position =
        map.getResultPosition(getAffineDimExpr(loop, map.getContext()));
    if (!position)
      return std::nullopt;
    order.push_back(*position);
  }
  return order;
}

/// Finds the loops, strides, dilations and orders in the maps of `op`.
static LogicalResult matchMaps(Convolution &convolution, Refusal &refusal) {
  linalg::LinalgOp op = convolution.op;
  constexpr StringLiteral kForm =
      "it is no convolution of images by rows and columns";
  auto fail = [&] {
    refusal.reason = kForm.str();
    return failure();
  };
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  AffineMap input = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  AffineMap filter = op.getMatchingIndexingMap(op.getDpsInputOperand(1));
  AffineMap result = op.getIndexingMapMatchingResult(op->getResult(0));
  // Groups need one loop more.
  size_t rank = input.getNumResults();
  if ((rank != 4 && rank != 5) || op.getNumLoops() != rank - 1 + 2 * kAxes)
    return fail();

  ConvolutionLoops loops;
  convolution.input.order.assign(rank, 0);
  SmallVector<int64_t, kAxes> windows;
  for (auto [position, expr] : llvm::enumerate(input.getResults())) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      unsigned loop = dim.getPosition();
      bool isParallel = iterators[loop] == utils::IteratorType::parallel;
      bool isGroup = isParallel && filter.isFunctionOfDim(loop);
      if (isGroup && rank != 5)
        return fail();
      (isGroup ? loops.group : isParallel ? loops.image : loops.channel) = loop;
      convolution.input.order[isGroup ? 4 : isParallel ? 0 : 3] = position;
      continue;
    }
    std::optional<Window> window = getWindow(expr, iterators);
    size_t axis = windows.size();
    if (!window || axis == kAxes)
      return fail();
    loops.pixels[axis] = window->pixel;
    loops.taps[axis] = window->tap;
    convolution.strides.push_back(window->stride);
    convolution.dilations.push_back(window->dilation);
    convolution.input.order[1 + axis] = position;
    windows.push_back(position);
  }
  if (windows.size() != kAxes || !loops.image || !loops.channel ||
      loops.group.has_value() != (rank == 5))
    return fail();
  for (auto [loop, iterator] : llvm::enumerate(iterators))
    if (iterator == utils::IteratorType::parallel && loop != loops.image &&
        loop != loops.group && !llvm::is_contained(loops.pixels, loop))
      loops.feature = loop;
  if (!loops.feature)
    return fail();
  SmallVector<unsigned> ofFilter = {*loops.feature, loops.taps[0],
                                    loops.taps[1], *loops.channel};
  SmallVector<unsigned> ofResult = {*loops.image, loops.pixels[0],
                                    loops.pixels[1], *loops.feature};
  if (loops.group) {
    ofFilter.push_back(*loops.group);
    ofResult.push_back(*loops.group);
    convolution.groups = op.getStaticLoopRanges()[*loops.group];
  }
  auto filterOrder = getOrder(filter, ofFilter);
  auto resultOrder = getOrder(result, ofResult);
  if (!filterOrder || !resultOrder)
    return fail();
  convolution.filter.order = *filterOrder;
  convolution.result.order = *resultOrder;
  return success();
}

/// If an expansion of the input only splits its channels into groups, takes the
/// input before it: the convolution splits it.
static void skipGroups(OrderedTensor &input) {
  auto expand = input.tensor.getDefiningOp<tensor::ExpandShapeOp>();
  if (input.order.size() != 5 || !expand)
    return;
  int64_t group = input.order.back(), channel = input.order[3];
  SmallVector<ReassociationIndices> dims = expand.getReassociationIndices();
  if (channel != group + 1 || dims.size() != 4 || dims[group].size() != 2)
    return;
  input.tensor = expand.getSrc();
  input.order.pop_back();
  for (int64_t &dim : input.order)
    dim -= dim > group;
}

/// If the input is padded with zeros at rows and columns, takes the input
/// before it: the convolution pads it.
static void skipPadding(Convolution &convolution) {
  auto pad = convolution.input.tensor.getDefiningOp<tensor::PadOp>();
  if (!pad || !pad.getSourceType().hasStaticShape())
    return;
  Value value = pad.getConstantPaddingValue();
  if (!value || !matchPattern(value, m_AnyZeroFloat()))
    return;
  for (auto [dim, low, high] :
       llvm::enumerate(pad.getStaticLow(), pad.getStaticHigh())) {
    bool isAxis = llvm::is_contained(
        ArrayRef(convolution.input.order).slice(1, kAxes), int64_t(dim));
    if (ShapedType::isDynamic(low) || ShapedType::isDynamic(high) || low < 0 ||
        high < 0 || !llvm::isInt<32>(low) || !llvm::isInt<32>(high) ||
        (!isAxis && (low != 0 || high != 0)))
      return;
  }
  convolution.input.tensor = pad.getSource();
  for (size_t axis = 0; axis != kAxes; ++axis)
    convolution.padding[2 * axis] =
        pad.getStaticLow()[convolution.input.order[1 + axis]];
}

/// Sets the padding at the end to the size that the last pixel needs.
static LogicalResult setHighPadding(Convolution &convolution,
                                    Refusal &refusal) {
  auto getSize = [](const OrderedTensor &tensor, unsigned dim) {
    return cast<RankedTensorType>(tensor.tensor.getType())
        .getDimSize(tensor.order[dim]);
  };
  for (size_t axis = 0; axis != kAxes; ++axis) {
    int64_t pixels = getSize(convolution.result, 1 + axis);
    int64_t stride = convolution.strides[axis];
    int64_t low = convolution.padding[2 * axis];
    int64_t reach = (getSize(convolution.filter, 1 + axis) - 1) *
                        convolution.dilations[axis] +
                    1;
    int64_t size = getSize(convolution.input, 1 + axis);
    int64_t last;
    if (llvm::MulOverflow(pixels - 1, stride, last)) {
      refusal.reason = "its strides are too large";
      return failure();
    }
    int64_t high = std::max<int64_t>(last + reach - low - size, 0);
    convolution.padding[2 * axis + 1] = high;
    if (!llvm::isInt<32>(high) ||
        (size + low + high - reach) / stride + 1 != pixels) {
      refusal.reason = "it leaves out pixels at the end of its input, which is "
                       "to be sliced before";
      return failure();
    }
  }
  return success();
}

FailureOr<Convolution> grout::matchConvolution(linalg::LinalgOp op,
                                               Refusal &refusal) {
  if (!linalg::isaConvolutionOpInterface(op) || op.getNumDpsInputs() != 2 ||
      op->getNumResults() != 1) {
    refusal.reason = "it is no convolution of one input by one filter";
    return failure();
  }
  if (op->hasAttr(kLinalgTileSizesAttrName)) {
    refusal.reason =
        "it is a tile kernel already, by its " + kLinalgTileSizesAttrName.str();
    return failure();
  }
  if (failed(checkProductTypes(op, refusal)) ||
      failed(checkProductBody(op, refusal)))
    return failure();
  Convolution convolution;
  convolution.op = op;
  convolution.input.tensor = op.getDpsInputs()[0];
  convolution.filter.tensor = op.getDpsInputs()[1];
  convolution.result.tensor = op->getResult(0);
  convolution.padding.assign(2 * kAxes, 0);
  if (failed(matchMaps(convolution, refusal)))
    return failure();
  skipGroups(convolution.input);
  skipPadding(convolution);
  if (failed(setHighPadding(convolution, refusal)))
    return failure();
  FailureOr<Value> init = getProductInit(op, refusal);
  if (failed(init))
    return failure();
  convolution.init = *init;
  return convolution;
}
