//===- ConstraintTrees.h - Optimisers that build trees ----------*- C++ -*-===//
//
// Part of Grout. These optimisers decide the parts of a GPU kernel's schedule
// for which there is no linear objective: which statements share loops, along
// which loop neighbouring threads go, and how wide accesses are. See
// docs/ConstraintTrees.md.
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
  /// The GPU for which trees are built.
  TargetSpec target;
  /// The number of scenarios that become alternatives of the tree.
  unsigned maxScenarios = 4;
};

/// Whether another op of the program computes `operand`, an operand of a
/// kernel. Groups and trees depend on the operands in no other way.
bool isComputed(mlir::Value operand);

/// Returns the statements of `kernel` in groups, each of which is worth a
/// launch of a GPU, in an order that dependences allow. `problem` is the
/// problem of the kernel. Fails if isl fails.
llvm::Expected<llvm::SmallVector<llvm::SmallVector<StmtOp>>>
findLaunchGroups(KernelOp kernel, const SchedulingProblem &problem,
                 const ConstraintTreeOptions &options);

/// Builds the tree of a kernel. For a kernel that is one launch, its
/// alternatives are the scenarios in which warps move the fewest sectors of
/// memory, the best one first. For a kernel that has to be several launches, it
/// is a sequence of these. Returns none if there is nothing to choose, or if
/// threads cannot distribute the kernel. Fails if isl fails.
llvm::Expected<std::optional<ConstraintTree>>
buildAutoTree(KernelOp kernel, const SchedulingProblem &problem,
              const ConstraintTreeOptions &options);

/// Builds the tree with the one scenario that the greedy optimiser of
/// MindSpore's AKG (release 1.9) would inject, for comparison. Every statement
/// decides alone, and vectors have up to 4 elements. Returns none for kernels
/// that AKG's optimiser leaves alone: reductions, and transposes that convert
/// elements.
std::optional<ConstraintTree> buildAkgTree(KernelOp kernel);

/// Prints the properties of the schedule of `kernel` on a GPU: its loops and
/// where they run, the tile of a block, the strides of accesses, and which
/// accesses go through shared memory. For each access, also prints the sectors
/// of memory that a warp moves, and the sectors that hold the elements that it
/// needs.
void explainSchedule(KernelOp kernel, llvm::raw_ostream &os);

/// Prints the same for all scheduled kernels in `op`, with their numbers, and
/// which of them share a launch. Returns the number of kernels.
unsigned explainKernels(mlir::Operation *op, llvm::raw_ostream &os);

} // namespace grout::scop

#endif // GROUT_DIALECT_SCOP_CONSTRAINTTREES_CONSTRAINTTREES_H
