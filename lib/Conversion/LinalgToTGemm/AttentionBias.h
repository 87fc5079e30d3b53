//===- AttentionBias.h - The bias of attention ------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOTGEMM_ATTENTIONBIAS_H
#define GROUT_LIB_CONVERSION_LINALGTOTGEMM_ATTENTIONBIAS_H

#include "AttentionPattern.h"

namespace grout {

/// A bias: a tensor, and the map to its element for score (b, h, i, j).
struct AttentionBias {
  mlir::Value tensor;
  mlir::AffineMap map;
};

/// Returns the bias for the scores of `attention`, with their terms and masks:
/// either an existing tensor, or a linalg.generic over the dimensions on which
/// the bias depends. Fails without building anything if that is not possible.
mlir::FailureOr<AttentionBias> buildBias(mlir::OpBuilder &builder,
                                         mlir::Location loc,
                                         const Attention &attention,
                                         const IndexFactors &factors);

} // namespace grout

#endif // GROUT_LIB_CONVERSION_LINALGTOTGEMM_ATTENTIONBIAS_H
