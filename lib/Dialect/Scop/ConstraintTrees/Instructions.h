//===- Instructions.h - Instructions of warps -------------------*- C++ -*-===//
//
// Part of Grout. A kernel with short rows does not wait for memory. A short row
// leaves some threads of a warp without points, and the work that a thread does
// once for a row takes as long as the work for its points.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_INSTRUCTIONS_H
#define GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_INSTRUCTIONS_H

#include "Scenarios.h"

namespace grout::scop {

/// Estimates the instructions that warps issue for a group whose neighbouring
/// threads go along the last inner loop.
double countInstructions(const KernelModel &model, const LaunchGroup &group,
                         llvm::ArrayRef<GroupAccess> accesses,
                         const Scenario &scenario,
                         const MemoryBoundConstants &constants);

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_INSTRUCTIONS_H
