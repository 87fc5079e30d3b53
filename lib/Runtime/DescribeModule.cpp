//===- DescribeModule.cpp - Describes an artifact for people --------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "DescribeModule.h"
#include "TaskList.h"
#include "grout/Runtime/DeviceABI.h"

using namespace grout;
using namespace grout::artifact;
using namespace grout::runtime;

using TensorList = flatbuffers::Vector<flatbuffers::Offset<Tensor>>;

static void printTensors(const char *what, const TensorList &tensors,
                         std::ostream &out) {
  for (const Tensor *tensor : tensors)
    out << "  " << what << ' ' << tensor->name()->str() << ": "
        << typeString(*tensor) << ", " << tensorBytes(*tensor) << " bytes\n";
}

static void printModules(const Artifact &artifact, std::ostream &out) {
  for (uint32_t i = 0; i != artifact.modules()->size(); ++i) {
    const Module &module = *artifact.modules()->Get(i);
    out << "module " << i << ": " << EnumNameModuleKind(module.kind())
        << " for " << module.target()->str() << ", " << module.data()->size()
        << " bytes";
    if (module.ptx())
      out << ", with " << module.ptx()->size() << " bytes of PTX";
    out << '\n';
  }
}

static void printBuffers(const Plan &plan, std::ostream &out) {
  for (uint32_t i = 0; i != plan.buffers()->size(); ++i) {
    const Buffer &buffer = *plan.buffers()->Get(i);
    out << "  buffer " << i << ": " << EnumNameBufferKind(buffer.kind()) << ' '
        << buffer.tensor()->name()->str() << ' '
        << typeString(*buffer.tensor());
    if (buffer.kind() == BufferKind::Intermediate)
      out << " at " << buffer.offset();
    else if (buffer.kind() == BufferKind::InOutput)
      out << " at " << buffer.offset() << " of output " << buffer.index();
    out << '\n';
  }
}

static void printEntries(const Launch &launch, std::ostream &out) {
  const char *separator = " ";
  for (const flatbuffers::String *entry : *launch.entries()) {
    out << separator << entry->str();
    separator = ", ";
  }
}

static void printGpuGrid(const Launch &launch, std::ostream &out) {
  out << "    grid: ";
  if (launch.grid_kind() == GridKind::Fixed)
    out << launch.grid()->Get(0) << " x " << launch.grid()->Get(1) << " x "
        << launch.grid()->Get(2) << " blocks";
  else
    out << "persistent, at most " << launch.blocks_per_processor()
        << " blocks a processor";
  out << " of " << launch.block() << " threads, clusters of "
      << launch.cluster() << ", " << launch.dynamic_shared_memory()
      << " bytes of dynamic shared memory\n";
  if (!launch.parts())
    return;
  out << "    shared by " << launch.parts()->size() << " kernels, of ";
  const char *separator = "";
  for (uint32_t blocks : *launch.parts()) {
    out << separator << blocks;
    separator = ", ";
  }
  out << " blocks\n";
}

static void printLaunch(const Launch &launch, uint32_t index, bool onGpu,
                        std::ostream &out) {
  out << "  launch " << index << " '" << launch.name()->str() << "': module "
      << launch.module_() << ',';
  printEntries(launch, out);
  out << '\n';
  if (onGpu)
    printGpuGrid(launch, out);
  out << "    " << TaskList(launch).size() << " tasks, " << launch.semaphores()
      << " semaphores";
  if (onGpu)
    out << " (" << kernelabi::getSyncStateBytes(launch.semaphores())
        << " bytes of synchronisation state)";
  out << ", " << launch.arguments()->size() << " arguments, at least "
      << launch.min_residents() << " resident tiles\n";
  if (launch.debug_sync_milliseconds())
    out << "    waits give up after " << launch.debug_sync_milliseconds()
        << " milliseconds\n";
  for (const Argument *argument : *launch.arguments())
    if (const SemaphoresArg *arg = argument->value_as_SemaphoresArg())
      out << "    uses the semaphores of launch " << arg->launch() << '\n';
  if (launch.exchange())
    out << "    exchanges data with other ranks in "
        << launch.exchange()->bytes() << " bytes at "
        << launch.exchange()->offset() << '\n';
  if (launch.after())
    for (const Edge *edge : *launch.after())
      out << "    after launch " << edge->launch() << ", "
          << EnumNameEdgeKind(edge->kind()) << '\n';
}

static void printPlan(const char *title, const Artifact &artifact,
                      const Plan &plan, std::ostream &out) {
  bool onGpu = runsOnGpu(artifact, plan);
  uint64_t constants = 0;
  for (const Buffer *buffer : *plan.buffers())
    if (buffer->kind() == BufferKind::Constant)
      constants += buffer->data()->size();
  out << title << " on the " << (onGpu ? "GPU" : "CPU") << ", workspace of "
      << plan.workspace() << " bytes, constants of " << constants << " bytes\n";
  if (plan.symmetric())
    out << "  for " << plan.ranks() << " ranks, with " << plan.symmetric()
        << " bytes of symmetric memory each\n";
  printBuffers(plan, out);
  if (plan.in_place())
    for (const InPlace *pair : *plan.in_place())
      out << "  output " << pair->output() << " is in place of input "
          << pair->input() << '\n';
  for (uint32_t i = 0; i != plan.launches()->size(); ++i)
    printLaunch(*plan.launches()->Get(i), i, onGpu, out);
}

void runtime::describeModule(const LoadedModule &module, std::ostream &out) {
  const Artifact &artifact = module.artifact();
  out << artifact.entry()->str() << " for " << artifact.target()->str()
      << ", mode " << artifact.mode()->str() << ", by "
      << artifact.producer()->str() << '\n';
  printTensors("input", *artifact.inputs(), out);
  printTensors("output", *artifact.outputs(), out);
  printModules(artifact, out);
  printPlan("plan", artifact, *artifact.plan(), out);
  if (artifact.reference())
    printPlan("reference plan", artifact, *artifact.reference(), out);
}
