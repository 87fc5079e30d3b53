//===- AttentionPattern.h - linalg ops that are attention -------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOTGEMM_ATTENTIONPATTERN_H
#define GROUT_LIB_CONVERSION_LINALGTOTGEMM_ATTENTIONPATTERN_H

#include "AttentionViews.h"
#include "ScoreExpr.h"
#include <string>

namespace grout {

/// A tensor that attention reads or writes, and the order of its dimensions.
struct AttentionTensor {
  mlir::Value tensor;
  mlir::AffineMap layout;
};

/// Ops of linalg seen as attention.
struct Attention {
  /// (b, h, i, j), and the sizes of keys and values.
  AttentionDims dims;
  FactorList keySize, valueSize;
  /// Heads of keys and values: a part of those of queries.
  FactorList keyHeads;

  AttentionTensor query, key, value, result;
  Scores scores;
  /// Whether queries without keys give 0, and not NaN.
  bool zeroWithoutKeys = false;
};

/// Looks for attention behind one product, and owns what it finds.
class AttentionSearch {
public:
  /// Takes `product` to be that of probabilities and values. Fails with a
  /// reason, which is empty if there are not even probabilities.
  mlir::FailureOr<Attention> match(mlir::linalg::LinalgOp product,
                                   std::string &reason);

  const IndexFactors &getFactors() const { return factors; }

private:
  IndexFactors factors;
  std::unique_ptr<ScalarExprBuilder> exprs;
};

} // namespace grout

#endif // GROUT_LIB_CONVERSION_LINALGTOTGEMM_ATTENTIONPATTERN_H
