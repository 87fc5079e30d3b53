//===- ArtifactCheck.h - Would the runtime load an artifact? ----*- C++ -*-===//
//
// Part of Grout. The runtime's own checks, for those who write artifacts: what
// they write is checked before anybody gets it.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_RUNTIME_ARTIFACTCHECK_H
#define GROUT_RUNTIME_ARTIFACTCHECK_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace grout {
namespace artifact {

/// Why the runtime would refuse the payload of an artifact (docs/Artifact.md),
/// for people, or "" if it would not. `payload` is aligned as memory from
/// operator new is. Throws nothing but std::bad_alloc.
std::string findProblem(const uint8_t *payload, size_t size);

} // namespace artifact
} // namespace grout

#endif // GROUT_RUNTIME_ARTIFACTCHECK_H
