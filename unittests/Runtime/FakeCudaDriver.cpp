//===- FakeCudaDriver.cpp - A CUDA driver without a GPU -------------------===//
//
// Part of Grout. A libcuda.so.1 for GPUs whose memory is the host's and whose
// kernels do nothing, so that the host's side of running a plan is tested
// anywhere. It ends the process, with a message, when it is misused: when no
// context is current, what was released is used, a stream waits for an event
// that nothing before has recorded, memory is freed before work that may use it
// has ended, or something is left at the process's end.
//
// With GROUT_FAKE_CUDA_HANGS in the environment, kernels never end; with
// GROUT_FAKE_CUDA_LAUNCHES=N, launches after the first N fail. There is one
// GPU, or GROUT_FAKE_CUDA_GPUS=N of them; with GROUT_FAKE_CUDA_APART, none can
// access the memory of another one. With GROUT_FAKE_CUDA_TRACES, modules have
// the variables of traced kernels, and each launch takes one place more than
// there is, and writes a record to the first places.
//
//===----------------------------------------------------------------------===//

#include "grout/Runtime/DeviceABI.h"
#include "grout/RuntimeSupport/Cuda/CudaDriver.h"

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

using namespace grout::runtime::cuda;

namespace {

[[noreturn]] void fail(const char *what, const char *why = "") {
  std::fprintf(stderr, "fake CUDA driver: %s%s\n", what, why);
  std::_Exit(70);
}

/// What there is, by address.
class Objects {
public:
  explicit Objects(const char *what) : what(what) {}
  ~Objects() {
    if (!alive.empty())
      fail(what, " is left");
  }
  void *create(size_t bytes = 1) {
    constexpr size_t kAlignment = 256;
    size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    std::lock_guard<std::mutex> lock(mutex);
    return *alive.insert(std::aligned_alloc(kAlignment, rounded)).first;
  }
  void check(const void *object) const {
    std::lock_guard<std::mutex> lock(mutex);
    if (!alive.count(const_cast<void *>(object)))
      fail(what, " does not exist");
  }
  void destroy(void *object) {
    check(object);
    std::lock_guard<std::mutex> lock(mutex);
    alive.erase(object);
    std::free(object);
  }

private:
  const char *what;
  mutable std::mutex mutex;
  std::set<void *> alive;
};

Objects allocations("an allocation"), streams("a stream"), events("an event"),
    modules("a module"), graphs("a graph"), executables("an executable graph");

/// Events that something that was enqueued records.
class RecordedEvents {
public:
  void insert(Event event) {
    std::lock_guard<std::mutex> lock(mutex);
    events.insert(event);
  }
  void erase(Event event) {
    std::lock_guard<std::mutex> lock(mutex);
    events.erase(event);
  }
  bool contains(Event event) {
    std::lock_guard<std::mutex> lock(mutex);
    return events.count(event) != 0;
  }

private:
  std::mutex mutex;
  std::set<Event> events;
} recorded;

/// A GPU, whose address is that of its primary context.
struct Gpu {
  ~Gpu() {
    if (retained)
      fail("the context is left");
  }
  std::atomic<int> retained{0};
  /// Whether work was enqueued since it was last known to have ended.
  std::atomic<bool> isBusy{false};
};

constexpr int kMostGpus = 8;
std::array<Gpu, kMostGpus> gpus;
thread_local std::vector<Gpu *> current;

int countGpus() {
  const char *count = std::getenv("GROUT_FAKE_CUDA_GPUS");
  return count ? std::atoi(count) : 1;
}

Gpu *checkContext(Context context) {
  for (Gpu &gpu : gpus)
    if (reinterpret_cast<Context>(&gpu) == context && gpu.retained)
      return &gpu;
  fail("the context does not exist");
}

/// The variables of traced kernels.
class TraceVariables {
public:
  DevicePtr find(Module module, const char *name) {
    std::lock_guard<std::mutex> lock(mutex);
    return reinterpret_cast<DevicePtr>(&variables[{module, name}]);
  }
  void erase(Module module) {
    std::lock_guard<std::mutex> lock(mutex);
    for (auto it = variables.begin(); it != variables.end();)
      it = it->first.first == module ? variables.erase(it) : std::next(it);
  }
  /// Has all kernels run once.
  void record() {
    using namespace grout::kernelabi;
    std::lock_guard<std::mutex> lock(mutex);
    for (auto &[name, variable] : variables) {
      auto *records = reinterpret_cast<TraceRecord *>(variable.records);
      for (uint32_t i = 0; i != variable.capacity; ++i) {
        records[i] = {};
        records[i].start = 5000 + 1000 * i;
        records[i].end = 7500 + 1000 * i;
        records[i].role = i % 2 ? TraceRole::Load : TraceRole::Compute;
        records[i].processor = 3;
        records[i].x = i;
      }
      variable.taken += variable.capacity + 1;
    }
  }

private:
  std::mutex mutex;
  std::map<std::pair<Module, std::string>, grout::kernelabi::TraceVariable>
      variables;
} traces;

bool hangs() { return std::getenv("GROUT_FAKE_CUDA_HANGS") != nullptr; }

/// Whether another kernel can be launched.
bool mayLaunch() {
  static std::atomic<int> launches{0};
  const char *limit = std::getenv("GROUT_FAKE_CUDA_LAUNCHES");
  return !limit || launches++ < std::atoi(limit);
}

/// Returns the GPU whose context is current.
Gpu &needContext() {
  if (current.empty() || !current.back()->retained)
    fail("no context is current");
  return *current.back();
}

template <typename Handle> Result create(Objects &objects, Handle *handle) {
  needContext();
  *handle = static_cast<Handle>(objects.create());
  return kSuccess;
}

template <typename Handle> Result destroy(Objects &objects, Handle handle) {
  needContext();
  objects.destroy(handle);
  return kSuccess;
}

Result enqueue(Stream stream) {
  Gpu &gpu = needContext();
  streams.check(stream);
  gpu.isBusy = true;
  return kSuccess;
}

Result finish() {
  needContext().isBusy = false;
  return kSuccess;
}

Result query() {
  needContext();
  return hangs() ? kErrorNotReady : finish();
}

/// Copies at once: nothing that was enqueued before writes anything.
Result copy(void *to, const void *from, size_t bytes, Stream stream) {
  std::memcpy(to, from, bytes);
  return enqueue(stream);
}

void *pointer(DevicePtr address) { return reinterpret_cast<void *>(address); }

} // namespace

