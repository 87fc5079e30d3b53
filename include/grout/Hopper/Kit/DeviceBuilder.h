//===- DeviceBuilder.h - Builds device code ---------------------*- C++ -*-===//
//
// Part of Grout. A builder with short names for the ops that kernels use:
// 32-bit arithmetic, addresses in shared memory, barriers.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_HOPPER_KIT_DEVICEBUILDER_H
#define GROUT_HOPPER_KIT_DEVICEBUILDER_H

#include "grout/Hopper/Kit/MmaTraits.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace grout::hopper {

/// Bytes of an mbarrier.
inline constexpr int64_t kBarrierBytes = 8;

class DeviceBuilder : public mlir::ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  //===--------------------------------------------------------------------===//
  // Arithmetic; all values are i32 unless said otherwise
  //===--------------------------------------------------------------------===//

  mlir::Value i32(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value add(mlir::Value a, int64_t b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, int64_t b);
  mlir::Value bitAnd(mlir::Value a, int64_t b);
  mlir::Value bitOr(mlir::Value a, int64_t b);
  mlir::Value bitOr(mlir::Value a, mlir::Value b);
  mlir::Value bitXor(mlir::Value a, int64_t b);
  mlir::Value bitXor(mlir::Value a, mlir::Value b);
  mlir::Value shiftLeft(mlir::Value a, int64_t b);
  mlir::Value shiftRight(mlir::Value a, int64_t b);
  /// Unsigned quotient and remainder of `a` and `b`.
  mlir::Value divide(mlir::Value a, int64_t b);
  mlir::Value remainder(mlir::Value a, int64_t b);
  /// Whether a == b, as an i1.
  mlir::Value isEqual(mlir::Value a, int64_t b);
  /// Whether a < b, unsigned, as an i1.
  mlir::Value isBelow(mlir::Value a, mlir::Value b);
  mlir::Value isNot(mlir::Value condition);
  /// Converts an unsigned i32 to an index.
  mlir::Value toIndex(mlir::Value a);

  /// Emits `body`, which runs if the i1 `condition` holds.
  void ifThen(mlir::Value condition, llvm::function_ref<void()> body);

  /// Returns a vector of `elements`, which have the same type.
  mlir::Value createVector(llvm::ArrayRef<mlir::Value> elements);

  //===--------------------------------------------------------------------===//
  // Threads
  //===--------------------------------------------------------------------===//

  /// Returns lane 0's value in all lanes. ptxas then knows that the value is
  /// the same in all of the warp.
  mlir::Value uniform(mlir::Value value);
  /// Returns an i1 that holds in one thread of a converged warp.
  mlir::Value electOne();
  void syncWarp();
  /// Waits for all threads of the block.
  void syncBlock();
  /// Waits for the threads of consumer warpgroup `warpgroup` (an i32).
  void syncWarpgroup(mlir::Value warpgroup);
  /// Waits for the threads of all `count` consumer warpgroups.
  void syncConsumers(int64_t count);
  /// Waits until it is the turn of consumer warpgroup `warpgroup`. Then
  /// `passTurn` gives the turn to another one. Neither may be used in a kernel
  /// with `syncWarpgroup` or `syncConsumers`.
  void waitForTurn(mlir::Value warpgroup);
  void passTurn(mlir::Value warpgroup);

  //===--------------------------------------------------------------------===//
  // Clusters
  //===--------------------------------------------------------------------===//

  /// Returns the block's number in its cluster.
  mlir::Value blockRank();
  /// Arrives at the cluster's barrier, and waits until all threads of the
  /// cluster have arrived. This orders the initialisation of mbarriers, but no
  /// other access to memory.
  void arriveAtCluster();
  void waitForCluster();
  void syncCluster();
  /// Returns a pointer to byte `address` of the shared memory of block `rank`
  /// of the cluster.
  mlir::Value remotePointer(mlir::Value address, mlir::Value rank);
  /// Starts an asynchronous store of four words at `pointer`. The store
  /// completes 16 bytes of `barrier`. Both are remote pointers to the same
  /// block.
  void storeRemote(mlir::Value pointer, mlir::ValueRange words,
                   mlir::Value barrier);
  /// Arrives at a barrier, given by its remote pointer.
  void arriveRemote(mlir::Value barrier);

  //===--------------------------------------------------------------------===//
  // Memory
  //===--------------------------------------------------------------------===//

  /// Returns a pointer to byte `address`, an i32, of shared memory.
  mlir::Value sharedPointer(mlir::Value address);
  /// Returns a pointer to the same memory in the cluster's address space, as
  /// TMA takes it.
  mlir::Value clusterPointer(mlir::Value address);
  /// Converts a generic pointer to a pointer to global memory.
  mlir::Value globalPointer(mlir::Value pointer);
  /// Returns `pointer` + `bytes`.
  mlir::Value offsetPointer(mlir::Value pointer, int64_t bytes);
  mlir::Value offsetPointer(mlir::Value pointer, mlir::Value bytes);
  /// Returns `pointer` + `count` * `stride` bytes. `count` is an unsigned i32.
  mlir::Value advancePointer(mlir::Value pointer, mlir::Value count,
                             int64_t stride);

  /// Emits inline assembly. With `touchesMemory` it has side effects, and LLVM
  /// moves no memory access across it. Without, it is a pure function of
  /// `operands`.
  mlir::Value assembly(mlir::Type result, mlir::ValueRange operands,
                       llvm::StringRef code, llvm::StringRef constraints,
                       bool touchesMemory);

  //===--------------------------------------------------------------------===//
  // Barriers in shared memory (mbarrier), by byte address
  //===--------------------------------------------------------------------===//

  void initBarrier(mlir::Value barrier, int64_t arrivals);
  /// Arrives `count` times. Releases this thread's memory accesses to the
  /// block.
  void arrive(mlir::Value barrier, int64_t count = 1);
  /// Arrives once, and makes the phase wait for `bytes` of TMA loads, too.
  void arriveExpecting(mlir::Value barrier, int64_t bytes);
  /// Waits until the phase of `parity` has completed, and acquires the memory
  /// accesses that arrivals released. A new barrier is in phase 0, so a wait
  /// for parity 1 returns at once. Use scope CLUSTER if stores of another block
  /// complete the phase.
  void
  waitParity(mlir::Value barrier, mlir::Value parity,
             mlir::NVVM::MemScopeKind scope = mlir::NVVM::MemScopeKind::CTA);
};

} // namespace grout::hopper

#endif // GROUT_HOPPER_KIT_DEVICEBUILDER_H
