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
  std::vector<Integer> integers = {
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
  };
  std::vector<Real> reals = {
      {"matrixRate", &spec.matrixRate},
      {"memoryRate", &spec.memoryRate},
      {"maxBandwidthShare", &spec.maxBandwidthShare},
      {"cacheRate", &spec.cacheRate},
      {"keptShare", &spec.keptShare},
      {"maxPathTraffic", &spec.maxPathTraffic},
      {"launchTime", &spec.launchTime},
      {"earlyLaunchGain", &spec.earlyLaunchGain},
      {"tileTime", &spec.tileTime},
      {"prefetchThreshold", &spec.prefetchThreshold},
  };
  auto add = [&](const char *name, auto *field) {
    if constexpr (std::is_same_v<decltype(field), double *>)
      reals.push_back({name, field});
    else
      integers.push_back({name, field});
  };
#define GROUT_CONSTANT(type, name, least, most)                                \
  add("memoryBound." #name, &spec.memoryBound.name);
#include "grout/Target/MemoryBoundConstants.def"
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
