//===- Compilation.cpp - From a program to its output ---------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Compiler/Compilation.h"

#include "Emission.h"
#include "grout/Dialect/TSync/IR/TSync.h"
#include "grout/Reports/ListTilings.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

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

/// Returns the mode for the artifact of `module`, whose chains have not become
/// kernels yet. This is the mode of its chains, whether the compiler formed
/// them or the program has them. Without chains, it is the mode that the
/// options name. If they name none, it is the mode in which launches follow
/// each other as early as the target lets them.
static std::string findMode(ModuleOp module, const CompilerOptions &options) {
  llvm::SmallSetVector<tsync::Mode, 4> modes;
  module.walk([&](tsync::ChainOp chain) { modes.insert(chain.getMode()); });
  if (modes.empty())
    modes.insert(
        tsync::getMode(options.mode)
            .value_or(options.findTarget()->getSpec().hasProgrammaticLaunch
                          ? tsync::Mode::pdl
                          : tsync::Mode::serial));
  return llvm::join(llvm::map_range(modes, tsync::stringifyMode), ", ");
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
