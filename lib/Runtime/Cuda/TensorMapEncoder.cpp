//===- TensorMapEncoder.cpp - Tensor maps for kernel arguments ------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TensorMapEncoder.h"

#include "grout/Runtime/DeviceABI.h"

using namespace grout;
using namespace grout::artifact;
using namespace grout::runtime;
using namespace grout::runtime::cuda;

/// Returns the driver's number of `type`, which is a float: the validator
/// refuses tensor maps of integers.
static TensorMapDataType dataType(ElementType type) {
  static constexpr int kNumbers[] = {
#define GROUT_ELEMENT_TYPE(Name, value, text, bytes, fractionBits, tensorMap)  \
  tensorMap,
#include "grout/Runtime/ElementTypes.def"
  };
  return TensorMapDataType(kNumbers[int(type)]);
}

static TensorMapSwizzle swizzle(Swizzle kind) {
  switch (kind) {
  case Swizzle::None:
    return kTensorMapSwizzleNone;
  case Swizzle::B32:
    return kTensorMapSwizzle32B;
  case Swizzle::B64:
    return kTensorMapSwizzle64B;
  case Swizzle::B128:
    break;
  }
  return kTensorMapSwizzle128B;
}

static_assert(sizeof(TensorMap) == kernelabi::kTensorMapBytes &&
                  alignof(TensorMap) % kernelabi::kTensorMapAlignment == 0,
              "kernels take the driver's tensor maps by value");

/// Does the same as cuda::encodeTensorMap for an im2col map.
static Status encodeIm2col(const DriverFunctions &driver,
                           const TensorMapArg &map, DevicePtr address,
                           const uint64_t *sizes, const uint64_t *strides,
                           TensorMap &encoded) {
  const Im2col &im2col = *map.im2col();
  int lower[kernelabi::kMaxIm2colDims], upper[kernelabi::kMaxIm2colDims];
  uint32_t elementStrides[kernelabi::kMaxTensorMapRank] = {1};
  uint32_t dims = im2col.steps()->size();
  for (uint32_t i = 0; i != dims; ++i) {
    lower[i] = im2col.lower()->Get(i);
    upper[i] = im2col.upper()->Get(i);
    elementStrides[i + 1] = im2col.steps()->Get(i);
  }
  elementStrides[dims + 1] = 1;
  GROUT_RETURN_IF_CUDA_ERROR(
      driver,
      tensorMapEncodeIm2col(&encoded, dataType(map.element_type()), dims + 2,
                            reinterpret_cast<void *>(address), sizes, strides,
                            lower, upper, map.box()->Get(0), map.box()->Get(1),
                            elementStrides, kTensorMapInterleaveNone,
                            swizzle(map.swizzle()), kTensorMapL2Promotion128B,
                            kTensorMapOobFillNone),
      "encode a tensor map of pixels");
  return Status::ok();
}

Status cuda::encodeTensorMap(const DriverFunctions &driver,
                             const TensorMapArg &map, DevicePtr address,
                             TensorMap &encoded) {
  uint64_t sizes[kernelabi::kMaxTensorMapRank],
      strides[kernelabi::kMaxTensorMapRank];
  uint32_t box[kernelabi::kMaxTensorMapRank],
      elementStrides[kernelabi::kMaxTensorMapRank];
  uint32_t rank = map.sizes()->size();
  for (uint32_t i = 0; i != rank; ++i) {
    sizes[i] = map.sizes()->Get(i);
    if (i + 1 != rank)
      strides[i] = map.strides()->Get(i);
  }
  if (map.im2col())
    return encodeIm2col(driver, map, address, sizes, strides, encoded);
  for (uint32_t i = 0; i != rank; ++i) {
    box[i] = map.box()->Get(i);
    elementStrides[i] = 1;
  }
  GROUT_RETURN_IF_CUDA_ERROR(
      driver,
      tensorMapEncodeTiled(&encoded, dataType(map.element_type()), rank,
                           reinterpret_cast<void *>(address), sizes, strides,
                           box, elementStrides, kTensorMapInterleaveNone,
                           swizzle(map.swizzle()), kTensorMapL2Promotion128B,
                           kTensorMapOobFillNone),
      "encode a tensor map");
  return Status::ok();
}
