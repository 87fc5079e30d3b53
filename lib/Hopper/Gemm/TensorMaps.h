//===- TensorMaps.h - Tensor maps of a kernel's operands --------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_HOPPER_GEMM_TENSORMAPS_H
#define GROUT_LIB_HOPPER_GEMM_TENSORMAPS_H

#include "grout/Hopper/Gemm/GemmPlan.h"

namespace grout::hopper {

/// Plans the stores of the result of `op` in tiles of `tiling`.
mlir::FailureOr<ResultPlan> planResult(KernelParams &params,
                                       LaunchTensors &tensors,
                                       tgemm::ProductOpInterface op,
                                       tgemm::TilingAttr tiling);

/// Plans the reads of epilogue input `index` of `op` in tiles of `tiling`.
mlir::FailureOr<InputPlan> planInput(KernelParams &params,
                                     LaunchTensors &tensors,
                                     tgemm::ProductOpInterface op,
                                     tgemm::TilingAttr tiling, unsigned index);

} // namespace grout::hopper

#endif // GROUT_LIB_HOPPER_GEMM_TENSORMAPS_H
