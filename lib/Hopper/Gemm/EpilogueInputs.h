//===- EpilogueInputs.h - Epilogue inputs of a block of rows ----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_HOPPER_GEMM_EPILOGUEINPUTS_H
#define GROUT_LIB_HOPPER_GEMM_EPILOGUEINPUTS_H

#include "EarlyInputs.h"
#include "InputReader.h"

namespace grout::hopper {

/// The epilogue inputs of a block of 64 MMA rows, at the elements for which a
/// thread has accumulators.
class EpilogueInputs {
public:
  /// `rows` are the thread's MMA rows. `firstColumn` is its first MMA column;
  /// it has two columns at every multiple of 8 from there on. `isSecond`, an
  /// i1, says whether the block is the second of the warpgroup's two blocks.
  EpilogueInputs(const GemmContext &context, const BodyPlan &body,
                 const TaskValues &task, llvm::ArrayRef<mlir::Value> rows,
                 mlir::Value firstColumn, const EarlyInputs &early,
                 mlir::Value isSecond);

  /// Forgets all values that depend on the MMA column, so that their registers
  /// can be used again.
  void beginColumns() { columnValues.clear(); }

  /// Returns the values of input `input` in MMA row `row` (an index into
  /// `rows`) and the thread's two MMA columns at 8 * `group`.
  std::array<mlir::Value, 2> get(unsigned input, unsigned row, int64_t group);

private:
  using Pair = std::array<mlir::Value, 2>;

  Pair read(unsigned input, unsigned row, int64_t group);

  DeviceBuilder &b;
  const BodyPlan &body;
  InputReader reader;
  mlir::Value firstColumn;
  const EarlyInputs &early;
  mlir::Value isSecond;
  /// By input and row.
  llvm::DenseMap<std::pair<unsigned, unsigned>, Pair> rowValues;
  /// By input, row and group.
  llvm::DenseMap<std::pair<unsigned, std::pair<unsigned, int64_t>>, Pair>
      columnValues;
};

} // namespace grout::hopper

#endif // GROUT_LIB_HOPPER_GEMM_EPILOGUEINPUTS_H
