//===- AttentionOperands.h - Where attention reads and writes ---*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOTGEMM_ATTENTIONOPERANDS_H
#define GROUT_LIB_CONVERSION_LINALGTOTGEMM_ATTENTIONOPERANDS_H

#include "AttentionPattern.h"

namespace grout {

/// A tensor that may be read, or written, in place of another: what that is a
/// transpose of, for instance.
struct TensorCandidate {
  TensorElement element;
  /// What its elements are to be multiplied by.
  double factor = 1;
};

/// Candidates, the further from the product the later.
using TensorCandidates = llvm::SmallVector<TensorCandidate, 4>;

/// What may be read in place of `expr`, an element of an operand: what it
/// moves, widens, or, with `scales`, multiplies by a constant.
TensorCandidates getOperandCandidates(const ScalarExpr *expr, bool scales);

/// All candidates of an attention.
struct AttentionCandidates {
  TensorCandidates query, key, value, result;
};

/// Chooses the tensors of `attention`, the furthest from the products that it
/// can read and write, all of one type. `batch` are the factors that number the
/// heads of all batches; it becomes batches and heads of `attention`. Gives how
/// many ops that leaves out, or fails if there are no such tensors.
mlir::FailureOr<unsigned> chooseTensors(const AttentionCandidates &candidates,
                                        llvm::ArrayRef<unsigned> batch,
                                        mlir::Type factorType,
                                        Attention &attention);

} // namespace grout

#endif // GROUT_LIB_CONVERSION_LINALGTOTGEMM_ATTENTIONOPERANDS_H
