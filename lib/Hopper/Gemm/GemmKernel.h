//===- GemmKernel.h - A kernel of GEMMs -------------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_HOPPER_GEMM_GEMMKERNEL_H
#define GROUT_LIB_HOPPER_GEMM_GEMMKERNEL_H

#include "grout/Hopper/Gemm/GemmPlan.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace grout::hopper {

/// Adds the kernel of `plan` to `module`.
void emitGemmKernel(mlir::gpu::GPUModuleOp module, mlir::Location loc,
                    const GemmPlan &plan);

} // namespace grout::hopper

#endif // GROUT_LIB_HOPPER_GEMM_GEMMKERNEL_H
