//===- ThreadMapping.h - Which thread does what -----------------*- C++ -*-===//
//
// Part of Grout. How the points of a kernel's loops are distributed over
// blocks, threads, rounds and vectors.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_SCOP_THREADMAPPING_THREADMAPPING_H
#define GROUT_DIALECT_SCOP_THREADMAPPING_THREADMAPPING_H

#include "grout/Dialect/Scop/IR/VectorSlots.h"
#include "grout/Dialect/Scop/ThreadMapping/KernelShape.h"
#include "grout/Target/TargetSpec.h"

namespace grout::scop {

/// The largest number of rounds for which a kernel has unrolled code, in a
/// thread that goes through the inner loops alone. More rounds are loops.
constexpr int64_t kMostUnrolledRounds = 64;

/// A tile of two loops that a block goes through: `loop`, which is mapped to
/// thread_y, and the loop mapped to thread_x. If elements are neighbours along
/// `loop`, reads of them go through shared memory: threads read them along
/// `loop`, and use them along the other loop.
struct Tile {
  unsigned loop;
  /// Points of `loop`, and of the other loop.
  int64_t extent, width;
};

/// The distribution of a kernel's points. The points of the outer loops, as one
/// number, go to `outerThreads` threads of a block, and the points of the inner
/// loops to `innerThreads`. One loop is mapped to thread_x: the last outer or
/// the last inner loop. A thread has `width` consecutive points of this loop at
/// once.
struct ThreadMapping {
  int64_t width = 1;
  /// The places of these vectors, if they are masked.
  std::optional<VectorSlots> slots;
  /// Whether the last inner loop is mapped to thread_x.
  bool isInnerFastest = false;
  /// Powers of two.
  int64_t outerThreads = 1, innerThreads = 1;
  /// How often the inner threads go through the inner points, and whether a
  /// thread keeps the values that a round has read and computed for later
  /// phases.
  int64_t rounds = 1;
  bool keepsRounds = true;
  /// The tile of a block, if it has one. `outerThreads` threads go through it,
  /// in rounds.
  std::optional<Tile> tile;
  /// The points that a thread has of its block's tile, one after another. They
  /// have the same values of all outer loops but `repeatedLoop`, along which
  /// they are `repeatedRows` apart. Before setTileSizes, `repeats` says how
  /// many points a thread should have.
  int64_t repeats = 1;
  unsigned repeatedLoop = 0;
  int64_t repeatedRows = 1;
  /// The points of each outer loop in a block, if blocks are the tiles of a
  /// grid. Otherwise, without `tile`, a block has consecutive points of all
  /// outer loops, as one number.
  llvm::SmallVector<int64_t> tileSizes;
  /// Blocks of the launch.
  int64_t blocks = 1;

  int64_t getThreads() const { return outerThreads * innerThreads; }
  /// Returns the points of the last outer loop that a thread has at once.
  int64_t getOuterWidth() const { return isInnerFastest ? 1 : width; }
  /// Returns the loop of which a thread has several points at once.
  unsigned getVectorLoop(const KernelShape &shape) const {
    return (isInnerFastest ? shape.getNumLoops() : shape.numOuter) - 1;
  }
  /// Returns how often threads advance in `loop`, by vectors or by iterations.
  int64_t getCount(const KernelShape &shape, unsigned loop) const;
  /// Returns the same for the loops from `first` to `last` - 1, as one loop.
  int64_t getCount(const KernelShape &shape, unsigned first,
                   unsigned last) const;
};

/// Returns the elements of each of the two vectors that a masked access reads,
/// if it reads two.
std::optional<int64_t> getJoinedWidth(const ThreadMapping &mapping,
                                      const StridedAccess &access);
/// Returns the most elements that one access of a thread can have.
int64_t getAccessWidth(const ThreadMapping &mapping, const KernelShape &shape,
                       const StridedAccess &access);
/// Returns the most elements, up to `most`, that one access can have along
/// `loop`.
int64_t getAccessWidth(const KernelShape &shape, const StridedAccess &access,
                       unsigned loop, int64_t most);

/// Returns whether the access goes through shared memory.
bool isStaged(const ThreadMapping &mapping, const KernelShape &shape,
              const StridedAccess &access);

/// Returns the elements along the tile's loop that a thread reads at once, of
/// an access that goes through shared memory.
int64_t getStagedWidth(const ThreadMapping &mapping, const KernelShape &shape,
                       const StridedAccess &access);

/// Returns whether a later phase may use a value of an inner point.
bool hasKeptValues(const KernelShape &shape);

/// Chooses the number of threads and blocks on `target`, a GPU. The marks of
/// the loops say which loops the threads run, and in which width.
ThreadMapping chooseThreadMapping(KernelShape &shape, const TargetSpec &target);

/// Returns sizes of a block's part of each outer loop that suit `mapping`; none
/// if vectors of an outer loop are masked, because such a vector belongs to no
/// single tile.
llvm::SmallVector<int64_t> getTileSizes(const KernelShape &shape,
                                        const ThreadMapping &mapping);

/// Makes blocks of `mapping` the tiles of `sizes`. Returns why this is
/// impossible, or an empty string.
std::string setTileSizes(const KernelShape &shape,
                         llvm::ArrayRef<int64_t> sizes, ThreadMapping &mapping);

/// Returns the grid of tiles of `sizes`.
llvm::SmallVector<int64_t> getTileGrid(const KernelShape &shape,
                                       llvm::ArrayRef<int64_t> sizes);

} // namespace grout::scop

#endif // GROUT_DIALECT_SCOP_THREADMAPPING_THREADMAPPING_H
