//===- LaunchGroups.h - Statements that share a launch ----------*- C++ -*-===//
//
// Part of Grout. On a GPU, the statements of one launch share the loops that
// are distributed to blocks, and a block cannot read results of another block.
// So a group has *outer* loops and *inner* loops. All statements of the group
// go through the outer loops, and no dependence leads from one iteration to
// another. The threads of a block go through the inner loops together, once for
// each phase.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_LAUNCHGROUPS_H
#define GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_LAUNCHGROUPS_H

#include "KernelModel.h"
#include "grout/Target/TargetSpec.h"

namespace grout::scop {

struct LaunchGroup {
  /// Phases follow one another. Statements in the inner loops have odd phases,
  /// other statements have even ones.
  struct Member {
    unsigned statement;
    /// For each iterator, its loop of the group; none if its extent is 1.
    llvm::SmallVector<std::optional<unsigned>> loops;
    unsigned phase = 0;

    /// Returns the iterator that goes through `loop`, if there is one.
    std::optional<unsigned> getIterator(unsigned loop) const;
  };

  /// In the order of the program.
  std::vector<Member> members;
  llvm::SmallVector<int64_t> extents;
  llvm::SmallVector<bool> isOuter;
  /// Whether the work can be distributed to threads as described above. A group
  /// for which this is false is a single statement.
  bool isMappable = false;

  int64_t getOuterSize() const;
  int64_t getInnerSize() const;
};

/// Returns a group of just these statements, if one launch can run them. They
/// are in the order of the program, and there is at least one.
std::optional<LaunchGroup> formLaunchGroup(const KernelModel &model,
                                           llvm::ArrayRef<unsigned> statements,
                                           const TargetSpec &target);

/// Returns groups of all statements, each of which is one launch, in an order
/// that dependences allow. Groups are merged if the merged launch takes less
/// time, by a model of launches, bytes moved, and SMs that have work. Then
/// groups are cut (CutGroups.h).
std::vector<LaunchGroup> formLaunchGroups(const KernelModel &model,
                                          const TargetSpec &target);

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_LAUNCHGROUPS_H
