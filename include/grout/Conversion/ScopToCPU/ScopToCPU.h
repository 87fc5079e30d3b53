//===- ScopToCPU.h - Scop kernels as tile bodies ----------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_SCOPTOCPU_SCOPTOCPU_H
#define GROUT_CONVERSION_SCOPTOCPU_SCOPTOCPU_H

#include "grout/Conversion/Common/CPUTileBody.h"
#include "grout/Dialect/Scop/IR/Scop.h"

namespace grout::scop {

/// Adds the work of one tile of `kernel` to `body`. `kernel` is on tensors and
/// scheduled. Fails with a diagnostic that names the op that cannot be
/// compiled.
mlir::LogicalResult emitTile(KernelOp kernel, LaunchTensors &tensors,
                             CPUTileBody &body);

} // namespace grout::scop

#endif // GROUT_CONVERSION_SCOPTOCPU_SCOPTOCPU_H
