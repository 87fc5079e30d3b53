//===- Native.h - Machine code for the host processor -----------*- C++ -*-===//
//
// Part of Grout. Turns a module in the LLVM dialect into the shared object that
// the runtime's CPU device loads.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CODEGEN_NATIVE_H
#define GROUT_CODEGEN_NATIVE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace grout {

/// Adds passes that lower tile bodies to the LLVM dialect: those that
/// convert-tiles-to-kernels and convert-linalg-to-reference make, in modules
/// nested in the module that `pm` runs on. The passes leave launch plans alone.
void buildCPUKernelPipeline(mlir::OpPassManager &pm);

/// Registers these passes as `grout-cpu-kernel-pipeline`.
void registerCPUKernelPipeline();

struct NativeOptions {
  /// Whether to instrument the code for LLVM's ThreadSanitizer. A runtime that
  /// is built with it then checks the synchronisation of tiles.
  bool sanitizeThread = false;
};

/// Returns the artifact's Module.target for machine code. On x86-64 this is
/// "x86-64-v3" (with AVX2, FMA and F16C), elsewhere the plain architecture.
std::string getNativeTargetName();

/// Prints a module of kernels as LLVM IR that is not optimised yet. All
/// functions here need `kernels` in the LLVM dialect, and report failures as
/// diagnostics at `kernels`.
mlir::LogicalResult printLLVMIR(mlir::ModuleOp kernels, llvm::raw_ostream &os);

/// Prints the module as optimised assembly.
mlir::LogicalResult printNativeAssembly(mlir::ModuleOp kernels,
                                        const NativeOptions &options,
                                        llvm::raw_ostream &os);

/// Returns the bytes of a shared object with the module's functions. Links it
/// with the first of ld.lld-22, ld.lld, ld and cc on the PATH. The object
/// refers to no library but libm (and the sanitizer's runtime).
mlir::FailureOr<llvm::SmallVector<char>>
compileSharedObject(mlir::ModuleOp kernels, const NativeOptions &options);

} // namespace grout

#endif // GROUT_CODEGEN_NATIVE_H
