//===- FuzzedTarget.cpp - Limits and rates that can't be ------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "FuzzedTarget.h"

#include <cmath>

using namespace grout;

namespace {

struct Integer {
  const char *name;
  int64_t *field;
};
struct Real {
  const char *name;
  double *field;
};

} // namespace

std::string test::damageSpec(TargetSpec &spec, std::mt19937 &random) {
  MemoryBoundConstants &memory = spec.memoryBound;
  const Integer integers[] = {
      {"warpSize", &spec.warpSize},
      {"processors", &spec.processors},
      {"processorThreads", &spec.processorThreads},
      {"sharedMemory", &spec.sharedMemory},
      {"cacheBytes", &spec.cacheBytes},
      {"cacheParts", &spec.cacheParts},
      {"clusters[0]", &spec.clusters[0]},
      {"clusters[1]", &spec.clusters[1]},
      {"clusters[2]", &spec.clusters[2]},
      {"clusters[3]", &spec.clusters[3]},
      {"pathProcessors", &spec.pathProcessors},
      {"memoryBound.blockThreads", &memory.blockThreads},
      {"memoryBound.leastRounds", &memory.leastRounds},
      {"memoryBound.pointsOfBlock", &memory.pointsOfBlock},
      {"memoryBound.mostMatrixBytes", &memory.mostMatrixBytes},
  };
  const Real reals[] = {
      {"matrixRate", &spec.matrixRate},
      {"memoryRate", &spec.memoryRate},
      {"mostOfShare", &spec.mostOfShare},
      {"cacheRate", &spec.cacheRate},
      {"keptShare", &spec.keptShare},
      {"launchTime", &spec.launchTime},
      {"earlyLaunchGain", &spec.earlyLaunchGain},
      {"tileTime", &spec.tileTime},
      {"prefetchedShare", &spec.prefetchedShare},
      {"memoryBound.ofRow", &memory.ofRow},
      {"memoryBound.ofPoint", &memory.ofPoint},
      {"memoryBound.ofAccess", &memory.ofAccess},
      {"memoryBound.ofJoined", &memory.ofJoined},
      {"memoryBound.ofFunction", &memory.ofFunction},
      {"memoryBound.accessBytes", &memory.accessBytes},
      {"memoryBound.issueBytes", &memory.issueBytes},
      {"memoryBound.stagingCost", &memory.stagingCost},
      {"memoryBound.maskedShare", &memory.maskedShare},
      {"memoryBound.rowPartCost", &memory.rowPartCost},
  };
  if (random() % 2 == 0) {
    const Integer &integer = integers[random() % std::size(integers)];
    const int64_t values[] = {0,  1,  2,         3,         7,
                              -1, 33, INT32_MAX, INT64_MAX, INT64_MIN};
    *integer.field = values[random() % std::size(values)];
    return integer.name + (" = " + std::to_string(*integer.field));
  }
  const Real &real = reals[random() % std::size(reals)];
  const double values[] = {0, -1, 1e-300, 1e300, INFINITY, -INFINITY, NAN};
  *real.field = values[random() % std::size(values)];
  return real.name + (" = " + std::to_string(*real.field));
}
