//===- DeviceABI.h - Where compiler and runtime meet on a GPU ---*- C++ -*-===//
//
// Part of Grout. The numbers of docs/KernelABI.md, which says what they mean.
// Kernels are compiled with them, and the runtime allocates, launches, checks
// and reads by them. A change is a change of the artifact version. Has nothing
// of LLVM or of CUDA in it.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_RUNTIME_DEVICEABI_H
#define GROUT_RUNTIME_DEVICEABI_H

#include "grout-c/Runtime.h"

#include <cstdint>

namespace grout::kernelabi {

//===----------------------------------------------------------------------===//
// Synchronisation state: 32-bit words
//===----------------------------------------------------------------------===//

constexpr uint32_t kWordBytes = 4;
constexpr uint32_t kTicketWord = 0;
constexpr uint32_t kFinishedWord = 1;
constexpr uint32_t kEpochWord = 2;
/// Where the record of a wait that gave up begins.
constexpr uint32_t kRecordWord = 16;
/// Semaphores have a sector of memory each.
constexpr uint32_t kFirstSemaphoreWord = 32;
constexpr uint32_t kWordsPerSemaphore = 8;
/// Its size is a multiple of these bytes.
constexpr uint32_t kSyncStateGranule = 128;
constexpr uint32_t kMaxSemaphores = 1u << 22;

/// The bytes of the state of a launch with `semaphores` semaphores.
constexpr uint64_t getSyncStateBytes(uint64_t semaphores) {
  uint64_t words = kFirstSemaphoreWord + kWordsPerSemaphore * semaphores;
  uint64_t granules =
      (kWordBytes * words + kSyncStateGranule - 1) / kSyncStateGranule;
  return granules * kSyncStateGranule;
}

//===----------------------------------------------------------------------===//
// Epochs: counters count on over runs, and wrap around
//===----------------------------------------------------------------------===//

/// What a counter is when `count` posts of the run `epoch` have been made, as
/// many as each run makes.
constexpr uint32_t getTarget(uint32_t epoch, uint32_t count) {
  return (epoch + 1) * count;
}

constexpr bool isReached(uint32_t counter, uint32_t target) {
  return static_cast<int32_t>(counter - target) >= 0;
}

//===----------------------------------------------------------------------===//
// The record of a wait that gave up: words from kRecordWord on
//===----------------------------------------------------------------------===//

struct WatchdogRecord {
  /// Not 0 once a wait has given up; the others are written after it.
  uint32_t gaveUp;
  uint32_t semaphore, target, seen, count, epoch, block;
  /// The task, or kNoBody.
  uint32_t body, x, y, z;
};

/// The body of a record that names no task.
constexpr uint32_t kNoBody = UINT32_MAX;

static_assert(sizeof(WatchdogRecord) / kWordBytes <=
                  kFirstSemaphoreWord - kRecordWord,
              "semaphores are behind the record");

//===----------------------------------------------------------------------===//
// Kernel parameters and buffers
//===----------------------------------------------------------------------===//

constexpr uint32_t kTensorMapBytes = 128;
constexpr uint32_t kTensorMapAlignment = 64;
constexpr uint32_t kAddressBytes = 8;
constexpr uint32_t kTaskCountBytes = 4;
/// A task in the list is body, x, y and z.
constexpr uint32_t kTaskBytes = 16;
/// All parameters of a kernel, since CUDA 12.1.
constexpr uint32_t kMaxParameterBytes = 32764;
/// Buffers begin at multiples of these bytes.
constexpr uint32_t kBufferAlignment = GROUT_BUFFER_ALIGNMENT;

//===----------------------------------------------------------------------===//
// Tensor maps, as cuTensorMapEncodeTiled limits them
//===----------------------------------------------------------------------===//

constexpr uint32_t kMaxTensorMapRank = 5;
/// Addresses, strides and the innermost box are multiples of these bytes.
constexpr uint32_t kTensorMapGranule = 16;
constexpr uint64_t kMaxTensorMapExtent = uint64_t(1) << 32;
/// Strides are less.
constexpr uint64_t kTensorMapStrideLimit = uint64_t(1) << 40;
constexpr uint32_t kMaxBoxExtent = 256;

// Those of cuTensorMapEncodeIm2col, which walk along the pixels of images in a
// tensor with two dimensions more: channels and images.
constexpr uint32_t kMaxIm2colDims = 3;
constexpr uint32_t kMaxIm2colPixels = 1024;
constexpr int32_t kMaxIm2colStep = 8;
/// Corners are from minus this up to below it: signed numbers that have a share
/// of 16 bits each.
constexpr int32_t getIm2colCornerLimit(uint32_t dims) {
  return 1 << (16 / dims - 1);
}
/// Offsets to the pixels are below this: unsigned numbers of as many bits.
constexpr int32_t getIm2colOffsetLimit(uint32_t dims) {
  return 1 << (16 / dims);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

constexpr uint32_t kWarpThreads = 32;
constexpr uint32_t kMaxBlockThreads = 1024;
constexpr uint32_t kMaxBlocksPerProcessor = 32;
/// What CUDA guarantees to be launchable on every GPU with clusters.
constexpr uint32_t kMaxClusterBlocks = 8;
/// Of any GPU that kernels are compiled for.
constexpr uint32_t kMaxDynamicSharedMemory = 227 * 1024;
constexpr uint32_t kMaxGridX = 0x7fffffff;
constexpr uint32_t kMaxGridYZ = 0xffff;

//===----------------------------------------------------------------------===//
// Registers of blocks with a producer and consumer warpgroups
//===----------------------------------------------------------------------===//

/// Of a multiprocessor.
constexpr uint32_t kProcessorRegisters = 65536;

/// Registers of a thread: of all at the start, and of a producer and a consumer
/// once the former have handed over what they do not need. They come in steps
/// of 8, and all threads of a block together have no more than at the start.
struct RegisterShare {
  uint32_t initial, producer, consumer;
};

constexpr uint32_t kMaxConsumerWarpgroups = 3;

/// For one to three consumer warpgroups. Of one, two blocks fit on a
/// multiprocessor.
constexpr RegisterShare kRegisterShares[kMaxConsumerWarpgroups] = {
    {128, 40, 216}, {168, 40, 232}, {128, 32, 160}};

/// For one consumer warpgroup whose matrix instructions need more than the
/// registers above at the start.
constexpr RegisterShare kWideRegisterShare = {160, 40, 232};

} // namespace grout::kernelabi

#endif // GROUT_RUNTIME_DEVICEABI_H
