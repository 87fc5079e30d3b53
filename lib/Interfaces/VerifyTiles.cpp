//===- VerifyTiles.cpp - Checks answers of tile kernels -------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Interfaces/VerifyTiles.h"

#include "grout/Analysis/AffineRange.h"
#include "grout/Analysis/TileCoverage.h"
#include "grout/Interfaces/TileAnswers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;

ElementAccess grout::toElementAccess(TileAccess access, RankedTensorType type) {
  ElementAccess result;
  result.map = access.map;
  result.localSizes = std::move(access.localSizes);
  result.guards = std::move(access.guards);
  result.shape = llvm::to_vector(type.getShape());
  return result;
}

/// Returns "[4, ?]", where ? is dynamic.
static std::string format(ArrayRef<int64_t> extents) {
  auto texts = llvm::map_range(extents, [](int64_t extent) {
    return ShapedType::isDynamic(extent) ? "?" : std::to_string(extent);
  });
  return "[" + llvm::join(texts, ", ") + "]";
}

namespace {

/// Checks the answers of one kernel.
class AnswerVerifier {
public:
  explicit AnswerVerifier(TileKernelOpInterface kernel) : kernel(kernel) {}

  LogicalResult verify();
  /// Proves the answers that the kernel, which has been verified, gives about
  /// its results.
  LogicalResult proveCoverage();

private:
  /// Begins an error about the value that `method` returns. The caller appends
  /// the value.
  InFlightDiagnostic refuse(const Twine &method) {
    return kernel->emitOpError()
           << "implements TileKernelOpInterface wrongly: " << method
           << " returns ";
  }

  LogicalResult verifyGrid();
  LogicalResult verifySteps();
  LogicalResult verifyWork();
  /// Checks the access that `method` returns for a tensor of type `type`.
  LogicalResult verifyAccess(const Twine &method, const TileAccess &access,
                             RankedTensorType type);
  LogicalResult verifySizes(const Twine &method, const TileAccess &access);
  LogicalResult verifyMap(const Twine &method, const TileAccess &access,
                          RankedTensorType type);
  LogicalResult verifyRanges(const Twine &method, const TileAccess &access,
                             RankedTensorType type);
  LogicalResult verifyResult(OpResult result);
  /// Proves that no tile reads elements of the operand updated by `result` that
  /// another of `tiles` writes by `write`.
  LogicalResult proveUpdate(const TileKernel &tiles, OpResult result,
                            const ElementAccess &write);

  TileKernelOpInterface kernel;
  /// The tiles, if there are any.
  bool hasTiles = false;
  SmallVector<int64_t> grid;
  int64_t steps = 1;
  /// The accesses of results and of tensor operands.
  llvm::DenseMap<Value, TileAccess> writes;
  llvm::DenseMap<OpOperand *, TileAccess> reads;
};

} // namespace

LogicalResult AnswerVerifier::verifyGrid() {
  int64_t tiles = 1;
  for (int64_t extent : grid)
    if (extent < 1 || extent > INT32_MAX)
      return refuse("getTileGrid")
             << format(grid) << ", but each extent must be from 1 to "
             << INT32_MAX;
  for (int64_t extent : grid)
    if (llvm::MulOverflow(tiles, extent, tiles))
      return refuse("getTileGrid")
             << format(grid) << ", but 64 bits must count the tiles";
  return success();
}

LogicalResult AnswerVerifier::verifySteps() {
  if (steps < 1)
    return refuse("getStepCount")
           << steps << ", but a tile must have at least 1 step";
  if (std::optional<int64_t> run = kernel.getStepsInOrder(); run && *run < 1)
    return refuse("getStepsInOrder")
           << *run << ", but a block must run at least 1 step";
  return success();
}

/// Larger values are an overflow: this much work takes an SM a day.
static constexpr int64_t kMostWork = int64_t(1) << 60;

