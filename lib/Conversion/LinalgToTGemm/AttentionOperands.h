//===- AttentionOperands.h - Operands of attention --------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOTGEMM_ATTENTIONOPERANDS_H
#define GROUT_LIB_CONVERSION_LINALGTOTGEMM_ATTENTIONOPERANDS_H

#include "AttentionPattern.h"

namespace grout {

/// A tensor that can be read or written in place of another. For example, the
/// other one is its transpose.
struct TensorCandidate {
  TensorElement element;
  /// The constant by which its elements are to be multiplied.
  double factor = 1;
};

/// Candidates; those further from the product come later.
using TensorCandidates = llvm::SmallVector<TensorCandidate, 4>;

/// Returns the tensors that can be read in place of `expr`, an element of an
/// operand: those whose elements it moves, widens, or, with `scales`,
/// multiplies by a constant.
TensorCandidates getOperandCandidates(const ScalarExpr *expr, bool scales);

/// All candidates for the operands and the result of an attention.
struct AttentionCandidates {
  TensorCandidates query, key, value, result;
};

/// Chooses the tensors of `attention`: those furthest from the products that it
/// can read and write, all of one type. The factors of `batch` number the heads
/// of all batches, and are distributed to batches and heads of `attention`.
/// Returns how many ops this leaves out. Fails if there are no such tensors.
mlir::FailureOr<unsigned> chooseTensors(const AttentionCandidates &candidates,
                                        llvm::ArrayRef<unsigned> batch,
                                        mlir::Type operandType,
                                        Attention &attention);

} // namespace grout

#endif // GROUT_LIB_CONVERSION_LINALGTOTGEMM_ATTENTIONOPERANDS_H
