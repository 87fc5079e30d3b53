//===- ThreadMapping.cpp - Distribution to threads ------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/ThreadMapping/ThreadMapping.h"

#include "grout/Target/GPU.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/MathExtras.h"

#define DEBUG_TYPE "convert-tiles-to-kernels"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// With few rows, a thread that only sums up gets at least this many
/// vectors.
static constexpr int64_t kLeastVectors = 3;
/// The most elements of a tile; and the most columns that are not cut.
static constexpr int64_t kTileElements = 4096;
static constexpr int64_t kMaxWholeLoop = 128;
/// The smallest size to which a loop is cut.
static constexpr int64_t kMinTileLoop = 16;

/// A thread has several points if its vectors have at most this many bytes.
static constexpr int64_t kNarrowBytes = 8;
/// The most bytes of the vectors of all points of a thread, and the most
/// points.
static constexpr int64_t kRepeatedBytes = 32;
static constexpr int64_t kMostRepeats = 8;

/// Returns the bytes of the smallest elements in memory outside the kernel.
static int64_t getSmallestBytes(KernelShape &shape) {
  int64_t bytes = kMaxAccessBytes;
  shape.forEachGlobalAccess([&](const StridedAccess &access) {
    bytes = std::min(bytes, getBytes(access.elementType));
  });
  return bytes;
}

/// Whether a statement gathers elements or scatters them.
static bool accessesComputedPlaces(const KernelShape &shape) {
  for (const Phase &phase : shape.phases)
    for (const PhaseStatement &statement : phase.statements) {
      StmtOp op = statement.op;
      if (!op.getBody().getOps<GatherOp>().empty() ||
          !op.getBody().getOps<ScatterOp>().empty())
        return true;
    }
  return false;
}

int64_t ThreadMapping::getCount(const KernelShape &shape, unsigned loop) const {
  int64_t extent = shape.extents[loop];
  if (loop != getVectorLoop(shape))
    return extent;
  return slots ? slots->getCount(extent) : extent / width;
}

int64_t ThreadMapping::getCount(const KernelShape &shape, unsigned first,
                                unsigned last) const {
  int64_t count = 1;
  for (unsigned loop = first; loop != last; ++loop)
    count *= getCount(shape, loop);
  return count;
}

static LinearAccess getLinear(const StridedAccess &access) {
  return {access.offset, access.strides};
}

/// Returns the places of masked vectors along `loop`.
static VectorSlots chooseSlots(const KernelShape &shape, unsigned loop,
                               int64_t width) {
  std::vector<RowAccess> accesses;
  auto add = [&](const StridedAccess &access, bool isWrite) {
    if (!isa<BlockArgument>(access.array) || access.rest ||
        !access.dependsOn(loop))
      return;
    double points = 1;
    for (unsigned other = 0; other != shape.getNumLoops(); ++other)
      if (access.dependsOn(other))
        points *= shape.extents[other];
    accesses.push_back(
        {getLinear(access), isWrite, getBytes(access.elementType), points});
  };
  for (const Phase &phase : shape.phases)
    for (const PhaseStatement &statement : phase.statements) {
      for (const StridedAccess &access : statement.reads)
        add(access, /*isWrite=*/false);
      for (const StridedAccess &access : statement.writes)
        add(access, /*isWrite=*/true);
    }
  SmallVector<bool> isInner(shape.numOuter, false);
  isInner.resize(shape.getNumLoops(), true);
  return chooseVectorSlots(accesses, isInner, loop, width);
}

std::optional<int64_t> scop::getJoinedWidth(const ThreadMapping &mapping,
                                            const StridedAccess &access) {
  if (!mapping.slots || access.rest)
    return std::nullopt;
  return mapping.slots->getJoined(getLinear(access),
                                  getBytes(access.elementType));
}

int64_t scop::getAccessWidth(const ThreadMapping &mapping,
                             const KernelShape &shape,
                             const StridedAccess &access) {
  if (!mapping.slots)
    return getAccessWidth(shape, access, mapping.getVectorLoop(shape),
                          mapping.width);
  return access.rest ? 1
                     : mapping.slots->getPart(getLinear(access),
                                              getBytes(access.elementType));
}

