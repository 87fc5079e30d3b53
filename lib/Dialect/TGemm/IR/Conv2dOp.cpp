//===- Conv2dOp.cpp - Convolutions as tile kernels ------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "EpilogueCanonicalization.h"
#include "Product.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

static int64_t getDim(Value tensor, unsigned dim) {
  return cast<RankedTensorType>(tensor.getType()).getDimSize(dim);
}

int64_t Conv2dOp::getImages() { return getDim(getInput(), 0); }

int64_t Conv2dOp::getChannels() { return getDim(getInput(), 3); }

int64_t Conv2dOp::getImageSize(size_t axis) {
  return getDim(getInput(), 1 + axis);
}

int64_t Conv2dOp::getFilterSize(size_t axis) {
  return getDim(getFilter(), 1 + axis);
}

int64_t Conv2dOp::getFilterChannels() { return getDim(getFilter(), 3); }

int64_t Conv2dOp::getPixels(size_t axis) {
  int64_t padded =
      getImageSize(axis) + getPadding()[2 * axis] + getPadding()[2 * axis + 1];
  int64_t reach = (getFilterSize(axis) - 1) * getDilations()[axis] + 1;
  return (padded - reach) / getStrides()[axis] + 1;
}

bool Conv2dOp::isPointwise() {
  return getGroups() == 1 && getFilterSize(0) == 1 && getFilterSize(1) == 1 &&
         llvm::all_of(getStrides(),
                      [](int64_t stride) { return stride == 1; }) &&
         llvm::all_of(getPadding(), [](int64_t size) { return size == 0; });
}

int64_t Conv2dOp::getChannelBlocks() {
  return llvm::divideCeil(getFilterChannels(), kChannelBlock);
}

int64_t Conv2dOp::getReductionBlocks() {
  return getChannelBlocks() * getFilterSize(0) * getFilterSize(1);
}

int64_t Conv2dOp::getM() { return getDim(getResult(), 0); }

int64_t Conv2dOp::getN() { return getDim(getResult(), 1); }

std::optional<int64_t> Conv2dOp::getColumnBlock() {
  if (getGroups() == 1)
    return std::nullopt;
  return getBlockFeatures();
}

FloatType Conv2dOp::getInputElementType() {
  return cast<FloatType>(getElementTypeOrSelf(getInput().getType()));
}

FloatType Conv2dOp::getResultElementType() {
  return cast<FloatType>(getElementTypeOrSelf(getResult().getType()));
}

std::string Conv2dOp::getOperandKey() {
  std::string key = "conv2d=";
  llvm::raw_string_ostream os(key);
  llvm::interleave(getInput().getType().getShape(), os, "x");
  os << "*" << getFilterSize(0) << "x" << getFilterSize(1);
  for (auto [name, values] : {std::pair(" strides=", getStrides()),
                              std::pair(" dilations=", getDilations()),
                              std::pair(" padding=", getPadding())}) {
    os << name;
    llvm::interleave(values, os, ",");
  }
  if (getGroups() != 1)
    os << " groups=" << getGroups() << "," << getBlockFeatures();
  return key;
}

AffineMap Conv2dOp::getEpilogueMap(unsigned index) {
  return cast<AffineMapAttr>(getEpilogueMaps()[index]).getValue();
}

//===----------------------------------------------------------------------===//
// Epilogue
//===----------------------------------------------------------------------===//

/// Collapses `images` to a matrix whose rows are all but the innermost
/// dimension. With `rank` 1, the rows are the outermost dimension alone.
static Value createMatrix(OpBuilder &builder, Location loc, Value images,
                          int64_t rank) {
  auto dims = llvm::seq<int64_t>(0, 4);
  ReassociationIndices groups[] = {
      llvm::to_vector<2>(llvm::make_range(dims.begin(), dims.begin() + rank)),
      llvm::to_vector<2>(llvm::make_range(dims.begin() + rank, dims.end()))};
  return tensor::CollapseShapeOp::create(builder, loc, images, groups);
}

