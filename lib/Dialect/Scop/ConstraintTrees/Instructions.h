//===- Instructions.h - What warps issue ------------------------*- C++ -*-===//
//
// Part of Grout. Where rows are short, it is not memory that kernels wait for:
// a row leaves threads of a warp without points, and whatever a thread does
// once for a row counts as much as what it does for its points.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_INSTRUCTIONS_H
#define GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_INSTRUCTIONS_H

#include "Scenarios.h"

namespace grout::scop {

/// Instructions of warps, about, for a group of which neighbouring threads go
/// along the last inner loop.
double countInstructions(const KernelModel &model, const LaunchGroup &group,
                         llvm::ArrayRef<GroupAccess> accesses,
                         const Scenario &scenario,
                         const MemoryBoundConstants &constants);

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_INSTRUCTIONS_H
