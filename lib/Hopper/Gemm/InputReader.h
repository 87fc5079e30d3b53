//===- InputReader.h - Loads of epilogue inputs -----------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_HOPPER_GEMM_INPUTREADER_H
#define GROUT_LIB_HOPPER_GEMM_INPUTREADER_H

#include "grout/Hopper/Gemm/GemmContext.h"
#include "llvm/ADT/DenseMap.h"

namespace grout::hopper {

/// Loads epilogue inputs of a tile from global memory. The coordinates are
/// clamped to the tensor. Elements of the result beyond its edge are never
/// stored, so any input value will do there.
class InputReader {
public:
  /// `rows` are MMA rows of the result.
  InputReader(const GemmContext &context, const BodyPlan &body,
              const TaskValues &task, llvm::ArrayRef<mlir::Value> rows);

  /// Returns the element of input `input`, which does not depend on the MMA
  /// column, in MMA row `row`, an index into the rows.
  mlir::Value readElement(unsigned input, unsigned row);

  /// Returns a vector of the elements of input `input` in that row and in MMA
  /// columns `column`, an even i32, and `column` + 1. Set `canLeaveTile` if the
  /// columns may be beyond the tile.
  mlir::Value readPair(unsigned input, unsigned row, mlir::Value column,
                       bool canLeaveTile = false);

  /// Emits what a loop over columns may read in that row.
  void prepareRow(unsigned input, unsigned row) { getRowAddress(input, row); }

private:
  mlir::Value getRowAddress(unsigned input, unsigned row);

  const GemmContext &context;
  DeviceBuilder &b;
  const BodyPlan &body;
  const TaskValues &task;
  llvm::SmallVector<mlir::Value> rows;
  /// By input and row.
  llvm::DenseMap<std::pair<unsigned, unsigned>, mlir::Value> rowAddresses;
};

} // namespace grout::hopper

#endif // GROUT_LIB_HOPPER_GEMM_INPUTREADER_H
