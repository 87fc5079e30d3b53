//===- ThreadMapping.cpp - Which thread does what -------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ThreadMapping.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// Bytes of the widest access of a thread.
static constexpr int64_t kMaxAccessBytes = 16;
/// Threads of a block. On an H200 blocks of 128 to 256 threads that copy 16
/// bytes each, and then end, are as fast as anything that keeps more in flight.
static constexpr int64_t kThreads = 256;
static constexpr int64_t kMaxThreads = 1024;
static constexpr int64_t kWarpSize = 32;
/// Bytes that memory is read in.
static constexpr int64_t kSectorBytes = 32;
/// Values that a thread keeps from one phase for the next.
static constexpr int64_t kMaxKeptValues = 32;
/// Elements of a tile, and the most of one of its loops that are not cut.
static constexpr int64_t kTileElements = 4096;
/// Bytes of shared memory for all tiles of a block.
static constexpr int64_t kTileBytes = int64_t(32) * 1024;
static constexpr int64_t kMaxWholeLoop = 128;

static int64_t getBytes(const StridedAccess &access) {
  return llvm::divideCeil(access.elementType.getIntOrFloatBitWidth(), 8);
}

/// Bytes of the smallest elements outside the kernel.
static int64_t getSmallestBytes(KernelShape &shape) {
  int64_t bytes = kMaxAccessBytes;
  shape.forEachGlobalAccess([&](const StridedAccess &access) {
    bytes = std::min(bytes, getBytes(access));
  });
  return bytes;
}

/// The bytes that accesses move that have neighbouring elements at neighbouring
/// points of `loop`, less those of accesses that jump.
static int64_t getContiguity(KernelShape &shape, unsigned loop) {
  int64_t score = 0;
  shape.forEachGlobalAccess([&](const StridedAccess &access) {
    int64_t footprint = getBytes(access);
    for (auto [stride, extent] : llvm::zip_equal(access.strides, shape.extents))
      if (stride != 0)
        footprint *= extent;
    if (access.strides[loop] == 1)
      score += footprint;
    else if (access.strides[loop] != 0)
      score -= footprint;
  });
  return score;
}

/// Whether `width` elements along `loop` can be accessed at once.
static bool isAligned(const StridedAccess &access, unsigned loop,
                      int64_t width) {
  if (access.strides[loop] != 1 || access.offset % width != 0)
    return false;
  for (unsigned other = 0, e = access.strides.size(); other != e; ++other)
    if (other != loop && access.strides[other] % width != 0)
      return false;
  return true;
}

/// The most points of `loop` for which no access of neighbouring elements is
/// split: they divide the extent, and what is accessed begins at multiples.
static int64_t chooseWidth(KernelShape &shape, unsigned loop) {
  int64_t smallest = kMaxAccessBytes;
  bool any = false;
  shape.forEachGlobalAccess([&](const StridedAccess &access) {
    if (access.strides[loop] != 1)
      return;
    any = true;
    smallest = std::min(smallest, getBytes(access));
  });
  if (!any)
    return 1;
  int64_t width = kMaxAccessBytes / smallest;
  for (; width > 1; width /= 2) {
    bool fits = shape.extents[loop] % width == 0;
    shape.forEachGlobalAccess([&](const StridedAccess &access) {
      if (access.strides[loop] == 1)
        fits &= isAligned(access, loop, width);
    });
    if (fits)
      break;
  }
  return width;
}

int64_t scop::getAccessWidth(const KernelShape &shape,
                             const StridedAccess &access, unsigned loop,
                             int64_t most) {
  int64_t width = std::min(most, kMaxAccessBytes / getBytes(access));
  while (width > 1 &&
         (!isAligned(access, loop, width) || shape.extents[loop] % width != 0))
    width /= 2;
  return width;
}

/// The loop, other than `vectorLoop`, along which the access has neighbouring
/// elements, if it jumps along that.
static std::optional<unsigned> getOtherLoop(const KernelShape &shape,
                                            const StridedAccess &access,
                                            unsigned vectorLoop) {
  if (access.strides[vectorLoop] == 0 || access.strides[vectorLoop] == 1)
    return std::nullopt;
  for (unsigned loop = 0, e = shape.getNumLoops(); loop != e; ++loop)
    if (loop != vectorLoop && access.strides[loop] == 1)
      return loop;
  return std::nullopt;
}

bool scop::isStaged(const ThreadMapping &mapping, const KernelShape &shape,
                    const StridedAccess &access) {
  return mapping.tile && isa<BlockArgument>(access.array) &&
         getOtherLoop(shape, access, shape.numOuter - 1) == mapping.tile->loop;
}

