//===- ArtifactLimits.h - Limits for the contents of artifacts --*- C++ -*-===//
//
// Part of Grout. The runtime refuses artifacts that exceed these limits. So the
// compiler refuses to make them, before it takes long.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_RUNTIME_ARTIFACTLIMITS_H
#define GROUT_RUNTIME_ARTIFACTLIMITS_H

#include <cstddef>
#include <cstdint>

namespace grout {
namespace artifact {

// Limits of a tensor. They keep all later arithmetic far from overflow.
constexpr uint64_t kMaxTensorBytes = uint64_t(1) << 40;
constexpr uint32_t kMaxRank = 16;

/// Characters in the name of a function or of a tensor.
constexpr size_t kMaxNameLength = 1024;

/// Worker threads of a CPU. Each stands for one resident tile.
constexpr uint32_t kMaxWorkers = 1024;

/// Branches of a plan. Each is a stream.
constexpr uint32_t kMaxBranches = 32;

} // namespace artifact
} // namespace grout

#endif // GROUT_RUNTIME_ARTIFACTLIMITS_H
