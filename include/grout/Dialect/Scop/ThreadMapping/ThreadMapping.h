//===- ThreadMapping.h - Which thread does what -----------------*- C++ -*-===//
//
// Part of Grout. How the points of a kernel's loops are shared out to blocks,
// threads, rounds and vectors.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_SCOP_THREADMAPPING_THREADMAPPING_H
#define GROUT_DIALECT_SCOP_THREADMAPPING_THREADMAPPING_H

#include "grout/Dialect/Scop/IR/VectorSlots.h"
#include "grout/Dialect/Scop/ThreadMapping/KernelShape.h"
#include "grout/Target/TargetSpec.h"

namespace grout::scop {

/// Rounds of a thread that goes through the inner loops alone, for each of
/// which it has code; of more, there are loops.
constexpr int64_t kMostUnrolledRounds = 64;

/// A tile of two loops that a block goes through: the one mapped to thread_y,
/// and the one mapped to thread_x. Reads of elements that are neighbours along
/// the former go through shared memory: they are made along `loop`, and used
/// along the other.
struct Tile {
  unsigned loop;
  /// Points of `loop`, and of the other.
  int64_t extent, width;
};

/// The points of the outer loops, as one number, go to `outerThreads` threads
/// of a block, those of the inner loops to `innerThreads`. Of the loop mapped
/// to thread_x, which is the last outer or the last inner one, a thread has
/// `width` consecutive points at once.
struct ThreadMapping {
  int64_t width = 1;
  /// If these are masked, where they lie.
  std::optional<VectorSlots> slots;
  /// Whether that is the last inner loop.
  bool isInnerFastest = false;
  /// Powers of two.
  int64_t outerThreads = 1, innerThreads = 1;
  /// How often the inner threads go through the inner points, and whether what
  /// a round has read and computed is kept for the phases after.
  int64_t rounds = 1;
  bool keepsRounds = true;
  /// If there is one, `outerThreads` threads go through it, in rounds.
  std::optional<Tile> tile;
  /// The points of each outer loop in a block, where blocks are the tiles of a
  /// grid. Else, without `tile`, a block has consecutive points, of all outer
  /// loops as one number.
  llvm::SmallVector<int64_t> tileSizes;
  /// Blocks of the launch.
  int64_t blocks = 1;

  int64_t getThreads() const { return outerThreads * innerThreads; }
  /// Points of the last outer loop that a thread has at once.
  int64_t getOuterWidth() const { return isInnerFastest ? 1 : width; }
  /// The loop of which a thread has several points at once.
  unsigned getVectorLoop(const KernelShape &shape) const {
    return (isInnerFastest ? shape.getNumLoops() : shape.numOuter) - 1;
  }
  /// How often threads advance in `loop`: by vectors, or by iterations.
  int64_t getCount(const KernelShape &shape, unsigned loop) const;
  /// The same for the loops from `first` to before `last`, as one.
  int64_t getCount(const KernelShape &shape, unsigned first,
                   unsigned last) const;
};

/// The elements of each of the two vectors that a masked access reads, if any.
std::optional<int64_t> getJoinedWidth(const ThreadMapping &mapping,
                                      const StridedAccess &access);
/// The most elements that one access of a thread can have.
int64_t getAccessWidth(const ThreadMapping &mapping, const KernelShape &shape,
                       const StridedAccess &access);
/// The most elements, up to `most`, that one access can have along `loop`.
int64_t getAccessWidth(const KernelShape &shape, const StridedAccess &access,
                       unsigned loop, int64_t most);

/// Whether the access goes through shared memory.
bool isStaged(const ThreadMapping &mapping, const KernelShape &shape,
              const StridedAccess &access);

/// The elements along the tile's loop that a thread reads at once of an access
/// that does.
int64_t getStagedWidth(const ThreadMapping &mapping, const KernelShape &shape,
                       const StridedAccess &access);

/// Whether a value of an inner point may be used in a later phase.
bool hasKeptValues(const KernelShape &shape);

/// Chooses how many threads and blocks there are on `target`, a GPU. Which
/// loops they run, and in what width, the marks say.
ThreadMapping chooseThreadMapping(KernelShape &shape, const TargetSpec &target);

/// Sizes of a block's part of each outer loop that suit `mapping`; none if
/// vectors of an outer loop are masked, so that they are of no tile.
llvm::SmallVector<int64_t> getTileSizes(const KernelShape &shape,
                                        const ThreadMapping &mapping);

/// Makes blocks of `mapping` the tiles of `sizes`. Returns why they cannot be,
/// or an empty string.
std::string setTileSizes(const KernelShape &shape,
                         llvm::ArrayRef<int64_t> sizes, ThreadMapping &mapping);

/// The grid of tiles of sizes `sizes`.
llvm::SmallVector<int64_t> getTileGrid(const KernelShape &shape,
                                       llvm::ArrayRef<int64_t> sizes);

} // namespace grout::scop

#endif // GROUT_DIALECT_SCOP_THREADMAPPING_THREADMAPPING_H
