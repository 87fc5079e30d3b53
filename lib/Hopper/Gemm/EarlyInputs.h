//===- EarlyInputs.h - Epilogue inputs read before the steps ----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_HOPPER_GEMM_EARLYINPUTS_H
#define GROUT_LIB_HOPPER_GEMM_EARLYINPUTS_H

#include "grout/Hopper/Gemm/GemmContext.h"
#include <array>

namespace grout::hopper {

/// Packs `pair`, a vector of two elements, into one register if the elements
/// have 16 bits. Without that, each of them would take a register.
mlir::Value packPair(DeviceBuilder &b, mlir::Value pair);
/// Returns both elements of what `packPair` returned.
std::array<mlir::Value, 2> unpackPair(DeviceBuilder &b, mlir::Value pair,
                                      mlir::FloatType elementType);

/// The epilogue inputs of a tile that its plan marks `isEarly`. Consumers load
/// them into registers before the tile's steps, or before its last steps. So
/// memory has delivered them when the steps end.
///
/// All rows share an input that depends on the MMA column alone, such as a
/// bias. Each lane of a warp reads two of 64 columns, and gets other columns
/// from other lanes.
class EarlyInputs {
public:
  /// Emits the loads of consumer warpgroup `warpgroup`, an i32, except those of
  /// whole matrices.
  EarlyInputs(const GemmContext &context, const BodyPlan &body,
              const TaskValues &task, mlir::Value warpgroup);

  /// Whether any of these inputs is a whole matrix.
  bool hasMatrices() const;
  /// Emits the loads of whole matrices. Must come before get() is called for
  /// them.
  void readMatrices();

  /// Returns two values of input `input`. They are in MMA row `half` (0 or 1:
  /// row r or r + 8) of a block of 64 rows, and in the thread's two MMA columns
  /// at 8 * `group`. The block is the second of two if the i1 `isSecond` holds.
  /// The input depends on the MMA row.
  std::array<mlir::Value, 2> get(unsigned input, unsigned half, int64_t group,
                                 mlir::Value isSecond) const;
  /// Returns two values of input `input`, which depends on the MMA column
  /// alone. They are in the thread's two MMA columns at 8 * `group`, an i32.
  /// All lanes of the warp must execute the code.
  std::array<mlir::Value, 2> getColumn(unsigned input, mlir::Value group) const;

private:
  /// Emits the loads of the inputs for which `isMeant` holds.
  void read(llvm::function_ref<bool(const InputPlan &)> isMeant);
  /// Returns value `number` of the input, for the first or the second row
  /// block.
  mlir::Value select(unsigned input, int64_t number,
                     mlir::Value isSecond) const;

  const GemmContext &context;
  DeviceBuilder &b;
  const BodyPlan &body;
  const TaskValues &task;
  mlir::Value warpgroup;
  /// For each input: its elements, or pairs of elements, by row block, half and
  /// group, as far as the input depends on these. If the input depends on the
  /// MMA column alone: a pair for every 64 columns.
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> values;
};

} // namespace grout::hopper

#endif // GROUT_LIB_HOPPER_GEMM_EARLYINPUTS_H
