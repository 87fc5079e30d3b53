//===- LinearAccess.h - Accesses as offset and strides ----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_SCOP_IR_LINEARACCESS_H
#define GROUT_DIALECT_SCOP_IR_LINEARACCESS_H

#include "mlir/IR/AffineMap.h"

namespace grout::scop {

/// An address in elements: offset + sum of stride * iterator.
struct LinearAccess {
  int64_t offset = 0;
  llvm::SmallVector<int64_t> strides;
};

/// Returns the address of the element at `map` in an array whose dimensions
/// have `strides`; none if an index is not linear.
std::optional<LinearAccess> getLinearAccess(mlir::AffineMap map,
                                            llvm::ArrayRef<int64_t> strides);

/// Returns the access where no quotient changes. For example, the last index of
/// `(d0, d1) -> (d0 floordiv 2, (d1 - 3) mod 8)` goes along with `d1`, and
/// begins at -3; `d0` has stride 0. The access is the same as that of
/// `getLinearAccess` if nothing is divided. None if an index is semi-affine.
std::optional<LinearAccess>
getAccessWithoutQuotients(mlir::AffineMap map, llvm::ArrayRef<int64_t> strides);

} // namespace grout::scop

#endif // GROUT_DIALECT_SCOP_IR_LINEARACCESS_H