ProductOpInterface Conv2dOp::buildWithEpilogue(OpBuilder &builder, Type type,
                                               ValueRange /*rhs*/,
                                               ValueRange inputs,
                                               ArrayAttr maps) {
  if (isPointwise())
    return MatmulOp::create(
        builder, getLoc(), type, createMatrix(builder, getLoc(), getInput(), 3),
        createMatrix(builder, getLoc(), getFilter(), 1), inputs,
        /*partial_sums=*/Value(), maps,
        /*transpose_lhs=*/false, /*transpose_rhs=*/true,
        /*sum_depth=*/IntegerAttr(), getTilingAttr(), getLaunchedWithNext(),
        /*sum_ranks=*/IntegerAttr(), /*sum_channel=*/IntegerAttr());
  return Conv2dOp::create(builder, getLoc(), type, getInput(), getFilter(),
                          inputs, getStrides(), getDilations(), getPadding(),
                          getGroups(), getFeatureBlockAttr(), maps,
                          getTilingAttr(), getLaunchedWithNext());
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

/// Checks that there are `count` values, from `least` to the largest number of
/// 32 bits.
static LogicalResult verifyNumbers(Conv2dOp op, StringRef name,
                                   ArrayRef<int64_t> values, size_t count,
                                   int64_t least) {
  if (values.size() != count)
    return op.emitOpError()
           << "needs " << count << " " << name << ", but has " << values.size();
  for (int64_t value : values)
    if (value < least || !llvm::isInt<32>(value))
      return op.emitOpError() << "needs " << name << " of " << least
                              << " up to 2^31 - 1, got " << value;
  return success();
}

/// Checks that the filter fits into the padded image.
static LogicalResult verifyReach(Conv2dOp op, size_t axis) {
  StringRef name = axis == 0 ? "rows" : "columns";
  int64_t reach;
  if (llvm::MulOverflow(op.getFilterSize(axis) - 1, op.getDilations()[axis],
                        reach) ||
      reach >= op.getImageSize(axis) + op.getPadding()[2 * axis] +
                   op.getPadding()[2 * axis + 1])
    return op.emitOpError()
           << "has a filter of " << op.getFilterSize(axis) << " " << name
           << " with dilation " << op.getDilations()[axis]
           << ", which is larger than the padded image, of "
           << op.getImageSize(axis) << " + " << op.getPadding()[2 * axis]
           << " + " << op.getPadding()[2 * axis + 1] << " " << name;
  return success();
}

/// Checks that the number of groups divides channels and features, and that the
/// filter has the channels of one group.
static LogicalResult verifyGroups(Conv2dOp op) {
  int64_t groups = op.getGroups(), filter = op.getFilterChannels();
  if (groups < 1)
    return op.emitOpError() << "needs at least 1 group, got " << groups;
  if (op.getChannels() % groups != 0)
    return op.emitOpError()
           << "its input has " << op.getChannels() << " channels, which "
           << groups << " groups do not divide";
  if (op.getN() % groups != 0)
    return op.emitOpError() << "has " << op.getN() << " features, which "
                            << groups << " groups do not divide";
  if (!op.getFeatureBlock()) {
    if (filter != op.getGroupChannels())
      return op.emitOpError()
             << "its filter has " << filter << " channels, but its input "
             << op.getGroupChannels() << (groups == 1 ? "" : " in each group");
    return success();
  }
  int64_t block = *op.getFeatureBlock();
  if (groups == 1)
    return op.emitOpError("needs several groups for blocks of features");
  if (block < 1 || !llvm::isInt<32>(block))
    return op.emitOpError()
           << "needs blocks of 1 up to 2^31 - 1 features, got " << block;
  return success();
}

LogicalResult Conv2dOp::verify() {
  for (Type type : {getInput().getType(), getFilter().getType()})
    for (int64_t extent : cast<RankedTensorType>(type).getShape())
      if (extent == 0)
        return emitOpError("needs extents of at least 1");
  if (failed(verifySizes(*this)) ||
      failed(verifyNumbers(*this, "strides", getStrides(), 2, 1)) ||
      failed(verifyNumbers(*this, "dilations", getDilations(), 2, 1)) ||
      failed(verifyNumbers(*this, "paddings", getPadding(), 4, 0)))
    return failure();
  if (getElementTypeOrSelf(getFilter().getType()) != getInputElementType())
    return emitOpError() << "its filter has elements of "
                         << getElementTypeOrSelf(getFilter().getType())
                         << ", but its input of " << getInputElementType();
  if (failed(verifyGroups(*this)))
    return failure();
  if (failed(verifyReach(*this, 0)) || failed(verifyReach(*this, 1)))
    return failure();
  int64_t pixels;
  if (llvm::MulOverflow(getPixels(0), getPixels(1), pixels) ||
      llvm::MulOverflow(pixels, getImages(), pixels) || getM() != pixels)
    return emitOpError() << "has " << getImages() << " x " << getPixels(0)
                         << " x " << getPixels(1)
                         << " pixels, but its result has " << getM() << " rows";
  if (getN() != getDim(getFilter(), 0))
    return emitOpError() << "its filter has " << getDim(getFilter(), 0)
                         << " features, but its result " << getN()
                         << " columns";
  if (std::optional<TilingAttr> tiling = getTiling()) {
    if (tiling->getK() % kChannelBlock != 0)
      return emitOpError() << "needs tiles with k a multiple of "
                           << kChannelBlock << " channels, got "
                           << tiling->getK();
    if (tiling->hasParts())
      return emitOpError("cannot use stream-K");
    if (std::string problem = findColumnBlockProblem(*this, *tiling);
        !problem.empty())
      return emitOpError(problem);
  }
  return verifyEpilogue(*this, getEpilogueMaps());
}

LogicalResult Conv2dOp::verifyRegions() { return verifyEpilogueBody(*this); }

void Conv2dOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns
      .add<DropUnusedEpilogueInputs<Conv2dOp>, MergeEpilogueInputs<Conv2dOp>>(
          context);
}

