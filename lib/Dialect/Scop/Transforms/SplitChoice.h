//===- SplitChoice.h - Chooses reductions to split --------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_TRANSFORMS_SPLITCHOICE_H
#define GROUT_LIB_DIALECT_SCOP_TRANSFORMS_SPLITCHOICE_H

#include "PartitionKernel.h"
#include "Variance.h"

namespace grout::scop {

/// The constants of the model that decides whether a split is faster.
struct SplitModel {
  /// The number of blocks that keep the memory busy.
  int64_t blocks;
  /// The rate of memory, in bytes per ns.
  double memoryRate;
  /// The bytes from which on a kernel is worth a split. In a smaller kernel,
  /// each block of the reduction must read at least `minBlockBytes`.
  int64_t minBytes, minBlockBytes;
  /// The time of another launch, in ns.
  double launchTime;
  /// The time of parts of rows, as a multiple of the time of rows.
  double splitRowCost;
};

/// A loop that is split in two.
struct SplitLoop {
  StmtOp op;
  unsigned iterator;
  /// The extent of the outer loop.
  int64_t factor;
};

struct SplitChoice {
  /// For each reduction that is split, one of its reduction loops; empty if the
  /// kernel is not split.
  std::vector<SplitLoop> reductions;
  /// Loops of other statements that are split in the same way.
  std::vector<SplitLoop> others;
  /// Sums of squares that are split together with the sums for their means.
  std::vector<Variance> variances;
};

SplitChoice chooseSplits(KernelOp kernel, const SplitModel &model);

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_TRANSFORMS_SPLITCHOICE_H
