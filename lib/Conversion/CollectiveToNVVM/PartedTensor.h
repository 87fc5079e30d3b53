//===- PartedTensor.h - Tensors of which each rank has a part ---*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_COLLECTIVETONVVM_PARTEDTENSOR_H
#define GROUT_LIB_CONVERSION_COLLECTIVETONVVM_PARTEDTENSOR_H

#include "grout/Conversion/Common/LaunchTensors.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace grout {

/// A tensor as equal parts, one for each rank. For example, if four ranks cut
/// dimension 1 of a tensor<8x64xf16>, `part` is the view of the first 16
/// columns, and `distance` is 16.
struct PartedTensor {
  /// A tensor that is not cut: each part is the whole.
  static PartedTensor getWhole(const BufferView &view);
  /// A tensor whose dimension `dim` is cut into `ranks` parts.
  static PartedTensor getCut(const BufferView &view, uint64_t dim,
                             int64_t ranks);

  /// Part 0. Dimensions that follow one another in memory are a single one.
  BufferView part;
  /// The elements in memory from a part to the next one.
  int64_t distance;

  /// Whether each part consists of vectors of `size` elements that are adjacent
  /// in memory, and aligned to the bytes of such a vector.
  bool hasVectors(int64_t size) const;

  /// Emits the address of element `element` of part `number`, counted row by
  /// row. `number` is an i32, `element` an i64, and `pointer` the buffer.
  mlir::Value emitAddress(mlir::ImplicitLocOpBuilder &b, mlir::Value pointer,
                          mlir::Value number, mlir::Value element) const;
};

} // namespace grout

#endif // GROUT_LIB_CONVERSION_COLLECTIVETONVVM_PARTEDTENSOR_H
