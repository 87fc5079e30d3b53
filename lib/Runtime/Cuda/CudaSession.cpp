//===- CudaSession.cpp - A plan on a GPU ----------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "CudaSession.h"
#include "../TaskList.h"
#include "DescribeSyncState.h"
#include "WatchdogRecord.h"
#include "grout/Runtime/DeviceABI.h"
#include "grout/RuntimeSupport/AlignedBytes.h"

using namespace grout;
using namespace grout::artifact;
using namespace grout::runtime;
using namespace grout::runtime::cuda;

Status CudaSession::create(std::shared_ptr<const LoadedModule> module,
                           const Plan &plan, const grout_session_config &config,
                           SymmetricMemory symmetric,
                           std::unique_ptr<Session> &session) {
  const DriverFunctions *driver = nullptr;
  GROUT_RETURN_IF_ERROR(openDriver(driver));
  std::unique_ptr<CudaSession> created(new CudaSession(
      std::move(module), plan, config, std::move(symmetric), *driver));
  GROUT_RETURN_IF_ERROR(created->prepare(config));
  session = std::move(created);
  return Status::ok();
}

CudaSession::~CudaSession() {
  if (!context.get())
    return;
  ScopedContext current(driver, context.get());
  driver.ctxSynchronize();
  launches.clear();
  tracer.reset();
  images.clear();
  events.clear();
  branchStreams.clear();
  arena.reset();
}

Status CudaSession::prepare(const grout_session_config &config) {
  GROUT_RETURN_IF_ERROR(findDevice(driver, config.cuda_ordinal, device));
  GROUT_RETURN_IF_ERROR(context.retain(driver, device.device));
  ScopedContext current(driver, context.get());
  GROUT_RETURN_IF_ERROR(current.status());
  poison = config.poison_intermediates != 0;
  GROUT_RETURN_IF_ERROR(allocateBuffers());
  GROUT_RETURN_IF_ERROR(prepareLaunches());
  return isTraced ? prepareTrace() : Status::ok();
}

Status CudaSession::allocateBuffers() {
  arena = std::make_unique<DeviceArena>();
  // Fill the workspace with NaN, so that results look wrong if a kernel reads
  // bytes that no kernel wrote.
  uint64_t workspaceOffset =
      arena->reserveFilled(getOwnWorkspace(), kPoisonByte);
  std::vector<uint64_t> constantOffsets(plan.buffers()->size());
  for (uint32_t i = 0; i != plan.buffers()->size(); ++i) {
    const Buffer &buffer = *plan.buffers()->Get(i);
    if (buffer.kind() == BufferKind::Constant)
      constantOffsets[i] =
          arena->reserveCopy(buffer.data()->data(), buffer.data()->size());
  }
  struct LaunchOffsets {
    uint64_t syncState, tasks;
  };
  std::vector<LaunchOffsets> launchOffsets;
  // Must live until the arena has copied the lists.
  std::vector<std::vector<Task>> lists;
  for (const Launch *launch : *plan.launches()) {
    LaunchOffsets offsets;
    offsets.syncState = arena->reserveFilled(
        kernelabi::getSyncStateBytes(launch->semaphores()), 0);
    lists.push_back(TaskList(*launch).toVector());
    offsets.tasks = arena->reserveCopy(lists.back().data(),
                                       lists.back().size() * sizeof(Task));
    launchOffsets.push_back(offsets);
  }
  GROUT_RETURN_IF_ERROR(arena->allocate(driver));

  workspace = arena->address(workspaceOffset);
  buffers.resize(plan.buffers()->size());
  for (uint32_t i = 0; i != plan.buffers()->size(); ++i) {
    const Buffer &buffer = *plan.buffers()->Get(i);
    if (buffer.kind() == BufferKind::Constant)
      buffers[i] = arena->address(constantOffsets[i]);
  }
  placeIntermediates(workspace);
  std::vector<DevicePtr> states;
  for (const LaunchOffsets &offsets : launchOffsets) {
    const Launch &launch =
        *plan.launches()->Get(static_cast<uint32_t>(launchAddresses.size()));
    launchAddresses.push_back({arena->address(offsets.syncState),
                               arena->address(offsets.tasks), states,
                               symmetric.rank, symmetric.getPeers(launch)});
    states.push_back(launchAddresses.back().syncState);
  }
  return Status::ok();
}

void CudaSession::placeIntermediates(DevicePtr at) {
  for (uint32_t i = 0; i != plan.buffers()->size(); ++i) {
    const Buffer &buffer = *plan.buffers()->Get(i);
    if (buffer.kind() == BufferKind::Intermediate)
      buffers[i] = at + buffer.offset();
  }
}

