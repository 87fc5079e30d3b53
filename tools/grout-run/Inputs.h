//===- Inputs.h - The inputs of a run ---------------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_INPUTS_H
#define GROUT_TOOLS_GROUT_RUN_INPUTS_H

#include "OwnedModule.h"
#include "RunOptions.h"

namespace grout {
namespace run {

/// Reads the inputs for which the options name files, and generates the others.
Status makeInputs(const OwnedModule &module, const Options &options,
                  std::vector<HostTensor> &inputs);

/// Converts inputs to the element types of the reference plan.
Status convertForReference(const OwnedModule &module,
                           const std::vector<HostTensor> &inputs,
                           std::vector<HostTensor> &converted);

/// Checks that each of `files` names a different tensor of `signature`.
Status checkNames(const std::vector<NamedFile> &files,
                  const std::vector<TensorSpec> &signature, const char *what);

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_INPUTS_H
