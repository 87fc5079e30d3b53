//===- ValidateLaunch.cpp - Checks a launch -------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TaskList.h"
#include "Validate.h"
#include "grout/Runtime/ArtifactLimits.h"
#include "grout/Runtime/DeviceABI.h"
#include "grout/RuntimeSupport/CheckedMath.h"

using namespace grout;
using namespace grout::artifact;
using namespace grout::runtime;

Status runtime::validateBufferIndex(const Plan &plan, uint32_t buffer) {
  if (buffer >= plan.buffers()->size())
    return invalid("it names buffer ", buffer, " of ", plan.buffers()->size());
  return Status::ok();
}

static Status validateBufferArg(const Plan &plan, const BufferArg &arg) {
  GROUT_RETURN_IF_ERROR(validateBufferIndex(plan, arg.buffer()));
  const Tensor &tensor = *plan.buffers()->Get(arg.buffer())->tensor();
  if (arg.offset() >= tensorBytes(tensor))
    return invalid("its offset ", arg.offset(), " is not within its buffer of ",
                   tensorBytes(tensor), " bytes");
  if (arg.offset() % elementSize(tensor.element_type()) != 0)
    return invalid("its offset ", arg.offset(),
                   " is not a multiple of the element size");
  return Status::ok();
}

namespace {
/// The arguments of a launch that are not buffers, and the size of all
/// arguments.
struct ArgumentSummary {
  bool hasSyncState = false;
  bool hasTasks = false;
  bool hasPeers = false;
  uint64_t parameterBytes = 0;

  void add(uint64_t size, uint64_t alignment) {
    parameterBytes = roundUp(parameterBytes, alignment) + size;
  }
};
} // namespace

static Status validateSemaphoresArg(const SemaphoresArg &arg, uint32_t index) {
  if (arg.launch() >= index)
    return invalid("it has the semaphores of launch ", arg.launch(),
                   ", which does not come before its own");
  return Status::ok();
}

static Status validateArgument(const Plan &plan, uint32_t index,
                               const Argument &argument, bool onGpu,
                               ArgumentSummary &summary) {
  switch (argument.value_type()) {
  case KernelArg::BufferArg:
    summary.add(kernelabi::kAddressBytes, kernelabi::kAddressBytes);
    return validateBufferArg(plan, *argument.value_as_BufferArg());
  case KernelArg::TensorMapArg:
    summary.add(kernelabi::kTensorMapBytes, kernelabi::kTensorMapAlignment);
    if (!onGpu)
      return invalid("a CPU launch cannot take a tensor map");
    return validateTensorMap(plan, *argument.value_as_TensorMapArg());
  case KernelArg::SyncStateArg:
    summary.add(kernelabi::kAddressBytes, kernelabi::kAddressBytes);
    summary.hasSyncState = true;
    break;
  case KernelArg::TaskListArg:
    summary.add(kernelabi::kAddressBytes, kernelabi::kAddressBytes);
    summary.hasTasks = true;
    break;
  case KernelArg::TaskCountArg:
    summary.add(kernelabi::kTaskCountBytes, kernelabi::kTaskCountBytes);
    summary.hasTasks = true;
    break;
  case KernelArg::SemaphoresArg:
    summary.add(kernelabi::kAddressBytes, kernelabi::kAddressBytes);
    GROUT_RETURN_IF_ERROR(
        validateSemaphoresArg(*argument.value_as_SemaphoresArg(), index));
    break;
  case KernelArg::RankArg:
    summary.add(kernelabi::kTaskCountBytes, kernelabi::kTaskCountBytes);
    summary.hasPeers = true;
    break;
  case KernelArg::PeerArg:
    summary.add(kernelabi::kAddressBytes, kernelabi::kAddressBytes);
    summary.hasPeers = true;
    if (argument.value_as_PeerArg()->rank() >= plan.ranks())
      return invalid("it is for rank ", argument.value_as_PeerArg()->rank(),
                     " of ", plan.ranks());
    break;
  default:
    return invalid("unknown kind of argument ", int(argument.value_type()));
  }
  if (!onGpu)
    return invalid("a CPU launch takes buffers only");
  return Status::ok();
}

