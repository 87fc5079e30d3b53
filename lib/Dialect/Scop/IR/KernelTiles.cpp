//===- KernelTiles.cpp - scop.kernel as a tile kernel ---------------------===//
//
// Part of Grout. The schedule and the index maps determine all tile accesses.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/IR/KernelTiles.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

//===----------------------------------------------------------------------===//
// Outer loops
//===----------------------------------------------------------------------===//

FailureOr<OuterLoops> scop::getOuterLoops(KernelOp kernel) {
  std::optional<ScheduleAttr> schedule = kernel.getSchedule();
  if (!schedule)
    return failure();
  OuterLoops loops;
  for (StmtOp statement : kernel.getStatements())
    loops.iterators[statement].resize(statement.getNumIterators());

  for (auto [dim, attr] : llvm::enumerate(schedule->getDims())) {
    if (attr.getKind() != DimKind::Linear || !attr.getCoincident())
      break;
    unsigned loop = loops.extents.size();
    for (StmtOp statement : kernel.getStatements()) {
      AffineExpr row = schedule->getMap(statement.getSymName()).getResult(dim);
      auto constant = dyn_cast<AffineConstantExpr>(row);
      if (constant && constant.getValue() == 0)
        continue;
      auto iterator = dyn_cast<AffineDimExpr>(row);
      if (!iterator)
        return failure();
      int64_t extent = statement.getExtents()[iterator.getPosition()];
      if (extent == 1)
        continue;
      if (loop == loops.extents.size()) {
        loops.extents.push_back(extent);
        loops.dims.push_back(dim);
      }
      if (loops.extents[loop] != extent)
        return failure();
      loops.iterators[statement][iterator.getPosition()] = loop;
    }
  }
  return loops;
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

namespace {

/// The tiles of a kernel, and their accesses.
class KernelTiles {
public:
  /// Returns tiles of `sizes` for `kernel`. Fails if the sizes do not match its
  /// outer loops.
  static FailureOr<KernelTiles> get(KernelOp kernel, ArrayRef<int64_t> sizes);

  SmallVector<int64_t> getGrid() const;
  /// Returns the elements of `array` that the tile's instances of `statement`
  /// access by `map`.
  TileAccess getBox(StmtOp statement, Value array, AffineMap map) const;
  /// Returns all elements of an array of `shape`.
  TileAccess getWhole(ArrayRef<int64_t> shape) const;
  /// Returns a box that contains all of `boxes`: if they are equal, that box,
  /// else all of an array of `shape`.
  TileAccess getHull(ArrayRef<TileAccess> boxes, ArrayRef<int64_t> shape) const;
  /// Returns the number of points of `statement` in a tile.
  int64_t getNumPoints(StmtOp statement) const;

  /// Return all elements of `array` that a statement reads (writes), gathers
  /// (scatters) included.
  SmallVector<TileAccess> getReads(Value array) const;
  SmallVector<TileAccess> getWrites(Value array) const;

  /// Whether each element of the output `array` is written by exactly one tile,
  /// and each tile writes one box.
  bool isPartedByTiles(Value array) const;

private:
  KernelTiles(KernelOp kernel, OuterLoops loops, ArrayRef<int64_t> sizes)
      : kernel(kernel), loops(std::move(loops)), sizes(sizes) {}

  KernelOp kernel;
  OuterLoops loops;
  ArrayRef<int64_t> sizes;
};

} // namespace

FailureOr<KernelTiles> KernelTiles::get(KernelOp kernel,
                                        ArrayRef<int64_t> sizes) {
  FailureOr<OuterLoops> loops = getOuterLoops(kernel);
  if (failed(loops) || loops->extents.size() != sizes.size())
    return failure();
  return KernelTiles(kernel, std::move(*loops), sizes);
}

SmallVector<int64_t> KernelTiles::getGrid() const {
  SmallVector<int64_t> grid;
  for (auto [extent, size] : llvm::zip_equal(loops.extents, sizes))
    grid.push_back(llvm::divideCeil(extent, size));
  return grid;
}

TileAccess KernelTiles::getBox(StmtOp statement, Value array,
                               AffineMap map) const {
  ArrayRef<int64_t> shape = cast<MemRefType>(array.getType()).getShape();
  MLIRContext *context = map.getContext();
  ArrayRef<std::optional<unsigned>> outer = loops.iterators.at(statement);
  unsigned numTileDims = sizes.size();
  SmallVector<AffineExpr> iterators(statement.getNumIterators(),
                                    getAffineConstantExpr(0, context));
  SmallVector<int64_t> localSizes;
  SmallVector<AffineExpr> guards;
  // Number local coordinates in the order of the array's dimensions. Then
  // statements that number their iterators differently have equal boxes.
  for (unsigned number = 0; number < map.getNumResults(); ++number) {
    AffineExpr result = map.getResult(number);
    result.walk([&](AffineExpr expr) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim)
        return;
      unsigned position = dim.getPosition();
      int64_t extent = statement.getExtents()[position];
      if (extent == 1 || !isa<AffineConstantExpr>(iterators[position]))
        return;
      AffineExpr local =
          getAffineDimExpr(numTileDims + 1 + localSizes.size(), context);
      std::optional<unsigned> loop = outer[position];
      localSizes.push_back(loop ? sizes[*loop] : extent);
      iterators[position] =
          loop ? getAffineDimExpr(*loop, context) * sizes[*loop] + local
               : local;
      // If the array ends where the loop ends, its end clips the last tile.
      bool isClipped = isa<AffineDimExpr>(result) && shape[number] == extent;
      if (loop && extent % sizes[*loop] != 0 && !isClipped)
        guards.push_back(extent - 1 - iterators[position]);
    });
  }
  auto point = AffineMap::get(numTileDims + 1 + localSizes.size(), 0, iterators,
                              context);
  return {map.compose(point), localSizes, guards};
}

