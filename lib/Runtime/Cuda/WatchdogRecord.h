//===- WatchdogRecord.h - The record of a wait that gave up -----*- C++ -*-===//
//
// Part of Grout. Kernels compiled with --debug-sync write the record into their
// synchronisation state. docs/KernelABI.md defines its words.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_RUNTIME_CUDA_WATCHDOGRECORD_H
#define GROUT_LIB_RUNTIME_CUDA_WATCHDOGRECORD_H

#include "../ArtifactTypes.h"
#include "grout/Runtime/DeviceABI.h"
#include "grout/RuntimeSupport/Status.h"

#include <vector>

namespace grout {
namespace runtime {
namespace cuda {

/// The number of words of a synchronisation state up to the end of the record.
constexpr size_t kWatchdogWords = kernelabi::kFirstSemaphoreWord;

/// Returns an error that says which wait of `launch` gave up, if one did.
/// `syncState` has at least the first kWatchdogWords words of the state.
Status checkWatchdogRecord(const artifact::Launch &launch,
                           const std::vector<uint32_t> &syncState);

} // namespace cuda
} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_CUDA_WATCHDOGRECORD_H
