//===- AffineConversion.h - Affine maps to relations and back ---*- C++ -*-===//
//
// Part of Grout. Includes isl's types by name only; see IslContext.h.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_ISL_AFFINECONVERSION_H
#define GROUT_ISL_AFFINECONVERSION_H

#include "grout/Isl/IslContext.h"
#include "mlir/IR/AffineMap.h"

struct isl_aff;

namespace grout {

/// { domainName[dims...] -> [results...] }. Symbol i becomes parameter
/// `symbolNames[i]`. Exact for floordiv, ceildiv and mod by constants; fails on
/// semi-affine expressions. An empty name makes an anonymous tuple.
llvm::Expected<Relation>
fromAffineMap(const IslContext &context, mlir::AffineMap map,
              llvm::StringRef domainName = "",
              llvm::ArrayRef<std::string> symbolNames = {});

/// The expression of `aff`, in which dimension i is input i and symbol i is
/// the parameter `symbolNames[i]`. Fails if a coefficient is not an integer or
/// a parameter is not in the list. Keeps `aff`.
llvm::Expected<mlir::AffineExpr>
toAffineExpr(isl_aff *aff, mlir::MLIRContext *context,
             llvm::ArrayRef<std::string> symbolNames = {});

/// The value of `expr` at a point; no symbols. Divisions round as in MLIR.
int64_t evaluate(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> dims);

/// The values of the results of `map` at a point; no symbols.
llvm::SmallVector<int64_t> evaluate(mlir::AffineMap map,
                                    llvm::ArrayRef<int64_t> dims);

} // namespace grout

#endif // GROUT_ISL_AFFINECONVERSION_H
