//===- grout-compile.cpp - From linalg to an artifact ---------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "CompileOptions.h"
#include "grout/Compiler/Compilation.h"
#include "grout/Dialect/TSync/IR/TSync.h"
#include "grout/InitAllDialects.h"
#include "grout/Pipelines/Pipelines.h"
#include "grout/Reports/Explain.h"
#include "grout/Reports/Timeline.h"
#include "grout/Support/Files.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/Timing.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace grout;
using namespace grout::compile;

/// Returns success, or prints the error and returns failure.
static LogicalResult check(llvm::Error error) {
  if (!error)
    return success();
  llvm::WithColor::error(llvm::errs(), "grout-compile")
      << llvm::toString(std::move(error)) << "\n";
  return failure();
}

/// Returns the stream for explanations. Standard output may have the result.
static llvm::raw_ostream &getReports(const Options &options) {
  return options.output == "-" ? llvm::errs() : llvm::outs();
}

/// Prints the explanation and draws the timeline, if the options ask for them.
static LogicalResult report(ModuleOp module, const Options &options) {
  if (options.compiler.explain &&
      failed(printExplanation(module, *options.compiler.findTarget(),
                              getReports(options))))
    return failure();
  if (options.timeline.empty())
    return success();
  std::string drawing;
  llvm::raw_string_ostream os(drawing);
  if (failed(printTimeline(module, options.compiler.findTarget()->getSpec(),
                           options.timelineTrace, os)))
    return failure();
  return check(writeFile(options.timeline, drawing));
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
  auto configure = [&](PassManager &passes) {
    passes.enableTiming(timing);
    return applyPassManagerCLOptions(passes);
  };

  Program program = parseProgram(sources, &context);
  if (!program.module)
    return failure();
  const Target &target = *options.compiler.findTarget();
  Compilation compilation(std::move(program), options.compiler);
  if (options.compiler.listTilings != 0) {
    if (failed(compilation.formProducts(configure)))
      return failure();
    FailureOr<std::string> list = compilation.listTilings();
    if (failed(list))
      return failure();
    return check(writeFile(options.output, *list));
  }
  if (failed(compilation.synchronise(configure)) ||
      failed(report(compilation.getModule(), options)) ||
      failed(compilation.makeKernels(configure)))
    return failure();
  PtxasOptions ptxas;
  ptxas.path = options.compiler.ptxas;
  if (options.compiler.explain &&
      failed(printKernelResources(compilation.getModule(), target, ptxas,
                                  getReports(options))))
    return failure();
  TimingScope emission = timing.nest("Emission");
  FailureOr<std::string> bytes = compilation.emit();
  if (failed(bytes))
    return failure();
  return check(writeFile(options.output, *bytes));
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  if (failed(parseCommandLine(argc, argv, options)))
    return EXIT_FAILURE;
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  // Show users the program that they wrote. The op at this stage would only
  // confuse them.
  context.printOpOnDiagnostic(false);
  LogicalResult compiled = compileInput(options, context);
  LogicalResult printed = check(flushStandardOutput());
  return succeeded(compiled) && succeeded(printed) ? EXIT_SUCCESS
                                                   : EXIT_FAILURE;
}
