//===- GPUModule.h - Modules for a GPU's kernels ----------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_GPUMODULE_H
#define GROUT_CONVERSION_COMMON_GPUMODULE_H

#include "grout/Target/TargetSpec.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"

namespace grout {

/// Creates an empty module called `name` for kernels of the GPU `target`, with
/// all that the translation to PTX asks of a module: the target, and the data
/// layout that LLVM has for it.
mlir::gpu::GPUModuleOp createGPUModule(mlir::OpBuilder &builder,
                                       mlir::Location loc, llvm::StringRef name,
                                       const TargetSpec &target);

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_GPUMODULE_H
