//===- Inputs.cpp - The inputs of a run -----------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Inputs.h"
#include "Npy.h"
#include "RandomInputs.h"

#include <set>

using namespace grout;
using namespace grout::run;

Status run::checkNames(const std::vector<NamedFile> &files,
                       const std::vector<TensorSpec> &signature,
                       const char *what) {
  std::set<std::string> known, used;
  std::string list;
  for (const TensorSpec &tensor : signature) {
    known.insert(tensor.name);
    list += (list.empty() ? "'" : ", '") + tensor.name + "'";
  }
  for (const NamedFile &file : files) {
    if (!known.count(file.first))
      return Status::error(GROUT_ERROR_INVALID_ARGUMENT, "there is no ", what,
                           " '", file.first, "'; the function has ",
                           list.empty() ? "none" : list);
    if (!used.insert(file.first).second)
      return Status::error(GROUT_ERROR_INVALID_ARGUMENT, what, " '", file.first,
                           "' is given twice");
  }
  return Status::ok();
}

Status run::makeInputs(const OwnedModule &module, const Options &options,
                       std::vector<HostTensor> &inputs) {
  std::vector<TensorSpec> signature;
  GROUT_RETURN_IF_ERROR(module.describeInputs(GROUT_PLAN_COMPILED, signature));
  GROUT_RETURN_IF_ERROR(checkNames(options.inputs, signature, "input"));
  BFloatFiles bfloat =
      options.bfloatAsUint16 ? BFloatFiles::Uint16 : BFloatFiles::Void2;
  for (uint32_t i = 0; i != signature.size(); ++i) {
    HostTensor input;
    GROUT_RETURN_IF_ERROR(input.allocate(signature[i].name, signature[i].type));
    const std::string *path = nullptr;
    for (const NamedFile &file : options.inputs)
      if (file.first == input.name)
        path = &file.second;
    if (path)
      GROUT_RETURN_IF_ERROR(readNpy(*path, bfloat, input));
    else
      fillRandom(input, i, options.seed);
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
