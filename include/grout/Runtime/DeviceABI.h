//===- DeviceABI.h - Interface of GPU kernels and runtime -------*- C++ -*-===//
//
// Part of Grout. The numbers of docs/KernelABI.md, which explains them. The
// compiler uses them for kernels; the runtime uses them to allocate, launch,
// check and read. If you change a number, you must change the artifact version.
// This header does not depend on LLVM or CUDA.
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
/// The first word of the record of a wait that gave up.
constexpr uint32_t kRecordWord = 16;
/// Each semaphore has a 32-byte sector of memory of its own.
constexpr uint32_t kFirstSemaphoreWord = 32;
constexpr uint32_t kWordsPerSemaphore = 8;
/// The size of the synchronisation state is a multiple of this number of bytes.
constexpr uint32_t kSyncStateGranule = 128;
constexpr uint32_t kMaxSemaphores = 1u << 22;

/// Returns the bytes of the synchronisation state of a launch that has
/// `semaphores` semaphores.
constexpr uint64_t getSyncStateBytes(uint64_t semaphores) {
  uint64_t words = kFirstSemaphoreWord + kWordsPerSemaphore * semaphores;
  uint64_t granules =
      (kWordBytes * words + kSyncStateGranule - 1) / kSyncStateGranule;
  return granules * kSyncStateGranule;
}

//===----------------------------------------------------------------------===//
// Epochs: counters count on over runs, and wrap around
//===----------------------------------------------------------------------===//

/// Returns the value of a semaphore's counter after all `count` posts of run
/// `epoch`, if every run posts `count` times.
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
  /// Not 0 once a wait has given up. The kernel writes the other words after
  /// this one.
  uint32_t gaveUp;
  uint32_t semaphore, target, seen, count, epoch, block;
  /// The task, or kNoBody if the record names no task.
  uint32_t body, x, y, z;
  /// The number of the rank whose data the wait is for, plus 1, and then the
  /// words from `semaphore` to `epoch` and the task mean nothing; 0 for waits
  /// for semaphores.
  uint32_t afterRank;
};

/// The value of `body` in a record that names no task.
constexpr uint32_t kNoBody = UINT32_MAX;

static_assert(sizeof(WatchdogRecord) / kWordBytes <=
                  kFirstSemaphoreWord - kRecordWord,
              "semaphores are behind the record");

//===----------------------------------------------------------------------===//
// Traces: the times that kernels record if they are compiled for that
//===----------------------------------------------------------------------===//

/// What the threads do whose time a record has.
enum class TraceRole : uint32_t {
  /// All threads of a block, for all of the block's time.
  Block = 0,
  /// Loads what no tile of the launch computes.
  Load = 1,
  /// Waits for tiles or launches, and loads what they compute.
  LoadAfterWait = 2,
  Compute = 3,
  Store = 4,
  /// Adds what the ranks have computed.
  SumRanks = 5,
};

struct TraceRecord {
  /// Nanoseconds of the GPU's timer (%globaltimer). `end` is 0 in a place that
  /// has no record.
  uint64_t start, end;
  TraceRole role;
  /// The SM, and the block's number in the grid.
  uint32_t processor, block;
  /// The task; 0 if the role is Block.
  uint32_t body, x, y, z;
  uint32_t unused;
};

/// The variable of a kernel module that says where a kernel's records are. It
/// is 0 until the runtime sets it; then the kernel records nothing.
struct TraceVariable {
  uint64_t records;
  /// Records that there is room for.
  uint32_t capacity;
  /// Places that the kernel has taken. It may take more than there are.
  uint32_t taken;
};

/// The name of the variable is this, followed by the name of the kernel.
constexpr char kTracePrefix[] = "grout_trace_";

//===----------------------------------------------------------------------===//
// Kernel parameters and buffers
//===----------------------------------------------------------------------===//

constexpr uint32_t kTensorMapBytes = 128;
constexpr uint32_t kTensorMapAlignment = 64;
constexpr uint32_t kAddressBytes = 8;
constexpr uint32_t kTaskCountBytes = 4;
/// A task in the list consists of body, x, y and z.
constexpr uint32_t kTaskBytes = 16;
/// The size of all parameters of a kernel together, since CUDA 12.1.
constexpr uint32_t kMaxParameterBytes = 32764;
/// Buffers of the session start at multiples of this number of bytes.
constexpr uint32_t kBufferAlignment = GROUT_BUFFER_ALIGNMENT;

