//===- TargetSpec.h - Limits and rates of a processor -----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TARGET_TARGETSPEC_H
#define GROUT_TARGET_TARGETSPEC_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace grout {

/// The form of compiled kernels: machine code of the host, or PTX.
enum class CodeFormat { Native, PTX };

/// By what memory-bound kernels of a GPU are planned, fitted to measured times.
/// MemoryBoundConstants.def describes each constant.
struct MemoryBoundConstants {
#define GROUT_CONSTANT(type, name, least, most) type name;
#include "grout/Target/MemoryBoundConstants.def"
};

/// How ranks sum a tensor.
struct RankSumPath {
  /// Whether each rank sums a share, and gives the sums to the others, in a
  /// second exchange. Otherwise each rank sums all.
  bool isTwoShot;
  /// Bytes that a rank sends to others.
  double bytes;
};

/// The limits and rates of a processor: an NVIDIA GPU or a CPU. A "processor"
/// below is an SM of a GPU, or a worker thread of a CPU.
struct TargetSpec {
  /// The name in `#grout.target` and `--target`.
  llvm::StringRef name;
  CodeFormat code;
  /// The architecture for LLVM: an SM version, or an x86 level.
  llvm::StringRef architecture;
  /// The PTX version for LLVM, such as "+ptx81". It is the lowest version that
  /// has all instructions of the kernels, because a driver refuses versions
  /// that are newer than itself. Empty on a CPU.
  llvm::StringRef features;
  /// Threads of a warp; 0 on a CPU, where one thread runs a tile.
  int64_t warpSize;
  /// SMs of a GPU, or worker threads for which CPU plans are made.
  int64_t processors;
  /// Threads that a processor holds at once.
  int64_t processorThreads;
  /// Shared memory that one block may use, in bytes; 0 on a CPU.
  int64_t sharedMemory;
  /// Dense f16 matrix rate under the power limit, in FLOP per second.
  double matrixRate;
  /// Measured device memory bandwidth, in bytes per second.
  double memoryRate;
  /// A single processor reaches at most this multiple of its share, one
  /// `processors`th, of a bandwidth.
  double maxBandwidthShare;
  /// Device memory bandwidth as a device states it: memory clock times bus
  /// width, in bytes per second. It tells devices of one architecture apart.
  /// 0 on a CPU.
  double peakMemoryRate;
  /// Rate at which all processors together read the last-level cache, in bytes
  /// per second.
  double cacheRate;
  /// Size of the last-level cache, in bytes.
  int64_t cacheBytes;
  /// Parts of the last-level cache. Each part keeps its own copy of data that
  /// the processors beside it read.
  int64_t cacheParts;
  /// If a kernel reads at most this fraction of the cache, its data is still
  /// there when the kernel runs again.
  double keptShare;
  /// How many clusters of 1, 2, 4 and 8 blocks a GPU holds at once, if each
  /// block fills an SM. The SMs of a cluster are of one GPC.
  int64_t clusters[4];
  /// Processors that share a path to the last-level cache, and get blocks with
  /// consecutive numbers; 0 where that is not known.
  int64_t pathProcessors;
  /// An order of tiles may move up to this multiple of the least possible bytes
  /// along those paths, if fewer copies of data are in the cache then.
  double maxPathTraffic;
  /// Whether a launch may start before the launch before it has ended
  /// (programmatic dependent launch).
  bool hasProgrammaticLaunch;
  /// Whether kernels of GEMMs sum their results over ranks.
  bool hasRankSums;
  /// Rate at which a GPU stores into the memory of other GPUs of its host, in
  /// bytes per second, and the time from such a store until the other GPU sees
  /// it, in seconds. Both are 0 on a CPU.
  double linkRate;
  double linkTime;
  /// Time of a launch beside its work, in seconds.
  double launchTime;
  /// The part of `launchTime` that a programmatic dependent launch saves, in
  /// seconds.
  double earlyLaunchGain;
  /// Estimated time of a tile beside its arithmetic and loads, in seconds. Only
  /// timelines and launch costs use it.
  double tileTime;
  /// Prefetch threshold. While a GEMM kernel waits for its producer, it
  /// prefetches more of operand B into L2 than its pipeline stages hold, if its
  /// estimated MMA time is below this fraction of its estimated memory time.
  double prefetchThreshold;
  /// Whether linalg ops that have tile shapes are tile kernels.
  bool hasLinalgKernels;
  /// Bits of the floats in which reference plans compute.
  unsigned referenceWidth;
  /// All zero on a CPU.
  MemoryBoundConstants memoryBound = {};

  /// Returns how many tiles the processors hold at once, if a cluster of
  /// `clusterSize` blocks runs each tile and `blocksPerProcessor` blocks fit a
  /// processor. On a CPU the runtime starts as many threads as are needed.
  int64_t getResidentTiles(int64_t clusterSize,
                           int64_t blocksPerProcessor) const;
  /// Returns how many clusters of `size` blocks the GPU holds at once. `size`
  /// is a power of two up to 8.
  int64_t getResidentClusters(int64_t size) const;
  /// Returns how `ranks` ranks sum a tensor of `bytes` bytes fastest.
  RankSumPath getRankSumPath(int64_t ranks, int64_t bytes) const;
  bool hasClusters() const { return clusters[1] != 0; }
  /// Returns how many bytes a kernel may read so that they are still in the
  /// cache when it runs again.
  int64_t getKeptBytes() const {
    return static_cast<int64_t>(keptShare * static_cast<double>(cacheBytes));
  }
};

} // namespace grout

#endif // GROUT_TARGET_TARGETSPEC_H
