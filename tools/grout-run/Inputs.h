//===- Inputs.h - What a run computes with ----------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_INPUTS_H
#define GROUT_TOOLS_GROUT_RUN_INPUTS_H

#include "Options.h"
#include "OwnedModule.h"

namespace grout {
namespace run {

/// Reads the inputs that are given, and makes up the others.
Status makeInputs(const OwnedModule &module, const Options &options,
                  std::vector<HostTensor> &inputs);

/// Converts inputs to the element types that the reference plan takes.
Status convertForReference(const OwnedModule &module,
                           const std::vector<HostTensor> &inputs,
                           std::vector<HostTensor> &converted);

/// Checks that each of `files` names a different tensor of `signature`.
Status checkNames(const std::vector<NamedFile> &files,
                  const std::vector<TensorSpec> &signature, const char *what);

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_INPUTS_H
