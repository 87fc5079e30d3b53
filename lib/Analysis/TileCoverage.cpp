//===- TileCoverage.cpp - Elements are written once -----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Analysis/TileCoverage.h"

#include "TileKernelSets.h"
#include "mlir/Analysis/FlatLinearValueConstraints.h"

using namespace mlir;

namespace grout {

namespace {

/// One coordinate of the boxes of a write: `stride` times tile coordinate
/// `tile`, plus local coordinate `local`. Either may be missing.
struct BoxSide {
  std::optional<unsigned> tile, local;
  int64_t stride = 1;
};

/// Returns `expr` as a side, over a grid of `rank` dimensions, a step, and
/// local coordinates; none if it has another form.
std::optional<BoxSide> getSide(AffineExpr expr, unsigned rank,
                               unsigned numLocals) {
  llvm::SmallVector<int64_t> coefficients;
  unsigned numDims = rank + 1 + numLocals;
  if (failed(getFlattenedAffineExpr(expr, numDims, /*numSymbols=*/0,
                                    &coefficients)) ||
      coefficients.size() != numDims + 1 || coefficients.back() != 0)
    return std::nullopt;
  BoxSide side;
  for (unsigned dim = 0; dim != numDims; ++dim) {
    int64_t coefficient = coefficients[dim];
    if (coefficient == 0)
      continue;
    bool isTile = dim < rank;
    std::optional<unsigned> &number = isTile ? side.tile : side.local;
    if (number || dim == rank || coefficient < 0 ||
        (!isTile && coefficient != 1))
      return std::nullopt;
    number = isTile ? dim : dim - rank - 1;
    if (isTile)
      side.stride = coefficient;
  }
  return side;
}

/// Whether boxes with `side` lie side by side, and fill `extent` elements.
bool fills(const BoxSide &side, const TileKernel &kernel,
           const ElementAccess &write, int64_t extent) {
  int64_t size = side.local ? write.localSizes[*side.local] : 1;
  if (!side.tile)
    return size >= extent;
  int64_t tiles = kernel.grid[*side.tile], end = 0;
  return size == side.stride && !llvm::MulOverflow(tiles, size, end) &&
         end >= extent;
}

/// Whether the form of the write shows that every element is written once:
/// boxes lie side by side in each dimension, and each tile has its own box.
bool isSeenToCover(const TileKernel &kernel, const ElementAccess &write) {
  if (!write.guards.empty())
    return false;
  unsigned rank = kernel.grid.size();
  llvm::SmallVector<bool> tilesSeen(rank), localsSeen(write.localSizes.size());
  for (auto [expr, extent] :
       llvm::zip_equal(write.map.getResults(), write.shape)) {
    std::optional<BoxSide> side = getSide(expr, rank, localsSeen.size());
    if (!side || !fills(*side, kernel, write, extent) ||
        (side->tile && tilesSeen[*side->tile]) ||
        (side->local && localsSeen[*side->local]))
      return false;
    if (side->tile)
      tilesSeen[*side->tile] = true;
    if (side->local)
      localsSeen[*side->local] = true;
  }
  return llvm::all_of(llvm::zip_equal(tilesSeen, kernel.grid), [](auto dim) {
    auto [isSeen, extent] = dim;
    return isSeen || extent == 1;
  });
}

} // namespace

llvm::Error checkCoverage(const TileKernel &kernel, const ElementAccess &write,
                          bool updatesOthers) {
  if (isSeenToCover(kernel, write))
    return llvm::Error::success();
  IslContext context;
  auto check = [&] {
    isl::map writes = detail::writeMap(context.get(), kernel, write);
    detail::requireSingleWriter(writes);
    if (!updatesOthers)
      detail::requireAllElementsWritten(writes, write.shape);
    return true;
  };
  return detail::guarded(context, check).takeError();
}

llvm::Error checkUpdate(const TileKernel &kernel, const ElementAccess &write,
                        const ElementAccess &read) {
  if (read.map == write.map && read.localSizes == write.localSizes &&
      read.guards == write.guards)
    return llvm::Error::success();
  IslContext context;
  auto check = [&] {
    isl::map writes = detail::writeMap(context.get(), kernel, write);
    isl::map reads =
        detail::stepToTile(context.get(), kernel)
            .reverse()
            .apply_range(detail::readMap(context.get(), kernel, read));
    isl::map pairs = reads.apply_range(writes.reverse());
    detail::requireNoOverwrite(pairs.subtract(pairs.domain().identity()));
    return true;
  };
  return detail::guarded(context, check).takeError();
}

} // namespace grout
