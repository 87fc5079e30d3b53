//===- WarpgroupJoin.h - Joins results of a block's warpgroups --*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_HOPPER_ATTENTION_WARPGROUPJOIN_H
#define GROUT_LIB_HOPPER_ATTENTION_WARPGROUPJOIN_H

#include "OnlineSoftmax.h"

namespace grout::hopper {

/// Adds up `sums`, accumulators, of all warpgroups that split the steps of the
/// same rows. Scales each of them to the largest score of all, and divides by
/// the sum of all. Calls `emit` with the elements of the result that warpgroup
/// `share` completes, in the order of accumulators; the others are null.
void emitWarpgroupJoin(
    const AttentionContext &context, mlir::Value share, OnlineSoftmax &softmax,
    const SoftmaxState &totals, mlir::Value sums,
    llvm::function_ref<void(llvm::ArrayRef<mlir::Value>)> emit);

} // namespace grout::hopper

#endif // GROUT_LIB_HOPPER_ATTENTION_WARPGROUPJOIN_H
