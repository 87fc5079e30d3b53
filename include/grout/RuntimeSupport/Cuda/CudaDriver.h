//===- CudaDriver.h - The part of the CUDA driver API in use ----*- C++ -*-===//
//
// Part of Grout. Declarations of the driver's binary interface, so that you can
// build and start Grout without CUDA. The names are ours. The values and
// layouts are those of the CUDA driver API reference; unittests/Runtime checks
// them against cuda.h if there is one.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_RUNTIMESUPPORT_CUDA_CUDADRIVER_H
#define GROUT_RUNTIMESUPPORT_CUDA_CUDADRIVER_H

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace grout {
namespace runtime {
namespace cuda {

using Result = int;
using Device = int;
using DevicePtr = unsigned long long;
using Context = struct CUctx_st *;
using Module = struct CUmod_st *;
using Function = struct CUfunc_st *;
using Stream = struct CUstream_st *;
using Event = struct CUevent_st *;
using Graph = struct CUgraph_st *;
using GraphExec = struct CUgraphExec_st *;

constexpr Result kSuccess = 0;
constexpr Result kErrorOutOfMemory = 2;
constexpr Result kErrorNoDevice = 100;
constexpr Result kErrorNotFound = 500;
constexpr Result kErrorNotReady = 600;
constexpr Result kErrorPeerAccessAlreadyEnabled = 704;

/// CUDA 12.0 has tensor maps, cuLaunchKernelEx and clusters.
constexpr int kOldestDriver = 12000;

enum DeviceAttribute : int {
  kDeviceMultiprocessorCount = 16,
  kDeviceComputeCapabilityMajor = 75,
  kDeviceComputeCapabilityMinor = 76,
  kDeviceMaxSharedMemoryPerBlockOptin = 97,
};

enum FunctionAttribute : int {
  kFunctionMaxThreadsPerBlock = 0,
  kFunctionSharedSizeBytes = 1,
  kFunctionMaxDynamicSharedSizeBytes = 8,
};

enum JitOption : int {
  kJitErrorLogBuffer = 5,
  kJitErrorLogBufferSizeBytes = 6,
};

enum LaunchAttributeId : int {
  kLaunchIgnore = 0,
  kLaunchClusterDimension = 4,
  kLaunchProgrammaticStreamSerialization = 6,
  kLaunchProgrammaticEvent = 7,
};

union LaunchAttributeValue {
  char pad[64];
  struct {
    unsigned x, y, z;
  } clusterDim;
  int programmaticStreamSerializationAllowed;
  struct {
    Event event;
    int flags;
    int triggerAtBlockStart;
  } programmaticEvent;
};

struct LaunchAttribute {
  LaunchAttributeId id;
  char pad[8 - sizeof(LaunchAttributeId)];
  LaunchAttributeValue value;
};

struct LaunchConfig {
  unsigned gridX, gridY, gridZ;
  unsigned blockX, blockY, blockZ;
  unsigned sharedMemoryBytes;
  Stream stream;
  LaunchAttribute *attributes;
  unsigned attributeCount;
};

struct alignas(128) TensorMap {
  uint64_t opaque[16];
};

/// The numbers are in Runtime/ElementTypes.def.
enum TensorMapDataType : int {};

enum TensorMapSwizzle : int {
  kTensorMapSwizzleNone = 0,
  kTensorMapSwizzle32B = 1,
  kTensorMapSwizzle64B = 2,
  kTensorMapSwizzle128B = 3,
};

constexpr int kTensorMapInterleaveNone = 0;
constexpr int kTensorMapL2Promotion128B = 2;
constexpr int kTensorMapOobFillNone = 0;

constexpr unsigned kStreamNonBlocking = 1;
constexpr unsigned kEventDefault = 0;
constexpr unsigned kEventDisableTiming = 2;
constexpr int kCaptureThreadLocal = 1;

/// All functions that Grout needs: X(name here, symbol of libcuda,
/// (parameters)). In cuda.h, the names without version suffix are macros for
/// the symbols with one.
#define GROUT_CUDA_FUNCTIONS(X)                                                \
  X(init, "cuInit", (unsigned))                                                \
  X(driverGetVersion, "cuDriverGetVersion", (int *))                           \
  X(getErrorName, "cuGetErrorName", (Result, const char **))                   \
  X(getErrorString, "cuGetErrorString", (Result, const char **))               \
  X(deviceGetCount, "cuDeviceGetCount", (int *))                               \
  X(deviceGet, "cuDeviceGet", (Device *, int))                                 \
  X(deviceGetName, "cuDeviceGetName", (char *, int, Device))                   \
  X(deviceGetAttribute, "cuDeviceGetAttribute",                                \
    (int *, DeviceAttribute, Device))                                          \
  X(deviceCanAccessPeer, "cuDeviceCanAccessPeer", (int *, Device, Device))     \
  X(devicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", (Context *, Device))   \
  X(devicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", (Device))         \
  X(ctxPushCurrent, "cuCtxPushCurrent_v2", (Context))                          \
  X(ctxPopCurrent, "cuCtxPopCurrent_v2", (Context *))                          \
  X(ctxSynchronize, "cuCtxSynchronize", ())                                    \
  X(ctxEnablePeerAccess, "cuCtxEnablePeerAccess", (Context, unsigned))         \
  X(moduleLoadDataEx, "cuModuleLoadDataEx",                                    \
    (Module *, const void *, unsigned, JitOption *, void **))                  \
  X(moduleUnload, "cuModuleUnload", (Module))                                  \
  X(moduleGetFunction, "cuModuleGetFunction",                                  \
    (Function *, Module, const char *))                                        \
  X(moduleGetGlobal, "cuModuleGetGlobal_v2",                                   \
    (DevicePtr *, size_t *, Module, const char *))                             \
  X(funcGetAttribute, "cuFuncGetAttribute",                                    \
    (int *, FunctionAttribute, Function))                                      \
  X(funcSetAttribute, "cuFuncSetAttribute",                                    \
    (Function, FunctionAttribute, int))                                        \
  X(occupancyMaxActiveBlocksPerMultiprocessor,                                 \
    "cuOccupancyMaxActiveBlocksPerMultiprocessor",                             \
    (int *, Function, int, size_t))                                            \
  X(occupancyMaxActiveClusters, "cuOccupancyMaxActiveClusters",                \
    (int *, Function, const LaunchConfig *))                                   \
  X(launchKernelEx, "cuLaunchKernelEx",                                        \
    (const LaunchConfig *, Function, void **, void **))                        \
  X(tensorMapEncodeTiled, "cuTensorMapEncodeTiled",                            \
    (TensorMap *, TensorMapDataType, uint32_t, void *, const uint64_t *,       \
     const uint64_t *, const uint32_t *, const uint32_t *, int,                \
     TensorMapSwizzle, int, int))                                              \
  X(tensorMapEncodeIm2col, "cuTensorMapEncodeIm2col",                          \
    (TensorMap *, TensorMapDataType, uint32_t, void *, const uint64_t *,       \
     const uint64_t *, const int *, const int *, uint32_t, uint32_t,           \
     const uint32_t *, int, TensorMapSwizzle, int, int))                       \
  X(memAlloc, "cuMemAlloc_v2", (DevicePtr *, size_t))                          \
  X(memFree, "cuMemFree_v2", (DevicePtr))                                      \
  X(memcpyHtoDAsync, "cuMemcpyHtoDAsync_v2",                                   \
    (DevicePtr, const void *, size_t, Stream))                                 \
  X(memcpyDtoHAsync, "cuMemcpyDtoHAsync_v2",                                   \
    (void *, DevicePtr, size_t, Stream))                                       \
  X(memcpyDtoDAsync, "cuMemcpyDtoDAsync_v2",                                   \
    (DevicePtr, DevicePtr, size_t, Stream))                                    \
  X(memsetD8Async, "cuMemsetD8Async",                                          \
    (DevicePtr, unsigned char, size_t, Stream))                                \
  X(streamCreate, "cuStreamCreate", (Stream *, unsigned))                      \
  X(streamDestroy, "cuStreamDestroy_v2", (Stream))                             \
  X(streamSynchronize, "cuStreamSynchronize", (Stream))                        \
  X(streamQuery, "cuStreamQuery", (Stream))                                    \
  X(streamBeginCapture, "cuStreamBeginCapture_v2", (Stream, int))              \
  X(streamEndCapture, "cuStreamEndCapture", (Stream, Graph *))                 \
  X(graphInstantiate, "cuGraphInstantiateWithFlags",                           \
    (GraphExec *, Graph, unsigned long long))                                  \
  X(graphLaunch, "cuGraphLaunch", (GraphExec, Stream))                         \
  X(graphDestroy, "cuGraphDestroy", (Graph))                                   \
  X(graphExecDestroy, "cuGraphExecDestroy", (GraphExec))                       \
  X(eventCreate, "cuEventCreate", (Event *, unsigned))                         \
  X(eventDestroy, "cuEventDestroy_v2", (Event))                                \
  X(eventRecord, "cuEventRecord", (Event, Stream))                             \
  X(streamWaitEvent, "cuStreamWaitEvent", (Stream, Event, unsigned))           \
  X(eventQuery, "cuEventQuery", (Event))                                       \
  X(eventElapsedTime, "cuEventElapsedTime", (float *, Event, Event))

/// Functions that only newer drivers have. Their pointers may be null. CUDA
/// 12.4 has funcGetParamInfo.
#define GROUT_CUDA_OPTIONAL_FUNCTIONS(X)                                       \
  X(funcGetParamInfo, "cuFuncGetParamInfo",                                    \
    (Function, size_t, size_t *, size_t *))

/// The driver's functions, as libcuda.so.1 exports them.
struct DriverFunctions {
#define GROUT_CUDA_FIELD(name, symbol, parameters)                             \
  std::add_pointer_t<Result parameters> name = nullptr;
  GROUT_CUDA_FUNCTIONS(GROUT_CUDA_FIELD)
  GROUT_CUDA_OPTIONAL_FUNCTIONS(GROUT_CUDA_FIELD)
#undef GROUT_CUDA_FIELD
};

} // namespace cuda
} // namespace runtime
} // namespace grout

#endif // GROUT_RUNTIMESUPPORT_CUDA_CUDADRIVER_H
