//===- Conv2dLoader.cpp - Loads of images and filters ---------------------===//
//
// Part of Grout. Rows of lhs are pixels. A copy takes a block of channels of
// consecutive pixels, at one element of the filter, in TMA's im2col mode (PTX
// ISA, "Tensor im2col mode"). The copy goes on along the rows of an image, and
// from one image to the next. So tiles need not end where rows or images end.
// For all elements outside of the images, TMA delivers zeros.
//
//===----------------------------------------------------------------------===//

#include "grout/Hopper/Gemm/OperandLoader.h"
#include "grout/Target/IR/Grout.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;
using tgemm::Conv2dOp;

static_assert(Conv2dOp::kChannelBlock == kChunk,
              "a chunk is of one element of the filter");

/// The number of axes of an image: rows and columns.
static constexpr unsigned kAxes = 2;

bool Conv2dLoader::handles(Operation *product) const {
  return isa<Conv2dOp>(product);
}

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

/// Returns the strides of `view` in bytes, innermost first, but without the
/// innermost.
static FailureOr<SmallVector<int64_t>>
getByteStrides(Conv2dOp op, StringRef name, const BufferView &view) {
  int64_t elementBytes = view.elementType.getIntOrFloatBitWidth() / 8;
  SmallVector<int64_t> strides;
  bool isAligned =
      view.offset * elementBytes % int64_t(kernelabi::kTensorMapGranule) == 0;
  isAligned &= view.shape.back() == 1 || view.strides.back() == 1;
  for (unsigned dim = view.shape.size() - 1; dim-- != 0;) {
    // If there is only one element, any distance will do.
    strides.push_back(view.shape[dim] == 1
                          ? int64_t(kernelabi::kTensorMapGranule)
                          : view.strides[dim] * elementBytes);
    isAligned &= strides.back() % int64_t(kernelabi::kTensorMapGranule) == 0;
  }
  if (isAligned)
    return strides;
  InFlightDiagnostic diag = emitTargetError(op);
  diag << name << " must have channels that start at multiples of "
       << kernelabi::kTensorMapGranule << " bytes, but its strides are (";
  llvm::interleaveComma(view.strides, diag);
  diag << ") elements of " << view.elementType;
  if (view.offset)
    diag << " from element " << view.offset;
  return diag;
}

/// Returns the box of pixels that the first element of the filter reads. It
/// begins with the padding. It ends before the padded image's end, by as much
/// as the filter reaches beyond its first element.
static FailureOr<launch::Im2colAttr> getPixels(Conv2dOp op) {
  SmallVector<int64_t> lower, upper, steps;
  int64_t limit = kernelabi::getIm2colCornerLimit(kAxes);
  for (size_t axis : {1, 0}) {
    int64_t reach = (op.getFilterSize(axis) - 1) * op.getDilations()[axis];
    int64_t high = op.getPadding()[2 * axis + 1];
    lower.push_back(-op.getLowPadding(axis));
    upper.push_back(high - reach);
    steps.push_back(op.getStrides()[axis]);
    if (reach >= kernelabi::getIm2colOffsetLimit(kAxes))
      return emitTargetError(op)
             << "its filter reaches " << reach << " elements from its first, "
             << "and TMA up to " << kernelabi::getIm2colOffsetLimit(kAxes) - 1;
    if (lower.back() < -limit || upper.back() < -limit || upper.back() >= limit)
      return emitTargetError(op)
             << "its padding of " << op.getLowPadding(axis) << " and " << high
             << " with a filter that reaches " << reach
             << " elements is more than TMA can address";
    if (steps.back() > kernelabi::kMaxIm2colStep)
      return emitTargetError(op)
             << "its stride is " << steps.back() << ", and TMA's up to "
             << kernelabi::kMaxIm2colStep;
  }
  return launch::Im2colAttr::get(op.getContext(), lower, upper, steps);
}

/// Checks that the channels of each block of features start where a copy can
/// start.
static LogicalResult checkFirstChannels(Conv2dOp op) {
  int64_t granule = int64_t(kernelabi::kTensorMapGranule) /
                    (op.getInputElementType().getWidth() / 8);
  int64_t features = op.getBlockFeatures();
  for (int64_t first = 0; first < op.getN(); first += features)
    if (int64_t channel = first / op.getGroupFeatures() * op.getGroupChannels();
        channel % granule != 0)
      return emitTargetError(op) << "its features from " << first
                                 << " on are made of channels from " << channel
                                 << " on, which is no multiple of "
                                 << kernelabi::kTensorMapGranule << " bytes";
  return success();
}

