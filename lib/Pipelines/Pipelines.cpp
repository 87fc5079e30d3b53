//===- Pipelines.cpp - Grout's pass pipelines -----------------------------===//
//
// Part of Grout. Written to be read: each phase says what the next may assume.
//
//===----------------------------------------------------------------------===//

#include "grout/Pipelines/Pipelines.h"

#include "grout/Conversion/Passes.h"
#include "grout/Dialect/Launch/Transforms/Passes.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"
#include "grout/Dialect/TGemm/Transforms/Passes.h"
#include "grout/Dialect/TSync/Transforms/Passes.h"
#include "grout/Pipelines/CodegenPipeline.h"
#include "grout/Target/Transforms/Passes.h"
#include "grout/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace grout;

llvm::cl::ValuesClass grout::getScopRestructureValues() {
  return llvm::cl::values(
      clEnumValN(ScopRestructure::Auto, "auto",
                 "unless the tree is akg, from-ir or none"),
      clEnumValN(ScopRestructure::Always, "always", "with every tree"),
      clEnumValN(ScopRestructure::Never, "never",
                 "kernels stay as they were written"));
}

llvm::cl::ValuesClass grout::getRoundingValues() {
  return llvm::cl::values(
      clEnumValN(Rounding::Once, "once",
                 "where a kernel stores what several ops, another kernel or "
                 "the caller read"),
      clEnumValN(Rounding::Operator, "operator", "after each operation"));
}

/// What generates kernels for the target of `options`; null if that is unknown,
/// which grout-set-target refuses.
static const CodegenPipeline *
findGenerator(const GroutPipelineOptions &options) {
  const Target *target = lookupTarget(options.target);
  return target ? target->getInterface<CodegenPipeline>() : nullptr;
}

std::string grout::findDebugSyncProblem(const GroutPipelineOptions &options) {
  const CodegenPipeline *generator = findGenerator(options);
  if (options.debugSyncMilliseconds == 0 || !generator)
    return "";
  return generator->findDebugSyncProblem();
}

bool grout::hasUnusedScheduleOption(const GroutPipelineOptions &options) {
  const Target *target = lookupTarget(options.target);
  return target && target->getSpec().code != CodeFormat::PTX &&
         (options.scopTree.hasValue() || options.scopSolver.hasValue() ||
          options.scopRestructure.hasValue());
}

bool grout::hasUnusedTrace(const GroutPipelineOptions &options) {
  const Target *target = lookupTarget(options.target);
  return options.trace && target && target->getSpec().code != CodeFormat::PTX;
}

/// Adds the canonicalizer without the pattern of LLVM 22 that forgets strides:
/// that padding inserted into a fill with the same value is part of the fill.
static void addCanonicalizer(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass(
      GreedyRewriteConfig(),
      /*disabledPatterns=*/{"(anonymous namespace)::FoldInsertPadIntoFill"}));
}

/// Whether passes change memory-bound kernels before their schedules are
/// chosen.
static bool restructuresKernels(const GroutPipelineOptions &options) {
  if (options.scopRestructure != ScopRestructure::Auto)
    return options.scopRestructure == ScopRestructure::Always;
  return options.scopTree != "akg" && options.scopTree != "from-ir" &&
         options.scopTree != "none";
}

/// What linalg is left becomes memory-bound kernels, each with a schedule that
/// is proved.
static void addMemoryBoundPasses(OpPassManager &function,
                                 const MemoryBoundOptions &kernels,
                                 const GroutPipelineOptions &options) {
  if (!options.strictTypes) {
    LinalgWidenAccumulatorsOptions sums;
    sums.longSum = kernels.longSum;
    function.addPass(createLinalgWidenAccumulators(sums));
  }
  function.addPass(createLinalgFoldRoundings());
  function.addPass(createLinalgFuseConditions());
  function.addPass(scop::createScopCopyResults());
  function.addPass(scop::createScopCopyViews());
  function.addPass(scop::createScopCopyUpdates());
  ConvertLinalgToScopOptions statements;
  statements.keepTiled = kernels.keepsTiledOps;
  function.addPass(createConvertLinalgToScop(statements));

  // What is easier to see before there are schedules: values that are computed
  // where they are needed, loops that are one, sums in two stages, launches.
  if (restructuresKernels(options)) {
    function.addPass(scop::createScopInlineProducers());
    function.addPass(scop::createScopSplitLoops());
    function.addPass(scop::createScopCollapseLoops());
    if (kernels.splitsReductions)
      function.addPass(scop::createScopSplitReductions());
    function.addPass(scop::createScopFormLaunches());
    // Parts of a split kernel each compute a value that they share, such as a
    // concatenation. If it has become a launch, one is enough.
    function.addPass(scop::createScopDropDuplicates());
    // What an earlier launch has computed is as good as an input now.
    function.addPass(scop::createScopInlineProducers());
  }
  scop::ScopScheduleOptions schedule;
  schedule.tree = kernels.tree;
  schedule.solver = options.scopSolver;
  schedule.trace = options.scopTrace;
  function.addPass(scop::createScopSchedule(schedule));
  function.addPass(scop::createScopDistribute());
  function.addPass(scop::createScopVerifySchedule());
  if (kernels.sharesLaunches)
    function.addPass(scop::createScopMergeLaunches());
}

