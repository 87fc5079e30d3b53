//===- HostTarget.cpp - Checks that the host can run a module -------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "HostTarget.h"
#include "../ElfImage.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

using namespace grout;
using namespace grout::runtime;

#if defined(__x86_64__)
constexpr uint16_t kHostMachine = kElfMachineX86_64;
constexpr const char *kHostName = "x86-64";
#elif defined(__aarch64__)
constexpr uint16_t kHostMachine = kElfMachineAArch64;
constexpr const char *kHostName = "aarch64";
#else
#error "Grout's CPU device supports x86-64 and aarch64"
#endif

static Status wrongTarget(const std::string &target, const std::string &why) {
  return Status::error(GROUT_ERROR_WRONG_TARGET,
                       "the tile bodies are compiled for ", target, ", ", why,
                       "; compile for a target that this machine has");
}

#if defined(__x86_64__)
namespace {
/// Registers of the cpuid leaves that the levels need.
struct CpuFeatures {
  unsigned leaf1c = 0, leaf1d = 0, leaf7b = 0, extended1c = 0;
  unsigned savedState = 0; // XCR0: what the operating system saves

  CpuFeatures() {
    unsigned a, b, c, d;
    if (__get_cpuid(1, &a, &b, &c, &d)) {
      leaf1c = c;
      leaf1d = d;
    }
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d))
      leaf7b = b;
    if (__get_cpuid(0x80000001, &a, &b, &c, &d))
      extended1c = c;
    constexpr unsigned kOsXsave = 1u << 27;
    if (leaf1c & kOsXsave) {
      unsigned low, high;
      __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
      savedState = low;
    }
  }
};

struct Feature {
  const char *name;
  unsigned level;
  unsigned CpuFeatures::*where;
  unsigned mask;
};
} // namespace

static const Feature kFeatures[] = {
    {"CMPXCHG16B", 2, &CpuFeatures::leaf1c, 1u << 13},
    {"LAHF-SAHF", 2, &CpuFeatures::extended1c, 1u << 0},
    {"POPCNT", 2, &CpuFeatures::leaf1c, 1u << 23},
    {"SSE3", 2, &CpuFeatures::leaf1c, 1u << 0},
    {"SSSE3", 2, &CpuFeatures::leaf1c, 1u << 9},
    {"SSE4.1", 2, &CpuFeatures::leaf1c, 1u << 19},
    {"SSE4.2", 2, &CpuFeatures::leaf1c, 1u << 20},
    {"AVX", 3, &CpuFeatures::leaf1c, 1u << 28},
    {"AVX state saved by the operating system", 3, &CpuFeatures::savedState,
     0x6},
    {"AVX2", 3, &CpuFeatures::leaf7b, 1u << 5},
    {"BMI1", 3, &CpuFeatures::leaf7b, 1u << 3},
    {"BMI2", 3, &CpuFeatures::leaf7b, 1u << 8},
    {"F16C", 3, &CpuFeatures::leaf1c, 1u << 29},
    {"FMA", 3, &CpuFeatures::leaf1c, 1u << 12},
    {"LZCNT", 3, &CpuFeatures::extended1c, 1u << 5},
    {"MOVBE", 3, &CpuFeatures::leaf1c, 1u << 22},
    {"AVX512F", 4, &CpuFeatures::leaf7b, 1u << 16},
    {"AVX512BW", 4, &CpuFeatures::leaf7b, 1u << 30},
    {"AVX512CD", 4, &CpuFeatures::leaf7b, 1u << 28},
    {"AVX512DQ", 4, &CpuFeatures::leaf7b, 1u << 17},
    {"AVX512VL", 4, &CpuFeatures::leaf7b, 1u << 31},
    {"AVX-512 state saved by the operating system", 4, &CpuFeatures::savedState,
     0xe6},
};

static Status checkLevel(const std::string &target) {
  unsigned level = 0;
  if (target == "x86-64")
    level = 1;
  else if (target.size() == 9 && target.compare(0, 8, "x86-64-v") == 0 &&
           target[8] >= '2' && target[8] <= '4')
    level = static_cast<unsigned>(target[8] - '0');
  if (level == 0)
    return wrongTarget(target, "which this runtime does not know");
  CpuFeatures features;
  for (const Feature &feature : kFeatures)
    if (feature.level <= level &&
        (features.*feature.where & feature.mask) != feature.mask)
      return wrongTarget(target, std::string("but this processor lacks ") +
                                     feature.name);
  return Status::ok();
}
#else
static Status checkLevel(const std::string &target) {
  if (target != kHostName)
    return wrongTarget(target, "which this runtime does not know");
  return Status::ok();
}
#endif

Status runtime::checkHostTarget(const std::string &target,
                                uint16_t elfMachine) {
  if (elfMachine != kHostMachine)
    return wrongTarget(target,
                       std::string("but this processor is ") + kHostName);
  return checkLevel(target);
}
