//===- KernelEmitter.h - The code of a kernel for a GPU ---------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_SCOPTOGPU_KERNELEMITTER_H
#define GROUT_LIB_CONVERSION_SCOPTOGPU_KERNELEMITTER_H

#include "KernelShape.h"
#include "ThreadMapping.h"
#include "TileSynchronisation.h"
#include "grout/Conversion/Common/CPUTileBody.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace grout {
struct TargetSpec;
} // namespace grout

namespace grout::scop {

/// Where a kernel's arrays are: the view from which an array is read before it
/// is written, and that to which it is written.
struct ArrayPlace {
  BufferView source, target;
};

/// Adds the code of `kernel` as function `name` to `module`. Its parameters are
/// `buffers`, to which it adds, and then those of `sync`. `getPlace` gives the
/// place of an argument of the kernel's body. Fails with a diagnostic at the
/// statement that cannot be compiled for `target`.
mlir::FailureOr<ThreadMapping>
emitKernel(KernelOp kernel, llvm::StringRef name, mlir::gpu::GPUModuleOp module,
           LaunchBuffers &buffers, const TargetSpec &target,
           const TileSynchronisation &sync,
           llvm::function_ref<ArrayPlace(mlir::Value array)> getPlace);

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOGPU_KERNELEMITTER_H