/// The tile of a kernel without inner loops, if some of its reads want one.
static std::optional<Tile> chooseTile(KernelShape &shape, int64_t width) {
  unsigned vectorLoop = shape.numOuter - 1;
  std::optional<unsigned> other;
  int64_t elementBytes = 0;
  for (Phase &phase : shape.phases)
    for (PhaseStatement &statement : phase.statements)
      for (const StridedAccess &access : statement.reads) {
        if (!isa<BlockArgument>(access.array))
          continue;
        std::optional<unsigned> loop = getOtherLoop(shape, access, vectorLoop);
        if (!loop || (other && other != loop))
          continue;
        other = loop;
        elementBytes += getBytes(access);
      }
  if (!other)
    return std::nullopt;
  int64_t elements = kTileElements;
  while (elements * elementBytes > kTileBytes)
    elements /= 2;
  auto cut = [](int64_t extent, int64_t most, int64_t multiple) {
    return extent <= most
               ? extent
               : std::max<int64_t>(multiple, most / multiple * multiple);
  };
  int64_t rows = shape.extents[*other], columns = shape.extents[vectorLoop];
  Tile tile = {*other, rows, columns};
  if (columns > kMaxWholeLoop)
    tile.width = std::min<int64_t>(columns, 64);
  tile.extent = cut(rows, elements / tile.width, 16);
  // Few rows leave room for more columns.
  if (tile.width < columns)
    tile.width = cut(columns, elements / tile.extent, 64);
  if (tile.width % width != 0)
    return std::nullopt;
  return tile;
}

/// How many of `most` threads, a power of two, `points` points keep busy.
static int64_t limitThreads(int64_t points, int64_t most) {
  return std::min<int64_t>(llvm::PowerOf2Ceil(points), most);
}

/// Whether a value of an inner point is used in a later phase.
static bool hasKeptValues(KernelShape &shape) {
  unsigned phases = 0;
  for (Phase &phase : shape.phases)
    phases += phase.hasInnerLoops;
  return phases > 1;
}

ThreadMapping scop::chooseThreadMapping(KernelShape &shape,
                                        int64_t processors) {
  ThreadMapping mapping;
  unsigned numLoops = shape.getNumLoops();
  bool hasInner = shape.numOuter != numLoops;
  int64_t outer = shape.getOuterSize(), inner = shape.getInnerSize();

  // Neighbouring threads go where neighbouring elements are.
  unsigned lastOuter = shape.numOuter - 1, lastInner = numLoops - 1;
  if (hasInner)
    mapping.isInnerFastest =
        shape.numOuter == 0 ||
        getContiguity(shape, lastInner) >= getContiguity(shape, lastOuter);
  mapping.vectorisesInner = mapping.isInnerFastest;
  if (hasInner || shape.numOuter != 0)
    mapping.width =
        chooseWidth(shape, mapping.isInnerFastest ? lastInner : lastOuter);

  if (!hasInner) {
    mapping.outerThreads = kThreads;
    if (shape.numOuter > 1)
      mapping.tile = chooseTile(shape, mapping.width);
    if (mapping.tile) {
      int64_t columns = shape.extents[lastOuter];
      int64_t rows = shape.extents[mapping.tile->loop];
      mapping.blocks = outer / (columns * rows) *
                       llvm::divideCeil(rows, mapping.tile->extent) *
                       llvm::divideCeil(columns, mapping.tile->width);
      return mapping;
    }
  } else if (mapping.isInnerFastest) {
    int64_t vectors = inner / mapping.width;
    // A warp for each row; more where it could not keep one, or where there are
    // few rows.
    int64_t threads = limitThreads(vectors, kWarpSize);
    auto needsMore = [&] {
      bool keepsAll = vectors * mapping.width <= threads * kMaxKeptValues;
      return (hasKeptValues(shape) && !keepsAll) ||
             outer * threads < processors * kMaxThreads;
    };
    while (threads < kMaxThreads && vectors > threads && needsMore())
      threads *= 2;
    mapping.innerThreads = threads;
    mapping.outerThreads = std::max<int64_t>(
        1, limitThreads(outer, kThreads / std::min(threads, kThreads)));
    mapping.rounds = llvm::divideCeil(vectors, threads);
    mapping.keepsRounds = mapping.rounds * mapping.width <= kMaxKeptValues;
  } else {
    int64_t columns = outer / mapping.width;
    mapping.outerThreads = limitThreads(columns, kWarpSize);
    // Where columns are few, a block takes as few as whole sectors allow.
    int64_t columnBytes = getSmallestBytes(shape) * mapping.width;
    while (mapping.outerThreads * columnBytes > kSectorBytes &&
           columns < mapping.outerThreads * processors)
      mapping.outerThreads /= 2;
    int64_t threads = limitThreads(inner, kThreads / mapping.outerThreads);
    // More threads for each column where columns are few.
    while (mapping.outerThreads * threads < kMaxThreads && inner > threads &&
           columns * threads < processors * kMaxThreads)
      threads *= 2;
    mapping.innerThreads = threads;
    mapping.rounds = llvm::divideCeil(inner, threads);
    mapping.keepsRounds = mapping.rounds * mapping.width <= kMaxKeptValues;
  }
  // Blocks are made of whole warps, some threads of which may have no point.
  mapping.outerThreads *=
      std::max<int64_t>(1, kWarpSize / mapping.getThreads());
  mapping.blocks =
      llvm::divideCeil(outer / mapping.getOuterWidth(), mapping.outerThreads);
  return mapping;
}
