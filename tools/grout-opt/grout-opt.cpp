//===- grout-opt.cpp - Runs Grout's passes on MLIR ------------------------===//
//
// Part of Grout. `mlir-opt` with Grout's dialects, passes and pipelines.
//
//===----------------------------------------------------------------------===//

#include "grout/InitAllDialects.h"
#include "grout/InitAllPasses.h"
#include "grout/Pipelines/ToolVersion.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  grout::registerToolVersion();
  mlir::DialectRegistry registry;
  grout::registerAllDialects(registry);
  grout::registerAllPasses();
  mlir::registerTransformsPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "Grout: tile kernels that overlap\n", registry));
}
