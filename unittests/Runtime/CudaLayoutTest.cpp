//===- CudaLayoutTest.cpp - Our driver declarations against cuda.h --------===//
//
// Part of Grout. Built only where there is a cuda.h; everything that can be is
// checked by the compiler.
//
//===----------------------------------------------------------------------===//

#include "grout/RuntimeSupport/Cuda/CudaDriver.h"

#include <cuda.h>

#include "gtest/gtest.h"

#include <cstddef>
#include <cstring>

namespace ours = grout::runtime::cuda;

static_assert(int(ours::kErrorOutOfMemory) == CUDA_ERROR_OUT_OF_MEMORY);
static_assert(int(ours::kErrorNoDevice) == CUDA_ERROR_NO_DEVICE);
static_assert(int(ours::kErrorNotReady) == CUDA_ERROR_NOT_READY);
static_assert(int(ours::kErrorPeerAccessAlreadyEnabled) ==
              CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
static_assert(int(ours::kDeviceMultiprocessorCount) ==
              CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
static_assert(int(ours::kDeviceComputeCapabilityMajor) ==
              CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
static_assert(int(ours::kDeviceComputeCapabilityMinor) ==
              CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
static_assert(int(ours::kDeviceMaxSharedMemoryPerBlockOptin) ==
              CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
static_assert(int(ours::kFunctionMaxThreadsPerBlock) ==
              CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
static_assert(int(ours::kFunctionSharedSizeBytes) ==
              CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
static_assert(int(ours::kFunctionMaxDynamicSharedSizeBytes) ==
              CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
static_assert(int(ours::kJitErrorLogBuffer) == CU_JIT_ERROR_LOG_BUFFER);
static_assert(int(ours::kJitErrorLogBufferSizeBytes) ==
              CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
static_assert(int(ours::kLaunchIgnore) == CU_LAUNCH_ATTRIBUTE_IGNORE);
static_assert(int(ours::kLaunchClusterDimension) ==
              CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
static_assert(int(ours::kLaunchProgrammaticStreamSerialization) ==
              CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
#define GROUT_ELEMENT_TYPE(Name, value, text, bytes, fractionBits, tensorMap)  \
  static constexpr int kTensorMap##Name = tensorMap;
#include "grout/Runtime/ElementTypes.def"
static_assert(kTensorMapF16 == CU_TENSOR_MAP_DATA_TYPE_FLOAT16);
static_assert(kTensorMapF32 == CU_TENSOR_MAP_DATA_TYPE_FLOAT32);
static_assert(kTensorMapF64 == CU_TENSOR_MAP_DATA_TYPE_FLOAT64);
static_assert(kTensorMapBF16 == CU_TENSOR_MAP_DATA_TYPE_BFLOAT16);
static_assert(int(ours::kTensorMapSwizzleNone) == CU_TENSOR_MAP_SWIZZLE_NONE);
static_assert(int(ours::kTensorMapSwizzle32B) == CU_TENSOR_MAP_SWIZZLE_32B);
static_assert(int(ours::kTensorMapSwizzle64B) == CU_TENSOR_MAP_SWIZZLE_64B);
static_assert(int(ours::kTensorMapSwizzle128B) == CU_TENSOR_MAP_SWIZZLE_128B);
static_assert(ours::kTensorMapInterleaveNone == CU_TENSOR_MAP_INTERLEAVE_NONE);
static_assert(ours::kTensorMapL2Promotion128B ==
              CU_TENSOR_MAP_L2_PROMOTION_L2_128B);
static_assert(ours::kTensorMapOobFillNone == CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
static_assert(int(ours::kStreamNonBlocking) == CU_STREAM_NON_BLOCKING);
static_assert(int(ours::kEventDefault) == CU_EVENT_DEFAULT);
static_assert(ours::kCaptureThreadLocal == CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);

static_assert(sizeof(ours::DevicePtr) == sizeof(CUdeviceptr));
static_assert(sizeof(ours::TensorMap) == sizeof(CUtensorMap));
static_assert(alignof(ours::TensorMap) >= alignof(CUtensorMap));
static_assert(sizeof(ours::LaunchAttributeValue) ==
              sizeof(CUlaunchAttributeValue));
static_assert(sizeof(ours::LaunchAttribute) == sizeof(CUlaunchAttribute));
static_assert(offsetof(ours::LaunchAttribute, value) ==
              offsetof(CUlaunchAttribute, value));
static_assert(sizeof(ours::LaunchConfig) == sizeof(CUlaunchConfig));
static_assert(offsetof(ours::LaunchConfig, blockX) ==
              offsetof(CUlaunchConfig, blockDimX));
static_assert(offsetof(ours::LaunchConfig, sharedMemoryBytes) ==
              offsetof(CUlaunchConfig, sharedMemBytes));
static_assert(offsetof(ours::LaunchConfig, stream) ==
              offsetof(CUlaunchConfig, hStream));
static_assert(offsetof(ours::LaunchConfig, attributes) ==
              offsetof(CUlaunchConfig, attrs));
static_assert(offsetof(ours::LaunchConfig, attributeCount) ==
              offsetof(CUlaunchConfig, numAttrs));

namespace {

TEST(CudaLayout, UnionsOverlapAsInCudaH) {
  ours::LaunchAttributeValue mine = {};
  mine.clusterDim = {2, 3, 4};
  CUlaunchAttributeValue theirs;
  static_assert(sizeof(mine) == sizeof(theirs));
  std::memcpy(&theirs, &mine, sizeof(mine));
  EXPECT_EQ(theirs.clusterDim.x, 2u);
  EXPECT_EQ(theirs.clusterDim.y, 3u);
  EXPECT_EQ(theirs.clusterDim.z, 4u);
  mine = {};
  mine.programmaticStreamSerializationAllowed = 1;
  std::memcpy(&theirs, &mine, sizeof(mine));
  EXPECT_EQ(theirs.programmaticStreamSerializationAllowed, 1);
  mine = {};
  char event = 0;
  mine.programmaticEvent = {reinterpret_cast<ours::Event>(&event), 2, 1};
  std::memcpy(&theirs, &mine, sizeof(mine));
  EXPECT_EQ(static_cast<void *>(theirs.programmaticEvent.event), &event);
  EXPECT_EQ(theirs.programmaticEvent.flags, 2);
  EXPECT_EQ(theirs.programmaticEvent.triggerAtBlockStart, 1);
}

/// Parameter counts of a driver function; types differ by name only.
template <typename... P> constexpr size_t arity(int (*)(P...)) {
  return sizeof...(P);
}
template <typename... P> constexpr size_t arity(CUresult (*)(P...)) {
  return sizeof...(P);
}
template <typename... P> constexpr size_t parameterBytes(int (*)(P...)) {
  return (size_t(0) + ... + sizeof(P));
}
template <typename... P> constexpr size_t parameterBytes(CUresult (*)(P...)) {
  return (size_t(0) + ... + sizeof(P));
}

#define EXPECT_SAME_SIGNATURE(mine, theirs)                                    \
  static_assert(arity(decltype(ours::DriverFunctions::mine)()) ==              \
                arity(decltype (&theirs)()));                                  \
  static_assert(parameterBytes(decltype(ours::DriverFunctions::mine)()) ==     \
                parameterBytes(decltype (&theirs)()))

EXPECT_SAME_SIGNATURE(init, cuInit);
EXPECT_SAME_SIGNATURE(driverGetVersion, cuDriverGetVersion);
EXPECT_SAME_SIGNATURE(getErrorName, cuGetErrorName);
EXPECT_SAME_SIGNATURE(getErrorString, cuGetErrorString);
EXPECT_SAME_SIGNATURE(deviceGetCount, cuDeviceGetCount);
EXPECT_SAME_SIGNATURE(deviceGet, cuDeviceGet);
EXPECT_SAME_SIGNATURE(deviceGetName, cuDeviceGetName);
EXPECT_SAME_SIGNATURE(deviceGetAttribute, cuDeviceGetAttribute);
EXPECT_SAME_SIGNATURE(devicePrimaryCtxRetain, cuDevicePrimaryCtxRetain);
EXPECT_SAME_SIGNATURE(devicePrimaryCtxRelease, cuDevicePrimaryCtxRelease);
EXPECT_SAME_SIGNATURE(ctxPushCurrent, cuCtxPushCurrent);
EXPECT_SAME_SIGNATURE(ctxPopCurrent, cuCtxPopCurrent);
EXPECT_SAME_SIGNATURE(ctxSynchronize, cuCtxSynchronize);
EXPECT_SAME_SIGNATURE(moduleLoadDataEx, cuModuleLoadDataEx);
EXPECT_SAME_SIGNATURE(moduleUnload, cuModuleUnload);
EXPECT_SAME_SIGNATURE(moduleGetFunction, cuModuleGetFunction);
EXPECT_SAME_SIGNATURE(moduleGetGlobal, cuModuleGetGlobal);
EXPECT_SAME_SIGNATURE(funcGetAttribute, cuFuncGetAttribute);
EXPECT_SAME_SIGNATURE(funcSetAttribute, cuFuncSetAttribute);
EXPECT_SAME_SIGNATURE(occupancyMaxActiveBlocksPerMultiprocessor,
                      cuOccupancyMaxActiveBlocksPerMultiprocessor);
EXPECT_SAME_SIGNATURE(occupancyMaxActiveClusters, cuOccupancyMaxActiveClusters);
EXPECT_SAME_SIGNATURE(launchKernelEx, cuLaunchKernelEx);
EXPECT_SAME_SIGNATURE(tensorMapEncodeTiled, cuTensorMapEncodeTiled);
EXPECT_SAME_SIGNATURE(tensorMapEncodeIm2col, cuTensorMapEncodeIm2col);
EXPECT_SAME_SIGNATURE(memAlloc, cuMemAlloc);
EXPECT_SAME_SIGNATURE(memFree, cuMemFree);
EXPECT_SAME_SIGNATURE(memcpyHtoDAsync, cuMemcpyHtoDAsync);
EXPECT_SAME_SIGNATURE(memcpyDtoHAsync, cuMemcpyDtoHAsync);
EXPECT_SAME_SIGNATURE(memcpyDtoDAsync, cuMemcpyDtoDAsync);
EXPECT_SAME_SIGNATURE(memsetD8Async, cuMemsetD8Async);
EXPECT_SAME_SIGNATURE(streamCreate, cuStreamCreate);
EXPECT_SAME_SIGNATURE(streamDestroy, cuStreamDestroy);
EXPECT_SAME_SIGNATURE(streamSynchronize, cuStreamSynchronize);
EXPECT_SAME_SIGNATURE(streamQuery, cuStreamQuery);
EXPECT_SAME_SIGNATURE(streamBeginCapture, cuStreamBeginCapture);
EXPECT_SAME_SIGNATURE(streamEndCapture, cuStreamEndCapture);
EXPECT_SAME_SIGNATURE(graphInstantiate, cuGraphInstantiate);
EXPECT_SAME_SIGNATURE(graphLaunch, cuGraphLaunch);
EXPECT_SAME_SIGNATURE(graphDestroy, cuGraphDestroy);
EXPECT_SAME_SIGNATURE(graphExecDestroy, cuGraphExecDestroy);
EXPECT_SAME_SIGNATURE(eventCreate, cuEventCreate);
EXPECT_SAME_SIGNATURE(eventDestroy, cuEventDestroy);
EXPECT_SAME_SIGNATURE(eventRecord, cuEventRecord);
EXPECT_SAME_SIGNATURE(eventQuery, cuEventQuery);
EXPECT_SAME_SIGNATURE(eventElapsedTime, cuEventElapsedTime);
EXPECT_SAME_SIGNATURE(funcGetParamInfo, cuFuncGetParamInfo);

/// The symbols that we look up are those that cuda.h maps names to, except
/// where a newer name has another signature and ours stays exported.
#define GROUT_TEST_STRING(...) #__VA_ARGS__
#define GROUT_TEST_EXPAND(...) GROUT_TEST_STRING(__VA_ARGS__)
TEST(CudaLayout, SymbolVersionsAreThoseOfCudaH) {
  EXPECT_STREQ(GROUT_TEST_EXPAND(cuMemAlloc), "cuMemAlloc_v2");
  EXPECT_STREQ(GROUT_TEST_EXPAND(cuMemFree), "cuMemFree_v2");
  EXPECT_STREQ(GROUT_TEST_EXPAND(cuCtxPushCurrent), "cuCtxPushCurrent_v2");
  EXPECT_STREQ(GROUT_TEST_EXPAND(cuCtxPopCurrent), "cuCtxPopCurrent_v2");
  EXPECT_STREQ(GROUT_TEST_EXPAND(cuMemcpyHtoDAsync), "cuMemcpyHtoDAsync_v2");
  EXPECT_STREQ(GROUT_TEST_EXPAND(cuMemcpyDtoHAsync), "cuMemcpyDtoHAsync_v2");
  EXPECT_STREQ(GROUT_TEST_EXPAND(cuMemcpyDtoDAsync), "cuMemcpyDtoDAsync_v2");
  EXPECT_STREQ(GROUT_TEST_EXPAND(cuStreamDestroy), "cuStreamDestroy_v2");
  EXPECT_STREQ(GROUT_TEST_EXPAND(cuEventDestroy), "cuEventDestroy_v2");
  EXPECT_STREQ(GROUT_TEST_EXPAND(cuStreamBeginCapture),
               "cuStreamBeginCapture_v2");
  EXPECT_STREQ(GROUT_TEST_EXPAND(cuGraphInstantiate),
               "cuGraphInstantiateWithFlags");
  EXPECT_STREQ(GROUT_TEST_EXPAND(cuDevicePrimaryCtxRelease),
               "cuDevicePrimaryCtxRelease_v2");
  EXPECT_STREQ(GROUT_TEST_EXPAND(cuMemsetD8Async), "cuMemsetD8Async");
  EXPECT_STREQ(GROUT_TEST_EXPAND(cuLaunchKernelEx), "cuLaunchKernelEx");
}

} // namespace
