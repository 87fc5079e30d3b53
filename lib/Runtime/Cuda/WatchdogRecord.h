//===- WatchdogRecord.h - What a wait that gave up recorded -----*- C++ -*-===//
//
// Part of Grout. Kernels that are compiled with --debug-sync write the record
// into their synchronisation state; docs/KernelABI.md has its words.
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

/// Words of a synchronisation state up to the end of the record.
constexpr size_t kWatchdogWords = kernelabi::kFirstSemaphoreWord;

/// An error that says which wait of `launch` gave up, if one has. `syncState`
/// has the state's first kWatchdogWords words at least.
Status checkWatchdogRecord(const artifact::Launch &launch,
                           const std::vector<uint32_t> &syncState);

} // namespace cuda
} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_CUDA_WATCHDOGRECORD_H
