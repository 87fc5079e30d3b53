//===- VerifyTileBody.h - What tile bodies must do --------------*- C++ -*-===//
//
// Part of Grout. Generators of tile bodies may come from anybody.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_TGEMMTOCPU_VERIFYTILEBODY_H
#define GROUT_LIB_CONVERSION_TGEMMTOCPU_VERIFYTILEBODY_H

#include "grout/Conversion/Common/CPUTileBody.h"
#include "grout/Conversion/Common/SemaphoreLayout.h"

namespace grout::cpu {

/// Checks that `body`, the code of a tile of `kernel`, writes to each result,
/// and has the waits and posts of `layout`: it waits for tiles before it reads
/// what they make, and posts once, when it has written. Emits an error at the
/// kernel.
/// Whether it computes the right thing is for tests to say.
mlir::LogicalResult verifyTileBody(TileKernelOpInterface kernel,
                                   LaunchTensors &tensors,
                                   const SemaphoreLayout &layout,
                                   const CPUTileBody &body);

} // namespace grout::cpu

#endif // GROUT_LIB_CONVERSION_TGEMMTOCPU_VERIFYTILEBODY_H
