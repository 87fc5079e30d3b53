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

/// Reads the inputs of a rank for which the options name files, and generates
/// the others. Rank r has the random inputs of seed `options.seed` + r.
Status makeInputs(const OwnedModule &module, const Options &options,
                  uint32_t rank, uint32_t ranks,
                  std::vector<HostTensor> &inputs);

/// Converts inputs to the element types of the reference plan.
Status convertForReference(const OwnedModule &module,
                           const std::vector<HostTensor> &inputs,
                           std::vector<HostTensor> &converted);

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_INPUTS_H
