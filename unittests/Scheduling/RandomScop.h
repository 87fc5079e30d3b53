//===- RandomScop.h - Random problems, and brute force ----------*- C++ -*-===//
//
// Part of Grout. Small programs whose instances and dependences are enumerated
// without isl.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_UNITTESTS_SCHEDULING_RANDOMSCOP_H
#define GROUT_UNITTESTS_SCHEDULING_RANDOMSCOP_H

#include "grout/Scheduling/Scheduler.h"
#include <map>
#include <random>

namespace grout::test {

using Instance = std::vector<int64_t>;

/// One dependence as pairs of instances.
struct ExplicitDependence {
  std::string source, target;
  bool reduction;
  std::vector<std::pair<Instance, Instance>> pairs;
};

struct RandomScop {
  SchedulingProblem problem;
  std::map<std::string, ExplicitDependence> dependences;
};

/// A program of a few statements in shared or separate loops, with the
/// dependences that follow from its accesses and its order.
RandomScop makeRandomScop(const IslContext &context, std::mt19937 &random);

/// A tree of nodes that mean something for the problem, though perhaps nothing
/// feasible.
ConstraintTree makeRandomTree(const SchedulingProblem &problem,
                              std::mt19937 &random);

/// A schedule that respects the dependences or not.
Schedule makeRandomSchedule(const SchedulingProblem &problem,
                            std::mt19937 &random);

/// Whether a pair of this dependence shows that the schedule is wrong, by
/// enumeration; what SchedulingProblem::verify promises to find.
bool isWrong(const Schedule &schedule, const ExplicitDependence &dependence,
             const std::pair<Instance, Instance> &pair);
bool isRight(const Schedule &schedule, const RandomScop &scop);

} // namespace grout::test

#endif // GROUT_UNITTESTS_SCHEDULING_RANDOMSCOP_H
