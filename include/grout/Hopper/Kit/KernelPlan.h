//===- KernelPlan.h - The shape of a Hopper kernel --------------*- C++ -*-===//
//
// Part of Grout. All decisions about a kernel that are made before its code is
// built. This file has those that every kind of kernel makes; each kind adds
// its own. See docs/HopperKernels.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_HOPPER_KIT_KERNELPLAN_H
#define GROUT_HOPPER_KIT_KERNELPLAN_H

#include "grout/Conversion/Common/LaunchGenerator.h"
#include "grout/Conversion/Common/ProgrammaticLaunch.h"
#include "grout/Hopper/Kit/KernelParams.h"
#include "grout/Hopper/Kit/MmaTraits.h"
#include "grout/Hopper/Kit/Ring.h"
#include "grout/Runtime/DeviceABI.h"

namespace grout::hopper {

/// A block has one producer warpgroup, whose warps have a role each, and
/// consumer warpgroups, which multiply.
struct KernelPlan {
  std::string name;
  /// Consumer warpgroups, and warpgroups behind them with other work.
  int64_t warpgroups = 0, otherWarpgroups = 0;
  /// The number of blocks that compute a tile together.
  int64_t clusterSize = 1;
  /// Whether blocks of a cluster use each other's barriers. Then no block goes
  /// on before all blocks have initialised theirs.
  bool sharesBarriers = false;
  kernelabi::RegisterShare registers;
  ProgrammaticLaunch programmatic;
  /// Bytes of a block's shared memory.
  int64_t sharedBytes = 0;

  KernelParams params;
  /// The indices of the kernel's synchronisation state, if it uses one, and of
  /// the state with the semaphores, if it is another kernel's.
  std::optional<unsigned> syncStateParam, semaphoresParam;

  int64_t getThreads() const {
    return kWarpgroupThreads * (1 + warpgroups + otherWarpgroups);
  }
  Role getConsumers() const { return Role::consumers(warpgroups); }
  bool hasCluster() const { return clusterSize != 1; }

  /// Adds the parameters of the synchronisation state and of the semaphores of
  /// `launch`.
  void addSyncState(launch::TilesOp launch);
  /// Returns how `launch` starts the kernel, without its grid.
  LaunchCode getLaunchCode(launch::TilesOp launch) const;
};

} // namespace grout::hopper

#endif // GROUT_HOPPER_KIT_KERNELPLAN_H
