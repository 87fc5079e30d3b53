//===- RankSums.h - Tiles that are summed over ranks ------------*- C++ -*-===//
//
// Part of Grout. A warpgroup of each block takes the place of the storer. It
// sends results from staging buffers to other ranks, and sums what other ranks
// send. The consumer warpgroups compute the next tile meanwhile.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_HOPPER_GEMM_RANKSUMS_H
#define GROUT_LIB_HOPPER_GEMM_RANKSUMS_H

#include "grout/Hopper/Gemm/GemmContext.h"

namespace grout::hopper {

/// Plans how the result of `body` is summed over ranks, if it is.
mlir::LogicalResult planRankSum(KernelParams &params, BodyPlan &body,
                                const TargetSpec &target);

/// Emits the work of the summing warpgroup on all tasks of the block.
void emitRankSums(const GemmContext &context);

} // namespace grout::hopper

#endif // GROUT_LIB_HOPPER_GEMM_RANKSUMS_H
