//===- AttentionResult.h - From sums to the result --------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_HOPPER_ATTENTION_ATTENTIONRESULT_H
#define GROUT_LIB_HOPPER_ATTENTION_ATTENTIONRESULT_H

#include "OnlineSoftmax.h"

namespace grout::hopper {

/// Divides `sums` of values, accumulators, by the totals of `state`.
/// Puts rows `rowGroup` where their queries were, and tells the storer. But if
/// blocks split the steps, joins their results and stores them. `share` is the
/// number of this warpgroup among those that split the steps of its rows.
void emitAttentionResult(const AttentionContext &context, mlir::Value rowGroup,
                         mlir::Value share, OnlineSoftmax &softmax,
                         const SoftmaxState &state, mlir::Value sums);

} // namespace grout::hopper

#endif // GROUT_LIB_HOPPER_ATTENTION_ATTENTIONRESULT_H
