//===- DeviceBuilder.h - Builds device code ---------------------*- C++ -*-===//
//
// Part of Grout. A builder with names for the few forms that kernels are made
// of: 32-bit arithmetic, addresses in shared memory, barriers.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_TGEMMTONVVM_DEVICEBUILDER_H
#define GROUT_CONVERSION_TGEMMTONVVM_DEVICEBUILDER_H

#include "grout/Target/Hopper/Mma.h"
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
  /// Unsigned `a` over `b`, and what is left.
  mlir::Value divide(mlir::Value a, int64_t b);
  mlir::Value remainder(mlir::Value a, int64_t b);
  /// An i1: whether a == b.
  mlir::Value isEqual(mlir::Value a, int64_t b);
  /// An i1: whether a < b, unsigned.
  mlir::Value isBelow(mlir::Value a, mlir::Value b);
  /// An i32 as an unsigned index.
  mlir::Value toIndex(mlir::Value a);

  /// Runs `body` where the i1 `condition` holds.
  void ifThen(mlir::Value condition, llvm::function_ref<void()> body);

  /// A vector of `elements`, of one type.
  mlir::Value createVector(llvm::ArrayRef<mlir::Value> elements);

  //===--------------------------------------------------------------------===//
  // Threads
  //===--------------------------------------------------------------------===//

  /// The value of lane 0, which ptxas then knows to be equal in all of a warp.
  mlir::Value uniform(mlir::Value value);
  /// An i1 that holds in one thread of a converged warp.
  mlir::Value electOne();
  void syncWarp();
  /// Waits for all threads of the block.
  void syncBlock();
  /// Waits for the threads of consumer warpgroup `warpgroup` (an i32).
  void syncWarpgroup(mlir::Value warpgroup);
  /// Waits for the threads of all `count` consumer warpgroups.
  void syncConsumers(int64_t count);

  //===--------------------------------------------------------------------===//
  // Clusters
  //===--------------------------------------------------------------------===//

  /// The block's number in its cluster.
  mlir::Value blockRank();
  /// Says that this thread is here, and waits for all threads of the cluster to
  /// have said so. Orders barriers' initialisation, but no other access to
  /// memory.
  void arriveAtCluster();
  void waitForCluster();
  void syncCluster();
  /// A pointer to what block `rank` of the cluster has at byte `address` of its
  /// shared memory.
  mlir::Value remotePointer(mlir::Value address, mlir::Value rank);
  /// Starts to store four words at `pointer`, which completes 16 bytes of
  /// `barrier`. Both are remote pointers to the same block.
  void storeRemote(mlir::Value pointer, mlir::ValueRange words,
                   mlir::Value barrier);
  /// Arrives at a barrier by its remote pointer.
  void arriveRemote(mlir::Value barrier);

  //===--------------------------------------------------------------------===//
  // Memory
  //===--------------------------------------------------------------------===//

  /// The shared memory at byte `address`, an i32.
  mlir::Value sharedPointer(mlir::Value address);
  /// The same memory as a place in the block's cluster, as TMA takes it.
  mlir::Value clusterPointer(mlir::Value address);
  /// A pointer of the generic address space as one to global memory.
  mlir::Value globalPointer(mlir::Value pointer);
  /// `pointer` plus `bytes`.
  mlir::Value offsetPointer(mlir::Value pointer, int64_t bytes);
  mlir::Value offsetPointer(mlir::Value pointer, mlir::Value bytes);
  /// `pointer` plus `count`, an unsigned i32, times `stride` bytes.
  mlir::Value advancePointer(mlir::Value pointer, mlir::Value count,
                             int64_t stride);

  /// Makes an assembly call. With `touchesMemory` it has side effects and LLVM
  /// moves no memory access across it; without, it is a function of `operands`.
  mlir::Value assembly(mlir::Type result, mlir::ValueRange operands,
                       llvm::StringRef code, llvm::StringRef constraints,
                       bool touchesMemory);

  //===--------------------------------------------------------------------===//
  // Barriers in shared memory (mbarrier), by byte address
  //===--------------------------------------------------------------------===//

  void initBarrier(mlir::Value barrier, int64_t arrivals);
  /// Arrives `count` times, releasing this thread's accesses to the block.
  void arrive(mlir::Value barrier, int64_t count = 1);
  /// Arrives once, and makes the phase wait for `bytes` of TMA loads, too.
  void arriveExpecting(mlir::Value barrier, int64_t bytes);
  /// Returns once the phase of `parity` is over, acquiring what was released.
  /// A fresh barrier is in phase 0: waiting for parity 1 returns at once.
  /// `scope` is CLUSTER where it was released by stores of another block.
  void
  waitParity(mlir::Value barrier, mlir::Value parity,
             mlir::NVVM::MemScopeKind scope = mlir::NVVM::MemScopeKind::CTA);
};

} // namespace grout::hopper

#endif // GROUT_CONVERSION_TGEMMTONVVM_DEVICEBUILDER_H
