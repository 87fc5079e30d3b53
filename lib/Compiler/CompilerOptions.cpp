//===- CompilerOptions.cpp - Which options contradict each other ----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Compiler/CompilerOptions.h"

#include "grout/Dialect/TGemm/Transforms/ProductModel.h"

using namespace mlir;
using namespace grout;

static llvm::Error checkModes(const CompilerOptions &options) {
  bool isEarlyTarget = options.findTarget()->getSpec().hasProgrammaticLaunch;
  std::optional<tsync::Mode> mode = tsync::getMode(options.mode);
  if (mode && startsEarly(getLaunchWait(*mode)) && !isEarlyTarget)
    return llvm::createStringError(
        "--mode=" + stringifyMode(*mode) + " needs another --target: '" +
        options.target + "' has no programmatic dependent launch");
  if (options.edgeModes.empty())
    return llvm::Error::success();
  if (!isEarlyTarget)
    return llvm::createStringError("--edge-modes needs another --target: '" +
                                   options.target +
                                   "' has no programmatic dependent launch");
  if (!mode || isOneLaunch(*mode))
    return llvm::createStringError(
        "--edge-modes needs kernels of their own: --mode=serial, pdl "
        "or overlap");
  return llvm::Error::success();
}

static llvm::Error checkSchedules(const CompilerOptions &options) {
  if (llvm::Error error = checkRegistered("scop-tree", options.scopTree))
    return error;
  if (options.scopSolver == scop::SolverOption::Isl &&
      options.scopTree != "none")
    return llvm::createStringError("--scop-solver=isl needs --scop-tree=none");
  if (hasUnusedScheduleOption(options))
    return llvm::createStringError(
        "--scop-tree, --scop-solver and --scop-restructure need a "
        "GPU as --target");
  return llvm::Error::success();
}

static llvm::Error checkTilings(const CompilerOptions &options) {
  const auto *model = options.findTarget()->getInterface<tgemm::ProductModel>();
  if (options.listTilings != 0 && !(model && model->hasTimes()))
    return llvm::createStringError(
        "--list-tilings needs another --target: tilings for '" +
        options.target + "' are not modelled");
  return llvm::Error::success();
}

static llvm::Error checkCode(const CompilerOptions &options, bool isPTX) {
  if (options.emit == EmitKind::PTX && !isPTX)
    return llvm::createStringError(
        "--emit=ptx needs a GPU; for a CPU use --emit=asm");
  if (options.emit == EmitKind::Assembly && isPTX)
    return llvm::createStringError(
        "--emit=asm needs a CPU; for a GPU use --emit=ptx");
  if (options.sanitizeThread && isPTX)
    return llvm::createStringError("--sanitize-thread needs --target=cpu");
  if (!options.ptxas.empty() && !isPTX)
    return llvm::createStringError("--ptxas needs a GPU as --target");
  if (hasUnusedTrace(options))
    return llvm::createStringError(
        "--trace needs a GPU as --target: grout-run --trace records the times "
        "of all CPU kernels");
  bool isText = options.emit != EmitKind::Artifact || options.listTilings != 0;
  if (!options.ptxas.empty() && isText && !options.explain)
    return llvm::createStringError(
        "--ptxas needs an artifact to assemble kernels for, or "
        "--explain");
  std::string problem = findDebugSyncProblem(options);
  return problem.empty() ? llvm::Error::success()
                         : llvm::createStringError("--debug-sync " + problem);
}

llvm::Error CompilerOptions::check() const {
  if (llvm::Error error = checkRegistered("target", target))
    return error;
  bool isPTX = findTarget()->getSpec().code == CodeFormat::PTX;
  if (llvm::Error error = checkModes(*this))
    return error;
  if (llvm::Error error = checkSchedules(*this))
    return error;
  if (llvm::Error error = checkRegistered("launch-policy", launchPolicy))
    return error;
  if (llvm::Error error = checkTilings(*this))
    return error;
  return checkCode(*this, isPTX);
}
