//===- TensorMaps.cpp - Tensor maps of a kernel's operands ----------------===//
//
// Part of Grout. The limits of TMA, and how Grout's operands become tensor
// maps. Limits are those of cuTensorMapEncodeTiled.
//
//===----------------------------------------------------------------------===//

#include "TensorMaps.h"

#include "grout/Hopper/Gemm/OperandLoader.h"
#include "grout/Target/IR/Grout.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

/// Alignment of addresses and strides, in bytes.
static constexpr int64_t kMapAlignment = kernelabi::kTensorMapGranule;
/// Rows and MMA columns that are stored at a time come in groups of so many.
static constexpr int64_t kGroupRows = 8;
/// Coordinates are signed 32-bit numbers.
static constexpr int64_t kMaxExtent = int64_t(1) << 31;

//===----------------------------------------------------------------------===//
// Views as tensor maps
//===----------------------------------------------------------------------===//

namespace {

/// The last two dimensions of a view and its batch, in the order and units of a
/// tensor map.
struct MapGeometry {
  SmallVector<int64_t> sizes;   // innermost first
  SmallVector<int64_t> strides; // bytes, of dimensions 1 and up
  int64_t offset;               // bytes
};

} // namespace

static int64_t getElementBytes(const BufferView &view) {
  return view.elementType.getIntOrFloatBitWidth() / 8;
}

/// Returns the bytes between neighbours in dimension `dim`. If its extent is 1,
/// returns any distance that TMA allows.
static int64_t getByteStride(const BufferView &view, unsigned dim) {
  if (view.shape[dim] == 1)
    return kMapAlignment;
  return view.strides[dim] * getElementBytes(view);
}

/// Returns the geometry of `view` with dimension `inner` innermost; nothing if
/// TMA cannot address it in this way.
static std::optional<MapGeometry> getGeometry(const BufferView &view,
                                              unsigned inner) {
  unsigned rank = view.shape.size();
  unsigned outer = inner == rank - 1 ? rank - 2 : rank - 1;
  MapGeometry geometry;
  geometry.offset = view.offset * getElementBytes(view);
  if (geometry.offset % kMapAlignment != 0)
    return std::nullopt;
  if (view.shape[inner] != 1 && view.strides[inner] != 1)
    return std::nullopt;
  geometry.sizes = {view.shape[inner], view.shape[outer]};
  geometry.strides = {getByteStride(view, outer)};
  if (rank == 3) {
    geometry.sizes.push_back(view.shape[0]);
    geometry.strides.push_back(getByteStride(view, 0));
  }
  for (int64_t stride : geometry.strides)
    if (stride % kMapAlignment != 0)
      return std::nullopt;
  return geometry;
}

/// Emits an error that says why `name` has no tensor map.
static LogicalResult refuseView(tgemm::ProductOpInterface op, const Twine &name,
                                const BufferView &view) {
  InFlightDiagnostic diag = emitTargetError(op);
  diag << name << " must have rows that start at multiples of " << kMapAlignment
       << " bytes, but its strides are (";
  llvm::interleaveComma(view.strides, diag);
  diag << ") elements of " << view.elementType;
  if (view.offset)
    diag << " from element " << view.offset;
  diag << (view.offset ? "; start the slice at a multiple of "
                       : "; pad the rows to a multiple of ")
       << kMapAlignment / getElementBytes(view) << " elements";
  return diag;
}

static LogicalResult checkExtents(tgemm::ProductOpInterface op,
                                  const Twine &name, const BufferView &view) {
  for (int64_t extent : view.shape)
    if (extent >= kMaxExtent)
      return emitTargetError(op) << name << " has an extent of " << extent
                                 << ", which 32-bit coordinates do not reach";
  return success();
}