Status CudaSession::loadImage(uint32_t moduleIndex) {
  if (images.count(moduleIndex))
    return Status::ok();
  return images[moduleIndex]
      .load(driver, device, *module->artifact().modules()->Get(moduleIndex))
      .in("module " + std::to_string(moduleIndex));
}

/// Makes the streams of the branches, and the events.
Status CudaSession::prepareStreams() {
  streamPlan = planStreams(plan);
  for (uint32_t branch = 1; branch != streamPlan.branches; ++branch) {
    branchStreams.push_back(std::make_unique<OwnedStream>());
    GROUT_RETURN_IF_ERROR(branchStreams.back()->create(driver));
  }
  if (streamPlan.branches != 1)
    GROUT_RETURN_IF_ERROR(start.create(driver, kEventDisableTiming));
  events.resize(streamPlan.steps.size());
  for (size_t i = 0; i != events.size(); ++i) {
    if (streamPlan.steps[i].isEndAwaited)
      GROUT_RETURN_IF_ERROR(events[i].end.create(driver, kEventDisableTiming));
    if (streamPlan.steps[i].isTriggerAwaited)
      GROUT_RETURN_IF_ERROR(
          events[i].trigger.create(driver, kEventDisableTiming));
  }
  return Status::ok();
}

Status CudaSession::prepareLaunches() {
  GROUT_RETURN_IF_ERROR(prepareStreams());
  for (uint32_t i = 0; i != plan.launches()->size(); ++i) {
    const Launch &launch = *plan.launches()->Get(i);
    GROUT_RETURN_IF_ERROR(loadImage(launch.module_()));
    const CodeImage &image = images.at(launch.module_());
    std::string entry = launch.entries()->Get(0)->str();
    Function kernel = nullptr;
    GROUT_RETURN_IF_ERROR(image.lookUp(entry.c_str(), kernel)
                              .in("launch '" + launch.name()->str() + "'"));
    launches.push_back(
        std::make_unique<CudaLaunch>(driver, launch, launchAddresses[i]));
    GROUT_RETURN_IF_ERROR(launches.back()->prepare(
        device, kernel, image.countParameters(entry),
        streamPlan.steps[i].programmatic, events[i].trigger.get()));
  }
  return Status::ok();
}

Status CudaSession::prepareTrace() {
  tracer = std::make_unique<CudaTrace>(driver);
  for (const Launch *launch : *plan.launches())
    GROUT_RETURN_IF_ERROR(tracer->add(images.at(launch->module_()), *launch));
  return tracer->allocate();
}

Status CudaSession::takeTrace(Trace &trace) {
  ScopedContext current(driver, context.get());
  GROUT_RETURN_IF_ERROR(current.status());
  return tracer->take(trace);
}

Status CudaSession::checkStream(void *) const {
  // Null is CUDA's default stream. Only CUDA can check another address.
  return Status::ok();
}

Status CudaSession::runPlan(const BoundBuffers &bound, void *given,
                            void *stream) {
  ScopedContext current(driver, context.get());
  GROUT_RETURN_IF_ERROR(current.status());
  Stream cudaStream = static_cast<Stream>(stream);
  for (size_t i = 0; i != bound.size(); ++i)
    if (bound[i])
      buffers[i] = bound[i];
  auto intermediates = given ? reinterpret_cast<DevicePtr>(given) : workspace;
  if (given)
    placeIntermediates(intermediates);
  if (poison)
    GROUT_RETURN_IF_ERROR(fillIntermediates(
        bound, intermediates, [&](uintptr_t address, uint64_t bytes) {
          GROUT_RETURN_IF_CUDA_ERROR(
              driver, memsetD8Async(address, kPoisonByte, bytes, cudaStream),
              "poison the intermediates");
          return Status::ok();
        }));
  return enqueueLaunches(cudaStream);
}

