//===- Mma.h - The sizes of wgmma -------------------------------*- C++ -*-===//
//
// Part of Grout. Sizes of the instruction, and of the shared memory that it
// reads. Models limit tiles by them, and generators build kernels with them.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TARGET_HOPPER_MMA_H
#define GROUT_TARGET_HOPPER_MMA_H

#include "grout/Target/GPU.h"

namespace grout::hopper {

/// The warps and the threads of a warpgroup, which issues a wgmma together.
inline constexpr int64_t kWarpsPerWarpgroup = 4;
inline constexpr int64_t kWarpgroupThreads = kWarpSize * kWarpsPerWarpgroup;
/// Rows of one wgmma.
inline constexpr int64_t kMmaRows = 64;
/// Elements of the reduction in one wgmma.
inline constexpr int64_t kMmaDepth = 16;
/// Bytes of a row of shared memory with the 128-byte swizzle, and its elements,
/// of 2 bytes. Operands lie in blocks of such rows.
inline constexpr int64_t kRowBytes = 128;
inline constexpr int64_t kChunk = kRowBytes / 2;
/// Bytes of 64 rows of one chunk.
inline constexpr int64_t kRowBlockBytes = kMmaRows * kRowBytes;
/// Rows after which the swizzle repeats.
inline constexpr int64_t kSwizzleRows = 8;

} // namespace grout::hopper

#endif // GROUT_TARGET_HOPPER_MMA_H
