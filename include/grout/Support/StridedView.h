//===- StridedView.h - A part of a tensor, with strides ---------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_SUPPORT_STRIDEDVIEW_H
#define GROUT_SUPPORT_STRIDEDVIEW_H

#include "mlir/IR/Operation.h"
#include <optional>

namespace grout {

/// A view of memory: the element at an index is at `offset` plus the sum of
/// index times stride.
struct StridedView {
  int64_t offset = 0;
  /// Extents and strides in elements, outermost first.
  llvm::SmallVector<int64_t> shape;
  llvm::SmallVector<int64_t> strides;

  /// Returns the view of a whole row-major tensor of `shape`.
  static StridedView getDense(llvm::ArrayRef<int64_t> shape);
};

/// Returns the view that `op`, a slice or a reshape, makes of `source`; none if
/// `op` is another op, is not static, or if the elements of its result have no
/// strides.
std::optional<StridedView> getStridedView(mlir::Operation *op,
                                          const StridedView &source);

/// The inverse: returns the view of the source of `op`, a reshape, if the view
/// of its result is `result`.
std::optional<StridedView> getSourceView(mlir::Operation *op,
                                         const StridedView &result);

/// Looks through any number of slices and reshapes. Returns whether the
/// elements of `tensor` have strides in the tensor of which it is a view. A
/// tensor that is not a view has strides.
bool hasStrides(mlir::Value tensor);

} // namespace grout

#endif // GROUT_SUPPORT_STRIDEDVIEW_H