extern "C" {

Result cuInit(unsigned) { return kSuccess; }

Result cuDriverGetVersion(int *version) {
  *version = kOldestDriver;
  return kSuccess;
}

Result cuGetErrorName(Result, const char **name) {
  *name = "CUDA_ERROR_FAKE";
  return kSuccess;
}

Result cuGetErrorString(Result, const char **text) {
  *text = "an error of the fake driver";
  return kSuccess;
}

Result cuDeviceGetCount(int *count) {
  *count = countGpus();
  return kSuccess;
}

Result cuDeviceGet(Device *device, int ordinal) {
  *device = ordinal;
  return kSuccess;
}

Result cuDeviceGetName(char *name, int size, Device) {
  std::snprintf(name, static_cast<size_t>(size), "Fake GPU");
  return kSuccess;
}

Result cuDeviceGetAttribute(int *value, DeviceAttribute attribute, Device) {
  switch (attribute) {
  case kDeviceMultiprocessorCount:
    *value = 132;
    break;
  case kDeviceComputeCapabilityMajor:
    *value = 9;
    break;
  case kDeviceComputeCapabilityMinor:
    *value = 0;
    break;
  case kDeviceMaxSharedMemoryPerBlockOptin:
    *value = 227 * 1024;
    break;
  }
  return kSuccess;
}

Result cuDeviceCanAccessPeer(int *canAccess, Device, Device) {
  *canAccess = !std::getenv("GROUT_FAKE_CUDA_APART");
  return kSuccess;
}

Result cuDevicePrimaryCtxRetain(Context *retainedContext, Device device) {
  ++gpus[device].retained;
  *retainedContext = reinterpret_cast<Context>(&gpus[device]);
  return kSuccess;
}

Result cuDevicePrimaryCtxRelease_v2(Device device) {
  if (gpus[device].retained-- == 0)
    fail("the context is released too often");
  return kSuccess;
}

Result cuCtxEnablePeerAccess(Context peer, unsigned) {
  if (checkContext(peer) == &needContext())
    fail("a GPU is its own peer");
  return kSuccess;
}

Result cuCtxPushCurrent_v2(Context pushed) {
  current.push_back(checkContext(pushed));
  return kSuccess;
}

Result cuCtxPopCurrent_v2(Context *popped) {
  *popped = reinterpret_cast<Context>(&needContext());
  current.pop_back();
  return kSuccess;
}

Result cuCtxSynchronize() {
  if (hangs())
    fail("somebody waits for kernels that never end");
  return finish();
}

Result cuModuleLoadDataEx(Module *module, const void *, unsigned, JitOption *,
                          void **) {
  return create(modules, module);
}

Result cuModuleUnload(Module module) {
  traces.erase(module);
  return destroy(modules, module);
}

Result cuModuleGetGlobal_v2(DevicePtr *address, size_t *bytes, Module module,
                            const char *name) {
  needContext();
  modules.check(module);
  if (!std::getenv("GROUT_FAKE_CUDA_TRACES"))
    return kErrorNotFound;
  *address = traces.find(module, name);
  *bytes = sizeof(grout::kernelabi::TraceVariable);
  return kSuccess;
}

Result cuModuleGetFunction(Function *function, Module module, const char *) {
  needContext();
  modules.check(module);
  *function = reinterpret_cast<Function>(module);
  return kSuccess;
}

Result cuFuncGetAttribute(int *value, FunctionAttribute attribute, Function) {
  *value = attribute == kFunctionMaxThreadsPerBlock ? 1024 : 0;
  return kSuccess;
}

Result cuFuncSetAttribute(Function, FunctionAttribute, int) { return kSuccess; }

Result cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Function, int,
                                                   size_t) {
  *blocks = 1;
  return kSuccess;
}

