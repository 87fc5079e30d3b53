//===- CudaRunner.cpp - Running a plan on a GPU ---------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "CudaRunner.h"
#include "CompareKernel.h"
#include "HangReport.h"
#include "SubmissionWindow.h"

#include <chrono>
#include <thread>

using namespace grout;
using namespace grout::run;
using namespace grout::runtime::cuda;

Status CudaRunner::create(const OwnedModule &module,
                          const grout_session_config &config,
                          const std::vector<HostTensor> &inputs,
                          std::unique_ptr<Runner> &runner) {
  const DriverFunctions *driver = nullptr;
  GROUT_RETURN_IF_ERROR(openDriver(driver));
  std::unique_ptr<CudaRunner> created(new CudaRunner(config, *driver));
  GROUT_RETURN_IF_ERROR(created->prepare(module, inputs));
  runner = std::move(created);
  return Status::ok();
}

CudaRunner::~CudaRunner() {
  if (!context.get())
    return;
  ScopedContext current(driver, context.get());
  // Destroy the session first: this waits for work that uses the buffers.
  session.reset();
  resources.reset();
}

Status CudaRunner::prepare(const OwnedModule &module,
                           const std::vector<HostTensor> &inputs) {
  GROUT_RETURN_IF_ERROR(findDevice(driver, config.cuda_ordinal, device));
  GROUT_RETURN_IF_ERROR(context.retain(driver, device.device));
  ScopedContext current(driver, context.get());
  GROUT_RETURN_IF_ERROR(current.status());
  resources = std::make_unique<Resources>();
  GROUT_RETURN_IF_ERROR(resources->stream.create(driver));
  GROUT_RETURN_IF_ERROR(resources->before.create(driver));
  GROUT_RETURN_IF_ERROR(resources->after.create(driver));
  GROUT_RETURN_IF_ERROR(
      resources->compareModule.loadPtx(driver, kCompareKernelPtx));
  GROUT_RETURN_IF_ERROR(resources->compareModule.lookUp(
      kCompareKernelName, resources->compareKernel));
  GROUT_RETURN_IF_ERROR(createBuffers(module, inputs));
  return session.create(module, config);
}

Status CudaRunner::createBuffers(const OwnedModule &module,
                                 const std::vector<HostTensor> &inputs) {
  std::vector<TensorSpec> specs;
  GROUT_RETURN_IF_ERROR(module.describeOutputs(config.plan, specs));
  DeviceArena &arena = resources->arena;
  std::vector<uint64_t> inputOffsets, currentOffsets, firstOffsets;
  for (const HostTensor &input : inputs)
    inputOffsets.push_back(
        arena.reserveCopy(input.data.data(), input.data.size()));
  for (TensorSpec &spec : specs) {
    uint64_t bytes = guardedBytes(spec.bytes);
    currentOffsets.push_back(arena.reserveFilled(bytes, runtime::kPoisonByte));
    firstOffsets.push_back(arena.reserveFilled(bytes, 0));
    outputs.emplace_back();
    outputs.back().spec = std::move(spec);
  }
  uint64_t counterOffset = arena.reserveFilled(sizeof(uint64_t), 0);
  GROUT_RETURN_IF_ERROR(arena.allocate(driver));

  for (uint64_t offset : inputOffsets)
    inputPointers.push_back(reinterpret_cast<void *>(arena.address(offset)));
  for (size_t i = 0; i != outputs.size(); ++i) {
    outputs[i].current = arena.address(currentOffsets[i]);
    outputs[i].first = arena.address(firstOffsets[i]);
    outputPointers.push_back(reinterpret_cast<void *>(outputs[i].current));
    int64_t input = outputs[i].spec.inPlaceOf;
    if (input < 0)
      continue;
    outputs[i].start = arena.address(inputOffsets[input]);
    inputPointers[input] = outputPointers.back();
  }
  differenceCounter = arena.address(counterOffset);
  return Status::ok();
}

Status CudaRunner::enqueueReset(bool poison) {
  for (const Output &output : outputs) {
    if (poison)
      GROUT_RETURN_IF_CUDA_ERROR(driver,
                                 memsetD8Async(output.current,
                                               runtime::kPoisonByte,
                                               guardedBytes(output.spec.bytes),
                                               resources->stream.get()),
                                 "poison an output");
    if (output.start)
      GROUT_RETURN_IF_CUDA_ERROR(driver,
                                 memcpyDtoDAsync(output.current, output.start,
                                                 output.spec.bytes,
                                                 resources->stream.get()),
                                 "fill an output that is in place of an input");
  }
  return Status::ok();
}

