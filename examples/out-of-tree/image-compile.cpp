//===- image-compile.cpp - Compiles images --------------------------------===//
//
// Part of Grout. Compiles a file for a target, and writes the artifact, which
// grout-run runs.
//
//===----------------------------------------------------------------------===//

#include "grout/Codegen/ArtifactWriter.h"
#include "grout/Pipelines/Pipelines.h"
#include "image/RegisterImage.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

static llvm::cl::opt<std::string> input(llvm::cl::Positional,
                                        llvm::cl::Required,
                                        llvm::cl::desc("INPUT.mlir"));
static llvm::cl::opt<std::string> output("o", llvm::cl::Required,
                                         llvm::cl::desc("The artifact"));
static llvm::cl::opt<std::string> pipeline(
    "options", llvm::cl::init("target=image-cpu"),
    llvm::cl::desc("Options of the pipeline, as --grout-pipeline= takes them"));

static LogicalResult compile(ModuleOp module,
                             const grout::GroutPipelineOptions &options) {
  PassManager passes(module.getContext());
  grout::addInputChecks(passes);
  grout::buildGroutPipeline(passes, options);
  return passes.run(module);
}

/// Writes the artifact of what has been compiled.
static LogicalResult write(ModuleOp module,
                           const grout::GroutPipelineOptions &options) {
  grout::ArtifactOptions described;
  auto mode = grout::tsync::getMode(options.mode);
  described.mode = mode ? grout::tsync::stringifyMode(*mode) : "auto";
  FailureOr<std::vector<uint8_t>> artifact =
      grout::writeArtifact(module, described);
  if (failed(artifact))
    return failure();
  std::string problem;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(output, &problem);
  if (!file)
    return module.emitError(problem);
  file->os().write(reinterpret_cast<const char *>(artifact->data()),
                   artifact->size());
  file->keep();
  return success();
}

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv, "image-compile\n");
  DialectRegistry registry;
  image::registerImage(registry);
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  context.loadAllAvailableDialects();
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  auto options = grout::GroutPipelineOptions::createFromString(pipeline);
  auto module = parseSourceFile<ModuleOp>(input, sources, &context);
  return !options || !module || failed(compile(*module, *options)) ||
         failed(write(*module, *options));
}