//===----------------------------------------------------------------------===//
// TileKernelOpInterface
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<int64_t>> Conv2dOp::getTileGrid() {
  return tgemm::getTileGrid(*this);
}

int64_t Conv2dOp::getStepCount() { return tgemm::getStepCount(*this); }

std::optional<int64_t> Conv2dOp::getStepsInOrder() {
  return tgemm::getStepsInOrder(*this);
}

namespace {

/// Expressions for the elements that a step reads. Dimensions are those of the
/// tile (i, j, step), and then local ones: a row or column of the tile, a block
/// of the step's reduction, and a channel of that block.
struct ReductionExprs {
  explicit ReductionExprs(Conv2dOp op) : op(op) {}

  AffineExpr dim(unsigned number) const {
    return getAffineDimExpr(number, op.getContext());
  }
  /// Row (axis 0) or column (axis 1) of the result. `size` is the size of the
  /// tile in that direction.
  AffineExpr getElement(unsigned axis, int64_t size) const {
    return dim(axis) * size + dim(3);
  }
  AffineExpr getBlock() const {
    return dim(2) * (op.getTiling()->getK() / Conv2dOp::kChannelBlock) + dim(4);
  }
  /// The position in the filter window. It varies faster than the channel.
  AffineExpr getTap() const {
    return getBlock() % (op.getFilterSize(0) * op.getFilterSize(1));
  }
  AffineExpr getFilterRow() const {
    return getTap().floorDiv(op.getFilterSize(1));
  }
  AffineExpr getFilterColumn() const { return getTap() % op.getFilterSize(1); }
  /// The channel of the filter.
  AffineExpr getChannel() const {
    return getBlock().floorDiv(op.getFilterSize(0) * op.getFilterSize(1)) *
               Conv2dOp::kChannelBlock +
           dim(5);
  }
  /// The first input channel that the tile's features read.
  AffineExpr getFirstChannel() const {
    if (op.getGroups() == 1)
      return getAffineConstantExpr(0, op.getContext());
    int64_t features = op.getBlockFeatures();
    AffineExpr feature =
        dim(1).floorDiv(features / op.getTiling()->getN()) * features;
    return feature.floorDiv(op.getGroupFeatures()) * op.getGroupChannels();
  }
  TileAccess getAccess(ArrayRef<AffineExpr> exprs, int64_t elements) const {
    return {AffineMap::get(6, 0, exprs, op.getContext()),
            {elements, op.getTiling()->getK() / Conv2dOp::kChannelBlock,
             Conv2dOp::kChannelBlock}};
  }

  // Interfaces of ops are cheap to copy, and their methods are not const.
  mutable Conv2dOp op;
};

} // namespace

/// Returns the row or column of the image that output pixel `pixel` reads with
/// `tap`, a row or column of the filter.
static AffineExpr getImageElement(Conv2dOp op, size_t axis, AffineExpr pixel,
                                  AffineExpr tap) {
  return pixel * op.getStrides()[axis] + tap * op.getDilations()[axis] -
         op.getLowPadding(axis);
}

