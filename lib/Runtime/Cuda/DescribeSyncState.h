//===- DescribeSyncState.h - How far a launch is, for people ----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_RUNTIME_CUDA_DESCRIBESYNCSTATE_H
#define GROUT_LIB_RUNTIME_CUDA_DESCRIBESYNCSTATE_H

#include "../ArtifactTypes.h"

#include <vector>

namespace grout {
namespace runtime {
namespace cuda {

/// A launch's ticket, epoch and semaphores, on one line. `syncState` has all
/// words of its synchronisation state.
std::string describeSyncState(const artifact::Launch &launch,
                              const std::vector<uint32_t> &syncState);

} // namespace cuda
} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_CUDA_DESCRIBESYNCSTATE_H
