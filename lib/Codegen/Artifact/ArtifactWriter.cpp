//===- ArtifactWriter.cpp - Writes artifacts ------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Codegen/ArtifactWriter.h"

#include "PlanWriter.h"
#include "grout/Runtime/ArtifactCheck.h"
#include "grout/Runtime/ArtifactFile.h"
#include "grout/Target/IR/Grout.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace grout;

namespace {
struct Plans {
  launch::PlanOp plan;
  launch::PlanOp reference; // null if there is none
};
} // namespace

/// Returns the plans of `module`.
static FailureOr<Plans> findPlans(ModuleOp module) {
  Plans plans;
  for (auto plan : module.getOps<launch::PlanOp>()) {
    if (plan.getReference())
      continue;
    if (plans.plan) {
      InFlightDiagnostic diag =
          plan.emitError("the module has a second function; an artifact holds "
                         "one");
      diag.attachNote(plans.plan.getLoc()) << "the first function is here";
      return diag;
    }
    plans.plan = plan;
  }
  if (!plans.plan)
    return emitError(module.getLoc(),
                     "the module has no function to make an artifact "
                     "of");
  for (auto plan : module.getOps<launch::PlanOp>())
    if (plan.getReference() == plans.plan.getSymName())
      plans.reference = plan;
  return plans;
}

/// Returns different names for all `arguments`. The name of an argument is that
/// in `given`, if there is one, otherwise that of its location, otherwise
/// `prefix` with a number.
static std::vector<std::string> getNames(ArrayRef<BlockArgument> arguments,
                                         const std::vector<std::string> &given,
                                         StringRef prefix) {
  std::vector<std::string> names;
  llvm::StringSet<> taken;
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    std::string fallback = prefix.str() + std::to_string(index);
    std::string name;
    if (index < given.size())
      name = given[index];
    else if (auto loc = dyn_cast<NameLoc>(argument.getLoc()))
      name = loc.getName().str();
    name = getTensorName(name, fallback);
    // If a name is taken, the fallback may be taken, too.
    while (!taken.insert(name).second) {
      fallback += '_';
      name = fallback;
    }
    names.push_back(name);
  }
  return names;
}

static std::vector<std::unique_ptr<artifact::TensorT>>
getTensors(ArrayRef<BlockArgument> arguments,
           const std::vector<std::string> &given, StringRef prefix) {
  std::vector<std::unique_ptr<artifact::TensorT>> tensors;
  std::vector<std::string> names = getNames(arguments, given, prefix);
  for (auto [name, argument] : llvm::zip_equal(names, arguments))
    tensors.push_back(std::make_unique<artifact::TensorT>(
        getTensor(name, cast<MemRefType>(argument.getType()))));
  return tensors;
}

/// Returns an upper estimate for the size of `artifact`: the size of its large
/// parts, and an allowance for all names and lists.
static uint64_t getPayloadSize(const artifact::ArtifactT &artifact) {
  uint64_t size = 1 << 20;
  for (const auto &module : artifact.modules)
    size += module->data.size() + module->ptx.size();
  for (const auto *plan : {artifact.plan.get(), artifact.reference.get()}) {
    if (!plan)
      continue;
    for (const auto &buffer : plan->buffers)
      size += buffer->data.size();
    for (const auto &launch : plan->launches)
      size += launch->tasks.size() * sizeof(artifact::Task);
  }
  return size;
}

FailureOr<std::vector<uint8_t>>
grout::writeArtifact(ModuleOp module, const ArtifactOptions &options) {
  FailureOr<Plans> plans = findPlans(module);
  if (failed(plans))
    return failure();
  FailureOr<const Target *> target = getTarget(module);
  if (failed(target))
    return failure();

  artifact::ArtifactT result;
  result.producer = "grout " GROUT_VERSION;
  result.entry = plans->plan.getSymName().str();
  result.target = (*target)->getName().str();
  result.mode = options.mode;
  ArrayRef<BlockArgument> arguments = plans->plan.getBody().getArguments();
  size_t numInputs = plans->plan.getNumInputs();
  result.inputs =
      getTensors(arguments.take_front(numInputs), options.inputNames, "arg");
  result.outputs = getTensors(arguments.drop_front(numInputs),
                              options.outputNames, "result");

  KernelModules modules(module, options);
  FailureOr<artifact::PlanT> plan = getPlan(plans->plan, modules);
  if (failed(plan))
    return failure();
  result.plan = std::make_unique<artifact::PlanT>(std::move(*plan));
  if (plans->reference) {
    FailureOr<artifact::PlanT> reference = getPlan(plans->reference, modules);
    if (failed(reference))
      return failure();
    result.reference = std::make_unique<artifact::PlanT>(std::move(*reference));
  }
  result.modules = modules.take();

  if (getPayloadSize(result) > artifact::kMaxPayloadSize)
    return emitTooLarge(plans->plan);
  flatbuffers::FlatBufferBuilder builder;
  artifact::FinishArtifactBuffer(builder,
                                 artifact::Artifact::Pack(builder, &result));
  std::string problem =
      artifact::findProblem(builder.GetBufferPointer(), builder.GetSize());
  if (!problem.empty())
    return plans->plan.emitError(
               "cannot be compiled: the runtime would not load "
               "it: ")
           << problem;
  return artifact::wrapArtifact(builder.GetBufferPointer(), builder.GetSize());
}