/// Whether strides are 1, and the result has as many pixels as the image. Then
/// each output pixel reads image pixels at fixed distances from its own place,
/// so the pixels of a tile are as far from one another as the image pixels that
/// they read.
static bool keepsPlaces(Conv2dOp op) {
  return op.getStrides()[0] == 1 && op.getStrides()[1] == 1 &&
         op.getPixels(0) == op.getImageSize(0) &&
         op.getPixels(1) == op.getImageSize(1);
}

/// Returns the rows of images that a tile reads with any row of the filter. In
/// each step, it covers whole rows: the exact access is too complex for isl
/// where output and image pixels are numbered differently.
static TileAccess getLines(Conv2dOp op) {
  ReductionExprs exprs(op);
  int64_t m = op.getTiling()->getM(), columns = op.getPixels(1);
  // Output rows of all images, numbered one after another.
  AffineExpr first = (exprs.dim(0) * m).floorDiv(columns);
  AffineExpr last = (exprs.dim(0) * m + m - 1).floorDiv(columns);
  AffineExpr line = first + exprs.dim(3);
  int64_t rows = op.getPixels(0), imageRows = op.getImageSize(0);
  AffineExpr image = line.floorDiv(rows);
  AffineExpr row = getImageElement(op, 0, line % rows, exprs.dim(6));
  // If an image has `stride` rows for each of its output rows, number the image
  // rows of all images one after another, too. A tile may then seem to read
  // rows of neighbouring images, but its first row is an affine function of its
  // place.
  if (imageRows == rows * op.getStrides()[0]) {
    AffineExpr ofAll = getImageElement(op, 0, line, exprs.dim(6));
    image = ofAll.floorDiv(imageRows);
    row = ofAll % imageRows;
  }
  TileAccess access = {
      AffineMap::get(8, 0,
                     {image, row, exprs.dim(7),
                      exprs.getFirstChannel() + exprs.getChannel()},
                     op.getContext()),
      {(m + columns - 2) / columns + 1,
       op.getTiling()->getK() / Conv2dOp::kChannelBlock,
       Conv2dOp::kChannelBlock, op.getFilterSize(0), op.getImageSize(1)}};
  access.guards.push_back(last - line);
  access.hasPadding = true;
  return access;
}

TileAccess Conv2dOp::getOperandAccess(OpOperand &operand) {
  unsigned number = operand.getOperandNumber();
  if (number >= 2)
    return getEpilogueAccess(*this, number - 2);
  ReductionExprs exprs(*this);
  TilingAttr tiling = *getTiling();
  if (number == 1)
    return exprs.getAccess({exprs.getElement(1, tiling.getN()),
                            exprs.getFilterRow(), exprs.getFilterColumn(),
                            exprs.getChannel()},
                           tiling.getN());
  if (!keepsPlaces(*this))
    return getLines(*this);
  AffineExpr row = exprs.getElement(0, tiling.getM());
  int64_t columns = getPixels(1), pixels = getPixels(0) * columns;
  AffineExpr pixel = row % pixels;
  TileAccess access = exprs.getAccess(
      {row.floorDiv(pixels),
       getImageElement(*this, 0, pixel.floorDiv(columns), exprs.getFilterRow()),
       getImageElement(*this, 1, pixel % columns, exprs.getFilterColumn()),
       exprs.getFirstChannel() + exprs.getChannel()},
      tiling.getM());
  access.hasPadding = true;
  return access;
}

TileAccess Conv2dOp::getResultAccess(OpResult) {
  return tgemm::getResultAccess(*this);
}

bool Conv2dOp::isReadAfterSteps(OpOperand &operand) {
  return operand.getOperandNumber() >= 2;
}

bool Conv2dOp::isLaunchedWithNext() { return getLaunchedWithNext(); }

TileWork Conv2dOp::getTileWork() {
  TilingAttr tiling = *getTiling();
  int64_t depth = getFilterSize(0) * getFilterSize(1) * getFilterChannels();
  int64_t rows =
      std::min(tiling.getM(), getM()) + std::min(tiling.getN(), getN());
  int64_t elementBytes = getInputElementType().getWidth() / 8;
  return getProductWork(*this, depth, rows * depth * elementBytes);
}