void grout::addInputChecks(OpPassManager &pm) {
  pm.addPass(createVerifyAffineMaps());
  pm.addPass(createVerifyReshapes());
  pm.addPass(createVerifyPaddings());
}

void grout::buildProductPipeline(OpPassManager &pm,
                                 const GroutPipelineOptions &options) {
  // All passes know what the module is compiled for.
  GroutSetTargetOptions target;
  target.name = options.target;
  target.exact = options.rounding == Rounding::Operator;
  target.trace = options.trace;
  pm.addPass(createGroutSetTarget(target));

  addInputChecks(pm);
  pm.addPass(createVerifyScalarTypes());
  pm.addPass(scop::createScopVerifyAccesses());

  pm.addNestedPass<func::FuncOp>(createTensorDecomposeConcat());

  // Every loop of linalg has iterations.
  pm.addNestedPass<func::FuncOp>(createLinalgFoldEmpty());

  // Every result of linalg.generic is read.
  pm.addNestedPass<func::FuncOp>(createLinalgDropUnusedResults());

  // Every op of linalg writes all of its results.
  pm.addNestedPass<func::FuncOp>(createLinalgInsertResults());

  // Every integer division has one result, on all targets.
  pm.addPass(createDefineIntegerDivision());

  // Every function of scalars is one that all targets have.
  pm.addPass(createExpandScalarMath());

  // What one kernel computes from f16 or bf16 is f32, and is rounded once.
  // Residuals are not rounded from layer to layer.
  if (options.rounding == Rounding::Once) {
    pm.addNestedPass<func::FuncOp>(createLinalgRoundOnce());
    pm.addNestedPass<func::FuncOp>(createLinalgWidenResiduals());
  }

  // The reference is made from what the user wrote, but for what is above.
  if (options.reference) {
    ConvertLinalgToReferenceOptions reference;
    reference.strictTypes = options.strictTypes;
    reference.f32Products = options.f32Products;
    pm.addPass(createConvertLinalgToReference(reference));
  }

  // Scalars of programs have the types in which they are used.
  pm.addPass(createFoldFloatCasts());

  // Convolutions are products, and have channels last.
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToConv2d());
  pm.addNestedPass<func::FuncOp>(tgemm::createTGemmMergeGroups());
  pm.addNestedPass<func::FuncOp>(createLinalgSinkTransposes());

  // Attention is one op where the target has kernels for it. Its heads, groups
  // of heads and queries are loops of their own before contractions are
  // collapsed. In other spellings, it is recognised afterwards.
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToAttention());

  // Contractions are products of matrices, or of batches of them.
  pm.addNestedPass<func::FuncOp>(createLinalgCollapseContractions());

  // What follows a product works on its matrix.
  pm.addNestedPass<func::FuncOp>(createLinalgSinkReshapes());

  // linalg -> tgemm.
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToAttention());
  pm.addNestedPass<func::FuncOp>(tgemm::createTGemmSplitAttention());

  // Products of one row are memory-bound, unless the user says how they run.
  if (options.mode == tsync::ModeOption::Auto)
    pm.addNestedPass<func::FuncOp>(createConvertLinalgToMatvec());

  // Elementwise ops are in epilogues, also those that combine halves.
  pm.addNestedPass<func::FuncOp>(tgemm::createTGemmSplitHalves());
  ConvertLinalgToTGemmOptions products;
  products.remarkMemoryBound = false;
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToTGemm(products));

  // Factors have types that the target multiplies.
  tgemm::TGemmSplitF32Options split;
  split.products = options.f32Products;
  pm.addPass(tgemm::createTGemmSplitF32(split));
  addCanonicalizer(pm);
  pm.addPass(createCSEPass());

  // What only a memory-bound kernel reads in a wider type, it widens.
  pm.addNestedPass<func::FuncOp>(tgemm::createTGemmNarrowResults());

  // Products have the tilings that their module lists, if it does.
  pm.addPass(tgemm::createTGemmApplyTilings());

  // Concatenations of products are no kernels.
  pm.addNestedPass<func::FuncOp>(tgemm::createTGemmConcatenateInPlace());

  // Products send their tiles to other ranks where the target can do that.
  pm.addPass(tgemm::createTGemmFuseAllReduce());

  // linalg -> scop: what is left becomes memory-bound kernels.
  if (const CodegenPipeline *generator = findGenerator(options))
    addMemoryBoundPasses(pm.nest<func::FuncOp>(),
                         generator->getMemoryBoundOptions(options), options);
}

