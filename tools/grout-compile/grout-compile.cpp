//===- grout-compile.cpp - From linalg to an artifact ---------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "Input.h"
#include "Options.h"
#include "grout/Dialect/TSync/IR/TSync.h"
#include "grout/Explain/Explain.h"
#include "grout/InitAllDialects.h"
#include "grout/Pipelines/Pipelines.h"
#include "grout/Target/Files.h"
#include "grout/Tilings/ListTilings.h"
#include "grout/Timeline/Timeline.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/Timing.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace grout;
using namespace grout::compile;

using PipelineBuilder = void (*)(OpPassManager &, const GroutPipelineOptions &);

/// Runs a part of the pipeline.
static LogicalResult runPipeline(PipelineBuilder build, ModuleOp module,
                                 const Options &options, TimingScope &timing) {
  GroutPipelineOptions pipeline;
  pipeline.target = options.target->getName().str();
  pipeline.mode = options.mode;
  pipeline.granularity = options.granularity;
  pipeline.edgeModes = llvm::ArrayRef(options.edgeModes);
  pipeline.scopTree = options.scopTree;
  pipeline.scopSolver = options.scopSolver;
  pipeline.scopRestructure = options.scopRestructure;
  pipeline.scopTrace = options.scopTrace;
  pipeline.strictTypes = options.strictTypes;
  pipeline.reference = options.reference && !options.listTilings;
  pipeline.tuning = options.tuning;
  pipeline.recordOrigins = options.explain;
  pipeline.debugSyncMilliseconds = options.debugSyncMilliseconds;
  PassManager passes(module->getName());
  passes.enableTiming(timing);
  if (failed(applyPassManagerCLOptions(passes)))
    return failure();
  build(passes, pipeline);
  return passes.run(module);
}

/// Success, or failure after what is wrong has been said.
static LogicalResult check(llvm::Error error) {
  if (!error)
    return success();
  llvm::WithColor::error(llvm::errs(), "grout-compile")
      << llvm::toString(std::move(error)) << "\n";
  return failure();
}

/// Where explanations go: standard output may be where the result goes.
static llvm::raw_ostream &getReports(const Options &options) {
  return options.output == "-" ? llvm::errs() : llvm::outs();
}

/// Prints and draws what was decided, where that is asked for.
static LogicalResult report(ModuleOp module, const Options &options) {
  if (options.explain &&
      failed(printExplanation(module, *options.target, getReports(options))))
    return failure();
  if (options.timeline.empty())
    return success();
  std::string drawing;
  llvm::raw_string_ostream os(drawing);
  if (failed(printTimeline(module, options.target->getSpec(), os)))
    return failure();
  return check(writeFile(options.timeline, drawing));
}

/// The mode that an artifact of `module`, before its chains become kernels, is
/// in: of auto, what was chosen. Where there is no chain, launches follow each
/// other, as early as the target lets them.
static std::string findMode(ModuleOp module, const Options &options) {
  if (std::optional<tsync::Mode> given = tsync::getMode(options.mode))
    return stringifyMode(*given).str();
  tsync::Mode mode = options.target->getSpec().hasProgrammaticLaunch
                         ? tsync::Mode::pdl
                         : tsync::Mode::serial;
  module.walk([&](tsync::ChainOp chain) { mode = chain.getMode(); });
  return stringifyMode(mode).str();
}

/// Writes what tilings the products of `input` may get.
static LogicalResult listTilings(Input &input, const Options &options,
                                 TimingScope &timing) {
  std::string list;
  llvm::raw_string_ostream os(list);
  if (failed(
          runPipeline(buildProductPipeline, *input.module, options, timing)) ||
      failed(printTilings(*input.module, *options.target, options.listTilings,
                          os)))
    return failure();
  return check(writeFile(options.output, list));
}

static LogicalResult compileInput(const Options &options,
                                  MLIRContext &context) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> file =
      openInputFile(options.input, &message);
  if (!file) {
    llvm::WithColor::error(llvm::errs(), "grout-compile") << message << "\n";
    return failure();
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(file), SMLoc());
  SourceMgrDiagnosticHandler diagnostics(sources, &context);

  DefaultTimingManager timingManager;
  applyDefaultTimingManagerCLOptions(timingManager);
  TimingScope timing = timingManager.getRootScope();

  Input input = parseInput(sources, &context);
  if (!input.module)
    return failure();
  if (options.listTilings)
    return listTilings(input, options, timing);
  if (failed(runPipeline(buildSynchronisedPipeline, *input.module, options,
                         timing)) ||
      failed(report(*input.module, options)))
    return failure();
  std::string mode = findMode(*input.module, options);
  if (failed(runPipeline(buildKernelPipeline, *input.module, options, timing)))
    return failure();
  PtxasOptions ptxas;
  ptxas.path = options.ptxas;
  if (options.explain &&
      failed(printKernelResources(*input.module, *options.target, ptxas,
                                  getReports(options))))
    return failure();
  TimingScope emission = timing.nest("Emission");
  FailureOr<std::string> bytes = emit(input, options, mode);
  if (failed(bytes))
    return failure();
  return check(writeFile(options.output, *bytes));
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  FailureOr<Options> options = parseCommandLine(argc, argv);
  if (failed(options))
    return EXIT_FAILURE;
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  // What users wrote is shown; what became of it would only confuse them.
  context.printOpOnDiagnostic(false);
  LogicalResult compiled = compileInput(*options, context);
  LogicalResult printed = check(flushStandardOutput());
  return succeeded(compiled) && succeeded(printed) ? EXIT_SUCCESS
                                                   : EXIT_FAILURE;
}
