//===- Pipelines.cpp - Grout's pass pipelines -----------------------------===//
//
// Part of Grout. Written to be read: each phase says what the next may assume.
//
//===----------------------------------------------------------------------===//

#include "grout/Pipelines/Pipelines.h"

#include "grout/Conversion/Passes.h"
#include "grout/Conversion/TGemmToCPU/Pipelines.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"
#include "grout/Dialect/TGemm/Transforms/Passes.h"
#include "grout/Dialect/TSync/Transforms/Passes.h"
#include "grout/Target/PTX.h"
#include "grout/Target/TargetSpec.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace grout;

std::string grout::findDebugSyncProblem(const GroutPipelineOptions &options) {
  // tgemm-assign-tiling refuses an unknown target by name.
  std::optional<TargetSpec> target = lookupTarget(options.target);
  if (options.debugSyncMilliseconds == 0 || !target)
    return "";
  if (!target->isGPU)
    return "needs a GPU as target: on the CPU, grout-run watches waits by "
           "itself (--timeout-seconds)";
  if (!target->hasProductKernels)
    return "watches waits for semaphores, and kernels for " + options.target +
           " have none";
  // Mode auto may choose one of these, and still is none.
  if ((options.mode == "serial" || options.mode == "pdl") &&
      !llvm::is_contained(options.edgeModes, "overlap"))
    return "watches waits for semaphores, and mode " + options.mode +
           " has none";
  return "";
}

/// Terms from which on a CPU makes a sum of f32 in f64. Fewer cost at most a
/// relative error of 64 * 2^-24 = 4e-6.
static constexpr int64_t kLongSum = 65;

/// linalg -> scop: memory-bound kernels, each with a schedule that is proved.
static void buildScopPipeline(OpPassManager &pm,
                              const GroutPipelineOptions &options,
                              const TargetSpec &target) {
  OpPassManager &func = pm.nest<func::FuncOp>();
  if (!options.strictTypes) {
    LinalgWidenAccumulatorsOptions sums;
    // The threads of a GPU share out long sums.
    sums.longSum = target.isGPU ? 0 : kLongSum;
    func.addPass(createLinalgWidenAccumulators(sums));
  }
  func.addPass(scop::createScopCopyResults());
  func.addPass(scop::createScopCopyViews());
  // On the CPU, ops of linalg that have a tile shape are tile kernels.
  ConvertLinalgToScopOptions statements;
  statements.keepTiled = !target.isGPU;
  func.addPass(createConvertLinalgToScop(statements));

  // What is easier to see before there are schedules: values that are computed
  // where they are needed, loops that are one, sums in two stages, launches.
  if (options.scopTree == "auto") {
    func.addPass(scop::createScopInlineProducers());
    func.addPass(scop::createScopSplitLoops());
    func.addPass(scop::createScopCollapseLoops());
    if (target.isGPU) {
      scop::ScopSplitReductionsOptions split;
      split.target = options.target;
      func.addPass(scop::createScopSplitReductions(split));
    }
    scop::ScopFormLaunchesOptions launches;
    launches.target = options.target;
    func.addPass(scop::createScopFormLaunches(launches));
    // What an earlier launch has computed is as good as an input now.
    func.addPass(scop::createScopInlineProducers());
  }
  scop::ScopScheduleOptions schedule;
  // Trees are about what the threads of a GPU share out.
  schedule.tree = target.isGPU ? options.scopTree.getValue() : "none";
  schedule.solver = options.scopSolver;
  schedule.trace = options.scopTrace;
  schedule.target = options.target;
  func.addPass(scop::createScopSchedule(schedule));
  func.addPass(scop::createScopDistribute());
  func.addPass(scop::createScopVerifySchedule());
  if (!target.isGPU)
    return;
  // What need not wait for each other shares a launch.
  ScopMergeLaunchesOptions merge;
  merge.target = options.target;
  func.addPass(createScopMergeLaunches(merge));
}

void grout::buildProductPipeline(OpPassManager &pm,
                                 const GroutPipelineOptions &options) {
  // What the verifier lets pass, and no pass may see.
  pm.addPass(createVerifyReshapes());

  // Every loop of linalg has iterations.
  pm.addNestedPass<func::FuncOp>(createLinalgFoldEmpty());

  // Every op of linalg writes all of its results.
  pm.addNestedPass<func::FuncOp>(createLinalgInsertResults());

  // Every integer division has one result, on all targets.
  pm.addPass(createDefineIntegerDivision());

  // The reference is made from what the user wrote, but for what is above.
  if (options.reference) {
    ConvertLinalgToReferenceOptions reference;
    reference.target = options.target;
    reference.strictTypes = options.strictTypes;
    pm.addPass(createConvertLinalgToReference(reference));
  }

  // linalg -> tgemm. Elementwise ops are in epilogues.
  std::optional<TargetSpec> target = lookupTarget(options.target);
  ConvertLinalgToTGemmOptions products;
  products.remarkMemoryBound = false;
  products.target = options.target;
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToTGemm(products));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());

  // Products have the tilings that their module lists, if it does.
  pm.addPass(tgemm::createTGemmApplyTilings());

  // What is left becomes memory-bound kernels. tgemm-assign-tiling refuses an
  // unknown target by name.
  if (target)
    buildScopPipeline(pm, options, *target);
}