FailureOr<OperandPlan> MatrixLoader::plan(KernelParams &params,
                                          LaunchTensors &tensors,
                                          tgemm::ProductOpInterface op,
                                          const OperandRequest &request) const {
  auto [number, extent, sharers, loader, mma] = request;
  bool isLhs = number == 0;
  std::string name = isLhs ? "lhs" : "rhs " + std::to_string(number - 1);
  // The number, among the last two dimensions, of the rows of lhs or the
  // columns of rhs.
  unsigned mnDim =
      isLhs ? (op.getTransposeLhs() ? 1 : 0) : (op.getTransposeRhs() ? 0 : 1);
  FailureOr<BufferView> view =
      tensors.getView(op->getOperand(request.number), op);
  if (failed(view) || failed(checkExtents(op, name, *view)))
    return failure();
  unsigned rank = view->shape.size();
  unsigned mn = rank - 2 + mnDim;

  OperandPlan operand;
  operand.isBatched = rank == 3;
  operand.elementBytes = mma.elementBytes;
  operand.extent = extent;
  operand.sharers = sharers;
  operand.loader = loader;
  // A matrix with one row or column can have either order. The natural order
  // has the tensor's last dimension innermost.
  std::optional<MapGeometry> geometry;
  for (unsigned inner : {rank - 1, rank - 2}) {
    operand.isMNMajor = inner == mn;
    if (operand.isMNMajor && !mma.takesMNMajor)
      continue;
    geometry = getGeometry(*view, inner);
    if (geometry)
      break;
  }
  if (!geometry && mma.takesMNMajor)
    return refuseView(op, name, *view);
  if (!geometry)
    return emitTargetError(op) << name << " must be contiguous along the "
                               << "reduction, as elements of "
                               << view->elementType << " are multiplied";

  SmallVector<int64_t> box;
  operand.rowBytes = kRowBytes;
  if (operand.isMNMajor) {
    int64_t half = kRowBytes / 2;
    if (llvm::alignTo(extent * mma.elementBytes, half) % kRowBytes != 0)
      operand.rowBytes = half;
    box = {operand.getRowElements(), mma.getChunk() / sharers};
    operand.copies = llvm::divideCeil(extent, operand.getRowElements());
    operand.chunkBytes = operand.copies * operand.getBlockBytes();
  } else {
    box = {mma.getChunk(), extent / sharers};
    operand.copies = 1;
    operand.chunkBytes = extent * (kRowBlockBytes / kMmaRows);
  }
  if (operand.isBatched)
    box.push_back(1);
  operand.param = params.addTensorMap(
      view->buffer, geometry->offset, geometry->sizes, geometry->strides, box,
      operand.rowBytes == kRowBytes ? launch::Swizzle::b128
                                    : launch::Swizzle::b64);
  operand.offset = 0;
  return operand;
}

/// Returns how many of `rows` one staging buffer takes: first as few buffers as
/// possible, then as few rows for each.
static int64_t getStagedRows(int64_t rows) {
  int64_t buffers = llvm::divideCeil(rows, kMmaRows);
  return llvm::alignTo(llvm::divideCeil(rows, buffers), kGroupRows);
}

/// Bytes of one row of a matrix, for which one thread gives the address in
/// `stmatrix`.
static constexpr int64_t kPartBytes = 16;

/// Returns the bytes of a row in a staging buffer, if a row of the block has
/// `bytes` bytes, in elements of `elementBytes`. The row is as long as
/// possible, so that there are few copies, and consists of whole MMA column
/// groups.
///
/// The eight rows that are written together must be in different banks. That is
/// so if rows of 32, 64 or 128 bytes are swizzled, or if a row has an odd
/// number of 16-byte parts. Direct stores cannot divide rows of an odd number
/// of parts.
static int64_t getStagedRowBytes(int64_t bytes, int64_t elementBytes,
                                 bool mayBeDirect) {
  int64_t groupBytes = kGroupRows * elementBytes;
  int64_t best = groupBytes;
  for (int64_t row = groupBytes; row <= kRowBytes; row += groupBytes) {
    bool isOdd = row / kPartBytes % 2 == 1;
    if (bytes % row == 0 &&
        (llvm::isPowerOf2_64(row) || (isOdd && !mayBeDirect)))
      best = row;
  }
  return best;
}

static launch::Swizzle getResultSwizzle(const ResultPlan &result) {
  switch (result.rowBytes) {
  case 128:
    return launch::Swizzle::b128;
  case 64:
    return launch::Swizzle::b64;
  case 32:
    return launch::Swizzle::b32;
  default:
    return launch::Swizzle::none;
  }
}

