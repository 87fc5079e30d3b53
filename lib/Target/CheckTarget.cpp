//===- CheckTarget.cpp - Whether a target can be --------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Target/CheckTarget.h"

#include "grout/Runtime/DeviceABI.h"
#include "grout/Target/GPU.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace grout;

/// More than any processor has of what is counted here, and of bytes.
static constexpr int64_t kMany = INT32_MAX, kManyBytes = int64_t(1) << 50;

/// More than any rate is, in units per second, any time, in seconds, and any
/// cost, in instructions or bytes.
static constexpr double kHighRate = 1e24, kLongTime = 1e3, kHighCost = 1e9;

namespace {

/// A field, and what it may be.
template <typename Number> struct Field {
  const char *name;
  Number value, least, most;
};

} // namespace

template <typename Number>
static std::string findProblem(llvm::ArrayRef<Field<Number>> fields) {
  std::string problem;
  for (const Field<Number> &field : fields) {
    // A NaN is in no range.
    if (field.value >= field.least && field.value <= field.most)
      continue;
    llvm::raw_string_ostream(problem)
        << field.name << " is " << field.value << ", but must be from "
        << field.least << " to " << field.most;
    break;
  }
  return problem;
}

static std::string findLimitProblem(const TargetSpec &spec) {
  bool isGPU = spec.code == CodeFormat::PTX;
  int64_t warp = isGPU ? kWarpSize : 0;
  // A block has up to so many threads.
  int64_t threads = isGPU ? kernelabi::kMaxBlockThreads : 1;
  int64_t shared = isGPU ? kernelabi::kMaxDynamicSharedMemory : 0;
  return findProblem<int64_t>(
      {{"warpSize", spec.warpSize, warp, warp},
       {"processors", spec.processors, 1, kMany},
       {"processorThreads", spec.processorThreads, threads, kMany},
       {"sharedMemory", spec.sharedMemory, 0, shared},
       {"cacheBytes", spec.cacheBytes, 0, kManyBytes},
       {"cacheParts", spec.cacheParts, 1, kMany},
       {"clusters[0]", spec.clusters[0], 1, kMany},
       {"pathProcessors", spec.pathProcessors, 0, kMany}});
}

/// Models take a GPU with clusters to hold some of each size.
static std::string findClusterProblem(const TargetSpec &spec) {
  if (llvm::all_of(llvm::ArrayRef(spec.clusters).drop_front(),
                   [](int64_t clusters) { return clusters == 0; }))
    return "";
  return findProblem<int64_t>({{"clusters[1]", spec.clusters[1], 1, kMany},
                               {"clusters[2]", spec.clusters[2], 1, kMany},
                               {"clusters[3]", spec.clusters[3], 1, kMany}});
}

static std::string findRateProblem(const TargetSpec &spec) {
  return findProblem<double>(
      {{"matrixRate", spec.matrixRate, 1, kHighRate},
       {"memoryRate", spec.memoryRate, 1, kHighRate},
       {"maxBandwidthShare", spec.maxBandwidthShare, 1, kHighRate},
       {"cacheRate", spec.cacheRate, 1, kHighRate},
       {"keptShare", spec.keptShare, 0, 1},
       {"maxPathTraffic", spec.maxPathTraffic, 1, kHighRate},
       {"launchTime", spec.launchTime, 0, kLongTime},
       {"earlyLaunchGain", spec.earlyLaunchGain, 0, kLongTime},
       {"tileTime", spec.tileTime, 0, kLongTime},
       {"prefetchThreshold", spec.prefetchThreshold, 0, kHighRate}});
}

static std::string findMemoryBoundProblem(const MemoryBoundConstants &memory) {
  std::string problem;
#define GROUT_CONSTANT(type, name, least, most)                                \
  if (problem.empty())                                                         \
    problem = findProblem<type>(                                               \
        {{"memoryBound." #name, memory.name, (least), (most)}});
#include "grout/Target/MemoryBoundConstants.def"
  if (problem.empty() && !llvm::isPowerOf2_64(memory.blockThreads))
    return llvm::formatv("memoryBound.blockThreads is {0}, but must be a power "
                         "of two",
                         memory.blockThreads);
  return problem;
}

std::string grout::findTargetProblem(const TargetSpec &spec) {
  for (const std::string &problem :
       {findLimitProblem(spec), findClusterProblem(spec), findRateProblem(spec),
        spec.code == CodeFormat::PTX ? findMemoryBoundProblem(spec.memoryBound)
                                     : std::string()})
    if (!problem.empty())
      return problem;
  return "";
}
