//===- AttentionOp.cpp - Attention as a tile kernel -----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/IR/TGemm.h"

#include "Product.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

/// Dimensions of a layout: batch, head, query (or key), element.
static constexpr unsigned kRank = 4;

LogicalResult
AttentionTilingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                            int64_t m, int64_t n, int64_t stages, int64_t heads,
                            int64_t splits, int64_t warpgroups) {
  if (m <= 0 || n <= 0)
    return emitError() << "tile sizes must be positive, got m = " << m
                       << ", n = " << n;
  if (stages <= 0)
    return emitError() << "a tiling needs at least one stage, got " << stages;
  if (heads <= 0 || splits <= 0)
    return emitError() << "a tiling needs positive heads and splits, got "
                          "heads = "
                       << heads << ", splits = " << splits;
  if (warpgroups <= 0)
    return emitError() << "a tiling needs at least one warpgroup, got "
                       << warpgroups;
  if (m % heads != 0)
    return emitError() << "cannot distribute " << m << " rows to " << heads
                       << " heads";
  return success();
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

/// Returns the layout at `index` of `layouts`; the identity if there are none.
static AffineMap getLayout(AttentionOp op, unsigned index) {
  if (std::optional<ArrayAttr> layouts = op.getLayouts())
    return cast<AffineMapAttr>((*layouts)[index]).getValue();
  return AffineMap::getMultiDimIdentityMap(kRank, op.getContext());
}

AffineMap AttentionOp::getOperandLayout(unsigned number) {
  return getLayout(*this, number);
}

AffineMap AttentionOp::getResultLayout() { return getLayout(*this, 3); }

/// Returns the extent of dimension `dim` of (b, h, i, d) of `tensor`.
static int64_t getExtent(Value tensor, AffineMap layout, unsigned dim) {
  return cast<RankedTensorType>(tensor.getType())
      .getDimSize(*layout.getResultPosition(
          getAffineDimExpr(dim, layout.getContext())));
}

int64_t AttentionOp::getBatch() {
  return getExtent(getQuery(), getOperandLayout(0), 0);
}

int64_t AttentionOp::getHeads() {
  return getExtent(getQuery(), getOperandLayout(0), 1);
}

int64_t AttentionOp::getKeyHeads() {
  return getExtent(getKey(), getOperandLayout(1), 1);
}

int64_t AttentionOp::getQueries() {
  return getExtent(getQuery(), getOperandLayout(0), 2);
}

int64_t AttentionOp::getKeys() {
  return getExtent(getKey(), getOperandLayout(1), 2);
}

int64_t AttentionOp::getKeySize() {
  return getExtent(getKey(), getOperandLayout(1), 3);
}

int64_t AttentionOp::getValueSize() {
  return getExtent(getValue(), getOperandLayout(2), 3);
}

int64_t AttentionOp::getKeysOfPart() {
  return getPartKeys().value_or(getKeys());
}

int64_t AttentionOp::getParts() {
  return llvm::divideCeil(getKeys(), getKeysOfPart());
}

int64_t AttentionOp::getResultSize() {
  return getValueSize() + (getPartKeys() ? kPartElements : 0);
}

FloatType AttentionOp::getInputElementType() {
  return cast<FloatType>(getElementTypeOrSelf(getQuery().getType()));
}

FloatType AttentionOp::getResultElementType() {
  return cast<FloatType>(getElementTypeOrSelf(getResult().getType()));
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

static LogicalResult verifyLayouts(AttentionOp op) {
  std::optional<ArrayAttr> layouts = op.getLayouts();
  if (!layouts)
    return success();
  if (layouts->size() != 4)
    return op.emitOpError()
           << "needs layouts of query, key, value and result, but has "
           << layouts->size();
  for (auto map : layouts->getAsValueRange<AffineMapAttr>())
    if (map.getNumDims() != kRank || !map.isPermutation())
      return op.emitOpError() << "layout " << AffineMapAttr::get(map)
                              << " is not a permutation of 4 dimensions";
  return success();
}

/// Checks that `tensor` has `extents` of (b, h, i, d).
static LogicalResult verifyExtents(AttentionOp op, StringRef name, Value tensor,
                                   AffineMap layout,
                                   ArrayRef<int64_t> extents) {
  static constexpr StringLiteral kNames[] = {"batches", "heads", "positions",
                                             "elements"};
  for (unsigned dim = 0; dim != kRank; ++dim)
    if (int64_t extent = getExtent(tensor, layout, dim); extent != extents[dim])
      return op.emitOpError() << name << " must have " << extents[dim] << " "
                              << kNames[dim] << ", but has " << extent;
  return success();
}

static LogicalResult verifyBias(AttentionOp op) {
  std::optional<AffineMap> map = op.getBiasMap();
  if (!op.getBias() && !map)
    return success();
  if (!op.getBias() || !map)
    return op.emitOpError("needs a bias and a bias_map together");
  auto type = cast<RankedTensorType>(op.getBias().getType());
  if (map->getNumDims() != kRank || map->getNumSymbols() != 0 ||
      map->getNumResults() != static_cast<unsigned>(type.getRank()) ||
      !map->isProjectedPermutation(/*allowZeroInResults=*/true))
    return op.emitOpError() << "bias_map must be a projected permutation that "
                               "takes 4 coordinates to "
                            << type.getRank();
  int64_t extents[] = {op.getBatch(), op.getHeads(), op.getQueries(),
                       op.getKeys()};
  for (auto [dim, expr] : llvm::enumerate(map->getResults())) {
    auto dimExpr = dyn_cast<AffineDimExpr>(expr);
    int64_t needed = dimExpr ? extents[dimExpr.getPosition()] : 1;
    if (type.getDimSize(dim) != needed)
      return op.emitOpError()
             << "bias has " << type.getDimSize(dim) << " elements in dimension "
             << dim << ", but its map needs " << needed;
  }
  return success();
}

/// Checks that the heads of a tile read the same keys. If the heads of a tile
/// do not divide the heads of a group, the last tile of the group would read
/// into the next group, so there must be only one group.
static LogicalResult verifyTiling(AttentionOp op) {
  std::optional<AttentionTilingAttr> tiling = op.getTiling();
  if (!tiling)
    return success();
  int64_t group = op.getGroup(), heads = tiling->getHeads();
  bool fits = group % heads == 0 || (op.getKeyHeads() == 1 && heads < group);
  if (!fits)
    return op.emitOpError()
           << "cannot have " << heads << " heads in a tile: " << group
           << " read the same keys, which that does not divide";
  return success();
}

/// Checks the element types of the tensors: all operands must have the same
/// one.
static LogicalResult verifyTensors(AttentionOp op) {
  for (Value tensor :
       {op.getQuery(), op.getKey(), op.getValue(), op.getResult()}) {
    auto type = cast<RankedTensorType>(tensor.getType());
    if (llvm::is_contained(type.getShape(), 0))
      return op.emitOpError("needs extents of at least 1");
    if (tensor != op.getResult() &&
        type.getElementType() != op.getInputElementType())
      return op.emitOpError()
             << "has a query of " << op.getInputElementType()
             << ", but a key or value of " << type.getElementType();
  }
  return success();
}

LogicalResult AttentionOp::verify() {
  if (std::optional<int64_t> keys = getPartKeys(); keys && *keys <= 0)
    return emitOpError() << "has parts of " << *keys
                         << " keys; they must have at least 1";
  if (failed(verifyLayouts(*this)) || failed(verifySizes(*this)) ||
      failed(verifyTensors(*this)))
    return failure();
  if (!getScale().isFinite())
    return emitOpError("needs a finite scale");
  if (getHeads() % getKeyHeads() != 0)
    return emitOpError() << "cannot distribute " << getHeads()
                         << " heads of queries to " << getKeyHeads()
                         << " heads of keys";
  if (failed(verifyExtents(
          *this, "query", getQuery(), getOperandLayout(0),
          {getBatch(), getHeads(), getQueries(), getKeySize()})) ||
      failed(verifyExtents(
          *this, "key", getKey(), getOperandLayout(1),
          {getBatch(), getKeyHeads(), getKeys(), getKeySize()})) ||
      failed(verifyExtents(
          *this, "value", getValue(), getOperandLayout(2),
          {getBatch(), getKeyHeads(), getKeys(), getValueSize()})) ||
      failed(verifyExtents(*this, "result", getResult(), getResultLayout(),
                           {getBatch() * getParts(), getHeads(), getQueries(),
                            getResultSize()})))
    return failure();
  if (getPartKeys() && !getResultElementType().isF32())
    return emitOpError("has keys in parts, whose results must be f32");
  if (getPartKeys() && !getResultLayout().isIdentity())
    return emitOpError("has keys in parts, whose results must have the layout "
                       "(b, h, i, d)");
  // Sums of positions and the offset must not overflow.
  constexpr int64_t maxOffset = int64_t(1) << 40;
  if (std::optional<int64_t> causal = getCausal())
    if (*causal < -maxOffset || *causal > maxOffset)
      return emitOpError() << "has an offset of " << *causal
                           << " between queries and keys; it may be up to 2^40";
  if (failed(verifyBias(*this)))
    return failure();
  return verifyTiling(*this);
}

//===----------------------------------------------------------------------===//
// TileKernelOpInterface
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<int64_t>> AttentionOp::getTileGrid() {
  std::optional<AttentionTilingAttr> tiling = getTiling();
  if (!tiling)
    return failure();
  return SmallVector<int64_t>{getBatch() * getParts(),
                              getKeyHeads() * getGroupTiles(tiling->getHeads()),
                              static_cast<int64_t>(llvm::divideCeil(
                                  getQueries(), tiling->getQueries()))};
}

int64_t AttentionOp::getStepCount() {
  std::optional<AttentionTilingAttr> tiling = getTiling();
  return tiling ? llvm::divideCeil(std::min(getKeys(), getKeysOfPart()),
                                   tiling->getN())
                : 1;
}

std::optional<int64_t> AttentionOp::getStepsInOrder() {
  std::optional<AttentionTilingAttr> tiling = getTiling();
  if (!tiling || tiling->getSplits() == 1)
    return std::nullopt;
  // Each warpgroup of a block gets equally many steps.
  return llvm::alignTo(llvm::divideCeil(getStepCount(), tiling->getSplits()),
                       tiling->getWarpgroups());
}

namespace {

/// Affine expressions for accesses of a tile. Dimensions are (b, h, i, step),
/// and then the local coordinates.
struct AttentionExprs {
  explicit AttentionExprs(AttentionOp op)
      : context(op.getContext()), tiling(*op.getTiling()),
        batches(op.getBatch()), partKeys(op.getPartKeys()) {}

  AffineExpr dim(unsigned position) const {
    return getAffineDimExpr(position, context);
  }
  /// The batch of queries and keys. Dimension 0 numbers the batches of all
  /// parts.
  AffineExpr batch() const { return partKeys ? dim(0) % batches : dim(0); }
  AffineExpr head(unsigned local) const {
    return dim(1) * tiling.getHeads() + this->local(local);
  }
  AffineExpr query(unsigned local) const {
    return dim(2) * tiling.getQueries() + this->local(local);
  }
  /// The first key of a step.
  AffineExpr firstKey() const {
    AffineExpr inPart = dim(3) * tiling.getN();
    return partKeys ? dim(0).floorDiv(batches) * *partKeys + inPart : inPart;
  }
  AffineExpr key(unsigned local) const {
    return firstKey() + this->local(local);
  }
  AffineExpr local(unsigned index) const { return dim(4 + index); }

  /// Returns the access to (b, h, i, d), given by expressions, through `map`.
  TileAccess access(AffineMap map, ArrayRef<AffineExpr> exprs,
                    ArrayRef<int64_t> localSizes) const {
    auto tile = AffineMap::get(4 + localSizes.size(), 0, exprs, context);
    return {map.compose(tile), llvm::to_vector(localSizes)};
  }

  MLIRContext *context;
  AttentionTilingAttr tiling;
  int64_t batches;
  std::optional<int64_t> partKeys;
};

} // namespace

/// Adds a guard that skips steps in which even the last query of a tile may see
/// no key.
static void addCausalGuard(AttentionOp op, TileAccess &access) {
  std::optional<int64_t> causal = op.getCausal();
  if (!causal)
    return;
  AttentionExprs exprs(op);
  AffineExpr last = exprs.dim(2) * exprs.tiling.getQueries() +
                    (exprs.tiling.getQueries() - 1) + *causal;
  access.guards.push_back(last - exprs.firstKey());
}

TileAccess AttentionOp::getOperandAccess(OpOperand &operand) {
  AttentionExprs exprs(*this);
  AttentionTilingAttr tiling = exprs.tiling;
  unsigned number = operand.getOperandNumber();
  if (number == 0)
    return exprs.access(
        getOperandLayout(0),
        {exprs.batch(), exprs.head(0), exprs.query(1), exprs.local(2)},
        {tiling.getHeads(), tiling.getQueries(), getKeySize()});
  TileAccess access;
  if (number == 3) {
    access = exprs.access(
        *getBiasMap(),
        {exprs.batch(), exprs.head(0), exprs.query(1), exprs.key(2)},
        {tiling.getHeads(), tiling.getQueries(), tiling.getN()});
  } else {
    // All heads of a tile are of one group.
    AffineExpr head = exprs.dim(1).floorDiv(getGroupTiles(tiling.getHeads()));
    access = exprs.access(
        getOperandLayout(number),
        {exprs.batch(), head, exprs.key(0), exprs.local(1)},
        {tiling.getN(), number == 1 ? getKeySize() : getValueSize()});
  }
  addCausalGuard(*this, access);
  return access;
}

TileAccess AttentionOp::getResultAccess(OpResult) {
  AttentionExprs exprs(*this);
  AttentionTilingAttr tiling = exprs.tiling;
  return exprs.access(
      getResultLayout(),
      {exprs.dim(0), exprs.head(0), exprs.query(1), exprs.local(2)},
      {tiling.getHeads(), tiling.getQueries(), getResultSize()});
}

TileWork AttentionOp::getTileWork() {
  AttentionTilingAttr tiling = *getTiling();
  int64_t rows =
      std::min(tiling.getQueries(), getQueries()) * tiling.getHeads();
  int64_t keys = std::min(getKeys(), getKeysOfPart());
  int64_t bytes = getInputElementType().getWidth() / 8;
  int64_t sizes = getKeySize() + getValueSize();
  TileWork work;
  work.flops = 2 * rows * keys * sizes;
  work.bytesRead = (rows * getKeySize() + keys * sizes) * bytes;
  if (getBias())
    work.bytesRead +=
        rows * keys *
        getElementTypeOrSelf(getBias().getType()).getIntOrFloatBitWidth() / 8;
  work.bytesWritten =
      rows * getResultSize() * getResultElementType().getWidth() / 8;
  work.clusterSize = tiling.getSplits();
  return work;
}
