//===- TileKernel.h - A whole Hopper kernel ---------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_TGEMMTONVVM_TILEKERNEL_H
#define GROUT_LIB_CONVERSION_TGEMMTONVVM_TILEKERNEL_H

#include "grout/Conversion/TGemmToNVVM/KernelPlan.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace grout::hopper {

/// Emits the kernel with the plan `kernel`, at the insertion point of
/// `builder`, which is in a gpu.module. `sharedMemory` names the module's
/// dynamic shared memory.
mlir::LLVM::LLVMFuncOp emitTileKernel(mlir::OpBuilder &builder,
                                      mlir::Location loc,
                                      const KernelPlan &kernel,
                                      llvm::StringRef sharedMemory);

} // namespace grout::hopper

#endif // GROUT_LIB_CONVERSION_TGEMMTONVVM_TILEKERNEL_H
