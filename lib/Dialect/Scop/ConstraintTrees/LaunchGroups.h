//===- LaunchGroups.h - Statements that share a launch ----------*- C++ -*-===//
//
// Part of Grout. On a GPU statements of one launch share the loops that go to
// blocks; what one block computes no other can read. So a group has *outer*
// loops, which all of its statements go through without a dependence between
// iterations, and *inner* ones, which a block's threads go through together,
// once for each phase.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_LAUNCHGROUPS_H
#define GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_LAUNCHGROUPS_H

#include "KernelModel.h"
#include "grout/Target/TargetSpec.h"

namespace grout::scop {

struct LaunchGroup {
  /// Statements that go through the inner loops have odd phases, others even
  /// ones; phases follow each other.
  struct Member {
    unsigned statement;
    /// The group's loop of each iterator; none if its extent is 1.
    llvm::SmallVector<std::optional<unsigned>> loops;
    unsigned phase = 0;

    /// The iterator that goes through `loop`.
    std::optional<unsigned> getIterator(unsigned loop) const;
  };

  /// In the order of the program.
  std::vector<Member> members;
  llvm::SmallVector<int64_t> extents;
  llvm::SmallVector<bool> isOuter;
  /// Whether threads can share the work as described above. Others are single
  /// statements.
  bool isMappable = false;

  int64_t getOuterSize() const;
  int64_t getInnerSize() const;
};

/// Groups that are worth a launch each, in an order that dependences allow: of
/// two, it takes the one that costs less time, fused or not, by a model of
/// launches, bytes moved, and SMs that have work.
std::vector<LaunchGroup> formLaunchGroups(const KernelModel &model,
                                          const TargetSpec &target);

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_LAUNCHGROUPS_H
