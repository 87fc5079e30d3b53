//===- EarlyInputs.h - Epilogue inputs read before the steps ----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_TGEMMTONVVM_EARLYINPUTS_H
#define GROUT_LIB_CONVERSION_TGEMMTONVVM_EARLYINPUTS_H

#include "grout/Conversion/TGemmToNVVM/KernelContext.h"
#include <array>

namespace grout::hopper {

/// Those epilogue inputs of a tile whose plan says so (`isEarly`), in registers
/// of the consumers from before the tile's steps, or its last ones, so that
/// memory has delivered them when these end.
///
/// What depends on the MMA column alone, such as a bias, all rows share: a lane
/// of each warp reads two of 64 columns, and they get theirs from each other.
class EarlyInputs {
public:
  /// Emits the loads of consumer warpgroup `warpgroup`, an i32, but those of
  /// whole matrices.
  EarlyInputs(const KernelContext &context, const BodyPlan &body,
              const TileTask &task, mlir::Value warpgroup);

  /// Whether there are any of these.
  bool hasMatrices() const;
  /// Emits their loads, before any of their values are asked for.
  void readMatrices();

  /// The values of input `input` in MMA row `half` (0 or 1: row r or r + 8) of
  /// a block of 64, the second of two if the i1 `isSecond` holds, and the two
  /// MMA columns at 8 * `group` that the thread has. All lanes must call.
  std::array<mlir::Value, 2> get(unsigned input, unsigned half, int64_t group,
                                 mlir::Value isSecond) const;

private:
  /// Emits the loads of those for which `isMeant` holds.
  void read(llvm::function_ref<bool(const InputPlan &)> isMeant);
  /// The value `number` of the input for the first row block or the second.
  mlir::Value select(unsigned input, int64_t number,
                     mlir::Value isSecond) const;
  std::array<mlir::Value, 2> getColumn(unsigned input, int64_t group) const;

  const KernelContext &context;
  DeviceBuilder &b;
  const BodyPlan &body;
  const TileTask &task;
  mlir::Value warpgroup;
  /// Of each input: elements, or pairs of them, by row block, half and group,
  /// as far as the input depends on these; of one that depends on the MMA
  /// column alone, by 64 columns.
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> values;
};

} // namespace grout::hopper

#endif // GROUT_LIB_CONVERSION_TGEMMTONVVM_EARLYINPUTS_H