void grout::buildSynchronisedPipeline(OpPassManager &pm,
                                      const GroutPipelineOptions &options) {
  buildProductPipeline(pm, options);

  // Small products that do not depend on each other share a launch, unless the
  // user, or what was measured of each alone, says how they run.
  if (options.mode == tsync::ModeOption::Auto && options.tuning.empty()) {
    tgemm::TGemmFuseHorizontallyOptions join;
    join.recordOrigins = options.recordOrigins;
    pm.addPass(tgemm::createTGemmFuseHorizontally(join));
  }

  // Every tile kernel knows its tile shape, and it fits the target.
  tgemm::TGemmAssignTilingOptions tiling;
  tiling.mode = options.mode;
  tiling.tuning = options.tuning;
  tiling.recordOrigins = options.recordOrigins;
  pm.addPass(tgemm::createTGemmAssignTiling(tiling));

  tgemm::TGemmAssignAttentionTilingOptions attention;
  attention.mode = options.mode;
  pm.addNestedPass<func::FuncOp>(
      tgemm::createTGemmAssignAttentionTiling(attention));

  // Parts of tiles are tiles.
  pm.addPass(tgemm::createTGemmExpandStreamK());

  // Memory-bound kernels that are to be in chains have tiles, too.
  if (const CodegenPipeline *generator = findGenerator(options))
    generator->addTilingPasses(pm.nest<func::FuncOp>(), options);

  // Every dependence between kernels of a chain is there, with semaphores and
  // a tile order, and they are proved to be safe. The order comes first, so
  // that semaphores are chosen with which the proof is not too hard.
  tsync::TSyncFormChainsOptions chains;
  chains.mode = options.mode;
  pm.addNestedPass<func::FuncOp>(tsync::createTSyncFormChains(chains));
  pm.addPass(tsync::createTSyncDeriveDependences());
  tsync::TSyncSelectEdgeModesOptions edges;
  edges.modes = llvm::to_vector(options.edgeModes);
  pm.addPass(tsync::createTSyncSelectEdgeModes(edges));
  tsync::TSyncSelectPolicyOptions policy;
  policy.granularity = options.granularity;
  pm.addPass(tsync::createTSyncAssignOrder());
  pm.addPass(tsync::createTSyncSelectPolicy(policy));
  pm.addPass(tsync::createTSyncVerify());
}

void grout::buildKernelPipeline(OpPassManager &pm,
                                const GroutPipelineOptions &options) {
  // Every function is a plan: launches of tile kernels, ordered by edges.
  pm.addPass(launch::createLaunchFormPlans());
  launch::LaunchScheduleOptions schedule;
  schedule.policy = options.launchPolicy;
  pm.addPass(launch::createLaunchSchedule(schedule));

  // Every launch has a kernel.
  pm.addPass(createConvertTilesToKernels());

  // Every buffer has a place in the workspace, scratch of kernels included.
  pm.addPass(launch::createLaunchPlaceBuffers());
  if (const CodegenPipeline *generator = findGenerator(options))
    generator->addKernelPasses(pm, options);
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
        if (hasUnusedScheduleOption(options))
          return refuse("scop-tree, scop-solver and scop-restructure need a "
                        "GPU as target");
        if (hasUnusedTrace(options))
          return refuse("trace needs a GPU as target: the runtime records the "
                        "times of all CPU kernels");
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
