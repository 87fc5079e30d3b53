//===- CpuSession.cpp - A plan on worker threads --------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "CpuSession.h"
#include "../ElfImage.h"
#include "HostTarget.h"
#include "grout/Runtime/ArtifactLimits.h"

#include <sched.h>

#include <algorithm>
#include <cstring>

using namespace grout;
using namespace grout::artifact;
using namespace grout::runtime;

/// Returns how many processors this process may use; a container may limit
/// them.
static unsigned usableProcessors() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0)
    return static_cast<unsigned>(std::max(CPU_COUNT(&set), 1));
  return std::max(std::thread::hardware_concurrency(), 1u);
}

Status CpuSession::create(std::shared_ptr<const LoadedModule> module,
                          const Plan &plan, const grout_session_config &config,
                          SymmetricMemory symmetric,
                          std::unique_ptr<Session> &session) {
  std::unique_ptr<CpuSession> created(
      new CpuSession(std::move(module), plan, config, std::move(symmetric)));
  GROUT_RETURN_IF_ERROR(created->prepare(config));
  session = std::move(created);
  return Status::ok();
}

/// Returns the number of processors, or more if launches of `plan` need more
/// workers to be free of deadlock. More workers than processors work, because a
/// worker that waits lets others run.
static unsigned chooseWorkers(const Plan &plan) {
  unsigned workers = usableProcessors();
  for (const Launch *launch : *plan.launches())
    workers = std::max(workers, std::min(launch->min_residents(), kMaxWorkers));
  return workers;
}

Status CpuSession::prepare(const grout_session_config &config) {
  unsigned workers = config.workers ? config.workers : chooseWorkers(plan);
  for (const Launch *launch : *plan.launches())
    if (launch->min_residents() > workers)
      return Status::error(
          GROUT_ERROR_TOO_FEW_RESIDENTS, "launch '", launch->name()->str(),
          "' needs ", launch->min_residents(),
          " resident tiles to be free of deadlock, and there are ", workers,
          " workers; leave their number (--workers of grout-run) to the "
          "runtime, which takes up to ",
          kMaxWorkers);
  poison = config.poison_intermediates != 0;
  if (isTraced)
    log = std::make_unique<TraceLog>(workers);
  GROUT_RETURN_IF_ERROR(allocateBuffers());
  for (const Launch *launch : *plan.launches())
    GROUT_RETURN_IF_ERROR(prepareLaunch(*launch, config));
  return pool.start(workers);
}

Status CpuSession::allocateBuffers() {
  GROUT_RETURN_IF_ERROR(workspace.allocate(getOwnWorkspace(), "the workspace"));
  // Fill the workspace with NaN, so that results look wrong if a kernel reads
  // bytes that no kernel wrote.
  std::memset(workspace.data(), kPoisonByte, workspace.size());
  constants.resize(plan.buffers()->size());
  for (uint32_t i = 0; i != plan.buffers()->size(); ++i) {
    const Buffer &buffer = *plan.buffers()->Get(i);
    if (buffer.kind() != BufferKind::Constant)
      continue;
    GROUT_RETURN_IF_ERROR(
        constants[i].allocate(buffer.data()->size(), "a constant"));
    std::memcpy(constants[i].data(), buffer.data()->data(),
                buffer.data()->size());
  }
  return Status::ok();
}

Status CpuSession::loadObject(uint32_t moduleIndex) {
  if (objects.count(moduleIndex))
    return Status::ok();
  const Module &code = *module->artifact().modules()->Get(moduleIndex);
  ElfImage image;
  GROUT_RETURN_IF_ERROR(
      readElfImage(code.data()->data(), code.data()->size(), image));
  GROUT_RETURN_IF_ERROR(checkHostTarget(code.target()->str(), image.machine));
  return objects[moduleIndex].load(code.data()->data(), code.data()->size());
}

Status CpuSession::prepareLaunch(const Launch &launch,
                                 const grout_session_config &config) {
  GROUT_RETURN_IF_ERROR(loadObject(launch.module_()));
  const SharedObject &object = objects.at(launch.module_());
  std::vector<grout_tile_body> bodies;
  for (const flatbuffers::String *entry : *launch.entries()) {
    void *address = object.lookup(entry->c_str());
    if (!address)
      return Status::error(GROUT_ERROR_LOAD, "launch '", launch.name()->str(),
                           "' names the tile body '", entry->str(),
                           "', which its module does not export");
    bodies.push_back(reinterpret_cast<grout_tile_body>(address));
  }
  TileRunner::Options options;
  options.rank = symmetric.rank;
  options.peers = symmetric.getPeers(launch);
  options.timeoutSeconds = config.timeout_seconds;
  options.trace = log.get();
  // Give each launch of a plan other delays.
  if (config.delay_seed)
    options.delaySeed =
        config.delay_seed + launches.size() * 0x9e3779b97f4a7c15;
  LaunchState state;
  state.runner =
      std::make_unique<TileRunner>(launch, std::move(bodies), options);
  state.arguments.resize(launch.arguments()->size());
  launches.push_back(std::move(state));
  return Status::ok();
}

void CpuSession::resolveArguments(const Launch &launch,
                                  const BoundBuffers &buffers,
                                  uintptr_t intermediates,
                                  std::vector<void *> &arguments) const {
  for (uint32_t i = 0; i != launch.arguments()->size(); ++i) {
    const BufferArg &arg = *launch.arguments()->Get(i)->value_as_BufferArg();
    const Buffer &buffer = *plan.buffers()->Get(arg.buffer());
    uintptr_t base = buffers[arg.buffer()];
    if (buffer.kind() == BufferKind::Intermediate)
      base = intermediates + buffer.offset();
    else if (buffer.kind() == BufferKind::Constant)
      base = reinterpret_cast<uintptr_t>(constants[arg.buffer()].data());
    arguments[i] = reinterpret_cast<void *>(base + arg.offset());
  }
}

Status CpuSession::checkStream(void *stream) const {
  if (stream)
    return Status::error(GROUT_ERROR_INVALID_ARGUMENT,
                         "a CPU session runs on no stream; pass null");
  return Status::ok();
}

Status CpuSession::runPlan(const BoundBuffers &buffers, void *given, void *) {
  GROUT_RETURN_IF_ERROR(pool.startIfForked());
  auto intermediates =
      reinterpret_cast<uintptr_t>(given ? given : workspace.data());
  if (poison)
    GROUT_RETURN_IF_ERROR(fillIntermediates(
        buffers, intermediates, [](uintptr_t address, uint64_t bytes) {
          std::memset(reinterpret_cast<void *>(address), kPoisonByte, bytes);
          return Status::ok();
        }));
  for (uint32_t i = 0; i != launches.size(); ++i) {
    resolveArguments(*plan.launches()->Get(i), buffers, intermediates,
                     launches[i].arguments);
    GROUT_RETURN_IF_ERROR(
        launches[i].runner->run(pool, launches[i].arguments.data()));
  }
  return Status::ok();
}

Status CpuSession::advanceSyncState(uint32_t epochs) {
  for (LaunchState &state : launches)
    state.runner->skipEpochs(epochs);
  return Status::ok();
}

Status CpuSession::takeTrace(Trace &trace) {
  log->take(trace);
  return Status::ok();
}
