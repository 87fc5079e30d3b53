//===- Compilation.cpp - From a program to what runs ----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Compiler/Compilation.h"

#include "Emission.h"
#include "grout/Dialect/TSync/IR/TSync.h"
#include "grout/Tilings/ListTilings.h"

using namespace mlir;
using namespace grout;

LogicalResult Compilation::run(Pipeline build, Configure configure) {
  PassManager passes(getModule()->getName());
  if (failed(configure(passes)))
    return failure();
  build(passes, options);
  return passes.run(getModule());
}

LogicalResult Compilation::formProducts(Configure configure) {
  return run(buildProductPipeline, configure);
}

FailureOr<std::string> Compilation::listTilings() {
  std::string list;
  llvm::raw_string_ostream os(list);
  if (failed(printTilings(getModule(), *options.findTarget(),
                          options.listTilings, os)))
    return failure();
  return list;
}

/// The mode that an artifact of `module`, before its chains become kernels, is
/// in: of auto, what was chosen. Where there is no chain, launches follow each
/// other, as early as the target lets them.
static std::string findMode(ModuleOp module, const CompilerOptions &options) {
  if (std::optional<tsync::Mode> given = tsync::getMode(options.mode))
    return stringifyMode(*given).str();
  tsync::Mode mode = options.findTarget()->getSpec().hasProgrammaticLaunch
                         ? tsync::Mode::pdl
                         : tsync::Mode::serial;
  module.walk([&](tsync::ChainOp chain) { mode = chain.getMode(); });
  return stringifyMode(mode).str();
}

LogicalResult Compilation::synchronise(Configure configure) {
  if (failed(run(buildSynchronisedPipeline, configure)))
    return failure();
  mode = findMode(getModule(), options);
  return success();
}

LogicalResult Compilation::makeKernels(Configure configure) {
  return run(buildKernelPipeline, configure);
}

FailureOr<std::string> Compilation::emit() {
  return emitProgram(program, options, mode);
}
