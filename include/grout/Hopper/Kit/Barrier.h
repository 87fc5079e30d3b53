//===- Barrier.h - Barriers in shared memory --------------------*- C++ -*-===//
//
// Part of Grout. An mbarrier completes a phase when as many arrivals have come
// as it was initialised with. Here it is initialised with those of its users.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_HOPPER_KIT_BARRIER_H
#define GROUT_HOPPER_KIT_BARRIER_H

#include "grout/Hopper/Kit/Role.h"
#include "llvm/ADT/SmallVector.h"

namespace grout::hopper {

/// A role that arrives at a barrier in each phase.
struct BarrierUser {
  Role role;
  /// The number of blocks of the cluster in which the role arrives.
  int64_t blocks = 1;
};

/// Barriers with the same users, one behind the other in shared memory.
class Barriers {
public:
  Barriers() = default;
  /// `offset` is that of the first barrier, in bytes from the start of shared
  /// memory.
  Barriers(int64_t offset, llvm::ArrayRef<BarrierUser> users)
      : offset(offset), users(users) {}

  /// Returns the arrivals of a phase. Barriers without users have none.
  int64_t getArrivals() const;

  /// Returns the address of barrier `index`, an i32; null stands for the first.
  mlir::Value get(const KernelContext &context, mlir::Value index = {}) const;
  /// Emits, for one thread, the initialisation of barrier `index`, if it has
  /// users.
  void emitInit(const KernelContext &context, mlir::Value index) const;
  /// Emits the arrival of `role`, which is a user, at the barrier at `address`.
  /// If the role arrives in several blocks, it arrives at the barriers at this
  /// address of blocks 0 and up.
  void emitArrival(const KernelContext &context, const Role &role,
                   mlir::Value address) const;

private:
  int64_t offset = 0;
  llvm::SmallVector<BarrierUser> users;
};

/// Gives barriers their places in shared memory, one behind the other.
class BarrierLayout {
public:
  explicit BarrierLayout(int64_t offset) : end(offset) {}

  Barriers add(int64_t count, llvm::ArrayRef<BarrierUser> users);
  /// Returns the offset behind the last barrier.
  int64_t getEnd() const { return end; }

private:
  int64_t end;
};

} // namespace grout::hopper

#endif // GROUT_HOPPER_KIT_BARRIER_H
