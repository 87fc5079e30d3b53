//===- Pipelines.h - Grout's pass pipelines ---------------------*- C++ -*-===//
//
// Part of Grout. grout-opt, grout-compile, the C API and embedders all use the
// functions in this file.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_PIPELINES_PIPELINES_H
#define GROUT_PIPELINES_PIPELINES_H

#include "grout/Dialect/Scop/Transforms/SolverOption.h"
#include "grout/Dialect/TGemm/Transforms/F32Products.h"
#include "grout/Dialect/TSync/IR/ModeOption.h"
#include "grout/Dialect/TSync/Transforms/GranularityOption.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "llvm/Support/CommandLine.h"
#include <string>

namespace grout {

/// Whether passes change memory-bound kernels before their schedules are
/// chosen.
enum class ScopRestructure {
  /// Not with the trees akg, from-ir and none. These trees serve to compare
  /// kernels as they were written, or were written for such kernels.
  Auto,
  Always,
  Never
};

/// Returns the values of an option of that type.
llvm::cl::ValuesClass getScopRestructureValues();

/// Where values that are computed in f16 and bf16 are rounded.
enum class Rounding {
  /// Where a kernel stores a tensor that several ops read, or another kernel.
  Once,
  /// After each operation, as the program specifies.
  Operator
};

/// Returns the values of an option of that type.
llvm::cl::ValuesClass getRoundingValues();

/// The options of the pipeline that a user chooses. Options.def declares them.
struct GroutPipelineOptions : mlir::PassPipelineOptions<GroutPipelineOptions> {
// A declarator takes no parentheses.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define GROUT_OPTION(type, member, name, initial, values, help)                \
  Option<type> member{*this, name, llvm::cl::desc(help),                       \
                      llvm::cl::init(initial), values};
#define GROUT_LIST_OPTION(type, member, name, values, help)                    \
  ListOption<type> member{*this, name, llvm::cl::desc(help), values};
#define GROUT_LIBRARY_OPTION GROUT_OPTION
#define GROUT_TOOL_OPTION GROUT_OPTION
#define GROUT_INNER_OPTION GROUT_OPTION
#include "grout/Pipelines/Options.def"
  // NOLINTEND(bugprone-macro-parentheses)
};

/// Returns why `debug-sync-milliseconds` cannot be used with the other options;
/// empty if it can. In a message, the text follows the name of the option.
/// Callers of the pipelines below must check this first.
std::string findDebugSyncProblem(const GroutPipelineOptions &options);

/// Whether an option of GPU schedules, such as `scop-tree`, is given though the
/// target is no GPU. Callers of the pipelines below must refuse this.
bool hasUnusedScheduleOption(const GroutPipelineOptions &options);

/// Returns whether `options` ask for kernels that record times, but the target
/// is a CPU, where the runtime records the times of any kernel.
bool hasUnusedTrace(const GroutPipelineOptions &options);

/// Adds the checks that refuse ops which MLIR's verifiers accept, but no pass
/// may see, not even a pass of MLIR.
void addInputChecks(mlir::OpPassManager &pm);

/// Adds the passes from linalg on tensors to GEMMs that have no tilings yet.
void buildProductPipeline(mlir::OpPassManager &pm,
                          const GroutPipelineOptions &options);

/// Adds the passes from linalg on tensors to chains whose synchronisation is
/// proved.
void buildSynchronisedPipeline(mlir::OpPassManager &pm,
                               const GroutPipelineOptions &options);

/// Adds the passes from chains to a launch plan, with kernels in the LLVM and
/// NVVM dialects.
void buildKernelPipeline(mlir::OpPassManager &pm,
                         const GroutPipelineOptions &options);

/// Adds the passes of both: those of `--grout-pipeline` and grout-compile.
void buildGroutPipeline(mlir::OpPassManager &pm,
                        const GroutPipelineOptions &options);

/// Registers `grout-pipeline` and its halves.
void registerGroutPipelines();

} // namespace grout

#endif // GROUT_PIPELINES_PIPELINES_H
