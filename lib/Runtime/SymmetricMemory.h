//===- SymmetricMemory.h - Memory that all ranks reach ----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_RUNTIME_SYMMETRICMEMORY_H
#define GROUT_LIB_RUNTIME_SYMMETRICMEMORY_H

#include "ArtifactTypes.h"
#include "grout-c/Runtime.h"
#include "grout/RuntimeSupport/Status.h"

#include <vector>

namespace grout {
namespace runtime {

/// The symmetric memory of the ranks that run a plan. A plan that exchanges no
/// data has one rank, and no memory.
struct SymmetricMemory {
  uint32_t rank = 0;
  /// The address of the memory of each rank.
  std::vector<uintptr_t> addresses;

  /// Takes the memory that `plan` needs from `config`. Refuses memory that does
  /// not fit the plan.
  static Status get(const artifact::Plan &plan,
                    const grout_session_config &config,
                    SymmetricMemory &memory);

  /// Returns the addresses at which `launch` exchanges data: one for each rank.
  /// Empty if it exchanges none.
  std::vector<uintptr_t> getPeers(const artifact::Launch &launch) const;
};

} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_SYMMETRICMEMORY_H
