//===- GPU.h - What all GPUs have in common ---------------------*- C++ -*-===//
//
// Part of Grout. What differs is in TargetSpec.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TARGET_GPU_H
#define GROUT_TARGET_GPU_H

#include "grout/Runtime/DeviceABI.h"
#include <cstdint>

namespace grout {

/// Threads of a warp.
inline constexpr int64_t kWarpSize = kernelabi::kWarpThreads;
/// The most threads of a block.
inline constexpr int64_t kMaxBlockThreads = kernelabi::kMaxBlockThreads;
/// The bytes in which memory is read and written.
inline constexpr int64_t kSectorBytes = 32;
/// The bytes of a line of the cache.
inline constexpr int64_t kLineBytes = 128;
/// The bytes of the widest access of a thread.
inline constexpr int64_t kMaxAccessBytes = 16;

} // namespace grout

#endif // GROUT_TARGET_GPU_H
