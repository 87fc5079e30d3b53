//===- StridedView.h - A part of a tensor, with strides ---------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_SCOP_IR_STRIDEDVIEW_H
#define GROUT_DIALECT_SCOP_IR_STRIDEDVIEW_H

#include "mlir/IR/Operation.h"
#include <optional>

namespace grout::scop {

/// Elements of memory at `offset` plus the sum of index times stride.
struct StridedView {
  int64_t offset = 0;
  /// Extents and strides in elements, outermost first.
  llvm::SmallVector<int64_t> shape;
  llvm::SmallVector<int64_t> strides;

  /// All of a row-major tensor of `shape`.
  static StridedView getDense(llvm::ArrayRef<int64_t> shape);
};

/// What `op`, which takes a slice or reshapes, makes of `source`; nothing if it
/// is none of these, is not static, or if its elements have no strides.
std::optional<StridedView> getStridedView(mlir::Operation *op,
                                          const StridedView &source);

/// The other way round: what the source of `op`, which reshapes, is in memory
/// if its result is `result` there.
std::optional<StridedView> getSourceView(mlir::Operation *op,
                                         const StridedView &result);

/// Whether the elements of `tensor` have strides in the tensor that it is a
/// view of, through any number of slices and reshapes. What is no view has.
bool hasStrides(mlir::Value tensor);

} // namespace grout::scop

#endif // GROUT_DIALECT_SCOP_IR_STRIDEDVIEW_H