LogicalResult AnswerVerifier::verifyWork() {
  TileWork work = kernel.getTileWork();
  if (work.clusterSize < 1 || work.clusterSize > INT32_MAX ||
      !llvm::isPowerOf2_64(work.clusterSize))
    return refuse("getTileWork")
           << "clusters of " << work.clusterSize
           << " blocks, but that must be a power of two (1 without clusters)";
  for (auto [amount, unit] :
       {std::pair(work.flops, "FLOPs"), std::pair(work.bytesRead, "bytes read"),
        std::pair(work.bytesWritten, "bytes written")})
    if (amount < 0 || amount > kMostWork)
      return refuse("getTileWork")
             << amount << " " << unit << ", but a tile has from 0 to "
             << kMostWork;
  return success();
}

LogicalResult AnswerVerifier::verifySizes(const Twine &method,
                                          const TileAccess &access) {
  if (llvm::all_of(access.localSizes, [](int64_t size) { return size >= 1; }))
    return success();
  return refuse(method) << "a box of local sizes " << format(access.localSizes)
                        << ", but each must be at least 1";
}

LogicalResult AnswerVerifier::verifyMap(const Twine &method,
                                        const TileAccess &access,
                                        RankedTensorType type) {
  size_t rank = grid.size(), locals = access.localSizes.size();
  AffineMap map = access.map;
  if (map && map.getNumDims() == rank + 1 + locals &&
      map.getNumSymbols() == 0 &&
      map.getNumResults() == static_cast<size_t>(type.getRank()))
    return success();
  InFlightDiagnostic diag = refuse(method);
  if (map)
    diag << AffineMapAttr::get(map);
  else
    diag << "no map";
  return diag << ", but it must go from " << rank + 1 + locals
              << " dimensions (" << rank << " of the grid, the step, " << locals
              << " of the box) and no symbols to the " << type.getRank()
              << " of " << type;
}

LogicalResult AnswerVerifier::verifyRanges(const Twine &method,
                                           const TileAccess &access,
                                           RankedTensorType type) {
  SmallVector<IntegerRange> dims = getIndexRanges(grid);
  dims.push_back(getIndexRange(steps));
  llvm::append_range(dims, getIndexRanges(access.localSizes));
  auto find = [&](AffineExpr expr) -> FailureOr<IntegerRange> {
    llvm::Expected<IntegerRange> range = getRange(expr, dims);
    if (range)
      return *range;
    return refuse(method) << "what no code can compute: "
                          << llvm::toString(range.takeError());
  };
  for (AffineExpr guard : access.guards) {
    if (!guard)
      return refuse(method) << "a guard that is no expression";
    if (failed(find(guard)))
      return failure();
  }
  for (auto [number, expr] : llvm::enumerate(access.map.getResults())) {
    FailureOr<IntegerRange> range = find(expr);
    if (failed(range))
      return failure();
    bool isDynamic = type.isDynamicDim(number);
    if (!access.hasPadding &&
        (range->high < 0 ||
         (!isDynamic && range->low >= type.getDimSize(number))))
      return refuse(method)
             << "boxes that are outside of " << type << " for all tiles: in "
             << "dimension " << number << " from " << range->low << " to "
             << range->high;
  }
  return success();
}

LogicalResult AnswerVerifier::verifyAccess(const Twine &method,
                                           const TileAccess &access,
                                           RankedTensorType type) {
  return success(succeeded(verifySizes(method, access)) &&
                 succeeded(verifyMap(method, access, type)) &&
                 succeeded(verifyRanges(method, access, type)));
}

LogicalResult AnswerVerifier::verifyResult(OpResult result) {
  auto type = dyn_cast<RankedTensorType>(result.getType());
  if (!type || !type.hasStaticShape())
    return kernel->emitOpError("has a result that is not a static tensor");
  if (!type.getElementType().isIntOrFloat())
    return kernel->emitOpError("has a result of elements ")
           << type.getElementType() << ", but kernels write floats or integers";
  std::string of = " of result " + std::to_string(result.getResultNumber());
  std::string method = "getResultAccess" + of;
  TileAccess &access = writes[result];
  access = kernel.getResultAccess(result);
  if (failed(verifyAccess(method, access, type)))
    return failure();
  auto dependsOnStep = [&](AffineExpr expr) {
    return expr.isFunctionOfDim(grid.size());
  };
  if (llvm::any_of(access.map.getResults(), dependsOnStep) ||
      llvm::any_of(access.guards, dependsOnStep))
    return refuse(method) << AffineMapAttr::get(access.map)
                          << ", but what a tile writes must not depend on the "
                             "step, d"
                          << grid.size();
  OpOperand *updated = kernel.getUpdatedOperand(result);
  if (updated && access.isChosenAtRunTime)
    return refuse("getUpdatedOperand" + of)
           << "an operand, but it is not known before the kernel runs which "
              "elements a tile updates";
  if (updated && (updated->getOwner() != kernel.getOperation() ||
                  updated->get().getType() != type))
    return refuse("getUpdatedOperand" + of)
           << "what is no operand of the kernel of type " << type;
  return success();
}

