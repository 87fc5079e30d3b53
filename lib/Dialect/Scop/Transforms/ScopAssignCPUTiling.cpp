//===- ScopAssignCPUTiling.cpp - Tiles of scop kernels on a CPU -----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/Transforms/Passes.h"

#include "grout/Dialect/Scop/IR/KernelTiles.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

#define DEBUG_TYPE "scop-assign-cpu-tiling"

namespace grout::scop {
#define GEN_PASS_DEF_SCOPASSIGNCPUTILING
#include "grout/Dialect/Scop/Transforms/Passes.h.inc"
} // namespace grout::scop

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// The number of tiles for each worker thread. With several, workers end at
/// about the same time.
static constexpr int64_t kTilesPerProcessor = 4;

/// The least number of iterations of a tile along a contiguous loop: a few
/// cache lines.
static constexpr int64_t kMinRow = 64;

/// Sizes of contiguous loops are multiples of this, so that neighbouring tiles
/// seldom write the same cache line: the f32 elements of a line.
static constexpr int64_t kRowMultiple = 16;

/// The largest number. The product of extents of loops may be larger than the
/// number of points, if no statement has all of these loops.
static constexpr uint64_t kMost = std::numeric_limits<int64_t>::max();

/// Returns the product of `a` and `b`, or the largest number if that is less.
static int64_t multiply(int64_t a, int64_t b) {
  return static_cast<int64_t>(
      std::min(kMost, llvm::SaturatingMultiply<uint64_t>(a, b)));
}

/// Returns the number of instances of all statements, up to the largest number.
static int64_t getPoints(KernelOp kernel) {
  uint64_t points = 0;
  for (StmtOp statement : kernel.getStatements())
    points = std::min(kMost, llvm::SaturatingAdd<uint64_t>(
                                 points, *getSize(statement.getExtents())));
  return static_cast<int64_t>(points);
}

/// Whether `statement` accesses a different element at `map` in each instance,
/// and neighbouring elements along `iterator`.
static bool isContiguous(StmtOp statement, AffineMap map, unsigned iterator) {
  for (auto [position, extent] : llvm::enumerate(statement.getExtents()))
    if (extent != 1 && !map.isFunctionOfDim(position))
      return false;
  return map.getNumResults() != 0 &&
         map.getResults().back().isFunctionOfDim(iterator);
}

/// Returns, for each outer loop, whether a statement with the most instances
/// goes along neighbouring elements of an operand in it.
static SmallVector<bool> findContiguousLoops(KernelOp kernel,
                                             const OuterLoops &loops) {
  int64_t longest = 0;
  for (StmtOp statement : kernel.getStatements())
    longest = std::max(longest, *getSize(statement.getExtents()));
  SmallVector<bool> contiguous(loops.extents.size(), false);
  for (StmtOp statement : kernel.getStatements()) {
    if (*getSize(statement.getExtents()) != longest)
      continue;
    auto visit = [&](Value array, AffineMap map) {
      for (auto [position, loop] :
           llvm::enumerate(loops.iterators.at(statement)))
        if (loop && isa<BlockArgument>(array) &&
            isContiguous(statement, map, position))
          contiguous[*loop] = true;
    };
    for (auto [read, array] : llvm::enumerate(statement.getReads()))
      visit(array, statement.getReadMap(read));
    for (auto [write, array] : llvm::enumerate(statement.getWrites()))
      visit(array, statement.getWriteMap(write));
  }
  return contiguous;
}

/// Returns tile sizes for about `tilePoints` points.
static SmallVector<int64_t> chooseSizes(KernelOp kernel,
                                        const OuterLoops &loops, int64_t points,
                                        int64_t tilePoints) {
  SmallVector<bool> contiguous = findContiguousLoops(kernel, loops);
  int64_t outer = 1, tile = 1;
  SmallVector<int64_t> sizes;
  for (auto [extent, isRow] : llvm::zip_equal(loops.extents, contiguous)) {
    sizes.push_back(isRow ? std::min(extent, kMinRow) : 1);
    outer = multiply(outer, extent);
    tile = multiply(tile, sizes.back());
  }
  int64_t wanted =
      llvm::divideCeil(tilePoints, std::max<int64_t>(points / outer, 1));
  for (unsigned loop = sizes.size(); loop-- > 0;) {
    int64_t extent = loops.extents[loop], others = tile / sizes[loop];
    int64_t size = std::clamp<int64_t>(llvm::divideCeil(wanted, others),
                                       sizes[loop], extent);
    // The same number of tiles, all of about the same size.
    size = llvm::divideCeil(extent, llvm::divideCeil(extent, size));
    if (contiguous[loop])
      size = std::min<int64_t>(llvm::alignTo(size, kRowMultiple), extent);
    sizes[loop] = size;
    tile = multiply(others, size);
  }
  return sizes;
}

namespace {

struct ScopAssignCPUTiling
    : grout::scop::impl::ScopAssignCPUTilingBase<ScopAssignCPUTiling> {
  using Base::Base;

  void runOnOperation() override {
    if (processors < 1 || processors > INT32_MAX || minPoints < 1) {
      emitError(getOperation()->getLoc())
          << "processors and min-points must be at "
             "least 1, and processors below 2^31";
      return signalPassFailure();
    }
    getOperation().walk([&](KernelOp kernel) { assignTiles(kernel); });
  }

  void assignTiles(KernelOp kernel) {
    FailureOr<OuterLoops> loops = getOuterLoops(kernel);
    if (kernel.getTileSizes() || !kernel.hasTensors() || failed(loops)) {
      LDBG() << kernel.getLoc() << " gets no tiles: "
             << (kernel.getTileSizes() ? "it has some"
                 : kernel.hasTensors() ? "it has no outer loops in common"
                                       : "it has no tensors");
      return;
    }
    int64_t points = getPoints(kernel);
    int64_t tilePoints = std::max<int64_t>(
        minPoints, llvm::divideCeil(points, processors * kTilesPerProcessor));
    SmallVector<int64_t> sizes =
        chooseSizes(kernel, *loops, points, tilePoints);
    std::string problem = findTilesProblem(kernel, sizes);
    LDBG() << kernel.getLoc() << ": tiles of " << llvm::interleaved_array(sizes)
           << ", for " << tilePoints << " of " << points << " points"
           << (problem.empty() ? "" : ", are not possible: ") << problem;
    if (problem.empty())
      kernel.setTileSizes(sizes);
  }
};

} // namespace
