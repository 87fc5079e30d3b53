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

  using Pair = std::array<mlir::Value, 2>;

  /// Emits what all columns share, so that loops over columns can use it.
  void prepareLoop();

  /// Begins a staging buffer, whose first column group is `first`, an i32.
  /// Forgets all values that depend on the MMA column, so that their registers
  /// can be used again.
  void beginBuffer(mlir::Value first);

  /// Returns the values of input `input` in MMA row `row` (an index into
  /// `rows`) and the thread's two MMA columns at 8 * `group`, which counts from
  /// the start of the buffer. The input is not an early matrix.
  Pair get(unsigned input, unsigned row, int64_t group);
  /// Returns the values of an early input that depends on the MMA column alone.
  /// `group` is an i32.
  Pair getShared(unsigned input, mlir::Value group);
  /// Returns the values of an early input that depends on the MMA row. `group`
  /// counts from the start of the tile, and matters for matrices alone.
  Pair getEarly(unsigned input, unsigned row, int64_t group) const {
    return early.get(input, row, group, isSecond);
  }

private:
  Pair read(unsigned input, unsigned row, int64_t group);

  DeviceBuilder &b;
  const BodyPlan &body;
  InputReader reader;
  mlir::Value firstColumn;
  const EarlyInputs &early;
  mlir::Value isSecond;
  /// The first column group of the buffer, an i32.
  mlir::Value first;
  /// By input and row.
  llvm::DenseMap<std::pair<unsigned, unsigned>, Pair> rowValues;
  /// By input, row and group.
  llvm::DenseMap<std::pair<unsigned, std::pair<unsigned, int64_t>>, Pair>
      columnValues;
};

} // namespace grout::hopper

#endif // GROUT_LIB_HOPPER_GEMM_EPILOGUEINPUTS_H