void grout::buildSynchronisedPipeline(OpPassManager &pm,
                                      const GroutPipelineOptions &options) {
  buildProductPipeline(pm, options);

  // Every tile kernel knows its tile shape, and it fits the target.
  tgemm::TGemmAssignTilingOptions tiling;
  tiling.target = options.target;
  tiling.mode = options.mode;
  tiling.tuning = options.tuning;
  tiling.recordOrigins = options.recordOrigins;
  pm.addPass(tgemm::createTGemmAssignTiling(tiling));

  // Parts of tiles are tiles.
  pm.addPass(tgemm::createTGemmExpandStreamK());

  // Memory-bound kernels that are to be in chains have tiles, too.
  std::optional<TargetSpec> target = lookupTarget(options.target);
  if (target && target->isGPU) {
    ScopAssignGPUTilingOptions blocks;
    blocks.target = options.target;
    blocks.mode = options.mode;
    pm.addNestedPass<func::FuncOp>(createScopAssignGPUTiling(blocks));
  } else if (target) {
    ScopAssignCPUTilingOptions points;
    points.processors = target->processors;
    pm.addNestedPass<func::FuncOp>(createScopAssignCPUTiling(points));
  }

  // Every dependence between kernels of a chain is there, with semaphores and
  // a tile order, and they are proved to be safe.
  tsync::TSyncFormChainsOptions chains;
  chains.mode = options.mode;
  pm.addNestedPass<func::FuncOp>(tsync::createTSyncFormChains(chains));
  pm.addPass(tsync::createTSyncDeriveDependences());
  if (target && target->isGPU) {
    tgemm::TGemmSelectEdgeModesOptions edges;
    edges.target = options.target;
    edges.modes = llvm::to_vector(options.edgeModes);
    pm.addPass(tgemm::createTGemmSelectEdgeModes(edges));
  }
  tsync::TSyncSelectPolicyOptions policy;
  policy.granularity = options.granularity;
  pm.addPass(tsync::createTSyncSelectPolicy(policy));
  pm.addPass(tsync::createTSyncAssignOrder());
  pm.addPass(tsync::createTSyncVerify());
}

void grout::buildKernelPipeline(OpPassManager &pm,
                                const GroutPipelineOptions &options) {
  std::optional<TargetSpec> target = lookupTarget(options.target);
  // tgemm-assign-tiling has refused an unknown target by name.
  if (!target)
    return;
  if (target->isGPU) {
    ConvertTGemmToNVVMOptions chains;
    chains.targetName = options.target;
    pm.addPass(createConvertTGemmToNVVM(chains));
    ConvertScopToGPUOptions kernels;
    kernels.target = options.target;
    pm.addPass(createConvertScopToGPU(kernels));
    ConvertTSyncToNVVMOptions waits;
    waits.debugSyncMilliseconds = options.debugSyncMilliseconds;
    pm.addPass(createConvertTSyncToNVVM(waits));
    buildNVVMKernelPipeline(pm);
  } else {
    pm.addPass(createConvertTGemmToCPU());
    buildCPUKernelPipeline(pm);
  }
}

void grout::buildGroutPipeline(OpPassManager &pm,
                               const GroutPipelineOptions &options) {
  buildSynchronisedPipeline(pm, options);
  buildKernelPipeline(pm, options);
}

/// As PassPipelineRegistration, which cannot refuse options.
static void registerPipeline(StringRef name, StringRef description,
                             void (*build)(OpPassManager &,
                                           const GroutPipelineOptions &)) {
  registerPassPipeline(
      name, description,
      [build](OpPassManager &pm, StringRef text,
              function_ref<LogicalResult(const Twine &)> refuse) {
        GroutPipelineOptions options;
        if (failed(options.parseFromString(text)))
          return failure();
        std::string problem = findDebugSyncProblem(options);
        if (!problem.empty())
          return refuse("debug-sync-milliseconds " + problem);
        build(pm, options);
        return success();
      },
      [](function_ref<void(const mlir::detail::PassOptions &)> visit) {
        visit(GroutPipelineOptions());
      });
}

void grout::registerGroutPipelines() {
  registerPipeline("grout-pipeline",
                   "linalg on tensors to a launch plan and its kernels",
                   buildGroutPipeline);
  registerPipeline(
      "grout-synchronised-pipeline",
      "linalg on tensors to chains whose synchronisation is proved",
      buildSynchronisedPipeline);
}
