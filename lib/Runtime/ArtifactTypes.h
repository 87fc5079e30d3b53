//===- ArtifactTypes.h - Sizes and names of what artifacts hold -*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_RUNTIME_ARTIFACTTYPES_H
#define GROUT_LIB_RUNTIME_ARTIFACTTYPES_H

#include "grout/Runtime/Artifact_generated.h"

#include <cstdint>
#include <string>

namespace grout {
namespace runtime {

/// Bytes of one element.
uint64_t elementSize(artifact::ElementType type);

/// "f16", "i32", ...
const char *elementName(artifact::ElementType type);

/// Whether numbers of a type are exact: integers and truth values.
bool isInteger(artifact::ElementType type);

/// Bytes of a tensor that the validator accepted.
uint64_t tensorBytes(const artifact::Tensor &tensor);

/// "f16[512x1024]".
std::string typeString(const artifact::Tensor &tensor);

/// Whether a module's code runs on a GPU.
inline bool isGpuCode(artifact::ModuleKind kind) {
  return kind != artifact::ModuleKind::SharedObject;
}

/// Whether a plan runs on a GPU. A valid plan's modules are all of one sort.
bool runsOnGpu(const artifact::Artifact &artifact, const artifact::Plan &plan);

} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_ARTIFACTTYPES_H
