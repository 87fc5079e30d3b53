//===- Ring.h - Buffers that go from role to role ---------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_HOPPER_KIT_RING_H
#define GROUT_HOPPER_KIT_RING_H

#include "grout/Hopper/Kit/Barrier.h"
#include "grout/Hopper/Kit/DeviceBuilder.h"

namespace grout::hopper {

/// A place in a ring of buffers: the buffer, and the parity of the round.
struct RingPosition {
  mlir::Value buffer, parity;

  static RingPosition first(DeviceBuilder &b) { return {b.i32(0), b.i32(0)}; }

  mlir::Value getReaderParity() const { return parity; }
  mlir::Value getWriterParity(DeviceBuilder &b) const {
    return b.bitXor(parity, 1);
  }
};

/// Convert positions to values that loops carry, and back.
llvm::SmallVector<mlir::Value>
packPositions(llvm::ArrayRef<RingPosition> positions);
llvm::SmallVector<RingPosition> unpackPositions(mlir::ValueRange values);

/// A ring of buffers in shared memory, which some roles fill and others read.
///
/// Each buffer has a full barrier, which completes phase r when the buffer is
/// filled in round r. It also has an empty barrier, which completes phase r
/// when that data has been read. So a reader waits for the parity of the round.
/// A writer needs the phase before, so it waits for the other parity, which
/// holds at once in round 0.
///
/// Each consumer warpgroup may have a ring of its own; its number is then the
/// `owner` of the buffer, and else null. A null buffer stands for the only one.
struct Ring {
  /// The number of buffers, and of owners.
  int64_t size = 0, owners = 1;
  /// The place of the first buffer in shared memory, and the bytes of each.
  int64_t offset = 0, bytes = 0;
  Barriers full, empty;

  /// Returns the number of a buffer among those of all owners.
  mlir::Value getIndex(DeviceBuilder &b, mlir::Value buffer,
                       mlir::Value owner) const;
  /// Return the address of a buffer, and those of its barriers.
  mlir::Value getAddress(const KernelContext &context, mlir::Value buffer = {},
                         mlir::Value owner = {}) const;
  mlir::Value getFull(const KernelContext &context, mlir::Value buffer = {},
                      mlir::Value owner = {}) const;
  mlir::Value getEmpty(const KernelContext &context, mlir::Value buffer = {},
                       mlir::Value owner = {}) const;

  /// Wait until the buffer at `position` may be read, or written.
  void waitUntilFull(const KernelContext &context, const RingPosition &position,
                     mlir::Value owner = {}) const;
  void waitUntilEmpty(const KernelContext &context,
                      const RingPosition &position,
                      mlir::Value owner = {}) const;
  /// Tell the readers that `writer` has filled a buffer, or the writers that
  /// `reader` has read it.
  void emitFilled(const KernelContext &context, const Role &writer,
                  mlir::Value buffer = {}, mlir::Value owner = {}) const;
  void emitRead(const KernelContext &context, const Role &reader,
                mlir::Value buffer = {}, mlir::Value owner = {}) const;

  /// Returns the position `count` places after `position`.
  RingPosition advance(DeviceBuilder &b, const RingPosition &position,
                       int64_t count = 1) const;
  /// Emits a loop from `first` to `end`, an i32, in which each round has the
  /// next position, from `start` on. Returns the position behind the last.
  RingPosition emitLoop(
      DeviceBuilder &b, mlir::Value first, mlir::Value end,
      const RingPosition &start,
      llvm::function_ref<void(mlir::Value number, const RingPosition &position)>
          body) const;
};

/// Emits, for one thread, the initialisation of the barriers of `rings`.
void emitBarrierInits(const KernelContext &context, llvm::ArrayRef<Ring> rings);

} // namespace grout::hopper

#endif // GROUT_HOPPER_KIT_RING_H
