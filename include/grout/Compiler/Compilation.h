//===- Compilation.h - From a program to what runs --------------*- C++ -*-===//
//
// Part of Grout. The steps of a compilation, one by one, so that what was
// decided can be looked at between them.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_COMPILER_COMPILATION_H
#define GROUT_COMPILER_COMPILATION_H

#include "grout/Compiler/CompilerOptions.h"
#include "grout/Compiler/Program.h"
#include "mlir/Support/Timing.h"

namespace grout {

/// Compiles one program. All functions report failure as diagnostics.
class Compilation {
public:
  /// Calls with every pass manager before it runs. It fails the compilation.
  using Configure =
      llvm::function_ref<mlir::LogicalResult(mlir::PassManager &)>;

  /// `options`, which outlive the compilation, have been checked.
  Compilation(Program program, const CompilerOptions &options)
      : program(std::move(program)), options(options) {}

  mlir::ModuleOp getModule() { return *program.module; }

  /// Products and memory-bound kernels; no tilings yet.
  mlir::LogicalResult formProducts(Configure configure = accept);
  /// Of the products, what the option `list-tilings` asks for.
  mlir::FailureOr<std::string> listTilings();
  /// Chains of tile kernels whose synchronisation is proved.
  mlir::LogicalResult synchronise(Configure configure = accept);
  /// Of the synchronised program, the launch plan and its kernels.
  mlir::LogicalResult makeKernels(Configure configure = accept);
  /// Of the kernels, what the option `emit` asks for.
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
  /// What the artifact says: of mode auto, what was chosen.
  std::string mode;
};

} // namespace grout

#endif // GROUT_COMPILER_COMPILATION_H
