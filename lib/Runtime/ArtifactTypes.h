//===- ArtifactTypes.h - Sizes and names of element types -------*- C++ -*-===//
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

/// Returns the bytes of one element.
uint64_t elementSize(artifact::ElementType type);

/// Returns a name such as "f16" or "i32".
const char *elementName(artifact::ElementType type);

/// Returns the explicit bits of a float's significand; 0 for integers.
int fractionBits(artifact::ElementType type);

/// Returns whether elements of a type are exact: integers and truth values.
bool isInteger(artifact::ElementType type);

/// Returns the bytes of a tensor that the validator accepted.
uint64_t tensorBytes(const artifact::Tensor &tensor);

/// Returns a text such as "f16[512x1024]".
std::string typeString(const artifact::Tensor &tensor);

/// Returns whether a module's code runs on a GPU.
inline bool isGpuCode(artifact::ModuleKind kind) {
  return kind != artifact::ModuleKind::SharedObject;
}

/// Returns whether a plan runs on a GPU. All modules of a valid plan are for a
/// GPU, or all are for the CPU.
bool runsOnGpu(const artifact::Artifact &artifact, const artifact::Plan &plan);

} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_ARTIFACTTYPES_H
