//===- AffineSets.h - Affine expressions in isl -----------------*- C++ -*-===//
//
// Part of Grout. The functions in this file throw, as IslGuard.h describes.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_ISL_AFFINESETS_H
#define GROUT_ISL_AFFINESETS_H

#include "grout/Isl/IslGuard.h"
#include "mlir/IR/AffineMap.h"

namespace grout::detail {

/// Returns a constant on `space`, or a parameter named `parameter` if `value`
/// is kDynamic.
isl::aff makeSize(const isl::space &space, int64_t value,
                  const std::string &parameter);

/// Return the points where 0 <= value, and where 0 <= value < size. Both align
/// parameters.
isl::set whereNotNegative(const isl::aff &value);
isl::set whereInRange(const isl::aff &value, const isl::aff &size);

/// Returns the value of `expr` where dimension i is `dims[i]` and symbol i is
/// `symbols[i]`, all on `space`.
isl::aff toAff(mlir::AffineExpr expr, const isl::space &space,
               llvm::ArrayRef<isl::aff> dims,
               llvm::ArrayRef<isl::aff> symbols = {});

/// Returns { space -> [results...] } for a map without symbols.
isl::map toMap(mlir::AffineMap map, const isl::space &space);

} // namespace grout::detail

#endif // GROUT_ISL_AFFINESETS_H
