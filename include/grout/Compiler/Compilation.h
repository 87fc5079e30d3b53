//===- Compilation.h - From a program to its output -------------*- C++ -*-===//
//
// Part of Grout. The steps of a compilation. A caller can inspect the
// compiler's decisions between them.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_COMPILER_COMPILATION_H
#define GROUT_COMPILER_COMPILATION_H

#include "grout/Compiler/CompilerOptions.h"
#include "grout/Compiler/Program.h"
#include "mlir/Support/Timing.h"

namespace grout {

/// Compiles one program. The caller calls `synchronise`, `makeKernels` and
/// `emit`, or `formProducts` and `listTilings`. All functions report failure as
/// diagnostics.
class Compilation {
public:
  /// A function that is called with every pass manager before it runs. If the
  /// function fails, the compilation fails.
  using Configure =
      llvm::function_ref<mlir::LogicalResult(mlir::PassManager &)>;

  /// `options` must outlive the compilation, and must have been checked.
  Compilation(Program program, const CompilerOptions &options)
      : program(std::move(program)), options(options) {}

  mlir::ModuleOp getModule() { return *program.module; }

  /// Forms GEMMs, convolutions and memory-bound kernels, without tilings.
  mlir::LogicalResult formProducts(Configure configure = accept);
  /// Lists the tilings that the option `list-tilings` asks for, as JSON. Needs
  /// `formProducts`.
  mlir::FailureOr<std::string> listTilings();
  /// Forms chains of tile kernels, and proves their synchronisation.
  mlir::LogicalResult synchronise(Configure configure = accept);
  /// Makes the launch plan and its kernels. Needs `synchronise`.
  mlir::LogicalResult makeKernels(Configure configure = accept);
  /// Returns the output that the option `emit` asks for. Needs `makeKernels`.
  mlir::FailureOr<std::string> emit();

private:
  using Pipeline = void (*)(mlir::OpPassManager &,
                            const GroutPipelineOptions &);
  static mlir::LogicalResult accept(mlir::PassManager &) {
    return mlir::success();
  }
  mlir::LogicalResult run(Pipeline build, Configure configure);

  Program program;
  const CompilerOptions &options;
  /// The mode that the artifact states. For mode auto, this is the chosen mode.
  std::string mode;
};

} // namespace grout

#endif // GROUT_COMPILER_COMPILATION_H