//===----------------------------------------------------------------------===//
// Symmetric memory of a launch that exchanges data with other ranks
//===----------------------------------------------------------------------===//

/// Returns `bytes`, rounded up to where other data of an exchange may start.
constexpr uint64_t getExchangeBytes(uint64_t bytes) {
  return (bytes + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment;
}

/// Returns how many bytes precede the data of an exchange: `semaphores`
/// semaphores, which have the same places as in a synchronisation state.
constexpr uint64_t getExchangeHeaderBytes(uint64_t semaphores) {
  return getExchangeBytes(getSyncStateBytes(semaphores));
}

//===----------------------------------------------------------------------===//
// Tensor maps, as cuTensorMapEncodeTiled limits them
//===----------------------------------------------------------------------===//

constexpr uint32_t kMaxTensorMapRank = 5;
/// Addresses, strides and the size of the innermost box dimension are multiples
/// of this number of bytes.
constexpr uint32_t kTensorMapGranule = 16;
constexpr uint64_t kMaxTensorMapExtent = uint64_t(1) << 32;
/// Strides are below this number of bytes.
constexpr uint64_t kTensorMapStrideLimit = uint64_t(1) << 40;
constexpr uint32_t kMaxBoxExtent = 256;

// Limits of cuTensorMapEncodeIm2col. Its copies walk along the pixels of
// images; `dims` is the number of pixel dimensions. The tensor has two more
// dimensions: channels and images.
constexpr uint32_t kMaxIm2colDims = 3;
constexpr uint32_t kMaxIm2colPixels = 1024;
constexpr int32_t kMaxIm2colStep = 8;
/// Corners are at least minus this limit, and less than it: signed numbers of
/// 16 / `dims` bits.
constexpr int32_t getIm2colCornerLimit(uint32_t dims) {
  return 1 << (16 / dims - 1);
}
/// Offsets to pixels are less than this limit: unsigned numbers of 16 / `dims`
/// bits.
constexpr int32_t getIm2colOffsetLimit(uint32_t dims) {
  return 1 << (16 / dims);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

constexpr uint32_t kWarpThreads = 32;
constexpr uint32_t kMaxBlockThreads = 1024;
constexpr uint32_t kMaxBlocksPerProcessor = 32;
/// CUDA guarantees that every GPU with clusters can launch this many blocks.
constexpr uint32_t kMaxClusterBlocks = 8;
/// The limit of every GPU that kernels are compiled for.
constexpr uint32_t kMaxDynamicSharedMemory = 227 * 1024;
/// The most ranks that run a plan together: the GPUs of a host.
constexpr uint32_t kMaxRanks = 8;
constexpr uint32_t kMaxGridX = 0x7fffffff;
constexpr uint32_t kMaxGridYZ = 0xffff;

//===----------------------------------------------------------------------===//
// Registers of blocks with a producer and consumer warpgroups
//===----------------------------------------------------------------------===//

/// Registers of an SM.
constexpr uint32_t kProcessorRegisters = 65536;

/// Registers of a thread: `initial` for all threads at the start; `producer`
/// and `consumer` after the producer warpgroup has given up registers that it
/// does not need. Each number is a multiple of 8. Together, the threads of a
/// block never have more registers than at the start.
struct RegisterShare {
  uint32_t initial, producer, consumer;
};

constexpr uint32_t kMaxConsumerWarpgroups = 3;

/// The registers with one, two and three consumer warpgroups. With one consumer
/// warpgroup, two blocks fit on an SM.
constexpr RegisterShare kRegisterShares[kMaxConsumerWarpgroups] = {
    {128, 40, 216}, {168, 40, 232}, {128, 32, 160}};

/// The registers with one consumer warpgroup whose MMA instructions need more
/// registers at the start than kRegisterShares gives them.
constexpr RegisterShare kWideRegisterShare = {160, 40, 232};

} // namespace grout::kernelabi

#endif // GROUT_RUNTIME_DEVICEABI_H
