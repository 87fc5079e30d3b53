//===- VerifyTileBody.h - Rules for tile bodies -----------------*- C++ -*-===//
//
// Part of Grout. Other projects may add generators of tile bodies.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_TGEMMTOCPU_VERIFYTILEBODY_H
#define GROUT_LIB_CONVERSION_TGEMMTOCPU_VERIFYTILEBODY_H

#include "grout/Conversion/Common/CPUTileBody.h"
#include "grout/Conversion/Common/SemaphoreLayout.h"

namespace grout::cpu {

/// Checks that `body`, the code of a tile of `kernel`, writes to each result,
/// and has the waits and posts of `layout`: it must wait for tiles before it
/// reads their results, and post once after it has written. Emits an error at
/// the kernel.
///
/// This does not check that the results are right: tests have to.
mlir::LogicalResult verifyTileBody(TileKernelOpInterface kernel,
                                   LaunchTensors &tensors,
                                   const SemaphoreLayout &layout,
                                   const CPUTileBody &body);

} // namespace grout::cpu

#endif // GROUT_LIB_CONVERSION_TGEMMTOCPU_VERIFYTILEBODY_H
