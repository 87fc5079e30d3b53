//===- DescribeSyncState.h - The progress of a launch as text ---*- C++ -*-===//
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

/// Returns a line with a launch's ticket, epoch and semaphores. `syncState` has
/// all words of its synchronisation state.
std::string describeSyncState(const artifact::Launch &launch,
                              const std::vector<uint32_t> &syncState);

} // namespace cuda
} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_CUDA_DESCRIBESYNCSTATE_H
