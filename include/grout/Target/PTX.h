//===- PTX.h - From kernel modules to PTX and cubin -------------*- C++ -*-===//
//
// Part of Grout. The last steps of compilation for NVIDIA GPUs: a pass pipeline
// to the LLVM and NVVM dialects, translation to PTX, and assembly by ptxas.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TARGET_PTX_H
#define GROUT_TARGET_PTX_H

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
/// LLVM and NVVM dialects. They take `llvm.func`s of scf, cf, arith, math,
/// index, vector, memref, llvm and nvvm, without tsync ops. Functions that are
/// not instructions become polynomials, and those of f64 calls of libdevice,
/// which is looked for in $CUDA_HOME, $CUDA_ROOT, $CUDA_PATH and
/// /usr/local/cuda.
void buildNVVMKernelPipeline(mlir::OpPassManager &pm);

/// Registers `grout-nvvm-kernel-pipeline`, and the passes `expand-device-math`
/// and `dump-ptx` (which prints PTX, for tests).
void registerPTXPasses();

//===----------------------------------------------------------------------===//
// Translation
//===----------------------------------------------------------------------===//

/// Registers what translateToPTX needs of the dialects in kernel modules.
void registerPTXTranslations(mlir::DialectRegistry &registry);

/// Translates `module`, which holds only LLVM and NVVM ops and has one
/// `#nvvm.target`, to PTX for this target.
///
/// Assembly calls are marked convergent on the way, which MLIR cannot say: LLVM
/// would else be free to duplicate a warpgroup's instruction into both arms of
/// a branch that depends on the thread.
mlir::FailureOr<std::string> translateToPTX(mlir::gpu::GPUModuleOp module);

/// Writes `module`, as above, as LLVM IR that is not optimised yet. A comment
/// says what llc has to be called with.
mlir::LogicalResult printDeviceLLVMIR(mlir::gpu::GPUModuleOp module,
                                      llvm::raw_ostream &os);

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

/// Which ptxas to run, and what to think of its report.
struct PtxasOptions {
  /// Path of ptxas. If empty, it is looked for, in this order: in
  /// `directories` and their bin/, in bin/ of $CUDA_HOME, $CUDA_ROOT and
  /// $CUDA_PATH, on $PATH, and in /usr/local/cuda/bin.
  std::string path;
  std::vector<std::string> directories;
  /// Whether registers that are spilled to memory, and matrix products that
  /// ptxas runs one after another, are errors; if not, they are warnings.
  bool strict = false;
};

/// What ptxas says of a kernel.
struct KernelReport {
  std::string name;
  int64_t registers = 0;       // of a thread
  int64_t stackBytes = 0;      // of a thread
  int64_t spillStoreBytes = 0; // instructions' bytes, not how often they run
  int64_t spillLoadBytes = 0;
};

struct AssemblyReport {
  std::vector<KernelReport> kernels;
  /// Lines that tell of lost performance, such as serialised matrix products.
  std::vector<std::string> warnings;
};

struct Cubin {
  std::string image;
  AssemblyReport report;
};

/// The path of ptxas, if there is one.
std::optional<std::string> findPtxas(const PtxasOptions &options);

/// Assembles `ptx` for `architecture` ("sm_90a"). Diagnostics are at `loc`.
mlir::FailureOr<Cubin> assemblePTX(mlir::Location loc, llvm::StringRef ptx,
                                   llvm::StringRef architecture,
                                   const PtxasOptions &options = {});

/// Reads what `ptxas -v` printed.
AssemblyReport parsePtxasReport(llvm::StringRef text);

} // namespace grout

#endif // GROUT_TARGET_PTX_H
