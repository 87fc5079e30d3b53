//===- TileLoops.cpp - Loops of a kernel's tiles --------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TileLoops.h"

#include "grout/Dialect/Scop/IR/KernelTiles.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

SmallVector<TileLoop> scop::getTileLoops(KernelOp kernel) {
  SmallVector<TileLoop> tile;
  std::optional<ArrayRef<int64_t>> sizes = kernel.getTileSizes();
  if (!sizes)
    return tile;
  OuterLoops loops = *getOuterLoops(kernel);
  for (auto [dim, extent, size] :
       llvm::zip_equal(loops.dims, loops.extents, *sizes)) {
    int64_t numTiles = llvm::divideCeil(extent, size);
    tile.push_back({dim, size, numTiles});
  }
  return tile;
}

/// Whether an access at `map` goes along neighbouring elements with `iterator`.
static bool isContiguous(AffineMap map, unsigned iterator) {
  return map.getNumResults() != 0 &&
         map.getResults().back().isFunctionOfDim(iterator);
}

/// Whether accesses inside of inner loops are contiguous along `loop`, but not
/// along inner loops.
static bool hasColumns(KernelOp kernel, const OuterLoops &loops,
                       unsigned loop) {
  bool found = false;
  for (StmtOp statement : kernel.getStatements()) {
    ArrayRef<std::optional<unsigned>> outer = loops.iterators.at(statement);
    SmallVector<unsigned> inner;
    std::optional<unsigned> column;
    for (auto [iterator, extent] : llvm::enumerate(statement.getExtents())) {
      if (outer[iterator] == loop)
        column = iterator;
      else if (!outer[iterator] && extent != 1)
        inner.push_back(iterator);
    }
    if (inner.empty())
      continue;
    SmallVector<AffineMap> maps;
    for (unsigned read = 0; read < statement.getReads().size(); ++read)
      maps.push_back(statement.getReadMap(read));
    for (unsigned write = 0; write < statement.getWrites().size(); ++write)
      maps.push_back(statement.getWriteMap(write));
    for (AffineMap map : maps) {
      if (llvm::any_of(inner, [&](unsigned iterator) {
            return isContiguous(map, iterator);
          }))
        return false;
      found |= column && isContiguous(map, *column);
    }
  }
  return found;
}

void scop::sinkColumns(KernelOp kernel, MutableArrayRef<TileLoop> tile) {
  FailureOr<OuterLoops> loops = getOuterLoops(kernel);
  if (failed(loops) || loops->dims.empty() ||
      !hasColumns(kernel, *loops, loops->dims.size() - 1))
    return;
  unsigned sunk = loops->dims.back();
  ScheduleAttr schedule = *kernel.getSchedule();
  SmallVector<DimAttr> dims(schedule.getDims());
  std::rotate(dims.begin() + sunk, dims.begin() + sunk + 1, dims.end());
  SmallVector<AffineMap> maps;
  for (AffineMap map : schedule.getMaps()) {
    SmallVector<AffineExpr> rows(map.getResults());
    std::rotate(rows.begin() + sunk, rows.begin() + sunk + 1, rows.end());
    maps.push_back(AffineMap::get(map.getNumDims(), 0, rows, map.getContext()));
  }
  kernel.setScheduleAttr(ScheduleAttr::get(kernel.getContext(), dims,
                                           schedule.getStatements(), maps));
  for (TileLoop &loop : tile)
    if (loop.dim == sunk)
      loop.dim = dims.size() - 1;
    else if (loop.dim > sunk)
      --loop.dim;
}
