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

/// What the blocks of a function, which is in a gpu.module, have for a kernel.
/// All of it is aligned to 16 bytes.
class SharedMemory {
public:
  /// Of a block's threads the first `threads` have part in the kernel; all if
  /// there is no number.
  SharedMemory(mlir::LLVM::LLVMFuncOp func,
               std::optional<int64_t> threads = std::nullopt)
      : func(func), threads(threads) {}

  /// The address of `bytes` for one use.
  mlir::Value emitOwn(mlir::ImplicitLocOpBuilder &b, int64_t bytes);
  /// The address of `bytes` for an exchange: all threads of a block write them,
  /// meet, and read them. Exchanges are in no loop, and use two areas in turn:
  /// who writes one again has met the others in the exchange between, so they
  /// have read it.
  mlir::Value emitForExchange(mlir::ImplicitLocOpBuilder &b, int64_t bytes);
  /// Lets the kernel's threads meet.
  void emitBarrier(mlir::ImplicitLocOpBuilder &b);
  /// The bytes of all of it.
  int64_t getBytes() const;

  /// Gives kernels of `func`, of which each block runs one, the same memory.
  static void overlay(mlir::LLVM::LLVMFuncOp func,
                      llvm::MutableArrayRef<SharedMemory> kernels);

private:
  mlir::LLVM::GlobalOp createGlobal(mlir::ImplicitLocOpBuilder &b,
                                    int64_t bytes);

  mlir::LLVM::LLVMFuncOp func;
  std::optional<int64_t> threads;
  llvm::SmallVector<mlir::LLVM::GlobalOp> globals;
  /// The areas for the next exchange and for the one after; null if no exchange
  /// was there yet.
  mlir::LLVM::GlobalOp next, other;
};

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOGPU_SHAREDMEMORY_H
