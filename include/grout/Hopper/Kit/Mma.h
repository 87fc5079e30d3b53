//===- Mma.h - Matrix instructions ------------------------------*- C++ -*-===//
//
// Part of Grout. A kernel of GEMMs is built with any matrix instruction that
// reads its operands from shared memory. Wgmma.h has Hopper's.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_HOPPER_KIT_MMA_H
#define GROUT_HOPPER_KIT_MMA_H

#include "grout/Hopper/Kit/DeviceBuilder.h"

namespace grout::hopper {

/// The layout of an operand in shared memory.
struct MmaLayout {
  /// Whether rows of A (columns of B) are contiguous.
  bool isMNMajor;
  /// Bytes of a row, over which it is swizzled: 128, or 64 if MN-major.
  int64_t rowBytes;
  /// If MN-major: how many elements of the reduction follow each other in
  /// memory before the next block of columns begins.
  int64_t blockDepth;
};

/// The properties that all instructions of a GEMM share.
struct MmaShape {
  int64_t columns;
  mlir::FloatType inputType;
  MmaLayout a, b;
};

/// A matrix instruction that all threads of a warpgroup issue together. It
/// multiplies 64 rows of A. Instructions run asynchronously, in groups.
///
/// While they run, the sums are where the instruction keeps them, and a value
/// stands for them. When they have finished, the sums are in registers (see
/// Accumulators.h). An instruction has no state, because several modules may be
/// compiled at the same time.
class Mma {
public:
  virtual ~Mma();

  /// Returns what it multiplies if A and B have elements of `type`; none if
  /// they cannot have them.
  virtual std::optional<MmaTraits> findTraits(mlir::FloatType type) const = 0;

  /// Returns the sums of 64 rows, for a first instruction that ignores them.
  virtual mlir::Value emitSums(DeviceBuilder &b,
                               const MmaShape &shape) const = 0;

  /// Returns an operand in shared memory at `address`, a multiple of 1024; and
  /// the operand that is `bytes` further.
  virtual mlir::Value emitOperand(DeviceBuilder &b, mlir::Value address,
                                  const MmaLayout &layout) const = 0;
  virtual mlir::Value emitMoved(DeviceBuilder &b, mlir::Value operand,
                                int64_t bytes) const = 0;

  /// Orders accesses to all of `sums` before the instructions that follow.
  /// Returns the sums for these instructions.
  virtual llvm::SmallVector<mlir::Value>
  emitFence(DeviceBuilder &b, mlir::ValueRange sums) const = 0;

  /// Starts `sums` + A * B, or only A * B if `keeps`, an i32, is 0, with
  /// `count` instructions along the reduction, at most one chunk.
  virtual mlir::Value emit(DeviceBuilder &b, const MmaShape &shape,
                           mlir::Value sums, mlir::Value operandA,
                           mlir::Value operandB, mlir::Value keeps,
                           int64_t count) const = 0;

  /// Makes a group of the instructions that were started since the last group.
  virtual void emitGroup(DeviceBuilder &b) const = 0;
  /// Waits until at most `pending` groups are unfinished.
  virtual void emitWait(DeviceBuilder &b, int64_t pending) const = 0;
  /// Does the same. Returns all of `sums`, which must belong to finished groups
  /// and have `columns` columns each, as accumulators in registers.
  virtual llvm::SmallVector<mlir::Value> emitFinish(DeviceBuilder &b,
                                                    mlir::ValueRange sums,
                                                    int64_t columns,
                                                    int64_t pending) const = 0;
};

/// Returns the instruction that multiplies elements of `type`; null if there is
/// none.
using FindMma = llvm::function_ref<const Mma *(mlir::FloatType type)>;

} // namespace grout::hopper

#endif // GROUT_HOPPER_KIT_MMA_H
