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

} // namespace grout::scop

#endif // GROUT_DIALECT_SCOP_IR_LINEARACCESS_H
