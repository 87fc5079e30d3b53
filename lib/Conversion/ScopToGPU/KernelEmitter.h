//===- KernelEmitter.h - The code of a kernel for a GPU ---------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_SCOPTOGPU_KERNELEMITTER_H
#define GROUT_LIB_CONVERSION_SCOPTOGPU_KERNELEMITTER_H

#include "KernelShape.h"
#include "ThreadMapping.h"

namespace grout::scop {

struct EmitContext;

/// A kernel, and how its points are shared out.
struct MappedKernel {
  KernelOp op;
  KernelShape shape;
  ThreadMapping mapping;
};

/// Chooses how the points of `kernel`, which has a schedule, are shared out on
/// a GPU of `processors` SMs. `getView` gives the parts of buffers
/// that its arrays are. Fails with a diagnostic that names what cannot be
/// compiled.
mlir::FailureOr<MappedKernel>
mapKernel(KernelOp kernel, int64_t processors,
          llvm::function_ref<BufferView(mlir::Value array)> getView);

/// Adds the code of a kernel, where `ctx` says. Fails with a diagnostic at the
/// statement that cannot be compiled.
mlir::LogicalResult emitKernel(EmitContext &ctx);

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOGPU_KERNELEMITTER_H
