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

/// The limits and rates of a processor.
struct TargetSpec {
  /// What `#grout.target` names it.
  llvm::StringRef name;
  CodeFormat code;
  /// What code generation is told: an SM architecture, or an x86 level.
  llvm::StringRef architecture;
  /// PTX version feature for LLVM, such as "+ptx86"; empty on a CPU.
  llvm::StringRef features;
  /// Threads that run together and share out loops; 0 where one thread runs a
  /// tile.
  int64_t warpSize;
  /// SMs of a GPU, or worker threads that a CPU plan is made for.
  int64_t processors;
  /// Shared memory that one block may use, in bytes; 0 on a CPU.
  int64_t sharedMemory;
  /// Dense f16 matrix rate under the power limit, in FLOP per second.
  double matrixRate;
  /// Device memory bandwidth, in bytes per second.
  double memoryRate;
  /// Rate at which all processors together read the last-level cache, in bytes
  /// per second.
  double cacheRate;
  /// Bytes of the last-level cache.
  int64_t cacheBytes;
  /// How many clusters of 1, 2, 4 and 8 blocks that fill an SM each
  /// a GPU holds at once: clusters live within a group of SMs (GPC).
  int64_t clusters[4];
  /// A launch may start before the one before it has ended (programmatic
  /// dependent launch).
  bool hasProgrammaticLaunch;
  /// What a launch takes besides its work, in seconds.
  double launchTime;
  /// Ops of linalg that have tile shapes are tile kernels.
  bool hasLinalgKernels;
  /// Bits of the floats that references are computed in.
  unsigned referenceWidth;

  /// How many clusters of `size` blocks, a power of two up to 8, it holds.
  int64_t getResidentClusters(int64_t size) const;
  bool hasClusters() const { return clusters[1] != 0; }
};

} // namespace grout

#endif // GROUT_TARGET_TARGETSPEC_H
