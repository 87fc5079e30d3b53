//===- Inputs.cpp - The inputs of a run -----------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Inputs.h"
#include "NamedFiles.h"
#include "Npy.h"
#include "RandomInputs.h"

using namespace grout;
using namespace grout::run;

Status run::makeInputs(const OwnedModule &module, const Options &options,
                       uint32_t rank, uint32_t ranks,
                       std::vector<HostTensor> &inputs) {
  std::vector<TensorSpec> signature;
  GROUT_RETURN_IF_ERROR(module.describeInputs(GROUT_PLAN_COMPILED, signature));
  std::vector<NamedFile> files;
  GROUT_RETURN_IF_ERROR(
      filesOfRank(options.inputs, rank, ranks, signature, "input", files));
  BFloatFiles bfloat =
      options.bfloatAsUint16 ? BFloatFiles::Uint16 : BFloatFiles::Void2;
  for (uint32_t i = 0; i != signature.size(); ++i) {
    HostTensor input;
    GROUT_RETURN_IF_ERROR(input.allocate(signature[i].name, signature[i].type));
    const std::string *path = nullptr;
    for (const NamedFile &file : files)
      if (file.first == input.name)
        path = &file.second;
    if (path)
      GROUT_RETURN_IF_ERROR(readNpy(*path, bfloat, input));
    else
      fillRandom(input, i, options.seed + rank);
    inputs.push_back(std::move(input));
  }
  return Status::ok();
}

Status run::convertForReference(const OwnedModule &module,
                                const std::vector<HostTensor> &inputs,
                                std::vector<HostTensor> &converted) {
  std::vector<TensorSpec> wanted;
  GROUT_RETURN_IF_ERROR(module.describeInputs(GROUT_PLAN_REFERENCE, wanted));
  for (size_t i = 0; i != inputs.size(); ++i) {
    HostTensor input;
    GROUT_RETURN_IF_ERROR(
        convert(inputs[i], wanted[i].type.elementType, input));
    converted.push_back(std::move(input));
  }
  return Status::ok();
}
