//===- WarpgroupJoin.h - Joins what warpgroups of a block have --*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_TGEMMTONVVM_WARPGROUPJOIN_H
#define GROUT_LIB_CONVERSION_TGEMMTONVVM_WARPGROUPJOIN_H

#include "OnlineSoftmax.h"
#include "Wgmma.h"

namespace grout::hopper {

/// Adds up `sums`, accumulators, of all warpgroups that share out the steps of
/// the same rows, each scaled to the largest score of all, over the sum of all.
/// Calls `emit` with the elements that the warpgroup, number `share`, has of
/// the result, in the order of accumulators; the others are null.
void emitWarpgroupJoin(
    const AttentionContext &context, mlir::Value share, OnlineSoftmax &softmax,
    const SoftmaxState &totals, mlir::Value sums,
    llvm::function_ref<void(llvm::ArrayRef<mlir::Value>)> emit);

} // namespace grout::hopper

#endif // GROUT_LIB_CONVERSION_TGEMMTONVVM_WARPGROUPJOIN_H
