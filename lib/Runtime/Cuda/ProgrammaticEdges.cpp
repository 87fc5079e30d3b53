//===- ProgrammaticEdges.cpp - Which launches may start early -------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ProgrammaticEdges.h"

using namespace grout;
using namespace grout::artifact;
using namespace grout::runtime;

/// `ended` is the number of launches that have surely ended when launch
/// `index - 1` starts. A launch that starts early waits for the end of the one
/// before it, and so of all, by itself; only full edges keep it from starting.
static bool mayStartEarly(const Launch &launch, uint32_t index,
                          uint32_t ended) {
  bool followsPrevious = false;
  if (!launch.after())
    return false;
  for (const Edge *edge : *launch.after()) {
    if (edge->kind() == EdgeKind::Full && edge->launch() >= ended)
      return false;
    followsPrevious |=
        edge->launch() + 1 == index && edge->kind() != EdgeKind::Full;
  }
  return followsPrevious;
}

std::vector<bool> cuda::chooseProgrammaticLaunches(const Plan &plan) {
  std::vector<bool> programmatic;
  uint32_t ended = 0;
  for (uint32_t i = 0; i != plan.launches()->size(); ++i) {
    const Launch &launch = *plan.launches()->Get(i);
    bool early =
        i == 0 ? launch.programmatic_entry() : mayStartEarly(launch, i, ended);
    programmatic.push_back(early);
    // A launch that waits in stream order starts when all before it ended. One
    // that starts early only knows what its predecessor knew.
    if (!early)
      ended = i;
  }
  return programmatic;
}
