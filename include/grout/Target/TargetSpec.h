//===- TargetSpec.h - What the compiler knows of a processor ----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TARGET_TARGETSPEC_H
#define GROUT_TARGET_TARGETSPEC_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace grout {

/// What kernels are compiled to.
enum class CodeFormat { Native, PTX };

/// What was fitted to measured times of memory-bound kernels on a GPU.
struct MemoryBoundConstants {
  /// Instructions of a thread: for a row (numbers of points, addresses,
  /// shuffles), and for a point besides statements and accesses (masks); for an
  /// element that is loaded or stored, of a vector or out of two; and for a
  /// quotient, or what `math` has.
  double ofRow;
  double ofPoint;
  double ofAccess;
  double ofJoined;
  double ofFunction;
  /// What an access of a warp costs besides the sectors, in bytes, and what is
  /// moved in the time of any instruction of a warp.
  double accessBytes;
  double issueBytes;
  /// What a byte through shared memory costs, twice.
  double stagingCost;
  /// What masked vectors may cost, as a share of others: what masks take is not
  /// counted everywhere.
  double maskedShare;
  /// How much slower parts of rows are than rows: they have more ends.
  double rowPartCost;
  /// Threads of a block, a power of two.
  int64_t blockThreads;
  /// Rounds that threads have at least, if more of them are not to keep memory
  /// busy but to end at different times.
  int64_t leastRounds;
  /// Points of a statement that a block goes through in no more time than
  /// another launch takes.
  int64_t pointsOfBlock;
  /// Bytes of a matrix that is read in the time in which a tile kernel's roles
  /// hand over to each other three times. Of a larger one that time is little,
  /// and chains of tile kernels read it ahead.
  int64_t mostMatrixBytes;
};

/// The limits and rates of a processor.
struct TargetSpec {
  /// What `#grout.target` names it.
  llvm::StringRef name;
  CodeFormat code;
  /// What code generation is told: an SM architecture, or an x86 level.
  llvm::StringRef architecture;
  /// PTX version feature for LLVM, such as "+ptx81": the least version that has
  /// what kernels use, as drivers load none that is newer than they are. Empty
  /// on a CPU.
  llvm::StringRef features;
  /// Threads that run together and share out loops; 0 where one thread runs a
  /// tile.
  int64_t warpSize;
  /// SMs of a GPU, or worker threads that a CPU plan is made for.
  int64_t processors;
  /// Threads that one of them runs at once.
  int64_t processorThreads;
  /// Shared memory that one block may use, in bytes; 0 on a CPU.
  int64_t sharedMemory;
  /// Dense f16 matrix rate under the power limit, in FLOP per second.
  double matrixRate;
  /// Device memory bandwidth, in bytes per second, and how much more than its
  /// share of that a processor can have.
  double memoryRate;
  double mostOfShare;
  /// What its clock and the width of the bus make of that, by which a device is
  /// told from others of its architecture; 0 on a CPU.
  double peakMemoryRate;
  /// Rate at which all processors together read the last-level cache, in bytes
  /// per second.
  double cacheRate;
  /// Bytes of the last-level cache, and its parts, each of which keeps what the
  /// processors beside it read.
  int64_t cacheBytes;
  int64_t cacheParts;
  /// The share of it up to which what a kernel reads is still there when the
  /// kernel runs again.
  double keptShare;
  /// How many clusters of 1, 2, 4 and 8 blocks that fill an SM each
  /// a GPU holds at once: clusters live within a group of SMs (GPC).
  int64_t clusters[4];
  /// Processors that share a path to the last-level cache, and are given blocks
  /// of consecutive numbers; 0 where that is not known.
  int64_t pathProcessors;
  /// A launch may start before the one before it has ended (programmatic
  /// dependent launch).
  bool hasProgrammaticLaunch;
  /// What a launch takes besides its work, in seconds, and how much less where
  /// it is there already when the one before it ends.
  double launchTime;
  double earlyLaunchGain;
  /// What timelines have a tile take beside its arithmetic and loads, in
  /// seconds: an estimate.
  double tileTime;
  /// A kernel of products that waits has the cache fetch more of rhs than its
  /// stages hold where products take less than this share of memory's time.
  double prefetchedShare;
  /// Ops of linalg that have tile shapes are tile kernels.
  bool hasLinalgKernels;
  /// Bits of the floats that references are computed in.
  unsigned referenceWidth;
  /// None on a CPU.
  MemoryBoundConstants memoryBound = {};

  /// How many tiles it holds at once, if a cluster of `clusterSize` blocks runs
  /// each and `blocksPerProcessor` blocks fit a processor. A CPU gets as many
  /// threads as are needed, if the runtime can have them.
  int64_t getResidentTiles(int64_t clusterSize,
                           int64_t blocksPerProcessor) const;
  /// How many clusters of `size` blocks, a power of two up to 8, it holds.
  int64_t getResidentClusters(int64_t size) const;
  bool hasClusters() const { return clusters[1] != 0; }
  /// Bytes that are still in the cache when a kernel that reads them runs
  /// again.
  int64_t getKeptBytes() const {
    return static_cast<int64_t>(keptShare * static_cast<double>(cacheBytes));
  }
};

} // namespace grout

#endif // GROUT_TARGET_TARGETSPEC_H