Status CudaSession::enqueueLaunches(Stream caller) {
  auto wait = [&](Stream stream, const OwnedEvent &event) {
    GROUT_RETURN_IF_CUDA_ERROR(driver, streamWaitEvent(stream, event.get(), 0),
                               "let a stream wait for a launch");
    return Status::ok();
  };
  auto record = [&](const OwnedEvent &event, Stream stream) {
    GROUT_RETURN_IF_CUDA_ERROR(driver, eventRecord(event.get(), stream),
                               "record the end of a launch");
    return Status::ok();
  };
  if (start.get())
    GROUT_RETURN_IF_ERROR(record(start, caller));
  for (size_t i = 0; i != launches.size(); ++i) {
    const StreamStep &step = streamPlan.steps[i];
    Stream stream =
        step.branch == 0 ? caller : branchStreams[step.branch - 1]->get();
    if (step.afterStart)
      GROUT_RETURN_IF_ERROR(wait(stream, start));
    for (uint32_t other : step.ends)
      GROUT_RETURN_IF_ERROR(wait(stream, events[other].end));
    for (uint32_t other : step.triggers)
      GROUT_RETURN_IF_ERROR(wait(stream, events[other].trigger));
    GROUT_RETURN_IF_ERROR(launches[i]->enqueue(buffers, stream));
    if (step.isEndAwaited)
      GROUT_RETURN_IF_ERROR(record(events[i].end, stream));
  }
  for (uint32_t last : streamPlan.joins)
    GROUT_RETURN_IF_ERROR(wait(caller, events[last].end));
  return Status::ok();
}

void CudaSession::describeState(
    const std::function<void(const std::string &)> &writeLine) const {
  for (uint32_t i = 0; i != plan.launches()->size(); ++i) {
    std::vector<uint32_t> words;
    Status read = readSyncState(i, words);
    writeLine("  " + (read.isError() ? read.message()
                                     : describeSyncState(
                                           *plan.launches()->Get(i), words)));
  }
}

Status CudaSession::readSyncState(uint32_t launch,
                                  std::vector<uint32_t> &words) const {
  words.resize(
      kernelabi::getSyncStateBytes(plan.launches()->Get(launch)->semaphores()) /
      kernelabi::kWordBytes);
  return readWords(launch, words);
}

Status CudaSession::readWords(uint32_t launch,
                              std::vector<uint32_t> &words) const {
  ScopedContext current(driver, context.get());
  GROUT_RETURN_IF_ERROR(current.status());
  OwnedStream stream;
  GROUT_RETURN_IF_ERROR(stream.create(driver));
  GROUT_RETURN_IF_CUDA_ERROR(
      driver,
      memcpyDtoHAsync(words.data(), launchAddresses[launch].syncState,
                      words.size() * kernelabi::kWordBytes, stream.get()),
      "read the synchronisation state");
  GROUT_RETURN_IF_CUDA_ERROR(driver, streamSynchronize(stream.get()),
                             "read the synchronisation state");
  return Status::ok();
}

Status CudaSession::advanceSyncState(uint32_t epochs) {
  ScopedContext current(driver, context.get());
  GROUT_RETURN_IF_ERROR(current.status());
  GROUT_RETURN_IF_CUDA_ERROR(driver, ctxSynchronize(), "finish the first run");
  OwnedStream stream;
  GROUT_RETURN_IF_ERROR(stream.create(driver));
  for (uint32_t i = 0; i != launches.size(); ++i) {
    std::vector<uint32_t> words;
    GROUT_RETURN_IF_ERROR(readSyncState(i, words));
    // After one run, a counter is the number of posts of one run.
    words[kernelabi::kEpochWord] += epochs;
    for (size_t at = kernelabi::kFirstSemaphoreWord; at < words.size();
         at += kernelabi::kWordsPerSemaphore)
      words[at] += epochs * words[at];
    GROUT_RETURN_IF_CUDA_ERROR(
        driver,
        memcpyHtoDAsync(launchAddresses[i].syncState, words.data(),
                        words.size() * kernelabi::kWordBytes, stream.get()),
        "write the synchronisation state");
    GROUT_RETURN_IF_CUDA_ERROR(driver, streamSynchronize(stream.get()),
                               "write the synchronisation state");
  }
  return Status::ok();
}

Status CudaSession::checkWaits() const {
  bool hasEnded = false;
  for (uint32_t i = 0; i != plan.launches()->size(); ++i) {
    const Launch &launch = *plan.launches()->Get(i);
    if (!launch.debug_sync_milliseconds())
      continue;
    if (!hasEnded) {
      ScopedContext current(driver, context.get());
      GROUT_RETURN_IF_ERROR(current.status());
      GROUT_RETURN_IF_CUDA_ERROR(driver, ctxSynchronize(), "finish the runs");
      hasEnded = true;
    }
    std::vector<uint32_t> words(kWatchdogWords);
    GROUT_RETURN_IF_ERROR(readWords(i, words));
    GROUT_RETURN_IF_ERROR(checkWatchdogRecord(launch, words));
  }
  return Status::ok();
}
