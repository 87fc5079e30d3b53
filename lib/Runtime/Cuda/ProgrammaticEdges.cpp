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
/// `index - 1` starts.
static bool mayStartEarly(const Launch &launch, uint32_t index,
                          uint32_t ended) {
  bool hasProgrammatic = false;
  if (!launch.after())
    return false;
  for (const Edge *edge : *launch.after()) {
    bool isPrevious = edge->launch() + 1 == index;
    if (isPrevious && edge->kind() == EdgeKind::Programmatic)
      hasProgrammatic = true;
    else if (isPrevious || edge->launch() >= ended)
      return false;
  }
  return hasProgrammatic;
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
