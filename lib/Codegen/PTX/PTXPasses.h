//===- PTXPasses.h - Passes of the PTX target -------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CODEGEN_PTX_PTXPASSES_H
#define GROUT_LIB_CODEGEN_PTX_PTXPASSES_H

#include "grout/Codegen/PTX.h"

namespace grout {

std::unique_ptr<mlir::Pass> createExpandDeviceMath();
std::unique_ptr<mlir::Pass> createDumpPTX();

} // namespace grout

#endif // GROUT_LIB_CODEGEN_PTX_PTXPASSES_H
