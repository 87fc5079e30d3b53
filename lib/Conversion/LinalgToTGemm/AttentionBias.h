//===- AttentionBias.h - What is added to scores ----------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOTGEMM_ATTENTIONBIAS_H
#define GROUT_LIB_CONVERSION_LINALGTOTGEMM_ATTENTIONBIAS_H

#include "AttentionPattern.h"

namespace grout {

/// A tensor, and which of its elements (b, h, i, j) has added.
struct AttentionBias {
  mlir::Value tensor;
  mlir::AffineMap map;
};

/// What is to be added to the scores of `attention`, terms and masks: a tensor
/// that is there already, or a linalg.generic over what dimensions it depends
/// on. Fails, with nothing built, where that is not possible.
mlir::FailureOr<AttentionBias> buildBias(mlir::OpBuilder &builder,
                                         mlir::Location loc,
                                         const Attention &attention,
                                         const IndexFactors &factors);

} // namespace grout

#endif // GROUT_LIB_CONVERSION_LINALGTOTGEMM_ATTENTIONBIAS_H
