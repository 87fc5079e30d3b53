//===- SplitChoice.h - Which reductions are split, and how ------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_TRANSFORMS_SPLITCHOICE_H
#define GROUT_LIB_DIALECT_SCOP_TRANSFORMS_SPLITCHOICE_H

#include "PartitionKernel.h"

namespace grout::scop {

/// What decides whether it pays.
struct SplitModel {
  /// Blocks that keep the memory busy.
  int64_t blocks;
  /// In bytes per ns.
  double memoryRate;
  /// Of a kernel; of a smaller one, what each block of a reduction reads.
  int64_t minBytes, minBlockBytes;
  /// What another launch costs, in ns.
  double launchTime;
  /// How much slower parts of rows are than rows.
  double splitRowCost;
};

/// A loop that becomes two.
struct SplitLoop {
  StmtOp op;
  unsigned iterator;
  /// The extent of the outer one.
  int64_t factor;
};

struct SplitChoice {
  /// One loop over which is combined for each reduction that is split; none if
  /// the kernel stays whole.
  std::vector<SplitLoop> reductions;
  /// Loops of other statements that go with them.
  std::vector<SplitLoop> others;
};

SplitChoice chooseSplits(KernelOp kernel, const SplitModel &model);

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_TRANSFORMS_SPLITCHOICE_H