static Status validateArguments(const Plan &plan, uint32_t index, bool onGpu,
                                ArgumentSummary &summary) {
  const Launch &launch = *plan.launches()->Get(index);
  for (flatbuffers::uoffset_t i = 0; i != launch.arguments()->size(); ++i)
    GROUT_RETURN_IF_ERROR(validateArgument(plan, index,
                                           *launch.arguments()->Get(i), onGpu,
                                           summary)
                              .in("argument " + std::to_string(i)));
  if (onGpu && summary.parameterBytes > kernelabi::kMaxParameterBytes)
    return invalid("its arguments take ", summary.parameterBytes,
                   " bytes; a kernel can have ", kernelabi::kMaxParameterBytes);
  return Status::ok();
}

static Status validateFixedGrid(const Launch &launch) {
  if (!launch.grid() || launch.grid()->size() != 3)
    return invalid("a fixed grid needs 3 sizes");
  const auto &grid = *launch.grid();
  if (grid.Get(0) == 0 || grid.Get(0) > kernelabi::kMaxGridX)
    return invalid("its grid has ", grid.Get(0), " blocks in x");
  for (flatbuffers::uoffset_t i : {1, 2})
    if (grid.Get(i) == 0 || grid.Get(i) > kernelabi::kMaxGridYZ)
      return invalid("its grid has ", grid.Get(i), " blocks in ",
                     i == 1 ? "y" : "z");
  if (grid.Get(0) % launch.cluster() != 0)
    return invalid("its grid of ", grid.Get(0),
                   " blocks in x is not divisible into clusters of ",
                   launch.cluster());
  if (TaskList::isGiven(launch))
    return invalid("it has a fixed grid and a task list");
  return Status::ok();
}

/// Checks the numbers of blocks of kernels that share a launch. The launch's
/// grid must be valid.
static Status validateParts(const Launch &launch, bool onGpu) {
  if (!launch.parts())
    return Status::ok();
  if (!onGpu || launch.grid_kind() != GridKind::Fixed)
    return invalid("it has blocks of several kernels, but no fixed grid");
  uint64_t blocks = 1, sum = 0;
  for (uint32_t extent : *launch.grid())
    blocks *= extent;
  for (uint32_t part : *launch.parts()) {
    if (part == 0)
      return invalid("one of its kernels has no blocks");
    sum += part;
  }
  if (sum != blocks)
    return invalid("its kernels have ", sum, " blocks in all, but its grid ",
                   blocks);
  return Status::ok();
}

static Status validatePersistentGrid(const Launch &launch,
                                     const ArgumentSummary &summary) {
  GROUT_RETURN_IF_ERROR(TaskList::validate(launch));
  // Without this argument, there is no ticket, and so no tile order.
  if (!summary.hasSyncState)
    return invalid("a persistent launch needs its synchronisation state as an "
                   "argument");
  return Status::ok();
}

static Status validateGpuLaunch(const Launch &launch,
                                const ArgumentSummary &summary) {
  if (launch.entries()->size() != 1)
    return invalid("a GPU launch has one entry, not ",
                   launch.entries()->size());
  if (launch.block() == 0 || launch.block() > kernelabi::kMaxBlockThreads ||
      launch.block() % kernelabi::kWarpThreads != 0)
    return invalid("a block of ", launch.block(),
                   " threads is not a multiple of ", kernelabi::kWarpThreads,
                   " up to ", kernelabi::kMaxBlockThreads);
  if (launch.cluster() == 0 || launch.cluster() > kernelabi::kMaxClusterBlocks)
    return invalid("a cluster of ", launch.cluster(),
                   " blocks is not between 1 and ",
                   kernelabi::kMaxClusterBlocks);
  if (launch.dynamic_shared_memory() > kernelabi::kMaxDynamicSharedMemory)
    return invalid("it needs ", launch.dynamic_shared_memory(),
                   " bytes of dynamic shared memory; there are ",
                   kernelabi::kMaxDynamicSharedMemory);
  if (launch.blocks_per_processor() == 0 ||
      launch.blocks_per_processor() > kernelabi::kMaxBlocksPerProcessor)
    return invalid("it has ", launch.blocks_per_processor(),
                   " blocks per processor, not 1 to ",
                   kernelabi::kMaxBlocksPerProcessor);
  if (launch.debug_sync_milliseconds() &&
      (!summary.hasSyncState ||
       (launch.semaphores() == 0 && !launch.exchange())))
    return invalid("its waits give up after ", launch.debug_sync_milliseconds(),
                   " milliseconds, but it has no semaphores to wait for");
  switch (launch.grid_kind()) {
  case GridKind::Fixed:
    if (summary.hasTasks)
      return invalid("a launch with a fixed grid has no tasks to pass");
    return validateFixedGrid(launch);
  case GridKind::Persistent:
    return validatePersistentGrid(launch, summary);
  }
  return invalid("unknown grid kind ", int(launch.grid_kind()));
}

