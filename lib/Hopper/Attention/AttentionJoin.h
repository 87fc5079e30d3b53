//===- AttentionJoin.h - Joins results of a cluster's blocks ----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_HOPPER_ATTENTION_ATTENTIONJOIN_H
#define GROUT_LIB_HOPPER_ATTENTION_ATTENTIONJOIN_H

#include "OnlineSoftmax.h"

namespace grout::hopper {

/// Adds up `sums`, accumulators, of all blocks that split the steps
/// of a tile, and of all warpgroups that split the steps of a block. Scales
/// each of them to the largest score of all. Stores the result, and posts.
/// `share` is the number of this warpgroup in its block.
void emitAttentionJoin(const AttentionContext &context, mlir::Value share,
                       OnlineSoftmax &softmax, const SoftmaxState &totals,
                       mlir::Value sums);

} // namespace grout::hopper

#endif // GROUT_LIB_HOPPER_ATTENTION_ATTENTIONJOIN_H
