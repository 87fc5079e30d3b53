//===- Accesses.h - What the statements of a kernel access ------*- C++ -*-===//
//
// Part of Grout. Throws, as IslGuard.h says.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_ANALYSIS_ACCESSES_H
#define GROUT_LIB_DIALECT_SCOP_ANALYSIS_ACCESSES_H

#include "grout/Dialect/Scop/IR/Scop.h"
#include "grout/Isl/AffineSets.h"
#include "llvm/ADT/MapVector.h"

namespace grout::scop {

/// What is wrong with a statement. Thrown inside the library, never out of it.
struct Complaint {
  StmtOp statement;
  std::string message;
};

/// The statements and arrays of a kernel as isl's sets and maps. An array is a
/// tuple that is named after its number.
struct Accesses {
  /// Checks that all accesses are inside their arrays.
  Accesses(isl::ctx ctx, KernelOp kernel);

  llvm::SmallVector<StmtOp> statements;
  llvm::SmallVector<isl::set> domains;
  /// { S[i...] -> [p, i..., 0...] }, with p the position of S.
  isl::union_map order;

  isl::union_map reads;
  /// Of statements that are reductions, and of others.
  isl::union_map reductionWrites, otherWrites;
  /// { S[i...] -> S[i'...] } for instances of a reduction that combine into the
  /// same element, the earlier first; none where S is no reduction.
  llvm::SmallVector<std::optional<isl::map>> selfCombines;
  /// All elements of locals.
  isl::union_set locals;

  /// The position of the statement called `name`.
  unsigned getPosition(llvm::StringRef name) const;

private:
  isl::set addArray(isl::ctx ctx, mlir::Value array);
  isl::map addAccess(unsigned position, llvm::StringRef kind, unsigned index,
                     mlir::Value array, mlir::AffineMap map);

  llvm::MapVector<mlir::Value, isl::set> arrays;
};

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_ANALYSIS_ACCESSES_H