/// Checks a CPU launch, which has a body for each entry. Ignores the grid of a
/// GPU.
static Status validateCpuLaunch(const Launch &launch) {
  if (launch.entries()->size() == 0)
    return invalid("it has no entries");
  if (launch.debug_sync_milliseconds())
    return invalid("its waits give up after ", launch.debug_sync_milliseconds(),
                   " milliseconds, which only those on a GPU do");
  GROUT_RETURN_IF_ERROR(TaskList::validate(launch));
  uint32_t entries = launch.entries()->size();
  if (launch.task_loops())
    for (const TaskLoops *loops : *launch.task_loops())
      if (loops->body() >= entries)
        return invalid("task loops have body ", loops->body(), " of ", entries);
  if (launch.tasks())
    for (flatbuffers::uoffset_t i = 0; i != launch.tasks()->size(); ++i)
      if (launch.tasks()->Get(i)->body() >= entries)
        return invalid("task ", i, " has body ", launch.tasks()->Get(i)->body(),
                       " of ", entries);
  return Status::ok();
}

/// Checks where `launch` exchanges data with other ranks.
static Status validateExchange(const Plan &plan, const Launch &launch,
                               const ArgumentSummary &summary) {
  const Exchange *exchange = launch.exchange();
  if (!exchange)
    return summary.hasPeers
               ? invalid("it has arguments for other ranks, but no exchange")
               : Status::ok();
  if (exchange->offset() % GROUT_BUFFER_ALIGNMENT != 0)
    return invalid("its exchange is at byte ", exchange->offset(),
                   ", which is not a multiple of ", GROUT_BUFFER_ALIGNMENT);
  if (exchange->bytes() == 0 ||
      !fits(exchange->offset(), exchange->bytes(), plan.symmetric()))
    return invalid("its exchange has ", exchange->bytes(), " bytes at ",
                   exchange->offset(), ", outside of the symmetric memory of ",
                   plan.symmetric());
  return Status::ok();
}

static Status validateEdges(const Launch &launch, uint32_t index) {
  if (!launch.after())
    return Status::ok();
  for (const Edge *edge : *launch.after()) {
    if (edge->kind() < EdgeKind::MIN || edge->kind() > EdgeKind::MAX)
      return invalid("unknown edge kind ", int(edge->kind()));
    if (edge->launch() >= index)
      return invalid("it is ordered after launch ", edge->launch(),
                     ", which does not come before it");
  }
  return Status::ok();
}

Status runtime::validateLaunch(const Artifact &artifact, const Plan &plan,
                               uint32_t index) {
  const Launch &launch = *plan.launches()->Get(index);
  GROUT_RETURN_IF_ERROR(validateText(*launch.name(), "its name"));
  if (launch.module_() >= artifact.modules()->size())
    return invalid("it names module ", launch.module_(), " of ",
                   artifact.modules()->size());
  bool onGpu = isGpuCode(artifact.modules()->Get(launch.module_())->kind());
  // The first launch is validated first, so its module exists.
  if (onGpu != runsOnGpu(artifact, plan))
    return invalid("the plan mixes launches on the CPU and on the GPU");
  for (flatbuffers::uoffset_t i = 0; i != launch.entries()->size(); ++i)
    GROUT_RETURN_IF_ERROR(validateSymbol(*launch.entries()->Get(i),
                                         "entry " + std::to_string(i), onGpu));
  if (launch.semaphores() > kernelabi::kMaxSemaphores)
    return invalid("it has ", launch.semaphores(), " semaphores; the limit is ",
                   kernelabi::kMaxSemaphores);
  if (launch.min_residents() == 0)
    return invalid("it needs 0 resident tiles, not at least 1");
  if (launch.branch() >= kMaxBranches)
    return invalid("it is on branch ", launch.branch(),
                   "; a plan has the branches 0 to ", kMaxBranches - 1);

  ArgumentSummary summary;
  GROUT_RETURN_IF_ERROR(validateArguments(plan, index, onGpu, summary));
  GROUT_RETURN_IF_ERROR(onGpu ? validateGpuLaunch(launch, summary)
                              : validateCpuLaunch(launch));
  GROUT_RETURN_IF_ERROR(validateParts(launch, onGpu));
  GROUT_RETURN_IF_ERROR(validateExchange(plan, launch, summary));
  return validateEdges(launch, index);
}
