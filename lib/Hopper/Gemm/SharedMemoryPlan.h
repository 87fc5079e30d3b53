//===- SharedMemoryPlan.h - Shared memory of a block ------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_HOPPER_GEMM_SHAREDMEMORYPLAN_H
#define GROUT_LIB_HOPPER_GEMM_SHAREDMEMORYPLAN_H

#include "grout/Hopper/Gemm/GemmPlan.h"

namespace grout::hopper {

/// Lays out the shared memory of `kernel`, whose other fields are set. Takes as
/// many stages as the tilings ask for and as fit beside the staging buffers.
/// Fails with a diagnostic if fewer than two stages fit.
mlir::LogicalResult planSharedMemory(GemmPlan &kernel,
                                     const TargetSpec &target);

} // namespace grout::hopper

#endif // GROUT_LIB_HOPPER_GEMM_SHAREDMEMORYPLAN_H