Status CudaRunner::enqueueRun() {
  return session.run(inputPointers.data(), outputPointers.data(),
                     resources->stream.get());
}

Status CudaRunner::enqueueCompare(const Output &output) {
  uint64_t pieces = guardedBytes(output.spec.bytes) / 16;
  LaunchConfig launch = {};
  // A few blocks on each SM use the full memory rate; the kernel loops.
  launch.gridX = static_cast<unsigned>(
      std::min<uint64_t>((pieces + kCompareBlock - 1) / kCompareBlock,
                         uint64_t(device.processors) * 8));
  launch.gridY = launch.gridZ = 1;
  launch.blockX = kCompareBlock;
  launch.blockY = launch.blockZ = 1;
  launch.stream = resources->stream.get();
  DevicePtr current = output.current, first = output.first;
  DevicePtr counter = differenceCounter;
  void *parameters[] = {&current, &first, &pieces, &counter};
  GROUT_RETURN_IF_CUDA_ERROR(driver,
                             launchKernelEx(&launch, resources->compareKernel,
                                            parameters, /*extra=*/nullptr),
                             "compare an output");
  return Status::ok();
}

Status CudaRunner::enqueueComparedRun(bool poison) {
  GROUT_RETURN_IF_ERROR(enqueueReset(poison));
  GROUT_RETURN_IF_ERROR(enqueueRun());
  for (const Output &output : outputs)
    GROUT_RETURN_IF_ERROR(enqueueCompare(output));
  return Status::ok();
}

Status CudaRunner::keepFirst() {
  for (const Output &output : outputs)
    GROUT_RETURN_IF_CUDA_ERROR(driver,
                               memcpyDtoDAsync(output.first, output.current,
                                               guardedBytes(output.spec.bytes),
                                               resources->stream.get()),
                               "keep the first run's outputs");
  return Status::ok();
}

void CudaRunner::giveUp() const { exitHung(session, config); }

