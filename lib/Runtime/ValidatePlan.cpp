//===- ValidatePlan.cpp - Checks a plan's buffers -------------------------===//
//
// Part of Grout. Checks a plan's buffers, and how they match the signature.
//
//===----------------------------------------------------------------------===//

#include "Validate.h"
#include "grout/Runtime/DeviceABI.h"
#include "grout/RuntimeSupport/CheckedMath.h"

#include <map>
#include <vector>

using namespace grout;
using namespace grout::artifact;
using namespace grout::runtime;

using TensorList = flatbuffers::Vector<flatbuffers::Offset<Tensor>>;

static bool sameShape(const Tensor &a, const Tensor &b) {
  if (a.shape()->size() != b.shape()->size())
    return false;
  for (flatbuffers::uoffset_t i = 0; i != a.shape()->size(); ++i)
    if (a.shape()->Get(i) != b.shape()->Get(i))
      return false;
  return true;
}

namespace {
/// Matches Input and Output buffers with one side of the signature.
class SignatureMatcher {
public:
  SignatureMatcher(const TensorList &tensors, const char *what, bool anyType)
      : tensors(tensors), what(what), anyType(anyType),
        bound(tensors.size(), false) {}

  Status bind(const Buffer &buffer) {
    if (buffer.index() >= tensors.size())
      return invalid("it is bound to ", what, " ", buffer.index(), " of ",
                     tensors.size());
    const Tensor &expected = *tensors.Get(buffer.index());
    std::string name = expected.name()->str();
    if (bound[buffer.index()])
      return invalid(what, " '", name, "' is bound to two buffers");
    bound[buffer.index()] = true;
    const Tensor &actual = *buffer.tensor();
    if (!sameShape(expected, actual) ||
        (!anyType && expected.element_type() != actual.element_type()))
      return invalid("it has type ", typeString(actual), ", but ", what, " '",
                     name, "' has ", typeString(expected));
    return Status::ok();
  }

  Status finish() const {
    for (flatbuffers::uoffset_t i = 0; i != tensors.size(); ++i)
      if (!bound[i])
        return invalid(what, " '", tensors.Get(i)->name()->str(),
                       "' is bound to no buffer");
    return Status::ok();
  }

private:
  const TensorList &tensors;
  const char *what;
  bool anyType;
  std::vector<bool> bound;
};
} // namespace

static Status validateIntermediate(const Plan &plan, const Buffer &buffer) {
  if (buffer.offset() % GROUT_BUFFER_ALIGNMENT != 0)
    return invalid("its offset ", buffer.offset(), " is not a multiple of ",
                   GROUT_BUFFER_ALIGNMENT);
  uint64_t bytes = tensorBytes(*buffer.tensor());
  if (!fits(buffer.offset(), bytes, plan.workspace()))
    return invalid("it has ", bytes, " bytes at offset ", buffer.offset(),
                   ", outside of the workspace of ", plan.workspace());
  return Status::ok();
}

/// Checks a buffer that is in an output of `plan`. The output buffers of `plan`
/// must match the signature.
static Status validateInOutput(const Plan &plan, const Buffer &buffer) {
  const Buffer *output = nullptr;
  for (const Buffer *other : *plan.buffers())
    if (other->kind() == BufferKind::Output && other->index() == buffer.index())
      output = other;
  if (!output)
    return invalid("it is in output ", buffer.index(), ", which is not there");
  if (plan.in_place())
    for (const InPlace *pair : *plan.in_place())
      if (pair->output() == buffer.index())
        return invalid("it is in output ", buffer.index(),
                       ", which is in place of an input");
  uint64_t offset = buffer.offset(), bytes = tensorBytes(*buffer.tensor());
  if (offset % GROUT_BUFFER_ALIGNMENT != 0)
    return invalid("its offset ", offset, " is not a multiple of ",
                   GROUT_BUFFER_ALIGNMENT);
  if (!fits(offset, bytes, tensorBytes(*output->tensor())))
    return invalid("it has ", bytes, " bytes at offset ", offset,
                   ", outside of output ", buffer.index(), " of ",
                   tensorBytes(*output->tensor()));
  return Status::ok();
}

static Status validateConstant(const Buffer &buffer) {
  uint64_t expected = tensorBytes(*buffer.tensor());
  uint64_t actual = buffer.data() ? buffer.data()->size() : 0;
  if (actual != expected)
    return invalid("the constant has ", actual, " bytes of data instead of ",
                   expected);
  if (buffer.tensor()->element_type() == ElementType::I1)
    for (uint8_t byte : *buffer.data())
      if (byte > 1)
        return invalid("the constant has a truth value of ", int(byte),
                       ", neither 0 nor 1");
  return Status::ok();
}

