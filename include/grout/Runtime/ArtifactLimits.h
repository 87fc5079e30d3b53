//===- ArtifactLimits.h - How large things in artifacts are -----*- C++ -*-===//
//
// Part of Grout. What the runtime refuses, and so the compiler, before it takes
// long.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_RUNTIME_ARTIFACTLIMITS_H
#define GROUT_RUNTIME_ARTIFACTLIMITS_H

#include <cstddef>
#include <cstdint>

namespace grout {
namespace artifact {

// Of tensors. They keep all later arithmetic far from overflow.
constexpr uint64_t kMaxTensorBytes = uint64_t(1) << 40;
constexpr uint32_t kMaxRank = 16;

/// Characters of a name, of a function as well as of a tensor.
constexpr size_t kMaxNameLength = 1024;

/// Worker threads of a CPU, each of which stands for one resident tile.
constexpr uint32_t kMaxWorkers = 1024;

/// Branches of a plan, each of which is a stream.
constexpr uint32_t kMaxBranches = 32;

} // namespace artifact
} // namespace grout

#endif // GROUT_RUNTIME_ARTIFACTLIMITS_H