FailureOr<OperandPlan> Conv2dLoader::plan(KernelParams &params,
                                          LaunchTensors &tensors,
                                          tgemm::ProductOpInterface product,
                                          const OperandRequest &request) const {
  auto op = cast<Conv2dOp>(product.getOperation());
  bool isInput = request.number == 0;
  StringRef name = isInput ? "its input" : "its filter";
  FailureOr<BufferView> view =
      tensors.getView(op->getOperand(request.number), op);
  if (failed(view))
    return failure();
  FailureOr<SmallVector<int64_t>> strides = getByteStrides(op, name, *view);
  if (failed(strides))
    return failure();
  SmallVector<int64_t> box = {kChunk, request.extent / request.sharers};
  launch::Im2colAttr im2col;
  if (isInput) {
    FailureOr<launch::Im2colAttr> pixels = getPixels(op);
    if (failed(pixels) || failed(checkFirstChannels(op)))
      return failure();
    im2col = *pixels;
  } else {
    // One element of the filter.
    box.insert(box.begin() + 1, kAxes, 1);
  }

  OperandPlan operand;
  operand.isMNMajor = false;
  operand.isBatched = false;
  operand.elementBytes = request.mma.elementBytes;
  operand.extent = request.extent;
  operand.sharers = request.sharers;
  operand.loader = request.loader;
  operand.rowBytes = kRowBytes;
  operand.copies = 1;
  operand.chunkBytes = request.extent * kRowBytes;
  operand.offset = 0;
  int64_t elementBytes = view->elementType.getIntOrFloatBitWidth() / 8;
  operand.param =
      params.addTensorMap(view->buffer, view->offset * elementBytes,
                          llvm::to_vector(llvm::reverse(view->shape)), *strides,
                          box, launch::Swizzle::b128, im2col);
  return operand;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

static Value div(DeviceBuilder &b, Value value, int64_t divisor) {
  return arith::DivUIOp::create(b, value, b.i32(divisor));
}

static Value rem(DeviceBuilder &b, Value value, int64_t divisor) {
  return arith::RemUIOp::create(b, value, b.i32(divisor));
}

/// Returns the place where the first element of the filter reads for pixel
/// `number` of all images: column, row and image.
static SmallVector<Value> getPixelPlace(DeviceBuilder &b, Conv2dOp op,
                                        Value number) {
  int64_t columns = op.getPixels(1), pixels = op.getPixels(0) * columns;
  Value pixel = rem(b, number, pixels);
  auto getElement = [&](size_t axis, Value index) {
    return b.add(b.mul(index, op.getStrides()[axis]), -op.getLowPadding(axis));
  };
  return {getElement(1, rem(b, pixel, columns)),
          getElement(0, div(b, pixel, columns)), div(b, number, pixels)};
}

/// Returns the first channel of the input that the features of a tile read.
/// `feature` is the tile's first feature.
static Value getFirstChannel(DeviceBuilder &b, Conv2dOp op, Value feature) {
  int64_t features = op.getBlockFeatures(), group = op.getGroupFeatures();
  Value first = b.mul(div(b, feature, features), features);
  return b.mul(div(b, first, group), op.getGroupChannels());
}

SmallVector<OperandCopy>
Conv2dLoader::getCopies(const GemmContext &context, const BodyPlan &body,
                        const OperandPlan &operand,
                        const OperandPart &part) const {
  DeviceBuilder &b = context.b;
  tgemm::ProductOpInterface product = body.op;
  auto op = cast<Conv2dOp>(product.getOperation());
  int64_t taps = op.getFilterSize(0) * op.getFilterSize(1);
  Value first = b.add(part.first, part.firstShared);
  Value firstChannel = b.i32(0);
  if (body.isLhs(operand) && op.getGroups() != 1)
    firstChannel =
        getFirstChannel(b, op, context.getFirstColumn(body, part.task));
  SmallVector<OperandCopy> copies;
  for (int64_t chunk = 0; chunk != body.getChunksPerStep(); ++chunk) {
    Value block = b.add(b.mul(part.step, body.getChunksPerStep()), chunk);
    Value channel = b.mul(div(b, block, taps), kChunk);
    Value tap = rem(b, block, taps);
    Value row = div(b, tap, op.getFilterSize(1));
    Value column = rem(b, tap, op.getFilterSize(1));
    OperandCopy copy;
    copy.offset = operand.offset + chunk * operand.chunkBytes;
    copy.coordinates = {b.add(firstChannel, channel)};
    if (body.isLhs(operand)) {
      copy.coordinates.append(getPixelPlace(b, op, first));
      for (auto [axis, index] : {std::pair(1, column), std::pair(0, row)})
        copy.im2colOffsets.push_back(arith::TruncIOp::create(
            b, b.getI16Type(), b.mul(index, op.getDilations()[axis])));
    } else {
      copy.coordinates.append({column, row, first});
    }
    copies.push_back(copy);
  }
  return copies;
}
