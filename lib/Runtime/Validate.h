//===- Validate.h - Checks an artifact --------------------------*- C++ -*-===//
//
// Part of Grout. The FlatBuffers verifier makes an artifact safe to read. This
// validator makes its plans safe to run, as far as it can judge that without
// knowing the kernels. docs/Artifact.md lists the rules.
//
// The validator does not check two things that the compiler must prove: that
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

/// This limit keeps all later arithmetic far from overflow, as the limits of
/// tensors do.
constexpr uint64_t kMaxWorkspaceBytes = uint64_t(1) << 40;

/// Checks all of an artifact's payload.
Status validatePayload(const uint8_t *payload, size_t size);

/// Checks an artifact that the FlatBuffers verifier accepted.
Status validateArtifact(const artifact::Artifact &artifact);

// The parts of the check. Each has a file of its own.

Status validateModule(const artifact::Module &module);
Status validateTensor(const artifact::Tensor &tensor);
Status validatePlan(const artifact::Artifact &artifact,
                    const artifact::Plan &plan, bool isReference);
Status validateLaunch(const artifact::Artifact &artifact,
                      const artifact::Plan &plan, uint32_t index);
Status validateTensorMap(const artifact::Plan &plan,
                         const artifact::TensorMapArg &map);

/// Checks that the plan has a buffer of this index.
Status validateBufferIndex(const artifact::Plan &plan, uint32_t buffer);

/// Returns whether the elements of a vector are aligned. The FlatBuffers
/// verifier does not check that.
template <typename T> bool isAligned(const flatbuffers::Vector<T> &vector) {
  return vector.size() == 0 ||
         reinterpret_cast<uintptr_t>(vector.Data()) % alignof(T) == 0;
}

/// Checks that `text` is short and consists of printable ASCII characters.
/// `what` names it in the message, e.g. "the target".
Status validateText(const flatbuffers::String &text, const char *what);

/// Checks that `name` is possible for a symbol of an ELF image, or, with
/// `onGpu`, for a function in PTX, which has no dots and is not a single
/// underscore.
Status validateSymbol(const flatbuffers::String &name, const std::string &what,
                      bool onGpu);

template <typename... Parts> Status invalid(const Parts &...parts) {
  return Status::error(GROUT_ERROR_INVALID_ARTIFACT, parts...);
}

} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_VALIDATE_H
