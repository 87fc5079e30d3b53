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

/// Returns the name of a set's tuple; empty if it has none.
std::string tupleName(const isl::set &set);

/// Returns the pairs of instances of a well-formed dependence.
isl::map dependentPairs(const SchedulingProblem &problem,
                        const ScopDependence &dependence);

/// Returns `aff` plus `sign` times the affine function `row` of the last
/// dimensions of `space`, starting at `first`.
isl::aff addRow(isl::aff aff, const ScheduleRow &row, unsigned first, int sign);

/// Returns { [source -> target] -> time of target - time of source }.
isl::aff distance(const isl::map &pairs, const ScheduleRow &source,
                  const ScheduleRow &target);

/// Return the pairs where `aff`, a function of pairs, is negative; zero; not
/// zero.
isl::map whereNegative(const isl::map &pairs, const isl::aff &aff);
isl::map whereZero(const isl::map &pairs, const isl::aff &aff);
isl::map whereNotZero(const isl::map &pairs, const isl::aff &aff);

/// Returns "from X[0, 1] to Y[0, 0, 1]", for the lexicographically first pair.
std::string firstPair(const ScopDependence &dependence, const isl::map &pairs);

} // namespace grout::detail

#endif // GROUT_LIB_SCHEDULING_INSTANCES_H
