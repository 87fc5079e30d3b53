//===- Instances.h - Dependences between instances, as sets -----*- C++ -*-===//
//
// Part of Grout. For lib/Scheduling only.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_SCHEDULING_INSTANCES_H
#define GROUT_LIB_SCHEDULING_INSTANCES_H

#include "grout/Isl/IslGuard.h"
#include "grout/Scheduling/SchedulingProblem.h"
#include <isl/aff.h>

namespace grout::detail {

[[noreturn]] inline void refuse(std::string message) {
  fail(AnalysisErrorKind::Invalid, std::move(message));
}

/// The name of the tuple of a set; empty if it has none.
std::string tupleName(const isl::set &set);

/// The pairs of instances of a well-formed dependence.
isl::map dependentPairs(const SchedulingProblem &problem,
                        const ScopDependence &dependence);

/// The affine function `row` of the last dimensions of `space`, starting at
/// `first`, times `sign`, added to `aff`.
isl::aff addRow(isl::aff aff, const ScheduleRow &row, unsigned first, int sign);

/// { [source -> target] -> time of target - time of source }.
isl::aff distance(const isl::map &pairs, const ScheduleRow &source,
                  const ScheduleRow &target);

/// The pairs where `aff`, a function of pairs, is negative, zero, not zero.
isl::map whereNegative(const isl::map &pairs, const isl::aff &aff);
isl::map whereZero(const isl::map &pairs, const isl::aff &aff);
isl::map whereNotZero(const isl::map &pairs, const isl::aff &aff);

/// "from X[0, 1] to Y[0, 0, 1]": the lexicographically first of the pairs.
std::string firstPair(const ScopDependence &dependence, const isl::map &pairs);

} // namespace grout::detail

#endif // GROUT_LIB_SCHEDULING_INSTANCES_H