FailureOr<ResultPlan> hopper::planResult(KernelParams &params,
                                         LaunchTensors &tensors,
                                         tgemm::ProductOpInterface op,
                                         tgemm::TilingAttr tiling) {
  FailureOr<BufferView> view = tensors.getView(op.getResult(), op);
  if (failed(view) || failed(checkExtents(op, "its result", *view)))
    return failure();
  unsigned rank = view->shape.size();
  std::optional<MapGeometry> geometry = getGeometry(*view, rank - 1);
  // TMA always writes all of the last 16 bytes of a row.
  if (view->shape[rank - 1] * getElementBytes(*view) % kMapAlignment != 0)
    geometry.reset();

  ResultPlan result;
  if (op.getSumRanks())
    result.way = StoreWay::rankSum;
  else if (!geometry)
    result.way = StoreWay::direct;
  else if (op.getNumGroups())
    result.way = StoreWay::tmaIfWhole;
  if (result.way != StoreWay::tma) {
    if (view->shape[rank - 1] != 1 && view->strides[rank - 1] != 1)
      return refuseView(op, "its result", *view);
    int64_t bytes = getElementBytes(*view);
    result.addressParam = params.addBufferAddress(view->buffer);
    result.offset = view->offset * bytes;
    result.rowStride = view->strides[rank - 2] * bytes;
    result.batchStride = rank == 3 ? view->strides[0] * bytes : 0;
  }
  result.isBatched = op.isBatched();
  result.elementType = op.getResultElementType();
  // A store has as many columns (with `swap_ab`, rows) as the tile allows,
  // because copies must not reach into the next tile.
  int64_t elementBytes = getElementBytes(*view);
  int64_t columns = tiling.getResultMmaN();
  if (tiling.getSwapAb())
    columns = kMmaRows;
  result.rowBytes = getStagedRowBytes(columns * elementBytes, elementBytes,
                                      result.mayBeDirect());
  SmallVector<int64_t> box = {result.rowBytes / elementBytes, kMmaRows};
  result.mmaColumns = box.front();
  if (tiling.getSwapAb())
    box[1] = result.mmaColumns = getStagedRows(tiling.getResultMmaN());
  if (result.isBatched)
    box.push_back(1);
  if (geometry && result.way != StoreWay::rankSum)
    result.mapParam =
        params.addTensorMap(view->buffer, geometry->offset, geometry->sizes,
                            geometry->strides, box, getResultSwizzle(result));
  return result;
}

FailureOr<InputPlan> hopper::planInput(KernelParams &params,
                                       LaunchTensors &tensors,
                                       tgemm::ProductOpInterface op,
                                       tgemm::TilingAttr tiling,
                                       unsigned index) {
  FailureOr<BufferView> view =
      tensors.getView(op.getEpilogueInputs()[index], op);
  if (failed(view))
    return failure();
  InputPlan input;
  input.elementType = cast<FloatType>(view->elementType);
  int64_t elementBytes = getElementBytes(*view);
  input.offset = view->offset * elementBytes;

  AffineMap map = op.getEpilogueMap(index);
  unsigned rank = map.getNumDims();
  for (auto [result, stride] :
       llvm::zip_equal(map.getResults(), view->strides)) {
    auto dim = dyn_cast<AffineDimExpr>(result);
    if (!dim)
      continue;
    int64_t bytes = stride * elementBytes;
    if (dim.getPosition() == rank - 1)
      input.mmaColumnStride = bytes;
    else if (dim.getPosition() == rank - 2)
      input.mmaRowStride = bytes;
    else
      input.batchStride = bytes;
  }
  int64_t mmaColumns = op.getN();
  if (tiling.getSwapAb()) {
    std::swap(input.mmaRowStride, input.mmaColumnStride);
    mmaColumns = op.getM();
  }
  // Pairs start at even columns, but for rows of groups. If the number of
  // columns is even, pairs stay inside.
  int64_t pairBytes = 2 * elementBytes;
  input.readsPairs =
      input.mmaColumnStride == elementBytes && mmaColumns % 2 == 0 &&
      !(tiling.getSwapAb() && op.getNumGroups()) &&
      input.offset % pairBytes == 0 && input.mmaRowStride % pairBytes == 0 &&
      input.batchStride % pairBytes == 0;
  input.param = params.addBufferAddress(view->buffer);
  return input;
}
