//===- VectorAccess.h - What a vector of iterations accesses ----*- C++ -*-===//
//
// Part of Grout. Throws, as IslGuard.h says.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_SCOPTOLOOPS_VECTORACCESS_H
#define GROUT_CONVERSION_SCOPTOLOOPS_VECTORACCESS_H

#include "grout/Dialect/Scop/IR/Scop.h"
#include "grout/Isl/AffineSets.h"

namespace grout::scop {

/// The iterations that vectors of a loop consist of: `width` consecutive ones
/// of dimension `dim` of the schedule, the first vector starting at `first`.
struct VectorLoop {
  unsigned dim;
  int64_t width;
  int64_t first;
  /// What the addresses of all arrays are multiples of, in bytes.
  int64_t baseAlignment;
};

enum class VectorAccessKind {
  /// One element for all lanes.
  Uniform,
  /// Neighbouring elements, in the order of the lanes, from an address that is
  /// a multiple of the vector's size.
  Contiguous,
  /// Neither can be proved.
  Scattered,
};

/// What the lanes of a vector access at `map` of a memref of type `type`.
VectorAccessKind classifyAccess(isl::ctx ctx, KernelOp kernel, StmtOp statement,
                                mlir::MemRefType type, mlir::AffineMap map,
                                const VectorLoop &loop);

/// { S[i...] -> [time...] } on the statement's domain.
isl::map getTimes(isl::ctx ctx, KernelOp kernel, StmtOp statement);

/// { S[i...] -> [index...] } of an access of `statement` at `map`.
isl::map getAccessRelation(isl::ctx ctx, StmtOp statement, mlir::AffineMap map);

} // namespace grout::scop

#endif // GROUT_CONVERSION_SCOPTOLOOPS_VECTORACCESS_H
