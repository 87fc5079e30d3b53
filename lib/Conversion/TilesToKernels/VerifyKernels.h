//===- VerifyKernels.h - Kernels against their launches ---------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_TILESTOKERNELS_VERIFYKERNELS_H
#define GROUT_CONVERSION_TILESTOKERNELS_VERIFYKERNELS_H

#include "grout/Conversion/Common/LaunchGenerator.h"

namespace grout {

/// Says in what the kernels that `code` names in `module` differ from what
/// `launch` and `code` say of them; empty if they agree. For GPUs that also
/// concerns parameters, threads, and whether there are waits and posts at all.
std::string findKernelProblem(launch::TilesOp launch, const LaunchCode &code,
                              mlir::Operation *module);

} // namespace grout

#endif // GROUT_CONVERSION_TILESTOKERNELS_VERIFYKERNELS_H
