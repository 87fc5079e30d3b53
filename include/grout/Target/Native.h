//===- Native.h - Machine code for the host processor -----------*- C++ -*-===//
//
// Part of Grout. From a module in the LLVM dialect to what the CPU device of
// the runtime loads.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TARGET_NATIVE_H
#define GROUT_TARGET_NATIVE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace grout {

/// Adds the passes that lower the tile bodies which convert-tiles-to-kernels
/// and convert-linalg-to-reference make, in modules nested in the one that `pm`
/// runs on, to the LLVM dialect. Launch plans are left alone.
void buildCPUKernelPipeline(mlir::OpPassManager &pm);

/// Registers it as `grout-cpu-kernel-pipeline`.
void registerCPUKernelPipeline();

struct NativeOptions {
  /// Instrument the code for LLVM's ThreadSanitizer, so that a runtime that is
  /// built with it checks the synchronisation of tiles.
  bool sanitizeThread = false;
};

/// What machine code is made for, as the artifact's Module.target: "x86-64-v3"
/// (with AVX2, FMA and F16C) on x86-64; elsewhere the plain architecture.
std::string getNativeTargetName();

/// A module of kernels as LLVM IR, not yet optimised. Like all functions here,
/// `kernels` must be in the LLVM dialect, and failure has been reported as a
/// diagnostic at `kernels`.
mlir::LogicalResult printLLVMIR(mlir::ModuleOp kernels, llvm::raw_ostream &os);

/// The module as assembly, optimised.
mlir::LogicalResult printNativeAssembly(mlir::ModuleOp kernels,
                                        const NativeOptions &options,
                                        llvm::raw_ostream &os);

/// The bytes of a shared object with the module's functions. It is linked by
/// the first of ld.lld-22, ld.lld, ld and cc that is on the PATH, and refers to
/// nothing but libm (and the sanitizer's runtime).
mlir::FailureOr<llvm::SmallVector<char>>
compileSharedObject(mlir::ModuleOp kernels, const NativeOptions &options);

} // namespace grout

#endif // GROUT_TARGET_NATIVE_H
