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

/// linalg ops that compute attention.
struct Attention {
  /// The index factors of (b, h, i, j), and the sizes of keys and values.
  AttentionDims dims;
  FactorList keySize, valueSize;
  /// The heads of keys and values: a part of the heads of queries.
  FactorList keyHeads;

  AttentionTensor query, key, value, result;
  Scores scores;
  /// Whether the result of a query without keys is 0, and not NaN.
  bool zeroWithoutKeys = false;
};

/// Matches attention that ends with a given product. Owns the index factors and
/// expressions that it finds.
class AttentionSearch {
public:
  /// Matches attention whose product of probabilities and values is `product`.
  /// Fails with a reason, which is empty if there are not even probabilities.
  mlir::FailureOr<Attention> match(mlir::linalg::LinalgOp product,
                                   std::string &reason);

  const IndexFactors &getFactors() const { return factors; }

private:
  IndexFactors factors;
  std::unique_ptr<ScalarExprBuilder> exprs;
};

} // namespace grout

#endif // GROUT_LIB_CONVERSION_LINALGTOTGEMM_ATTENTIONPATTERN_H
