//===- Validate.h - Is an artifact consistent? ------------------*- C++ -*-===//
//
// Part of Grout. The FlatBuffers verifier makes an artifact safe to read; this
// validator makes its plans safe to run as far as that can be seen without
// knowing the kernels: docs/Artifact.md lists the rules.
//
// Two things are the compiler's to prove and are not checked here: that
// intermediates which share workspace are never live at the same time, and that
// the code in the modules does what the plan says.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_RUNTIME_VALIDATE_H
#define GROUT_LIB_RUNTIME_VALIDATE_H

#include "ArtifactTypes.h"
#include "grout/Runtime/ArtifactLimits.h"
#include "grout/RuntimeSupport/Status.h"

#include <string>

namespace grout {
namespace runtime {

/// Keeps all later arithmetic far from overflow, as the limits of tensors do.
constexpr uint64_t kMaxWorkspaceBytes = uint64_t(1) << 40;

/// Checks all of an artifact's payload.
Status validatePayload(const uint8_t *payload, size_t size);

/// Checks an artifact that the FlatBuffers verifier accepted.
Status validateArtifact(const artifact::Artifact &artifact);

// The parts of the check, each in a file of its own.

Status validateModule(const artifact::Module &module);
Status validateTensor(const artifact::Tensor &tensor);
Status validatePlan(const artifact::Artifact &artifact,
                    const artifact::Plan &plan, bool isReference);
Status validateLaunch(const artifact::Artifact &artifact,
                      const artifact::Plan &plan, uint32_t index);
Status validateTensorMap(const artifact::Plan &plan,
                         const artifact::TensorMapArg &map);

/// "offset + size fits in buffer" of an argument, and that the buffer exists.
Status validateBufferIndex(const artifact::Plan &plan, uint32_t buffer);

/// Whether the elements of a vector are aligned, which the FlatBuffers verifier
/// leaves open.
template <typename T> bool isAligned(const flatbuffers::Vector<T> &vector) {
  return vector.size() == 0 ||
         reinterpret_cast<uintptr_t>(vector.Data()) % alignof(T) == 0;
}

/// That `what`, e.g. "the target", is a short text of printable ASCII
/// characters.
Status validateText(const flatbuffers::String &text, const char *what);

/// That `name` is one that a symbol can have: of an ELF image, or in PTX, where
/// there are no dots and more than an underscore.
Status validateSymbol(const flatbuffers::String &name, const std::string &what,
                      bool onGpu);

template <typename... Parts> Status invalid(const Parts &...parts) {
  return Status::error(GROUT_ERROR_INVALID_ARTIFACT, parts...);
}

} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_VALIDATE_H
