//===- MemoryTypes.h - Elements as they are in memory -----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_SCOPTOGPU_MEMORYTYPES_H
#define GROUT_LIB_CONVERSION_SCOPTOGPU_MEMORYTYPES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace grout::scop {

/// Returns the type of an element in memory: a truth value has a byte.
inline mlir::Type getMemoryType(mlir::Type type) {
  return type.isInteger(1) ? mlir::IntegerType::get(type.getContext(), 8)
                           : type;
}

/// Convert `value` to its type in memory, and back.
inline mlir::Value toMemory(mlir::ImplicitLocOpBuilder &b, mlir::Value value) {
  mlir::Type type = getMemoryType(value.getType());
  return type == value.getType()
             ? value
             : mlir::arith::ExtUIOp::create(b, type, value).getResult();
}
inline mlir::Value fromMemory(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                              mlir::Type type) {
  return type == value.getType()
             ? value
             : mlir::arith::TruncIOp::create(b, type, value).getResult();
}

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOGPU_MEMORYTYPES_H