/// Whether two boxes are the same for every tile.
static bool areEqual(const TileAccess &lhs, const TileAccess &rhs) {
  return lhs.map == rhs.map && lhs.localSizes == rhs.localSizes &&
         lhs.guards == rhs.guards;
}

TileAccess KernelTiles::getWhole(ArrayRef<int64_t> shape) const {
  // Dimensions are those of the tile, the step, and the element. An array of
  // rank 0 has one element.
  MLIRContext *context = KernelOp(kernel).getContext();
  unsigned first = sizes.size() + 1, end = first + shape.size();
  SmallVector<AffineExpr> element;
  for (unsigned dim : llvm::seq(first, end))
    element.push_back(getAffineDimExpr(dim, context));
  return {AffineMap::get(end, 0, element, context), llvm::to_vector(shape)};
}

TileAccess KernelTiles::getHull(ArrayRef<TileAccess> boxes,
                                ArrayRef<int64_t> shape) const {
  if (!boxes.empty() && llvm::all_of(boxes, [&](const TileAccess &box) {
        return areEqual(box, boxes.front());
      }))
    return boxes.front();
  return getWhole(shape);
}

int64_t KernelTiles::getNumPoints(StmtOp statement) const {
  int64_t points = 1;
  for (auto [extent, loop] :
       llvm::zip_equal(statement.getExtents(), loops.iterators.at(statement)))
    points *= loop ? std::min(sizes[*loop], extent) : extent;
  return points;
}

SmallVector<TileAccess> KernelTiles::getReads(Value array) const {
  SmallVector<TileAccess> boxes;
  for (StmtOp statement : KernelOp(kernel).getStatements())
    for (auto [index, read] : llvm::enumerate(statement.getReads()))
      if (read == array)
        boxes.push_back(getBox(statement, array, statement.getReadMap(index)));
  if (llvm::any_of(array.getUsers(), llvm::IsaPred<GatherOp>))
    boxes.push_back(getWhole(cast<MemRefType>(array.getType()).getShape()));
  return boxes;
}

SmallVector<TileAccess> KernelTiles::getWrites(Value array) const {
  SmallVector<TileAccess> boxes;
  for (StmtOp statement : KernelOp(kernel).getStatements())
    for (auto [index, write] : llvm::enumerate(statement.getWrites()))
      if (write == array)
        boxes.push_back(getBox(statement, array, statement.getWriteMap(index)));
  return boxes;
}

