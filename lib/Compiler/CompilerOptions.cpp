//===- CompilerOptions.cpp - Options of a compilation ---------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Compiler/CompilerOptions.h"

#include "grout/Dialect/Launch/Transforms/SchedulingPolicy.h"
#include "grout/Dialect/Scop/ConstraintTrees/ConstraintTreePolicy.h"
#include "grout/Dialect/TGemm/Transforms/ProductModel.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace grout;

static llvm::Error refuse(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

llvm::cl::ValuesClass grout::getEmitValues() {
  return llvm::cl::values(
      clEnumValN(EmitKind::Artifact, "artifact",
                 "file for grout-run and the runtime (default)"),
      clEnumValN(EmitKind::MLIR, "mlir", "launch plan and kernels as MLIR"),
      clEnumValN(EmitKind::LLVM, "llvm", "kernels as one module of LLVM IR"),
      clEnumValN(EmitKind::PTX, "ptx", "kernels as one module of PTX (GPU)"),
      clEnumValN(EmitKind::Assembly, "asm",
                 "kernels as one file of assembly (CPU)"));
}

std::string grout::getTargetNames() {
  return llvm::join(llvm::map_range(getAllTargets(),
                                    [](const Target *target) {
                                      return target->getName().str();
                                    }),
                    ", ");
}

//===----------------------------------------------------------------------===//
// Names that are registered
//===----------------------------------------------------------------------===//

static llvm::Error checkTarget(StringRef name) {
  if (lookupTarget(name))
    return llvm::Error::success();
  return refuse("unknown --target '" + name +
                "'; targets are: " + getTargetNames());
}

static llvm::Error checkTree(StringRef name) {
  if (name == "from-ir" || name == "none" ||
      scop::lookupConstraintTreePolicy(name))
    return llvm::Error::success();
  return refuse("unknown --scop-tree '" + name + "'; trees are: " +
                llvm::join(scop::getConstraintTreePolicyNames(), ", ") +
                ", from-ir, none");
}

static llvm::Error checkLaunchPolicy(StringRef name) {
  if (launch::lookupSchedulingPolicy(name))
    return llvm::Error::success();
  return refuse("unknown --launch-policy '" + name + "'; policies are: " +
                llvm::join(launch::getSchedulingPolicyNames(), ", "));
}

//===----------------------------------------------------------------------===//
// One option
//===----------------------------------------------------------------------===//

static llvm::Error refuseValue(StringRef name, StringRef value,
                               const llvm::Twine &wanted) {
  return refuse("option '" + name + "' takes " + wanted + ", not '" + value +
                "'");
}

template <typename Opt>
static llvm::Error assign(Opt &option, StringRef value, std::string *) {
  option = value.str();
  return llvm::Error::success();
}

template <typename Opt>
static llvm::Error assign(Opt &option, StringRef value, bool *) {
  if (value != "true" && value != "false")
    return refuseValue(option.ArgStr, value, "true or false");
  option = value == "true";
  return llvm::Error::success();
}

template <typename Opt>
static llvm::Error assign(Opt &option, StringRef value, unsigned *) {
  unsigned number = 0;
  if (value.getAsInteger(10, number))
    return refuseValue(option.ArgStr, value,
                       "a number up to " + llvm::Twine(UINT32_MAX));
  option = number;
  return llvm::Error::success();
}

/// Sets an option of an enumeration type, whose parser knows the names.
template <typename Opt, typename Enum>
static llvm::Error assign(Opt &option, StringRef value, Enum *) {
  auto &parser = option.getParser();
  SmallVector<StringRef> names;
  for (unsigned i = 0, e = parser.getNumOptions(); i != e; ++i)
    names.push_back(parser.getOption(i));
  if (!llvm::is_contained(names, value))
    return refuseValue(option.ArgStr, value, llvm::join(names, ", "));
  Enum parsed;
  // The value is valid, so the parser does not print an error.
  parser.parse(option, option.ArgStr, value, parsed);
  option = parsed;
  return llvm::Error::success();
}

template <typename Opt>
static llvm::Error assign(Opt &option, StringRef value) {
  using Value = std::decay_t<decltype(option.getValue())>;
  return assign(option, value, static_cast<Value *>(nullptr));
}

llvm::Error CompilerOptions::setEdgeModes(StringRef value) {
  SmallVector<tsync::Mode> modes;
  if (!value.empty())
    for (StringRef text : llvm::split(value, ',')) {
      std::optional<tsync::Mode> mode = tsync::symbolizeEdgeMode(text);
      if (!mode)
        return refuseValue(edgeModes.ArgStr, text, tsync::getEdgeModeNames());
      modes.push_back(*mode);
    }
  edgeModes = ArrayRef(modes);
  return llvm::Error::success();
}

llvm::Error CompilerOptions::set(StringRef name, StringRef value) {
  if (name == edgeModes.ArgStr)
    return setEdgeModes(value);
  std::optional<llvm::Error> result;
  auto tryName = [&](auto &option, llvm::Error (*check)(StringRef)) {
    if (name != option.ArgStr)
      return;
    result.emplace(check(value));
    if (!*result)
      option = value.str();
  };
  tryName(target, checkTarget);
  tryName(scopTree, checkTree);
  tryName(launchPolicy, checkLaunchPolicy);
  auto tryOne = [&](auto &option) {
    if (!result && name == option.ArgStr)
      result.emplace(assign(option, value));
  };
  auto tryAll = [&](auto &...options) { (tryOne(options), ...); };
  tryAll(mode, granularity, scopSolver, scopRestructure, rounding, strictTypes,
         f32Products, reference, debugSyncMilliseconds, tuning, emit,
         sanitizeThread, ptxas, listTilings);
  if (result)
    return std::move(*result);
  return refuse("there is no option '" + name + "'");
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

static llvm::Error checkModes(const CompilerOptions &options) {
  bool isEarlyTarget = options.findTarget()->getSpec().hasProgrammaticLaunch;
  std::optional<tsync::Mode> mode = tsync::getMode(options.mode);
  if (mode && startsEarly(getLaunchWait(*mode)) && !isEarlyTarget)
    return refuse("--mode=" + stringifyMode(*mode) +
                  " needs another --target: '" + options.target +
                  "' has no programmatic dependent launch");
  if (options.edgeModes.empty())
    return llvm::Error::success();
  if (!isEarlyTarget)
    return refuse("--edge-modes needs another --target: '" + options.target +
                  "' has no programmatic dependent launch");
  if (!mode || isOneLaunch(*mode))
    return refuse("--edge-modes needs kernels of their own: --mode=serial, pdl "
                  "or overlap");
  return llvm::Error::success();
}

static llvm::Error checkSchedules(const CompilerOptions &options) {
  if (llvm::Error error = checkTree(options.scopTree))
    return error;
  if (options.scopSolver == scop::SolverOption::Isl &&
      options.scopTree != "none")
    return refuse("--scop-solver=isl needs --scop-tree=none");
  if (hasUnusedScheduleOption(options))
    return refuse("--scop-tree, --scop-solver and --scop-restructure need a "
                  "GPU as --target");
  return llvm::Error::success();
}

static llvm::Error checkTilings(const CompilerOptions &options) {
  const auto *model = options.findTarget()->getInterface<tgemm::ProductModel>();
  if (options.listTilings != 0 && !(model && model->hasTimes()))
    return refuse("--list-tilings needs another --target: tilings for '" +
                  options.target + "' are not modelled");
  return llvm::Error::success();
}

static llvm::Error checkCode(const CompilerOptions &options, bool isPTX) {
  if (options.emit == EmitKind::PTX && !isPTX)
    return refuse("--emit=ptx needs a GPU; for a CPU use --emit=asm");
  if (options.emit == EmitKind::Assembly && isPTX)
    return refuse("--emit=asm needs a CPU; for a GPU use --emit=ptx");
  if (options.sanitizeThread && isPTX)
    return refuse("--sanitize-thread needs --target=cpu");
  if (!options.ptxas.empty() && !isPTX)
    return refuse("--ptxas needs a GPU as --target");
  bool isText = options.emit != EmitKind::Artifact || options.listTilings != 0;
  if (!options.ptxas.empty() && isText && !options.recordOrigins)
    return refuse("--ptxas needs an artifact to assemble kernels for, or "
                  "--explain");
  std::string problem = findDebugSyncProblem(options);
  return problem.empty() ? llvm::Error::success()
                         : refuse("--debug-sync " + problem);
}

llvm::Error CompilerOptions::check() const {
  if (llvm::Error error = checkTarget(target))
    return error;
  bool isPTX = findTarget()->getSpec().code == CodeFormat::PTX;
  if (llvm::Error error = checkModes(*this))
    return error;
  if (llvm::Error error = checkSchedules(*this))
    return error;
  if (llvm::Error error = checkLaunchPolicy(launchPolicy))
    return error;
  if (llvm::Error error = checkTilings(*this))
    return error;
  return checkCode(*this, isPTX);
}
