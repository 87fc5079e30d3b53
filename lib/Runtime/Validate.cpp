//===- Validate.cpp - Is an artifact consistent? --------------------------===//
//
// Part of Grout. The artifact as a whole: names and the signature.
//
//===----------------------------------------------------------------------===//

#include "Validate.h"
#include "CheckedMath.h"

#include <set>

using namespace grout;
using namespace grout::artifact;
using namespace grout::runtime;

static constexpr size_t kMaxNameLength = 1024;

static bool isAlphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9');
}

bool runtime::isPlausibleSymbol(const flatbuffers::String &name) {
  if (name.size() == 0 || name.size() > kMaxNameLength)
    return false;
  char first = name.Get(0);
  if (first >= '0' && first <= '9')
    return false;
  for (char c : name)
    if (!isAlphanumeric(c) && c != '_' && c != '$' && c != '.')
      return false;
  return true;
}

bool runtime::isPlausibleText(const flatbuffers::String &text) {
  if (text.size() == 0 || text.size() > kMaxNameLength)
    return false;
  for (char c : text)
    if (c < ' ' || c > '~')
      return false;
  return true;
}

Status runtime::validateTensor(const Tensor &tensor) {
  if (!isPlausibleText(*tensor.name()))
    return invalid("a tensor's name is empty, too long or not printable ASCII");
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

/// `target` "cpu" and host code go together.
static Status validateTarget(const Artifact &artifact) {
  bool isCpu = artifact.target()->str() == "cpu";
  if (isCpu == runsOnGpu(artifact, *artifact.plan()))
    return invalid("the artifact's target is '", artifact.target()->str(),
                   "', but its plan runs on the ", isCpu ? "GPU" : "CPU");
  return Status::ok();
}

Status runtime::validateArtifact(const Artifact &artifact) {
  if (!isPlausibleText(*artifact.producer()))
    return invalid("the producer is empty, too long or not printable ASCII");
  if (!isPlausibleSymbol(*artifact.entry()))
    return invalid("the entry is not a plausible function name");
  if (!isPlausibleText(*artifact.target()))
    return invalid("the target is empty, too long or not printable ASCII");
  if (!isPlausibleText(*artifact.mode()))
    return invalid("the mode is empty, too long or not printable ASCII");

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
  GROUT_RETURN_IF_ERROR(validateTarget(artifact));
  if (artifact.reference())
    GROUT_RETURN_IF_ERROR(
        validatePlan(artifact, *artifact.reference(), /*isReference=*/true)
            .in("reference plan"));
  return Status::ok();
}
