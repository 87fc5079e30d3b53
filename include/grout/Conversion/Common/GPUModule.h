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

/// Creates an empty module called `name` for kernels of the GPU `target`. The
/// module has its target and LLVM's data layout for it, which the translation
/// to PTX needs.
mlir::gpu::GPUModuleOp createGPUModule(mlir::OpBuilder &builder,
                                       mlir::Location loc, llvm::StringRef name,
                                       const TargetSpec &target);

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_GPUMODULE_H
