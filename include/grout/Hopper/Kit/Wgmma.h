//===- Wgmma.h - Hopper's matrix instruction --------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_HOPPER_KIT_WGMMA_H
#define GROUT_HOPPER_KIT_WGMMA_H

#include "grout/Hopper/Kit/Mma.h"

namespace grout::hopper {

/// `wgmma`, with sums in f32. These are always in registers: the value that
/// stands for them is that of the accumulators. An operand is the low half of
/// its descriptor.
class Wgmma : public Mma {
public:
  std::optional<MmaTraits> findTraits(mlir::FloatType type) const override {
    return findMmaTraits(type);
  }
  /// The sums are zeros. If they had no value, they would be live, and take
  /// registers, all around the task loop.
  mlir::Value emitSums(DeviceBuilder &b, const MmaShape &shape) const override;
  mlir::Value emitOperand(DeviceBuilder &b, mlir::Value address,
                          const MmaLayout &layout) const override;
  mlir::Value emitMoved(DeviceBuilder &b, mlir::Value operand,
                        int64_t bytes) const override;
  llvm::SmallVector<mlir::Value>
  emitFence(DeviceBuilder &b, mlir::ValueRange sums) const override;
  mlir::Value emit(DeviceBuilder &b, const MmaShape &shape, mlir::Value sums,
                   mlir::Value operandA, mlir::Value operandB,
                   mlir::Value keeps, int64_t count) const override;
  void emitGroup(DeviceBuilder &b) const override;
  void emitWait(DeviceBuilder &b, int64_t pending) const override;
  /// Other values in registers may be among the sums, so that no MMA and no use
  /// of them moves past this point.
  llvm::SmallVector<mlir::Value> emitFinish(DeviceBuilder &b,
                                            mlir::ValueRange sums,
                                            int64_t columns,
                                            int64_t pending) const override;

  /// Starts `sums` + A * B with A in registers. For each instruction, `a` has
  /// four i32, each a pair of elements. Pair p of an instruction is in the row
  /// of accumulators 2 (p mod 2). Its elements of the reduction have the
  /// numbers of the columns of accumulators 4 (p / 2) and 4 (p / 2) + 1.
  mlir::Value emitFromRegisters(DeviceBuilder &b, const MmaShape &shape,
                                mlir::Value sums, mlir::ValueRange a,
                                mlir::Value operandB) const;
};

} // namespace grout::hopper

#endif // GROUT_HOPPER_KIT_WGMMA_H
