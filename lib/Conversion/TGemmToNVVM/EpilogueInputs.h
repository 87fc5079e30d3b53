//===- EpilogueInputs.h - Reads of epilogue inputs --------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_TGEMMTONVVM_EPILOGUEINPUTS_H
#define GROUT_LIB_CONVERSION_TGEMMTONVVM_EPILOGUEINPUTS_H

#include "grout/Conversion/TGemmToNVVM/KernelContext.h"
#include "llvm/ADT/DenseMap.h"
#include <array>

namespace grout::hopper {

/// Reads the epilogue inputs of a tile at the elements of which a thread has
/// accumulators. Reads are at coordinates that are clamped to the tensor: what
/// lies beyond its edge is never stored, so any value will do there.
class EpilogueInputs {
public:
  /// `rows` are the MMA rows that the thread has, `firstColumn` its first MMA
  /// column, of two at every multiple of 8.
  EpilogueInputs(const KernelContext &context, const BodyPlan &body,
                 const TileTask &task, llvm::ArrayRef<mlir::Value> rows,
                 mlir::Value firstColumn);

  /// Forgets the values read so far that depend on the MMA column, so that
  /// their registers can be used again.
  void beginColumns() { columnValues.clear(); }

  /// The values of input `input` in MMA row `row` (an index into `rows`) and
  /// the two MMA columns at 8 * `group`.
  std::array<mlir::Value, 2> get(unsigned input, unsigned row, int64_t group);

private:
  mlir::Value getRowAddress(unsigned input, unsigned row);
  mlir::Value load(const InputPlan &input, mlir::Type type,
                   mlir::Value address);

  const KernelContext &context;
  DeviceBuilder &b;
  const BodyPlan &body;
  const TileTask &task;
  llvm::SmallVector<mlir::Value> rows;
  mlir::Value firstColumn;
  /// By input and row.
  llvm::DenseMap<std::pair<unsigned, unsigned>, mlir::Value> rowAddresses;
  llvm::DenseMap<std::pair<unsigned, unsigned>, mlir::Value> rowValues;
  /// By input, row and group.
  llvm::DenseMap<std::pair<unsigned, std::pair<unsigned, int64_t>>,
                 std::array<mlir::Value, 2>>
      columnValues;
};

} // namespace grout::hopper

#endif // GROUT_LIB_CONVERSION_TGEMMTONVVM_EPILOGUEINPUTS_H