Result cuOccupancyMaxActiveClusters(int *clusters, Function,
                                    const LaunchConfig *) {
  *clusters = 66;
  return kSuccess;
}

Result cuLaunchKernelEx(const LaunchConfig *config, Function kernel, void **,
                        void **) {
  modules.check(kernel);
  for (unsigned i = 0; i != config->attributeCount; ++i)
    if (config->attributes[i].id == kLaunchProgrammaticEvent) {
      Event event = config->attributes[i].value.programmaticEvent.event;
      events.check(event);
      recorded.insert(event);
    }
  constexpr Result kErrorLaunchFailed = 719;
  return mayLaunch() ? enqueue(config->stream) : kErrorLaunchFailed;
}

Result cuTensorMapEncodeTiled(TensorMap *, TensorMapDataType, uint32_t, void *,
                              const uint64_t *, const uint64_t *,
                              const uint32_t *, const uint32_t *, int,
                              TensorMapSwizzle, int, int) {
  return kSuccess;
}

Result cuTensorMapEncodeIm2col(TensorMap *, TensorMapDataType, uint32_t, void *,
                               const uint64_t *, const uint64_t *, const int *,
                               const int *, uint32_t, uint32_t,
                               const uint32_t *, int, TensorMapSwizzle, int,
                               int) {
  return kSuccess;
}

Result cuMemAlloc_v2(DevicePtr *address, size_t bytes) {
  needContext();
  *address = reinterpret_cast<DevicePtr>(allocations.create(bytes));
  return kSuccess;
}

Result cuMemFree_v2(DevicePtr address) {
  if (needContext().isBusy)
    fail("memory is freed before work that may use it has ended");
  return destroy(allocations, pointer(address));
}

Result cuMemcpyHtoDAsync_v2(DevicePtr to, const void *from, size_t bytes,
                            Stream stream) {
  return copy(pointer(to), from, bytes, stream);
}

Result cuMemcpyDtoHAsync_v2(void *to, DevicePtr from, size_t bytes,
                            Stream stream) {
  return copy(to, pointer(from), bytes, stream);
}

Result cuMemcpyDtoDAsync_v2(DevicePtr to, DevicePtr from, size_t bytes,
                            Stream stream) {
  return copy(pointer(to), pointer(from), bytes, stream);
}

Result cuMemsetD8Async(DevicePtr to, unsigned char byte, size_t bytes,
                       Stream stream) {
  std::memset(pointer(to), byte, bytes);
  return enqueue(stream);
}

Result cuStreamCreate(Stream *stream, unsigned) {
  return create(streams, stream);
}

Result cuStreamDestroy_v2(Stream stream) { return destroy(streams, stream); }

Result cuStreamSynchronize(Stream stream) {
  streams.check(stream);
  return finish();
}

Result cuStreamQuery(Stream stream) {
  streams.check(stream);
  return query();
}

Result cuStreamBeginCapture_v2(Stream stream, int) { return enqueue(stream); }

Result cuStreamEndCapture(Stream stream, Graph *graph) {
  streams.check(stream);
  return create(graphs, graph);
}

Result cuGraphInstantiateWithFlags(GraphExec *executable, Graph graph,
                                   unsigned long long) {
  graphs.check(graph);
  return create(executables, executable);
}

Result cuGraphLaunch(GraphExec executable, Stream stream) {
  executables.check(executable);
  traces.record();
  return enqueue(stream);
}

Result cuGraphDestroy(Graph graph) { return destroy(graphs, graph); }

Result cuGraphExecDestroy(GraphExec executable) {
  return destroy(executables, executable);
}

Result cuEventCreate(Event *event, unsigned) { return create(events, event); }

Result cuEventDestroy_v2(Event event) {
  recorded.erase(event);
  return destroy(events, event);
}

Result cuEventRecord(Event event, Stream stream) {
  events.check(event);
  recorded.insert(event);
  return enqueue(stream);
}

Result cuStreamWaitEvent(Stream stream, Event event, unsigned) {
  events.check(event);
  if (!recorded.contains(event))
    fail("a stream waits for an event that nothing has recorded");
  return enqueue(stream);
}

Result cuEventQuery(Event event) {
  events.check(event);
  return query();
}

Result cuEventElapsedTime(float *milliseconds, Event before, Event after) {
  events.check(before);
  events.check(after);
  *milliseconds = 1;
  return kSuccess;
}

} // extern "C"
