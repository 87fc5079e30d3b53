//===- RunArtifact.h - Runs what was compiled for a CPU ---------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_UNITTESTS_OUTSIDERS_RUNARTIFACT_H
#define GROUT_UNITTESTS_OUTSIDERS_RUNARTIFACT_H

#include "HostTensor.h"
#include "grout-c/Runtime.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace grout::test {

/// A tensor that the runtime takes.
template <typename T> struct alignas(GROUT_BUFFER_ALIGNMENT) Aligned : T {};

/// Runs `artifact` with four workers, delays as `seed` says, and intermediates
/// that are NaN at first. Returns what went wrong, or nothing.
std::string runArtifact(llvm::ArrayRef<uint8_t> artifact, uint64_t seed,
                        llvm::ArrayRef<const void *> inputs,
                        llvm::ArrayRef<void *> outputs,
                        grout_plan plan = GROUT_PLAN_COMPILED);

/// The same with inputs that are numbers, and elements of any type.
std::string runArtifact(llvm::ArrayRef<uint8_t> artifact, uint64_t seed,
                        llvm::ArrayRef<std::vector<double>> inputs,
                        std::vector<run::HostTensor> &outputs, grout_plan plan);

} // namespace grout::test

#endif // GROUT_UNITTESTS_OUTSIDERS_RUNARTIFACT_H