/// Waits until the stream is idle. Ends the process after the timeout. Fails if
/// a wait in a kernel gave up before.
Status CudaRunner::waitForStream(Progress *progress, uint64_t done) {
  auto start = std::chrono::steady_clock::now();
  while (true) {
    Result result = driver.streamQuery(resources->stream.get());
    if (result == kSuccess)
      return session.check();
    if (result != kErrorNotReady)
      return driverError(driver, result, "finish the run");
    std::chrono::duration<double> waited =
        std::chrono::steady_clock::now() - start;
    if (config.timeout_seconds && waited.count() > config.timeout_seconds)
      giveUp();
    if (progress)
      progress->update(done);
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
}

/// Submits `count` compared runs, directly or as replays of a graph. Submits
/// the next run without waiting for the end of the last one.
Status CudaRunner::replay(const RepeatOptions &options, uint64_t count) {
  auto enqueue = [&] { return enqueueComparedRun(options.poison); };
  if (options.graph)
    GROUT_RETURN_IF_ERROR(
        resources->graph.capture(driver, resources->stream.get(), enqueue));
  SubmissionWindow window(driver, resources->stream.get(),
                          config.timeout_seconds);
  GROUT_RETURN_IF_ERROR(window.prepare());
  Progress progress(options.graph ? "replay" : "run", count,
                    options.showProgress);
  for (uint64_t i = 0; i != count; ++i) {
    progress.update(i);
    GROUT_RETURN_IF_ERROR(options.graph
                              ? resources->graph.launch(resources->stream.get())
                              : enqueue());
    bool isStuck = false;
    GROUT_RETURN_IF_ERROR(window.submitted(isStuck));
    if (isStuck)
      giveUp();
  }
  return waitForStream(&progress, count);
}

Status CudaRunner::runRepeatedly(const RepeatOptions &options,
                                 RepeatResult &result) {
  ScopedContext current(driver, context.get());
  GROUT_RETURN_IF_ERROR(current.status());
  GROUT_RETURN_IF_ERROR(enqueueReset(options.poison));
  GROUT_RETURN_IF_ERROR(enqueueRun());
  if (options.skipEpochs) {
    GROUT_RETURN_IF_ERROR(waitForStream());
    GROUT_RETURN_IF_ERROR(session.skipEpochs(options.skipEpochs));
  }
  result.compared = options.graph ? options.repeat : options.repeat - 1;
  if (result.compared == 0)
    return waitForStream();
  GROUT_RETURN_IF_ERROR(keepFirst());
  GROUT_RETURN_IF_ERROR(waitForStream());
  GROUT_RETURN_IF_ERROR(replay(options, result.compared));

  uint64_t differences = 0;
  GROUT_RETURN_IF_CUDA_ERROR(driver,
                             memcpyDtoHAsync(&differences, differenceCounter,
                                             sizeof(differences),
                                             resources->stream.get()),
                             "read the comparison's result");
  GROUT_RETURN_IF_ERROR(waitForStream());
  if (differences)
    result.difference = std::to_string(differences) +
                        " pieces of 16 bytes differ from the first run, over "
                        "all outputs and runs";
  return Status::ok();
}

Status CudaRunner::fetchOutputs(std::vector<HostTensor> &fetched) {
  ScopedContext current(driver, context.get());
  GROUT_RETURN_IF_ERROR(current.status());
  for (const Output &output : outputs) {
    HostTensor tensor;
    GROUT_RETURN_IF_ERROR(tensor.allocate(output.spec.name, output.spec.type));
    runtime::AlignedBytes bytes;
    GROUT_RETURN_IF_ERROR(bytes.allocate(guardedBytes(tensor.data.size()),
                                         "output '" + tensor.name + "'"));
    GROUT_RETURN_IF_CUDA_ERROR(driver,
                               memcpyDtoHAsync(bytes.data(), output.current,
                                               bytes.size(),
                                               resources->stream.get()),
                               "fetch an output");
    GROUT_RETURN_IF_ERROR(waitForStream());
    GROUT_RETURN_IF_ERROR(
        checkGuard(tensor.name, bytes.data(), tensor.data.size()));
    std::copy_n(bytes.data(), tensor.data.size(), tensor.data.data());
    fetched.push_back(std::move(tensor));
  }
  return Status::ok();
}

Status CudaRunner::chooseMeasuredRuns(uint64_t &runs) {
  runs = 15;
  return Status::ok();
}

Status CudaRunner::measure(uint64_t runs, Timing &timing) {
  constexpr int kRunsInGraph = 20, kWarmUps = 3;
  constexpr std::chrono::milliseconds kIdle{20};
  ScopedContext current(driver, context.get());
  GROUT_RETURN_IF_ERROR(current.status());
  Stream stream = resources->stream.get();
  CapturedGraph graph;
  GROUT_RETURN_IF_ERROR(graph.capture(driver, stream, [&] {
    for (int i = 0; i != kRunsInGraph; ++i)
      GROUT_RETURN_IF_ERROR(enqueueRun());
    return Status::ok();
  }));
  for (int i = 0; i != kWarmUps; ++i)
    GROUT_RETURN_IF_ERROR(graph.launch(stream));
  GROUT_RETURN_IF_ERROR(waitForStream());

  std::vector<double> times;
  for (uint64_t burst = 0; burst != runs; ++burst) {
    // The idle time lets the chip's power recover, so that all bursts are
    // alike.
    std::this_thread::sleep_for(kIdle);
    GROUT_RETURN_IF_CUDA_ERROR(driver,
                               eventRecord(resources->before.get(), stream),
                               "record an event");
    GROUT_RETURN_IF_ERROR(graph.launch(stream));
    GROUT_RETURN_IF_CUDA_ERROR(
        driver, eventRecord(resources->after.get(), stream), "record an event");
    GROUT_RETURN_IF_ERROR(waitForStream());
    float milliseconds = 0;
    GROUT_RETURN_IF_CUDA_ERROR(driver,
                               eventElapsedTime(&milliseconds,
                                                resources->before.get(),
                                                resources->after.get()),
                               "measure time");
    times.push_back(1000.0 * static_cast<double>(milliseconds) / kRunsInGraph);
  }
  timing = summariseTimes(std::move(times),
                          std::to_string(runs) + " graphs of " +
                              std::to_string(kRunsInGraph) + " runs");
  return Status::ok();
}

Status CudaRunner::runTraced(SessionTrace &trace) {
  constexpr int kWarmUps = 3;
  ScopedContext current(driver, context.get());
  GROUT_RETURN_IF_ERROR(current.status());
  Stream stream = resources->stream.get();
  // In a graph, launches do not wait for the host.
  CapturedGraph graph;
  GROUT_RETURN_IF_ERROR(
      graph.capture(driver, stream, [&] { return enqueueRun(); }));
  for (int i = 0; i != kWarmUps; ++i)
    GROUT_RETURN_IF_ERROR(graph.launch(stream));
  GROUT_RETURN_IF_ERROR(waitForStream());
  GROUT_RETURN_IF_ERROR(session.readTrace(trace));
  GROUT_RETURN_IF_ERROR(graph.launch(stream));
  GROUT_RETURN_IF_ERROR(waitForStream());
  return session.readTrace(trace);
}
