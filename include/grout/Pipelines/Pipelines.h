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

/// The options of the pipeline that a user chooses.
struct GroutPipelineOptions : mlir::PassPipelineOptions<GroutPipelineOptions> {
  Option<std::string> target{*this, "target",
                             llvm::cl::desc("Processor to compile for"),
                             llvm::cl::init("cpu")};
  Option<tsync::ModeOption> mode{
      *this, "mode", llvm::cl::desc("How dependent kernels run"),
      llvm::cl::init(tsync::getModeOption(tsync::Mode::persistent)),
      tsync::getModeValues()};
  ListOption<tsync::Mode> edgeModes{
      *this, "edge-modes",
      llvm::cl::desc("GPU: how the second, third, ... kernel of a chain waits, "
                     "where not as the mode says: serial, pdl or overlap")};
  Option<tsync::GranularityOption> granularity{
      *this, "granularity", llvm::cl::desc("What a tile waits for"),
      llvm::cl::init(tsync::GranularityOption::Auto),
      tsync::getGranularityValues()};
  Option<std::string> scopTree{
      *this, "scop-tree",
      llvm::cl::desc("GPU: what steers the scheduler of memory-bound kernels: "
                     "auto, akg, from-ir or none, as scop-schedule says"),
      llvm::cl::init("auto")};
  Option<scop::SolverOption> scopSolver{
      *this, "scop-solver",
      llvm::cl::desc("GPU: who schedules memory-bound kernels"),
      llvm::cl::init(scop::SolverOption::Ilp), scop::getSolverValues()};
  Option<ScopRestructure> scopRestructure{
      *this, "scop-restructure",
      llvm::cl::desc("Whether memory-bound kernels are changed before their "
                     "schedules are chosen"),
      llvm::cl::init(ScopRestructure::Auto), getScopRestructureValues()};
  Option<bool> scopTrace{
      *this, "scop-trace",
      llvm::cl::desc("Print what the scheduler of memory-bound kernels tried"),
      llvm::cl::init(false)};
  Option<Rounding> rounding{
      *this, "rounding",
      llvm::cl::desc("Where what is computed in f16 and bf16 is rounded"),
      llvm::cl::init(Rounding::Once), getRoundingValues()};
  Option<bool> strictTypes{
      *this, "strict-types",
      llvm::cl::desc("Make sums in the types that the program says, instead of "
                     "in f32 or wider"),
      llvm::cl::init(false)};
  Option<tgemm::F32Products> f32Products{
      *this, "f32-products",
      llvm::cl::desc("As what products of f32 are computed"),
      llvm::cl::init(tgemm::F32Products::Auto), tgemm::getF32ProductsValues()};
  Option<bool> reference{
      *this, "reference",
      llvm::cl::desc("Add a plain higher-precision plan to check against"),
      llvm::cl::init(true)};
  Option<unsigned> debugSyncMilliseconds{
      *this, "debug-sync-milliseconds",
      llvm::cl::desc("GPU: let waits for semaphores give up after so many "
                     "milliseconds, and record it; 0 means never"),
      llvm::cl::init(0)};
  Option<std::string> launchPolicy{
      *this, "launch-policy",
      llvm::cl::desc(
          "Who orders the launches of the plan: serial, wave, opara, "
          "nimble, or one that was registered"),
      llvm::cl::init("serial")};
  Option<std::string> tuning{
      *this, "tuning",
      llvm::cl::desc("File with measured times to choose tilings by"),
      llvm::cl::init("")};
  Option<bool> recordOrigins{
      *this, "record-origins",
      llvm::cl::desc("Leave an attribute that says where each tiling is from"),
      llvm::cl::init(false)};
};

/// Returns why `debug-sync-milliseconds` cannot be used with the other options;
/// empty if it can. In a message, the text follows the name of the option.
/// Callers of the pipelines below must check this first.
std::string findDebugSyncProblem(const GroutPipelineOptions &options);

/// Whether an option of GPU schedules, such as `scop-tree`, is given though the
/// target is no GPU. Callers of the pipelines below must refuse this.
bool hasUnusedScheduleOption(const GroutPipelineOptions &options);

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
