//===- GemmKernels.h - GEMMs and convolutions for Hopper --------*- C++ -*-===//
//
// Part of Grout. See docs/HopperKernels.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_HOPPER_GEMM_GEMMKERNELS_H
#define GROUT_HOPPER_GEMM_GEMMKERNELS_H

#include "grout/Conversion/Common/LaunchGenerator.h"
#include "grout/Hopper/Gemm/ProductModel.h"

namespace grout::hopper {

/// Gives `target` the models of GEMMs, and of the edges between them, with
/// `constants`. Adds the generator of kernels of GEMMs to `launches`.
void addGemmKernels(Target &target, LaunchGenerators &launches,
                    const ModelConstants &constants);

} // namespace grout::hopper

#endif // GROUT_HOPPER_GEMM_GEMMKERNELS_H
