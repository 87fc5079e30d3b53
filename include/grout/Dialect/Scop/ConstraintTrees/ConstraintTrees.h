//===- ConstraintTrees.h - Optimisers that build trees ----------*- C++ -*-===//
//
// Part of Grout. What is not linear about a kernel for a GPU: which statements
// share loops, which loop neighbouring threads go along, how wide accesses are.
// See docs/ConstraintTrees.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_SCOP_CONSTRAINTTREES_CONSTRAINTTREES_H
#define GROUT_DIALECT_SCOP_CONSTRAINTTREES_CONSTRAINTTREES_H

#include "grout/Dialect/Scop/IR/Scop.h"
#include "grout/Scheduling/ConstraintTree.h"
#include "grout/Scheduling/SchedulingProblem.h"
#include "grout/Target/TargetSpec.h"

namespace grout::scop {

struct ConstraintTreeOptions {
  /// The GPU.
  TargetSpec target;
  /// Scenarios that become alternatives of the tree.
  unsigned maxScenarios = 4;
};

/// The statements of `kernel` in groups that are worth one launch of a GPU
/// each, in an order that dependences allow. `problem` is the kernel's. Fails
/// if isl does.
llvm::Expected<llvm::SmallVector<llvm::SmallVector<StmtOp>>>
findLaunchGroups(KernelOp kernel, const SchedulingProblem &problem,
                 const ConstraintTreeOptions &options);

/// A tree for a kernel that is one launch: its scenarios by the sectors of
/// memory that warps move, the best first. For a kernel that has to be several
/// launches, a sequence of them. None if there is nothing to choose, or if the
/// kernel is none that threads can share. Fails if isl does.
llvm::Expected<std::optional<ConstraintTree>>
buildAutoTree(KernelOp kernel, const SchedulingProblem &problem,
              const ConstraintTreeOptions &options);

/// The one scenario that the greedy optimiser of MindSpore's AKG (release 1.9)
/// would inject, for comparison: every statement decides alone, vectors have up
/// to 4 elements. None for kernels that it leaves alone: those that reduce, and
/// transposes that convert elements.
std::optional<ConstraintTree> buildAkgTree(KernelOp kernel);

/// Prints what the schedule of `kernel` means on a GPU: its loops and where
/// they run, the tile of a block, the strides of accesses, which of them go
/// through shared memory, and the sectors of memory that a warp moves for each,
/// beside those that hold what it needs.
void explainSchedule(KernelOp kernel, llvm::raw_ostream &os);

/// The same for all kernels in `op`, which are scheduled and numbered, and
/// which of them share a launch. Returns how many there are.
unsigned explainKernels(mlir::Operation *op, llvm::raw_ostream &os);

} // namespace grout::scop

#endif // GROUT_DIALECT_SCOP_CONSTRAINTTREES_CONSTRAINTTREES_H
