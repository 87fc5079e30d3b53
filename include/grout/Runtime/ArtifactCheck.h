//===- ArtifactCheck.h - Checks an artifact as the runtime does -*- C++ -*-===//
//
// Part of Grout. The runtime's own checks, for code that writes artifacts: it
// checks an artifact before anybody gets it.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_RUNTIME_ARTIFACTCHECK_H
#define GROUT_RUNTIME_ARTIFACTCHECK_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace grout {
namespace artifact {

/// Returns a message for people that says why the runtime would refuse the
/// payload of an artifact (docs/Artifact.md), or "" if it would load it.
/// `payload` must be aligned like memory from operator new. Throws nothing but
/// std::bad_alloc.
std::string findProblem(const uint8_t *payload, size_t size);

} // namespace artifact
} // namespace grout

#endif // GROUT_RUNTIME_ARTIFACTCHECK_H
