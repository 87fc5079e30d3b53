//===- VectorAccess.h - Accesses of vector lanes ----------------*- C++ -*-===//
//
// Part of Grout. Functions here may throw; see IslGuard.h.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_SCOPTOLOOPS_VECTORACCESS_H
#define GROUT_CONVERSION_SCOPTOLOOPS_VECTORACCESS_H

#include "grout/Dialect/Scop/IR/Scop.h"
#include "grout/Isl/AffineSets.h"

namespace grout::scop {

/// A loop over vectors: each vector is `width` consecutive iterations of
/// dimension `dim` of the schedule. The first vector starts at `first`.
struct VectorLoop {
  unsigned dim;
  int64_t width;
  int64_t first;
  /// The addresses of all arrays are multiples of so many bytes.
  int64_t baseAlignment;
};

enum class VectorAccessKind {
  /// All lanes access one element.
  Uniform,
  /// The lanes access neighbouring elements in order, from an address that is a
  /// multiple of the vector's size.
  Contiguous,
  /// Neither can be proved.
  Scattered,
};

/// Returns how the lanes of a vector access a memref of type `type` at `map`.
VectorAccessKind classifyAccess(isl::ctx ctx, KernelOp kernel, StmtOp statement,
                                mlir::MemRefType type, mlir::AffineMap map,
                                const VectorLoop &loop);

/// Returns { S[i...] -> [time...] } on the statement's domain.
isl::map getTimes(isl::ctx ctx, KernelOp kernel, StmtOp statement);

/// Returns { S[i...] -> [index...] } of an access of `statement` at `map`.
isl::map getAccessRelation(isl::ctx ctx, StmtOp statement, mlir::AffineMap map);

} // namespace grout::scop

#endif // GROUT_CONVERSION_SCOPTOLOOPS_VECTORACCESS_H
