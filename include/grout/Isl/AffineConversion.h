//===- AffineConversion.h - Affine maps to relations and back ---*- C++ -*-===//
//
// Part of Grout. This file only declares isl's types; see IslContext.h.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_ISL_AFFINECONVERSION_H
#define GROUT_ISL_AFFINECONVERSION_H

#include "grout/Isl/IslContext.h"
#include "mlir/IR/AffineMap.h"

struct isl_aff;

namespace grout {

/// Returns { domainName[dims...] -> [results...] }. Symbol i becomes the
/// parameter `symbolNames[i]`. The relation is exact for floordiv, ceildiv and
/// mod by constants. Fails on semi-affine expressions. An empty name makes an
/// anonymous tuple.
llvm::Expected<Relation>
fromAffineMap(const IslContext &context, mlir::AffineMap map,
              llvm::StringRef domainName = "",
              llvm::ArrayRef<std::string> symbolNames = {});

/// Returns the expression of `aff`, in which dimension i is input i, and symbol
/// i is the parameter `symbolNames[i]`. Fails if a coefficient is not an
/// integer, or a parameter is not in the list. Does not take ownership of
/// `aff`.
llvm::Expected<mlir::AffineExpr>
toAffineExpr(isl_aff *aff, mlir::MLIRContext *context,
             llvm::ArrayRef<std::string> symbolNames = {});

/// Returns the value of `expr`, which has no symbols, at a point. Divisions
/// round as in MLIR.
int64_t evaluate(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> dims);

/// Returns the values of the results of `map`, which has no symbols, at a
/// point.
llvm::SmallVector<int64_t> evaluate(mlir::AffineMap map,
                                    llvm::ArrayRef<int64_t> dims);

} // namespace grout

#endif // GROUT_ISL_AFFINECONVERSION_H
