//===- grout-lsp-server.cpp - Grout's IR in an editor ---------------------===//
//
// Part of Grout. Speaks the language server protocol for MLIR files that use
// Grout's dialects.
//
//===----------------------------------------------------------------------===//

#include "grout/InitAllDialects.h"
#include "grout/Pipelines/ToolVersion.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  grout::registerToolVersion();
  mlir::DialectRegistry registry;
  grout::registerAllDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry)) ? 1 : 0;
}
