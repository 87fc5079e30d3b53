//===- VerifyLaunchCode.h - What generators say is checked ------*- C++ -*-===//
//
// Part of Grout. LaunchGenerator may be implemented by anybody, and launches
// are made of what it says of its kernels.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_TILESTOKERNELS_VERIFYLAUNCHCODE_H
#define GROUT_LIB_CONVERSION_TILESTOKERNELS_VERIFYLAUNCHCODE_H

#include "grout/Conversion/Common/LaunchGenerator.h"

namespace grout {

/// Refuses `launch`, of whose kernels `what` is true; their names follow it.
mlir::InFlightDiagnostic refuseLaunch(launch::TilesOp launch,
                                      const TargetSpec &target,
                                      const llvm::Twine &what);

/// Checks `code`, which a generator made of `launch` in `module`: it takes all
/// that the launch has to write, uses nothing that ends with the launch, fits
/// its kernels in the module (findKernelProblem), and runs each tile, as many
/// at once as have to be. Fails with a diagnostic. What the verifier of
/// launch.kernel finds is left to it.
mlir::LogicalResult verifyLaunchCode(launch::TilesOp launch,
                                     const LaunchCode &code,
                                     mlir::Operation *module,
                                     const TargetSpec &target);

} // namespace grout

#endif // GROUT_LIB_CONVERSION_TILESTOKERNELS_VERIFYLAUNCHCODE_H
