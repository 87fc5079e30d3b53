//===- AttentionJoin.h - Joins what blocks of a cluster have ----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_TGEMMTONVVM_ATTENTIONJOIN_H
#define GROUT_LIB_CONVERSION_TGEMMTONVVM_ATTENTIONJOIN_H

#include "OnlineSoftmax.h"
#include "Wgmma.h"

namespace grout::hopper {

/// Adds up `sums`, accumulators of `shape`, of all blocks that share out the
/// steps of a tile, and of all warpgroups that share out those of a block, each
/// scaled to the largest score of all, stores the result, and posts. `share` is
/// the number of this warpgroup in those of its block.
void emitAttentionJoin(const AttentionContext &context, mlir::Value share,
                       OnlineSoftmax &softmax, const SoftmaxState &totals,
                       mlir::Value sums, const WgmmaShape &shape);

} // namespace grout::hopper

#endif // GROUT_LIB_CONVERSION_TGEMMTONVVM_ATTENTIONJOIN_H
