//===- CutGroups.h - Launches that become two -------------------*- C++ -*-===//
//
// Part of Grout. The phases of a launch share their loops, so all of them go
// through memory in the same order. For example, a group norm of images with
// channels first, whose result has channels last, either reads or writes
// elements that are far apart. As two launches, one for the mean and the
// variance and one for the result, both read and write neighbours.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_CUTGROUPS_H
#define GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_CUTGROUPS_H

#include "LaunchGroups.h"

namespace grout::scop {

/// Returns `groups`, which are in the order of their launches. On a GPU, a
/// group of several phases becomes two groups if the two launches are modelled
/// to be faster by the traffic of their warps.
std::vector<LaunchGroup> cutGroups(const KernelModel &model,
                                   std::vector<LaunchGroup> groups,
                                   const TargetSpec &target);

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_CUTGROUPS_H
