//===- GPU.h - Facts about all GPUs -----------------------------*- C++ -*-===//
//
// Part of Grout. TargetSpec has the properties in which GPUs differ.
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
/// Bytes of a sector, the unit in which memory is read and written.
inline constexpr int64_t kSectorBytes = 32;
/// Bytes of a line of the cache.
inline constexpr int64_t kLineBytes = 128;
/// Bytes of the widest access of a thread.
inline constexpr int64_t kMaxAccessBytes = 16;

} // namespace grout

#endif // GROUT_TARGET_GPU_H
