//===- grout-opt.cpp - Runs Grout's passes on MLIR ------------------------===//
//
// Part of Grout. `mlir-opt` with Grout's dialects, passes and pipelines. It
// first refuses input that MLIR's verifiers accept but that no pass may get.
//
//===----------------------------------------------------------------------===//

#include "grout/InitAllDialects.h"
#include "grout/InitAllPasses.h"
#include "grout/Pipelines/Pipelines.h"
#include "grout/Pipelines/ToolVersion.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

/// Runs the passes of the command line on file `input`.
static LogicalResult process(llvm::StringRef input, llvm::StringRef output,
                             DialectRegistry &registry,
                             const MlirOptMainConfig &given) {
  std::string problem;
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(input, &problem);
  std::unique_ptr<llvm::ToolOutputFile> result;
  if (file)
    result = openOutputFile(output, &problem);
  if (!result) {
    llvm::errs() << problem << '\n';
    return failure();
  }
  MlirOptMainConfig config = given;
  config.setPassPipelineSetupFn([&](PassManager &pm) {
    grout::addInputChecks(pm);
    return given.setupPassPipeline(pm);
  });
  if (failed(MlirOptMain(result->os(), std::move(file), registry, config)))
    return failure();
  result->keep();
  return success();
}

int main(int argc, char **argv) {
  grout::registerToolVersion();
  DialectRegistry registry;
  grout::registerAllDialects(registry);
  grout::registerAllPasses();
  registerTransformsPasses();
  auto [input, output] = registerAndParseCLIOptions(
      argc, argv, "Grout: tile kernels that overlap\n", registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));
  llvm::InitLLVM init(argc, argv);
  return asMainReturnCode(process(input, output, registry, config));
}