int64_t scop::getAccessWidth(const KernelShape &shape,
                             const StridedAccess &access, unsigned loop,
                             int64_t most) {
  int64_t width =
      std::min(most, kMaxAccessBytes / getBytes(access.elementType));
  while (width > 1 &&
         (!access.isVector(loop, width) || shape.extents[loop] % width != 0))
    width /= 2;
  return width;
}

/// Returns the loop, other than `vectorLoop`, along which the access has
/// neighbouring elements, if it has a larger stride along `vectorLoop`.
static std::optional<unsigned> getOtherLoop(const KernelShape &shape,
                                            const StridedAccess &access,
                                            unsigned vectorLoop) {
  if (access.rest || access.strides[vectorLoop] == 0 ||
      access.strides[vectorLoop] == 1)
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

int64_t scop::getStagedWidth(const ThreadMapping &mapping,
                             const KernelShape &shape,
                             const StridedAccess &access) {
  return getAccessWidth(shape, access, mapping.tile->loop,
                        mapping.tile->extent & -mapping.tile->extent);
}

/// Returns the tile of loop `other` and the last outer loop.
static Tile chooseTile(KernelShape &shape, unsigned other,
                       const MemoryBoundConstants &constants) {
  unsigned vectorLoop = shape.numOuter - 1;
  // The bytes, for one point, of all elements that go through shared memory.
  int64_t elementBytes = 0;
  for (Phase &phase : shape.phases)
    for (PhaseStatement &statement : phase.statements)
      for (const StridedAccess &access : statement.reads) {
        if (isa<BlockArgument>(access.array) &&
            getOtherLoop(shape, access, vectorLoop) == other)
          elementBytes += getBytes(access.elementType);
      }
  int64_t elements = kTileElements;
  while (elements * elementBytes > constants.tileBytes)
    elements /= 2;
  auto cut = [](int64_t extent, int64_t most, int64_t multiple) {
    return extent <= most
               ? extent
               : std::max<int64_t>(multiple, most / multiple * multiple);
  };
  int64_t rows = shape.extents[other], columns = shape.extents[vectorLoop];
  Tile tile = {other, rows, columns};
  if (columns > kMaxWholeLoop)
    tile.width = std::min<int64_t>(columns, 64);
  tile.extent = cut(rows, elements / tile.width, kMinTileLoop);
  // With few rows, there is room for more columns.
  if (tile.width < columns)
    tile.width = cut(columns, elements / tile.extent, 64);
  // Rounding up to whole sectors may have made the tile too large.
  for (int64_t most = 64; most != kMinTileLoop / 2; most /= 2) {
    auto isTooLarge = [&] {
      return tile.width * tile.extent * elementBytes > constants.tileBytes;
    };
    if (isTooLarge())
      tile.width = std::min(tile.width, most);
    if (isTooLarge())
      tile.extent = std::min(tile.extent, most);
  }
  return tile;
}

/// Returns how many of `most` threads, a power of two, have work with `points`
/// points.
static int64_t limitThreads(int64_t points, int64_t most) {
  return std::min<int64_t>(llvm::PowerOf2Ceil(points), most);
}

bool scop::hasKeptValues(const KernelShape &shape) {
  unsigned phases = 0;
  for (const Phase &phase : shape.phases)
    phases += phase.hasInnerLoops;
  return phases > 1;
}

/// Returns how many points a thread should have. If vectors are narrow, as
/// those of 10 channels of a group are, most instructions of a thread with a
/// single point compute addresses. So a thread gets several points, if there
/// are enough for all threads that the GPU holds.
static int64_t chooseRepeats(KernelShape &shape, const ThreadMapping &mapping,
                             const TargetSpec &target) {
  int64_t bytes = mapping.width * getSmallestBytes(shape);
  if (shape.numOuter < 2 || shape.hasInnerLoops() || mapping.slots ||
      bytes > kNarrowBytes || accessesComputedPlaces(shape))
    return 1;
  int64_t points = mapping.getCount(shape, 0, shape.numOuter);
  int64_t repeats = kMostRepeats;
  while (repeats > 1 &&
         (repeats * bytes > kRepeatedBytes ||
          points < repeats * target.processors * target.processorThreads))
    repeats /= 2;
  return repeats;
}

/// Distributes the outer points to threads. Each thread goes through all inner
/// points by itself, if there are any.
static void chooseSingle(KernelShape &shape, const TargetSpec &target,
                         ThreadMapping &mapping) {
  int64_t points = mapping.getCount(shape, 0, shape.numOuter);
  mapping.outerThreads = target.memoryBound.blockThreads;
  if (!shape.hasInnerLoops()) {
    mapping.repeats = chooseRepeats(shape, mapping, target);
    return;
  }
  // Such threads need many registers, so few of them may fit.
  mapping.outerThreads = std::min(mapping.outerThreads,
                                  target.memoryBound.maxThreadsWithInnerLoops);
  // Long threads should be on many processors.
  while (mapping.outerThreads > kWarpSize &&
         points < mapping.outerThreads * target.processors)
    mapping.outerThreads /= 2;
  mapping.rounds = shape.getInnerSize();
}

static void chooseTiled(KernelShape &shape, unsigned tileLoop,
                        const TargetSpec &target, ThreadMapping &mapping) {
  mapping.outerThreads = target.memoryBound.blockThreads;
  mapping.tile = chooseTile(shape, tileLoop, target.memoryBound);
  int64_t columns = shape.extents[shape.numOuter - 1];
  int64_t rows = shape.extents[tileLoop];
  mapping.blocks = shape.getOuterSize() / (columns * rows) *
                   llvm::divideCeil(rows, mapping.tile->extent) *
                   llvm::divideCeil(columns, mapping.tile->width);
}

/// Returns the number of values that a thread may keep. With slots, that is one
/// vector more, since a row may touch one more slot than it has whole vectors.
static int64_t getMostKept(const ThreadMapping &mapping,
                           const TargetSpec &target) {
  return target.memoryBound.maxKeptValues + (mapping.slots ? mapping.width : 0);
}

/// Gives neighbouring threads neighbouring points of the last inner loop.
static void chooseRows(KernelShape &shape, const TargetSpec &target,
                       ThreadMapping &mapping) {
  int64_t outer = shape.getOuterSize();
  int64_t vectors =
      mapping.getCount(shape, shape.numOuter, shape.getNumLoops());
  // Each row gets a warp. It gets more threads if they could not keep the row
  // otherwise, or if there are few rows, while each thread that only sums up
  // still has several vectors. Loads of several vectors are in flight at once,
  // and fewer threads have less to combine.
  int64_t threads = limitThreads(vectors, kWarpSize);
  auto needsMore = [&] {
    bool keepsAll =
        vectors * mapping.width <= threads * getMostKept(mapping, target);
    return (hasKeptValues(shape) && !keepsAll) ||
           (outer * threads < target.processors * kMaxBlockThreads &&
            (hasKeptValues(shape) || vectors >= 2 * kLeastVectors * threads));
  };
  while (threads < kMaxBlockThreads && vectors > threads && needsMore())
    threads *= 2;
  mapping.innerThreads = threads;
  int64_t most =
      std::max(target.memoryBound.blockThreads / threads, int64_t(1));
  // A few long rows are distributed to as many processors.
  if (threads >= target.memoryBound.longRowThreads &&
      outer < 2 * target.processors)
    most = 1;
  mapping.outerThreads = std::max<int64_t>(1, limitThreads(outer, most));
  mapping.rounds = llvm::divideCeil(vectors, threads);
}

/// Gives neighbouring threads neighbouring points of the last outer loop, and
/// distributes the inner points to threads, too.
static void chooseColumns(KernelShape &shape, const TargetSpec &target,
                          ThreadMapping &mapping) {
  int64_t blockThreads = target.memoryBound.blockThreads;
  int64_t inner = shape.getInnerSize();
  int64_t columns = mapping.getCount(shape, 0, shape.numOuter);
  mapping.outerThreads = limitThreads(columns, kWarpSize);
  // If there are few columns, a block takes as few as fill whole sectors.
  int64_t columnBytes = getSmallestBytes(shape) * mapping.width;
  while (mapping.outerThreads > 1 &&
         mapping.outerThreads * columnBytes > kSectorBytes &&
         columns < mapping.outerThreads * target.processors)
    mapping.outerThreads /= 2;
  int64_t threads = limitThreads(inner, blockThreads / mapping.outerThreads);
  // Columns get more threads if there are few columns, and their values are
  // kept, or they are long. Threads with short sums would have as much work to
  // combine them.
  auto needsMore = [&] {
    return hasKeptValues(shape) ||
           inner >= 4 * target.memoryBound.minIterations * threads;
  };
  while (mapping.outerThreads * threads < kMaxBlockThreads && inner > threads &&
         columns * threads < target.processors * kMaxBlockThreads &&
         needsMore())
    threads *= 2;
  // If all blocks run at once, they also end at once, and no loads are in
  // flight while they combine. So use two waves, with narrower blocks if
  // necessary.
  while (columns * threads < 2 * target.processors * target.processorThreads &&
         inner >= 2 * target.memoryBound.minIterations * threads) {
    if (mapping.outerThreads * threads >= 2 * blockThreads) {
      // A block keeps columns that fill a cache line, if it can.
      if (mapping.outerThreads * columnBytes <= kLineBytes)
        break;
      mapping.outerThreads /= 2;
    }
    threads *= 2;
  }
  mapping.innerThreads = threads;
  mapping.rounds = llvm::divideCeil(inner, threads);
}

/// Reports how the points of `shape` are distributed.
static void reportMapping(const KernelShape &shape,
                          const ThreadMapping &mapping) {
  LDBG_OS([&](llvm::raw_ostream &os) {
    StmtOp first = shape.phases.front().statements.front().op;
    os << first.getLoc() << ": " << mapping.blocks << " blocks of "
       << mapping.outerThreads << " x " << mapping.innerThreads << " threads, "
       << mapping.rounds << " rounds of " << mapping.width << " points"
       << (mapping.slots ? ", masked" : "");
    if (mapping.tile)
      os << ", in tiles of " << mapping.tile->extent << " x "
         << mapping.tile->width << " through shared memory";
  });
}

ThreadMapping scop::chooseThreadMapping(KernelShape &shape,
                                        const TargetSpec &target) {
  ThreadMapping mapping;
  mapping.isInnerFastest =
      shape.hasInnerLoops() &&
      shape.marks.back().execution.getMapping() == Mapping::ThreadX;
  if (mapping.isInnerFastest || shape.numOuter != 0) {
    unsigned loop = mapping.getVectorLoop(shape);
    ExecutionAttr execution = shape.marks[loop].execution;
    mapping.width = execution.getVectorWidth();
    if (execution.getMasked())
      mapping.slots = chooseSlots(shape, loop, mapping.width);
  }

  if (std::optional<unsigned> tileLoop = shape.getTileLoop()) {
    chooseTiled(shape, *tileLoop, target, mapping);
    reportMapping(shape, mapping);
    return mapping;
  }
  if (mapping.isInnerFastest)
    chooseRows(shape, target, mapping);
  else if (shape.sharesInnerLoops())
    chooseColumns(shape, target, mapping);
  else
    chooseSingle(shape, target, mapping);
  mapping.keepsRounds =
      mapping.rounds * mapping.width <= getMostKept(mapping, target);
  // A block consists of whole warps. Some of its threads may have no point.
  mapping.outerThreads *=
      std::max<int64_t>(1, kWarpSize / mapping.getThreads());
  mapping.blocks = llvm::divideCeil(mapping.getCount(shape, 0, shape.numOuter),
                                    mapping.outerThreads);
  reportMapping(shape, mapping);
  return mapping;
}

//===----------------------------------------------------------------------===//
// Blocks as tiles
//===----------------------------------------------------------------------===//

SmallVector<int64_t> scop::getTileGrid(const KernelShape &shape,
                                       ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> grid;
  for (auto [loop, size] : llvm::enumerate(sizes))
    grid.push_back(llvm::divideCeil(shape.extents[loop], size));
  return grid;
}

/// Returns a part of `extent`, up to `most`. It divides `extent` if there is a
/// divisor that is larger than half of `most`.
static int64_t getPart(int64_t extent, int64_t most) {
  if (most >= extent)
    return extent;
  for (int64_t part = most; 2 * part > most; --part)
    if (extent % part == 0)
      return part;
  return most;
}

/// Makes tiles larger along the loop around the whole loops of `sizes`, so that
/// each thread has several points.
static void addRepeats(const KernelShape &shape, const ThreadMapping &mapping,
                       MutableArrayRef<int64_t> sizes) {
  if (mapping.repeats == 1)
    return;
  unsigned loop = shape.numOuter - 1;
  while (loop != 0 && sizes[loop] == shape.extents[loop])
    --loop;
  if (loop + 1 != shape.numOuter)
    sizes[loop] = getPart(shape.extents[loop], sizes[loop] * mapping.repeats);
}

SmallVector<int64_t> scop::getTileSizes(const KernelShape &shape,
                                        const ThreadMapping &mapping) {
  if (shape.numOuter == 0 || (mapping.slots && !mapping.isInnerFastest))
    return {};
  SmallVector<int64_t> sizes(shape.numOuter, 1);
  unsigned last = shape.numOuter - 1;
  if (mapping.tile) {
    sizes[mapping.tile->loop] = mapping.tile->extent;
    sizes[last] = mapping.tile->width;
    return sizes;
  }
  // A tile has as many points as a block has threads, or fewer, and its
  // innermost loops are whole.
  int64_t width = mapping.getOuterWidth();
  int64_t points = mapping.outerThreads;
  for (unsigned loop = shape.numOuter; loop-- > 0;) {
    int64_t ofLoop = loop == last ? width : 1;
    int64_t part = getPart(shape.extents[loop] / ofLoop, points);
    sizes[loop] = part * ofLoop;
    points /= part;
  }
  addRepeats(shape, mapping, sizes);
  return sizes;
}

/// Finds the points of each thread if blocks of `mapping` are tiles of `sizes`.
/// Returns whether blocks have enough threads.
static bool setRepeats(const KernelShape &shape, ArrayRef<int64_t> sizes,
                       ThreadMapping &mapping) {
  mapping.repeats = mapping.repeatedRows = 1;
  std::optional<int64_t> size = getSize(sizes);
  if (!size)
    return false;
  int64_t points = *size / mapping.getOuterWidth();
  if (points <= mapping.outerThreads)
    return true;
  auto isTiled = [](int64_t extent) { return extent != 1; };
  unsigned loop = llvm::find_if(sizes, isTiled) - sizes.begin();
  int64_t rows = mapping.outerThreads / (points / sizes[loop]);
  if (loop + 1 == sizes.size() || shape.hasInnerLoops() || rows == 0)
    return false;
  mapping.repeatedLoop = loop;
  mapping.repeatedRows = rows;
  mapping.repeats = llvm::divideCeil(sizes[loop], rows);
  return mapping.repeats <= kMostRepeats;
}

std::string scop::setTileSizes(const KernelShape &shape,
                               ArrayRef<int64_t> sizes,
                               ThreadMapping &mapping) {
  if (mapping.slots && !mapping.isInnerFastest)
    return "it has tiles, but masked vectors along an outer loop";
  int64_t width = mapping.getOuterWidth();
  if (!sizes.empty() && sizes.back() % width != 0)
    return "the last of its tile sizes is no multiple of " +
           std::to_string(width) + ", its vectors";
  if (mapping.tile) {
    for (auto [loop, size] : llvm::enumerate(sizes))
      if (size != 1 && loop != mapping.tile->loop && loop + 1 != sizes.size())
        return "its tiles have " + std::to_string(size) + " points of loop " +
               std::to_string(loop) +
               ", which is in no tile that goes through "
               "shared memory";
    mapping.tile->extent = sizes[mapping.tile->loop];
    mapping.tile->width = sizes.back();
  } else {
    if (!setRepeats(shape, sizes, mapping))
      return "its tiles have more points than a block of " +
             std::to_string(mapping.outerThreads) + " threads computes";
  }
  mapping.tileSizes = llvm::to_vector(sizes);
  mapping.blocks = 1;
  for (int64_t tiles : getTileGrid(shape, sizes))
    mapping.blocks *= tiles;
  return "";
}