LogicalResult AnswerVerifier::verify() {
  FailureOr<SmallVector<int64_t>> answer = kernel.getTileGrid();
  if (failed(answer))
    return success();
  hasTiles = true;
  grid = std::move(*answer);
  if (failed(verifyGrid()))
    return failure();
  steps = kernel.getStepCount();
  if (failed(verifySteps()) || failed(verifyWork()))
    return failure();
  if (kernel.isPartOfNext() && !kernel.isLaunchedWithNext())
    return refuse("isLaunchedWithNext")
           << "false, but isPartOfNext true: a part is launched with the whole";
  for (OpOperand &operand : kernel->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      continue;
    TileAccess &access = reads[&operand];
    access = kernel.getOperandAccess(operand);
    if (failed(verifyAccess("getOperandAccess of operand " +
                                Twine(operand.getOperandNumber()),
                            access, type)))
      return failure();
  }
  return success(llvm::all_of(kernel->getResults(), [&](OpResult result) {
    return succeeded(verifyResult(result));
  }));
}

LogicalResult AnswerVerifier::proveCoverage() {
  if (!hasTiles)
    return success();
  TileKernel tiles;
  tiles.name = "tile";
  tiles.grid = grid;
  tiles.steps = steps;
  for (OpResult result : kernel->getResults()) {
    auto type = cast<RankedTensorType>(result.getType());
    if (writes.lookup(result).isChosenAtRunTime)
      continue;
    ElementAccess write = toElementAccess(writes.lookup(result), type);
    if (llvm::Error error = checkCoverage(
            tiles, write, kernel.getUpdatedOperand(result) != nullptr))
      return kernel->emitOpError()
             << "has tiles that do not write every element of result "
             << result.getResultNumber()
             << " once: " << llvm::toString(std::move(error))
             << "; getTileGrid returns " << format(grid) << ", getResultAccess "
             << AffineMapAttr::get(write.map) << " with boxes of "
             << format(write.localSizes);
    if (failed(proveUpdate(tiles, result, write)))
      return failure();
  }
  return success();
}

LogicalResult AnswerVerifier::proveUpdate(const TileKernel &tiles,
                                          OpResult result,
                                          const ElementAccess &write) {
  OpOperand *updated = kernel.getUpdatedOperand(result);
  if (!updated)
    return success();
  auto type = cast<RankedTensorType>(result.getType());
  ElementAccess read = toElementAccess(reads.lookup(updated), type);
  llvm::Error error = checkUpdate(tiles, write, read);
  if (!error)
    return success();
  return kernel->emitOpError()
         << "cannot update operand " << updated->getOperandNumber()
         << " in place (getUpdatedOperand), as its tiles run in any order: "
         << llvm::toString(std::move(error));
}

LogicalResult grout::verifyTileAnswers(TileKernelOpInterface kernel) {
  return AnswerVerifier(kernel).verify();
}

LogicalResult grout::verifyTiles(TileKernelOpInterface kernel) {
  AnswerVerifier verifier(kernel);
  return success(succeeded(verifier.verify()) &&
                 succeeded(TileAnswers(kernel).verifySame()) &&
                 succeeded(verifier.proveCoverage()));
}

bool grout::hasTilesChosenAtRunTime(TileKernelOpInterface kernel) {
  return succeeded(kernel.getTileGrid()) &&
         llvm::any_of(kernel->getResults(), [&](OpResult result) {
           return kernel.getResultAccess(result).isChosenAtRunTime;
         });
}
