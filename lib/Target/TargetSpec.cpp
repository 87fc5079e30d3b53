//===- TargetSpec.cpp - What the compiler knows of a processor ------------===//
//
// Part of Grout. The H200's rates are those measured on one: what its power
// limit leaves of the matrix rate, and copies between device memory and cache.
// The A100's are the published ones of the variant with 80 GB.
//
//===----------------------------------------------------------------------===//

#include "grout/Target/TargetSpec.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace grout;

static constexpr TargetSpec kTargets[] = {
    {"cpu", /*isGPU=*/false, "x86-64-v3", "", /*processors=*/8,
     /*sharedMemory=*/0, /*matrixRate=*/5e10, /*memoryRate=*/2e10,
     /*cacheRate=*/1e11, /*cacheBytes=*/int64_t(32) << 20,
     /*clusters=*/{8, 0, 0, 0}, /*hasProductKernels=*/true,
     /*hasProgrammaticLaunch=*/false, /*launchTime=*/0},
    {"h200", /*isGPU=*/true, "sm_90a", "+ptx86", /*processors=*/132,
     /*sharedMemory=*/int64_t(227) * 1024, /*matrixRate=*/7.75e14,
     /*memoryRate=*/4.4e12, /*cacheRate=*/7.65e12,
     /*cacheBytes=*/int64_t(50) << 20,
     /*clusters=*/{132, 66, 30, 15}, /*hasProductKernels=*/true,
     /*hasProgrammaticLaunch=*/true, /*launchTime=*/2e-6},
    {"a100", /*isGPU=*/true, "sm_80", "+ptx81", /*processors=*/108,
     /*sharedMemory=*/int64_t(163) * 1024, /*matrixRate=*/3.12e14,
     /*memoryRate=*/2.039e12, /*cacheRate=*/7.2e12,
     /*cacheBytes=*/int64_t(40) << 20,
     /*clusters=*/{108, 0, 0, 0}, /*hasProductKernels=*/false,
     /*hasProgrammaticLaunch=*/false, /*launchTime=*/2.5e-6},
};

llvm::ArrayRef<TargetSpec> grout::getAllTargets() { return kTargets; }

int64_t TargetSpec::getResidentClusters(int64_t size) const {
  return clusters[llvm::Log2_64(size)];
}

std::optional<TargetSpec> grout::lookupTarget(llvm::StringRef name) {
  const auto *it = llvm::find_if(
      kTargets, [&](const TargetSpec &spec) { return spec.name == name; });
  if (it == std::end(kTargets))
    return std::nullopt;
  return *it;
}