bool KernelTiles::isPartedByTiles(Value array) const {
  SmallVector<TileAccess> boxes = getWrites(array);
  if (boxes.empty())
    return false;
  const TileAccess &first = boxes.front();
  for (auto [dim, tiles] : llvm::enumerate(getGrid()))
    if (tiles != 1 && !first.map.isFunctionOfDim(dim))
      return false;
  return llvm::all_of(
      boxes, [&](const TileAccess &box) { return areEqual(box, first); });
}

//===----------------------------------------------------------------------===//
// TileKernelOpInterface
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<int64_t>> KernelOp::getTileGrid() {
  std::optional<ArrayRef<int64_t>> sizes = getTileSizes();
  if (!sizes)
    return failure();
  FailureOr<KernelTiles> tiles = KernelTiles::get(*this, *sizes);
  if (failed(tiles))
    return failure();
  return tiles->getGrid();
}

bool KernelOp::runsWithoutTiles() { return true; }

OpOperand *KernelOp::getUpdatedOperand(OpResult result) {
  OpOperand *output = getTiedOpOperand(result);
  return updates(getArgument(*output)) ? output : nullptr;
}

int64_t KernelOp::getStepCount() { return 1; }

TileAccess KernelOp::getOperandAccess(OpOperand &operand) {
  BlockArgument array = getArgument(operand);
  KernelTiles tiles = *KernelTiles::get(*this, *getTileSizes());
  ArrayRef<int64_t> shape = cast<ShapedType>(array.getType()).getShape();
  SmallVector<TileAccess> boxes = tiles.getReads(array);
  // An output that is not read has no defined contents at the start.
  if (boxes.empty() && isOutput(array))
    boxes = tiles.getWrites(array);
  return tiles.getHull(boxes, shape);
}

TileAccess KernelOp::getResultAccess(OpResult result) {
  KernelTiles tiles = *KernelTiles::get(*this, *getTileSizes());
  Value array = getArgument(*getTiedOpOperand(result));
  return tiles.getWrites(array).front();
}

TileWork KernelOp::getTileWork() {
  KernelTiles tiles = *KernelTiles::get(*this, *getTileSizes());
  TileWork work;
  auto getBytes = [&](Value array, const TileAccess &box) {
    int64_t bits =
        getElementTypeOrSelf(array.getType()).getIntOrFloatBitWidth();
    int64_t bytes = llvm::divideCeil(bits, 8);
    for (int64_t size : box.localSizes)
      bytes *= size;
    return bytes;
  };
  for (StmtOp statement : getStatements())
    work.flops +=
        tiles.getNumPoints(statement) *
        llvm::range_size(statement.getBody().front().without_terminator());
  for (OpOperand &operand : getOperation()->getOpOperands()) {
    BlockArgument array = getArgument(operand);
    if (!isa<MemRefType>(array.getType()))
      continue;
    if (!tiles.getReads(array).empty())
      work.bytesRead += getBytes(array, getOperandAccess(operand));
    if (isOutput(array))
      work.bytesWritten += getBytes(
          array, getResultAccess(cast<OpResult>(getTiedOpResult(&operand))));
  }
  return work;
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

std::string scop::findTilesProblem(KernelOp kernel, ArrayRef<int64_t> sizes) {
  if (!kernel.getSchedule())
    return "has tiles, but no schedule";
  if (!kernel.hasTensors())
    return "has tiles, but no results";
  for (int64_t size : sizes)
    if (size <= 0)
      return "has tiles of size " + std::to_string(size);
  FailureOr<OuterLoops> loops = getOuterLoops(kernel);
  if (failed(loops))
    return "has tiles, but an outer loop that is not the same iterator, or "
           "none,"
           " of each statement";
  if (loops->extents.size() != sizes.size())
    return "has " + std::to_string(sizes.size()) +
           " tile sizes, but its schedule " +
           std::to_string(loops->extents.size()) + " outer loops";
  KernelTiles tiles = *KernelTiles::get(kernel, sizes);
  for (OpOperand &output : kernel.getOutputsMutable())
    if (!tiles.isPartedByTiles(kernel.getArgument(output)))
      return "has tiles that do not each write one box of their own of "
             "output " +
             std::to_string(output.getOperandNumber() -
                            kernel.getInputs().size());
  return "";
}
