//===- tile-tool.cpp - Grout inside another compiler ----------------------===//
//
// Part of Grout. Reads linalg, has Grout derive and prove the synchronisation
// of its kernels, and prints the result: the smallest useful embedding.
//
//===----------------------------------------------------------------------===//

#include "grout/InitAllDialects.h"
#include "grout/Pipelines/Pipelines.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: tile-tool INPUT.mlir\n";
    return 2;
  }
  mlir::DialectRegistry registry;
  grout::registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  llvm::SourceMgr sources;
  mlir::SourceMgrDiagnosticHandler diagnostics(sources, &context);
  auto module =
      mlir::parseSourceFile<mlir::ModuleOp>(argv[1], sources, &context);
  if (!module)
    return 1;

  mlir::PassManager pm(&context);
  grout::GroutPipelineOptions options;
  options.target = "h200";
  options.reference = false;
  grout::buildSynchronisedPipeline(pm, options);
  if (mlir::failed(pm.run(*module)))
    return 1;
  module->print(llvm::outs());
  return 0;
}
