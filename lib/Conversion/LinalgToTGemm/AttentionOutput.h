//===- AttentionOutput.h - The result of attention --------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOTGEMM_ATTENTIONOUTPUT_H
#define GROUT_LIB_CONVERSION_LINALGTOTGEMM_ATTENTIONOUTPUT_H

#include "AttentionOperands.h"
#include "SoftmaxExpr.h"
#include "llvm/ADT/DenseSet.h"

namespace grout {

/// The tensors that hold the result of attention.
struct AttentionResult {
  TensorCandidates candidates;
  /// The ops that compute them, from the product on.
  llvm::DenseSet<mlir::Operation *> ops;
};

/// Follows the result of `product`, whose loops have the indices `loops`,
/// through ops that move elements, round them, divide by the sum that `softmax`
/// lacks, or set rows without any finite score to 0.
AttentionResult followResult(mlir::linalg::LinalgOp product,
                             const FactorIndex &loops, Softmax &softmax,
                             ScalarExprBuilder &exprs, IndexFactors &factors);

} // namespace grout

#endif // GROUT_LIB_CONVERSION_LINALGTOTGEMM_ATTENTIONOUTPUT_H
