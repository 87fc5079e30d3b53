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

/// The shared memory of the blocks of a function, which is in a gpu.module, for
/// one kernel. All of it is aligned to 16 bytes.
class SharedMemory {
public:
  /// The first `threads` threads of a block take part in the kernel; all of
  /// them if there is no number.
  SharedMemory(mlir::LLVM::LLVMFuncOp func,
               std::optional<int64_t> threads = std::nullopt)
      : func(func), threads(threads) {}

  /// Returns the address of `bytes` bytes for one use.
  mlir::Value emitOwn(mlir::ImplicitLocOpBuilder &b, int64_t bytes);
  /// Returns the address of `bytes` bytes for an exchange: all threads of a
  /// block write them, meet at a barrier, and read them. Exchanges must not be
  /// in loops. They alternate between two areas. A thread that writes an area
  /// again has met the others in the exchange in between, so they have read the
  /// area.
  mlir::Value emitForExchange(mlir::ImplicitLocOpBuilder &b, int64_t bytes);
  /// Emits a barrier for the kernel's threads.
  void emitBarrier(mlir::ImplicitLocOpBuilder &b);
  /// Returns the size of all areas in bytes.
  int64_t getBytes() const;

  /// Lets kernels of `func` use the same memory. Each block runs only one of
  /// them.
  static void overlay(mlir::LLVM::LLVMFuncOp func,
                      llvm::MutableArrayRef<SharedMemory> kernels);

private:
  mlir::LLVM::GlobalOp createGlobal(mlir::ImplicitLocOpBuilder &b,
                                    int64_t bytes);

  mlir::LLVM::LLVMFuncOp func;
  std::optional<int64_t> threads;
  llvm::SmallVector<mlir::LLVM::GlobalOp> globals;
  /// The areas for the next exchange, and for the one after that; null before
  /// the first exchange.
  mlir::LLVM::GlobalOp next, other;
};

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOGPU_SHAREDMEMORY_H
