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

/// An access of a statement, as a function of the kernel's loops: element
/// offset + sum of stride * loop + rest of the array's memory.
struct StridedAccess {
  /// An argument of the kernel's body, or a local array.
  mlir::Value array;
  mlir::Type elementType;
  int64_t offset = 0;
  llvm::SmallVector<int64_t> strides;
  /// Divisions and remainders, of the loops as dimensions; null without any.
  mlir::AffineExpr rest;

  /// Whether both are the same elements at every point of the loops.
  bool isSameAs(const StridedAccess &other) const {
    return array == other.array && offset == other.offset &&
           strides == other.strides && rest == other.rest;
  }
  bool dependsOn(unsigned loop) const {
    return strides[loop] != 0 || (rest && rest.isFunctionOfDim(loop));
  }
  /// Whether `width` points of `loop`, from a multiple of it on, are
  /// neighbouring elements, from a multiple of it on.
  bool isVector(unsigned loop, int64_t width) const;
};

/// Makes `element`, a function of loops with these extents, the offset, strides
/// and rest of `access`.
void setElement(StridedAccess &access, mlir::AffineExpr element,
                llvm::ArrayRef<int64_t> extents);

} // namespace grout::scop

#endif // GROUT_DIALECT_SCOP_THREADMAPPING_STRIDEDACCESS_H
