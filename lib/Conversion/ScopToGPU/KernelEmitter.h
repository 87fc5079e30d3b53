//===- KernelEmitter.h - The code of a kernel for a GPU ---------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_SCOPTOGPU_KERNELEMITTER_H
#define GROUT_LIB_CONVERSION_SCOPTOGPU_KERNELEMITTER_H

#include "grout/Dialect/Scop/ThreadMapping/MappedKernel.h"

namespace grout::scop {

struct EmitContext;

/// Adds the code of a kernel at the place of `ctx`. Fails with a diagnostic at
/// the statement that cannot be compiled.
mlir::LogicalResult emitKernel(EmitContext &ctx);

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOGPU_KERNELEMITTER_H
