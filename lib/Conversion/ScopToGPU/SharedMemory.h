//===- SharedMemory.h - Shared memory of a kernel ---------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_SCOPTOGPU_SHAREDMEMORY_H
#define GROUT_LIB_CONVERSION_SCOPTOGPU_SHAREDMEMORY_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace grout::scop {

/// Gives `func`, which is in a gpu.module, `bytes` of shared memory, aligned to
/// 16 bytes, and returns their address.
mlir::Value createSharedMemory(mlir::ImplicitLocOpBuilder &b,
                               mlir::LLVM::LLVMFuncOp func, int64_t bytes);

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOGPU_SHAREDMEMORY_H
