//===- Mma.h - The sizes of wgmma -------------------------------*- C++ -*-===//
//
// Part of Grout. What the instruction and the shared memory that it reads have,
// by which models limit tiles and kernels are made.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TARGET_HOPPER_MMA_H
#define GROUT_TARGET_HOPPER_MMA_H

#include "grout/Target/GPU.h"

namespace grout::hopper {

/// Warps, and threads, of a warpgroup, which together issue one wgmma.
inline constexpr int64_t kWarpsPerWarpgroup = 4;
inline constexpr int64_t kWarpgroupThreads = kWarpSize * kWarpsPerWarpgroup;
/// Rows of one wgmma.
inline constexpr int64_t kMmaRows = 64;
/// Elements of the reduction in one wgmma.
inline constexpr int64_t kMmaDepth = 16;
/// Bytes of a row of shared memory that is swizzled over all of it, and its
/// elements, of 2 bytes. Factors come in blocks of such rows.
inline constexpr int64_t kRowBytes = 128;
inline constexpr int64_t kChunk = kRowBytes / 2;
/// Rows after which the swizzle repeats.
inline constexpr int64_t kSwizzleRows = 8;

} // namespace grout::hopper

#endif // GROUT_TARGET_HOPPER_MMA_H
