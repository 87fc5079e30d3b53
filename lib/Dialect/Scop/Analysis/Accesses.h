//===- Accesses.h - Accesses of a kernel's statements -----------*- C++ -*-===//
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

/// A problem with a statement. Thrown and caught inside the library.
struct Complaint {
  StmtOp statement;
  std::string message;
};

/// The statements and arrays of a kernel as sets and maps of isl. The name of
/// an array's tuple is its number.
struct Accesses {
  /// Checks that all accesses are inside their arrays.
  Accesses(isl::ctx ctx, KernelOp kernel);

  llvm::SmallVector<StmtOp> statements;
  llvm::SmallVector<isl::set> domains;
  /// { S[i...] -> [p, i..., 0...] }, with p the position of S.
  isl::union_map order;

  isl::union_map reads;
  /// The writes of reductions, and of other statements.
  isl::union_map reductionWrites, otherWrites;
  /// For each statement S, { S[i...] -> S[i'...] } for the instances of a
  /// reduction that combine into the same element, where i is before i'; none
  /// if S is not a reduction.
  llvm::SmallVector<std::optional<isl::map>> selfCombines;
  /// All elements of locals.
  isl::union_set locals;
  /// Arrays that reductions write; those of which more than one write may be to
  /// the same element; and those that may be written after they were read.
  isl::union_set combined, rewritten, overwritten;

  /// Returns the position of the statement called `name`.
  unsigned getPosition(llvm::StringRef name) const;

private:
  isl::set addArray(isl::ctx ctx, mlir::Value array);
  /// Finds arrays of which later accesses do not simply read what one statement
  /// has written.
  void classifyArrays();
  isl::map addAccess(unsigned position, llvm::StringRef kind, unsigned index,
                     mlir::Value array, mlir::AffineMap map);

  llvm::MapVector<mlir::Value, isl::set> arrays;
};

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_ANALYSIS_ACCESSES_H
