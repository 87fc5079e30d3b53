//===- Role.h - Threads of a block that do the same work --------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_HOPPER_KIT_ROLE_H
#define GROUT_HOPPER_KIT_ROLE_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace grout::hopper {

struct KernelContext;

/// The threads of a block that do the same work: one thread, or whole warps of
/// the consumer warpgroups. For whole warps, one thread of each arrives at
/// barriers.
struct Role {
  /// The warp of the producer warpgroup whose thread has the role; none if
  /// consumers have it.
  std::optional<int64_t> warp;
  /// How often the role arrives at a barrier.
  int64_t arrivals = 1;

  /// One thread of warp `warp` of the producer warpgroup.
  static constexpr Role producer(int64_t warp) { return {warp, 1}; }
  /// All threads of `count` consumer warpgroups.
  static Role consumers(int64_t count);
  /// One thread of a consumer warpgroup.
  static constexpr Role oneConsumer() { return {std::nullopt, 1}; }

  bool operator==(const Role &other) const {
    return warp == other.warp && arrivals == other.arrivals;
  }

  /// Emits the work of the role, if it is one thread of a producer warp.
  void emit(const KernelContext &context,
            llvm::function_ref<void()> work) const;
};

} // namespace grout::hopper

#endif // GROUT_HOPPER_KIT_ROLE_H
