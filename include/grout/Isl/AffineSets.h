//===- AffineSets.h - Affine expressions as isl's -------------*- C++ -*-===//
//
// Part of Grout. Throws, as IslGuard.h says.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_ISL_AFFINESETS_H
#define GROUT_ISL_AFFINESETS_H

#include "grout/Isl/IslGuard.h"
#include "mlir/IR/AffineMap.h"

namespace grout::detail {

/// A constant, or a parameter named `parameter` if `value` is kDynamic, on
/// `space`.
isl::aff makeSize(const isl::space &space, int64_t value,
                  const std::string &parameter);

/// The points where 0 <= value, and where 0 <= value < size. Aligns parameters.
isl::set whereNotNegative(const isl::aff &value);
isl::set whereInRange(const isl::aff &value, const isl::aff &size);

/// The value of `expr` where dimension i is `dims[i]` and symbol i is
/// `symbols[i]`, all on `space`.
isl::aff toAff(mlir::AffineExpr expr, const isl::space &space,
               llvm::ArrayRef<isl::aff> dims,
               llvm::ArrayRef<isl::aff> symbols = {});

/// { space -> [results...] } of a map without symbols.
isl::map toMap(mlir::AffineMap map, const isl::space &space);

} // namespace grout::detail

#endif // GROUT_ISL_AFFINESETS_H
