//===- EarlyStart.h - Kernels that start before others end ------*- C++ -*-===//
//
// Part of Grout. Programmatic dependent launch, of sm_90 and newer: the blocks
// of a launch are brought up while the last ones of the launch before still
// work.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_SCOPTOGPU_EARLYSTART_H
#define GROUT_LIB_CONVERSION_SCOPTOGPU_EARLYSTART_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace grout::scop {

/// Lets every block of `kernel` begin by waiting for the end of the launch
/// before it, if `waits`, and then allow the next launch to start, if
/// `triggers`. A launch that has ended has waited for all before it, so nobody
/// has to wait for more than one.
void emitEarlyStart(mlir::LLVM::LLVMFuncOp kernel, bool waits, bool triggers);

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOGPU_EARLYSTART_H
