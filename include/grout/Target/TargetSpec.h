//===- TargetSpec.h - What the compiler knows of a processor ----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TARGET_TARGETSPEC_H
#define GROUT_TARGET_TARGETSPEC_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace grout {

/// A processor that Grout compiles for.
struct TargetSpec {
  /// What `target=` names it.
  llvm::StringRef name;
  bool isGPU;
  /// What code generation is told: an SM architecture, or an x86 level.
  llvm::StringRef architecture;
  /// PTX version feature for LLVM, such as "+ptx86"; empty on a CPU.
  llvm::StringRef features;
  /// Multiprocessors of a GPU, or worker threads that a CPU plan is made for.
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
  /// How many clusters of 1, 2, 4 and 8 blocks that fill a multiprocessor each
  /// a GPU holds at once: clusters live within a group of multiprocessors.
  int64_t clusters[4];
  /// It has the instructions that kernels for matrix products are made of:
  /// `wgmma` and bulk tensor copies on a GPU, any on a CPU.
  bool hasProductKernels;
  /// A launch may start before the one before it has ended (programmatic
  /// dependent launch).
  bool hasProgrammaticLaunch;
  /// What a launch takes besides its work, in seconds.
  double launchTime;

  /// How many clusters of `size` blocks, a power of two up to 8, it holds.
  int64_t getResidentClusters(int64_t size) const;
};

/// The target called `name`, if there is one.
std::optional<TargetSpec> lookupTarget(llvm::StringRef name);

/// All targets, for messages and help.
llvm::ArrayRef<TargetSpec> getAllTargets();

} // namespace grout

#endif // GROUT_TARGET_TARGETSPEC_H