static Status validateBuffers(const Artifact &artifact, const Plan &plan,
                              bool isReference) {
  SignatureMatcher inputs(*artifact.inputs(), "input", isReference);
  SignatureMatcher outputs(*artifact.outputs(), "output", isReference);
  auto validateBuffer = [&](const Buffer &buffer) {
    GROUT_RETURN_IF_ERROR(validateTensor(*buffer.tensor()));
    if (buffer.data() && buffer.kind() != BufferKind::Constant)
      return invalid("only a constant has data");
    switch (buffer.kind()) {
    case BufferKind::Input:
      return inputs.bind(buffer);
    case BufferKind::Output:
      return outputs.bind(buffer);
    case BufferKind::Intermediate:
      return validateIntermediate(plan, buffer);
    case BufferKind::Constant:
      return validateConstant(buffer);
    case BufferKind::InOutput: // checked when all outputs are known
      return Status::ok();
    }
    return invalid("unknown buffer kind ", int(buffer.kind()));
  };
  for (flatbuffers::uoffset_t i = 0; i != plan.buffers()->size(); ++i)
    GROUT_RETURN_IF_ERROR(validateBuffer(*plan.buffers()->Get(i))
                              .in("buffer " + std::to_string(i)));
  GROUT_RETURN_IF_ERROR(inputs.finish());
  GROUT_RETURN_IF_ERROR(outputs.finish());
  for (flatbuffers::uoffset_t i = 0; i != plan.buffers()->size(); ++i)
    if (plan.buffers()->Get(i)->kind() == BufferKind::InOutput)
      GROUT_RETURN_IF_ERROR(validateInOutput(plan, *plan.buffers()->Get(i))
                                .in("buffer " + std::to_string(i)));
  return Status::ok();
}

/// Checks `in_place`. The buffers of `plan` must match the signature.
static Status validateInPlace(const Artifact &artifact, const Plan &plan) {
  if (!plan.in_place())
    return Status::ok();
  std::vector<bool> outputs(artifact.outputs()->size(), false);
  std::vector<bool> inputs(artifact.inputs()->size(), false);
  for (const InPlace *pair : *plan.in_place()) {
    if (pair->output() >= outputs.size() || pair->input() >= inputs.size())
      return invalid("output ", pair->output(), " of ", outputs.size(),
                     " is in place of input ", pair->input(), " of ",
                     inputs.size());
    const Tensor &output = *artifact.outputs()->Get(pair->output());
    const Tensor &input = *artifact.inputs()->Get(pair->input());
    std::string what = "output '" + output.name()->str() +
                       "' is in place of input '" + input.name()->str() + "'";
    if (outputs[pair->output()] || inputs[pair->input()])
      return invalid(what, ", and one of them of another");
    outputs[pair->output()] = inputs[pair->input()] = true;
    if (!sameShape(output, input) ||
        output.element_type() != input.element_type())
      return invalid(what, ", but has type ", typeString(output), ", not ",
                     typeString(input));
  }
  return Status::ok();
}

static Status validateRanks(const Plan &plan) {
  if (plan.ranks() == 0 || plan.ranks() > kernelabi::kMaxRanks)
    return invalid("it is for ", plan.ranks(), " ranks, not 1 to ",
                   kernelabi::kMaxRanks);
  if (plan.symmetric() > kMaxWorkspaceBytes)
    return invalid("the symmetric memory of ", plan.symmetric(),
                   " bytes is larger than the limit of ", kMaxWorkspaceBytes);
  if ((plan.ranks() == 1) != (plan.symmetric() == 0))
    return invalid("it is for ", plan.ranks(), " ranks, and has ",
                   plan.symmetric(), " bytes of symmetric memory");
  return Status::ok();
}

/// Checks that launches which exchange data in the same bytes clear them, and
/// do not follow each other, also from run to run.
static Status validateExchanges(const Plan &plan) {
  std::vector<const Exchange *> all;
  for (const Launch *launch : *plan.launches())
    if (launch->exchange())
      all.push_back(launch->exchange());
  for (size_t i = 0; i != all.size(); ++i)
    for (size_t k = i + 1; k != all.size(); ++k) {
      const Exchange &a = *all[i], &b = *all[k];
      if (a.offset() + a.bytes() <= b.offset() ||
          b.offset() + b.bytes() <= a.offset())
        continue;
      bool follow = k - i == 1 || (i == 0 && k + 1 == all.size());
      if (follow || !a.cleared() || !b.cleared())
        return invalid("two launches exchange data at byte ",
                       std::max(a.offset(), b.offset()),
                       " of the symmetric memory");
    }
  return Status::ok();
}

Status runtime::validatePlan(const Artifact &artifact, const Plan &plan,
                             bool isReference) {
  if (plan.workspace() > kMaxWorkspaceBytes)
    return invalid("the workspace of ", plan.workspace(),
                   " bytes is larger than the limit of ", kMaxWorkspaceBytes);
  GROUT_RETURN_IF_ERROR(validateRanks(plan));
  GROUT_RETURN_IF_ERROR(validateBuffers(artifact, plan, isReference));
  if (isReference && plan.in_place())
    return invalid("a reference has outputs in place of inputs");
  GROUT_RETURN_IF_ERROR(validateInPlace(artifact, plan));
  if (plan.launches()->size() == 0)
    return invalid("there are no launches");
  for (flatbuffers::uoffset_t i = 0; i != plan.launches()->size(); ++i)
    GROUT_RETURN_IF_ERROR(
        validateLaunch(artifact, plan, i).in("launch " + std::to_string(i)));
  return validateExchanges(plan);
}
