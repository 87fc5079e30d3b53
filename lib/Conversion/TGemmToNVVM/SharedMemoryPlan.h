//===- SharedMemoryPlan.h - Shared memory of a block ------------*- C++ -*-===//
//
// Part of Grout. For lib/Conversion/TGemmToNVVM only.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_TGEMMTONVVM_SHAREDMEMORYPLAN_H
#define GROUT_LIB_CONVERSION_TGEMMTONVVM_SHAREDMEMORYPLAN_H

#include "grout/Conversion/TGemmToNVVM/GemmPlan.h"

namespace grout::hopper {

/// Lays out the shared memory of `kernel`, whose other fields are set. Takes as
/// many stages as the tilings ask for and as fit beside the staging buffers.
/// Fails with a diagnostic if fewer than two stages fit.
mlir::LogicalResult planSharedMemory(GemmPlan &kernel,
                                     const TargetSpec &target);

} // namespace grout::hopper

#endif // GROUT_LIB_CONVERSION_TGEMMTONVVM_SHAREDMEMORYPLAN_H
