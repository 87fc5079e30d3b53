//===- StridedAccess.h - Accesses as functions of loops ---------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_SCOP_THREADMAPPING_STRIDEDACCESS_H
#define GROUT_DIALECT_SCOP_THREADMAPPING_STRIDEDACCESS_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Value.h"

namespace grout::scop {

/// An access of a statement, as a function of the kernel's loops: its element
/// in the array's memory is offset + sum of stride * loop + rest.
struct StridedAccess {
  /// An argument of the kernel's body, or a local array.
  mlir::Value array;
  mlir::Type elementType;
  int64_t offset = 0;
  llvm::SmallVector<int64_t> strides;
  /// Divisions and remainders, with the loops as dimensions; null if there are
  /// none.
  mlir::AffineExpr rest;

  /// Returns whether both accesses are to the same element at every point of
  /// the loops.
  bool isSameAs(const StridedAccess &other) const {
    return array == other.array && offset == other.offset &&
           strides == other.strides && rest == other.rest;
  }
  bool dependsOn(unsigned loop) const {
    return strides[loop] != 0 || (rest && rest.isFunctionOfDim(loop));
  }
  /// Returns whether `width` points of `loop`, beginning at a multiple of
  /// `width`, are neighbouring elements that begin at a multiple of `width`.
  bool isVector(unsigned loop, int64_t width) const;
};

/// Sets the offset, strides and rest of `access` such that they equal
/// `element`, a function of loops with these extents.
void setElement(StridedAccess &access, mlir::AffineExpr element,
                llvm::ArrayRef<int64_t> extents);

} // namespace grout::scop

#endif // GROUT_DIALECT_SCOP_THREADMAPPING_STRIDEDACCESS_H
