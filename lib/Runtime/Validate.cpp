//===- Validate.cpp - Checks an artifact ----------------------------------===//
//
// Part of Grout. Checks the artifact as a whole: names and the signature.
//
//===----------------------------------------------------------------------===//

#include "Validate.h"
#include "grout/Runtime/ArtifactCheck.h"
#include "grout/RuntimeSupport/CheckedMath.h"

#include <set>

using namespace grout;
using namespace grout::artifact;
using namespace grout::runtime;

static Status validateLength(const flatbuffers::String &text,
                             const std::string &what) {
  if (text.size() == 0)
    return invalid(what, " is empty");
  if (text.size() > kMaxNameLength)
    return invalid(what, " has ", text.size(), " characters; at most ",
                   kMaxNameLength, " are supported");
  return Status::ok();
}

Status runtime::validateText(const flatbuffers::String &text,
                             const char *what) {
  GROUT_RETURN_IF_ERROR(validateLength(text, what));
  for (char c : text)
    if (c < ' ' || c > '~')
      return invalid(what, " is not printable ASCII");
  return Status::ok();
}

/// Checks the function's name, which people choose and which is not a symbol.
static Status validateEntry(const flatbuffers::String &entry) {
  GROUT_RETURN_IF_ERROR(validateLength(entry, "the function's name"));
  for (char c : entry)
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f)
      return invalid("the function's name has control characters");
  return Status::ok();
}

static bool isAlphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9');
}

static bool isPlausibleSymbol(const flatbuffers::String &name, bool onGpu) {
  char first = name.Get(0);
  if (first >= '0' && first <= '9')
    return false;
  for (char c : name)
    if (!isAlphanumeric(c) && c != '_' && c != '$' && (c != '.' || onGpu))
      return false;
  return !onGpu || name.size() > 1 || first != '_';
}

Status runtime::validateSymbol(const flatbuffers::String &name,
                               const std::string &what, bool onGpu) {
  GROUT_RETURN_IF_ERROR(validateLength(name, what));
  if (!isPlausibleSymbol(name, onGpu))
    return invalid(what, " is not a plausible function name",
                   onGpu ? " for a GPU" : "");
  return Status::ok();
}

Status runtime::validateTensor(const Tensor &tensor) {
  GROUT_RETURN_IF_ERROR(validateText(*tensor.name(), "a tensor's name"));
  std::string name = tensor.name()->str();
  if (name.find('=') != std::string::npos)
    return invalid("tensor name '", name, "' contains '='");
  if (elementSize(tensor.element_type()) == 0)
    return invalid("tensor '", name, "' has unknown element type ",
                   int(tensor.element_type()));
  if (!isAligned(*tensor.shape()))
    return invalid("tensor '", name, "' has a misaligned shape");
  if (tensor.shape()->size() > kMaxRank)
    return invalid("tensor '", name, "' has rank ", tensor.shape()->size(),
                   "; at most ", kMaxRank, " is supported");
  uint64_t bytes = elementSize(tensor.element_type());
  for (int64_t size : *tensor.shape()) {
    if (size <= 0)
      return invalid("tensor '", name, "' has size ", size,
                     " in its shape; sizes must be positive");
    auto product = checkedMul(bytes, static_cast<uint64_t>(size));
    if (!product || *product > kMaxTensorBytes)
      return invalid("tensor '", name, "' is larger than the limit of ",
                     kMaxTensorBytes, " bytes");
    bytes = *product;
  }
  return Status::ok();
}

using TensorList = flatbuffers::Vector<flatbuffers::Offset<Tensor>>;

static Status validateSignature(const TensorList &tensors, const char *what) {
  std::set<std::string> names;
  for (const Tensor *tensor : tensors) {
    GROUT_RETURN_IF_ERROR(validateTensor(*tensor).in(what));
    if (!names.insert(tensor->name()->str()).second)
      return invalid("two ", what, "s have the name '", tensor->name()->str(),
                     "'");
  }
  return Status::ok();
}

Status runtime::validateArtifact(const Artifact &artifact) {
  GROUT_RETURN_IF_ERROR(validateText(*artifact.producer(), "the producer"));
  GROUT_RETURN_IF_ERROR(validateEntry(*artifact.entry()));
  GROUT_RETURN_IF_ERROR(validateText(*artifact.target(), "the target"));
  GROUT_RETURN_IF_ERROR(validateText(*artifact.mode(), "the mode"));

  GROUT_RETURN_IF_ERROR(validateSignature(*artifact.inputs(), "input"));
  GROUT_RETURN_IF_ERROR(validateSignature(*artifact.outputs(), "output"));
  if (artifact.outputs()->size() == 0)
    return invalid("the function has no outputs");

  for (flatbuffers::uoffset_t i = 0; i != artifact.modules()->size(); ++i)
    GROUT_RETURN_IF_ERROR(validateModule(*artifact.modules()->Get(i))
                              .in("module " + std::to_string(i)));

  GROUT_RETURN_IF_ERROR(
      validatePlan(artifact, *artifact.plan(), /*isReference=*/false)
          .in("plan"));
  if (artifact.reference())
    GROUT_RETURN_IF_ERROR(
        validatePlan(artifact, *artifact.reference(), /*isReference=*/true)
            .in("reference plan"));
  return Status::ok();
}

Status runtime::validatePayload(const uint8_t *payload, size_t size) {
  flatbuffers::Verifier verifier(payload, size);
  if (!VerifyArtifactBuffer(verifier))
    return invalid("the artifact's payload is not a well-formed FlatBuffer of "
                   "Artifact.fbs");
  return validateArtifact(*GetArtifact(payload));
}

std::string artifact::findProblem(const uint8_t *payload, size_t size) {
  return validatePayload(payload, size).message();
}
