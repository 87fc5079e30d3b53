//===- PTX.h - From kernel modules to PTX and cubin -------------*- C++ -*-===//
//
// Part of Grout. The last steps of compilation for NVIDIA GPUs: a pass pipeline
// to the LLVM and NVVM dialects, translation to PTX, and assembly by ptxas.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CODEGEN_PTX_H
#define GROUT_CODEGEN_PTX_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include <optional>
#include <string>
#include <vector>

namespace grout {

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

/// Adds passes to `pm` that lower the `gpu.module`s nested in its op to the
/// LLVM and NVVM dialects. The passes take `llvm.func`s of scf, cf, arith,
/// math, index, vector, memref, llvm and nvvm, without tsync ops. Math
/// functions for which there is no instruction become polynomials; functions of
/// f64 become calls of libdevice. The passes look for libdevice in $CUDA_HOME,
/// $CUDA_ROOT, $CUDA_PATH and /usr/local/cuda.
void buildNVVMKernelPipeline(mlir::OpPassManager &pm);

/// Registers `grout-nvvm-kernel-pipeline`, and the passes `expand-device-math`
/// and `dump-ptx` (which prints PTX, for tests).
void registerPTXPasses();

//===----------------------------------------------------------------------===//
// Translation
//===----------------------------------------------------------------------===//

/// Registers the interfaces of the dialects in kernel modules that
/// translateToPTX needs.
void registerPTXTranslations(mlir::DialectRegistry &registry);

/// Translates `module` to PTX for its one `#nvvm.target`. The module must hold
/// only LLVM and NVVM ops.
///
/// Marks assembly calls with side effects as convergent on the way, because
/// MLIR cannot express that. Otherwise LLVM would be free to duplicate a
/// warpgroup's instruction into both arms of a branch that depends on the
/// thread.
mlir::FailureOr<std::string> translateToPTX(mlir::gpu::GPUModuleOp module);

/// Prints such a `module` as LLVM IR that is not optimised yet. A comment in
/// the output gives the options for llc.
mlir::LogicalResult printDeviceLLVMIR(mlir::gpu::GPUModuleOp module,
                                      llvm::raw_ostream &os);

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

/// Which ptxas to run, and how to treat its report.
struct PtxasOptions {
  /// Path of ptxas. If empty, it is looked for, in this order: in
  /// `directories` and their bin/, in bin/ of $CUDA_HOME, $CUDA_ROOT and
  /// $CUDA_PATH, on $PATH, and in /usr/local/cuda/bin.
  std::string path;
  std::vector<std::string> directories;
  /// Whether register spills, and MMAs that ptxas serialises, are errors. If
  /// not, they are warnings.
  bool strict = false;
};

/// The report of ptxas on a kernel.
struct KernelReport {
  std::string name;
  int64_t registers = 0;       // of a thread
  int64_t stackBytes = 0;      // of a thread
  int64_t spillStoreBytes = 0; // instructions' bytes, not how often they run
  int64_t spillLoadBytes = 0;
};

struct AssemblyReport {
  std::vector<KernelReport> kernels;
  /// Lines that warn of lost performance, such as serialised MMAs.
  std::vector<std::string> warnings;
};

struct Cubin {
  std::string image;
  AssemblyReport report;
};

/// Returns the path of ptxas, if there is one.
std::optional<std::string> findPtxas(const PtxasOptions &options);

/// Assembles `ptx` for `architecture` ("sm_90a"). Diagnostics are at `loc`.
mlir::FailureOr<Cubin> assemblePTX(mlir::Location loc, llvm::StringRef ptx,
                                   llvm::StringRef architecture,
                                   const PtxasOptions &options = {});

/// Parses the output of `ptxas -v`.
AssemblyReport parsePtxasReport(llvm::StringRef text);

} // namespace grout

#endif // GROUT_CODEGEN_PTX_H
