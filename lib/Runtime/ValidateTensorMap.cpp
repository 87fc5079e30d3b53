//===- ValidateTensorMap.cpp - Checks a tensor map ------------------------===//
//
// Part of Grout. Checks the rules of cuTensorMapEncodeTiled and
// cuTensorMapEncodeIm2col without interleaving (CUDA driver API, tensor map
// object management), and that the view stays within its buffer. A box may be
// larger than the view: TMA fills the rest with zeros.
//
//===----------------------------------------------------------------------===//

#include "Validate.h"
#include "grout/Runtime/DeviceABI.h"
#include "grout/RuntimeSupport/CheckedMath.h"

using namespace grout;
using namespace grout::artifact;
using namespace grout::runtime;

/// Returns the largest size of the innermost box dimension in bytes, or 0 if
/// the swizzle does not exist.
static uint64_t maxInnerBoxBytes(Swizzle swizzle) {
  switch (swizzle) {
  case Swizzle::None:
    return UINT64_MAX;
  case Swizzle::B32:
    return 32;
  case Swizzle::B64:
    return 64;
  case Swizzle::B128:
    return 128;
  }
  return 0;
}

static Status validateView(const Plan &plan, const TensorMapArg &map) {
  uint64_t size = elementSize(map.element_type());
  // The bytes from the view's start to the end of its last element.
  auto extent = checkedMul(map.sizes()->Get(0), size);
  for (flatbuffers::uoffset_t i = 1; extent && i != map.sizes()->size(); ++i) {
    auto step = checkedMul(map.sizes()->Get(i) - 1, map.strides()->Get(i - 1));
    extent = step ? checkedAdd(*extent, *step) : std::nullopt;
  }
  uint64_t available =
      tensorBytes(*plan.buffers()->Get(map.buffer())->tensor());
  if (!extent || !fits(map.offset(), *extent, available))
    return invalid("the tensor map reaches beyond its buffer of ", available,
                   " bytes");
  return Status::ok();
}

/// Checks that there are 1 to kMaxIm2colDims pixel dimensions, and checks all
/// fields of `im2col`.
static Status validateIm2col(const TensorMapArg &map) {
  const Im2col &im2col = *map.im2col();
  if (!isAligned(*im2col.lower()) || !isAligned(*im2col.upper()) ||
      !isAligned(*im2col.steps()))
    return invalid("the tensor map has misaligned corners or steps");
  uint32_t dims = im2col.steps()->size();
  if (dims < 1 || dims > kernelabi::kMaxIm2colDims ||
      map.sizes()->size() != dims + 2 || im2col.lower()->size() != dims ||
      im2col.upper()->size() != dims)
    return invalid("the tensor map has rank ", map.sizes()->size(), ", but ",
                   im2col.lower()->size(), " and ", im2col.upper()->size(),
                   " corners and ", dims, " steps of pixels");
  int32_t limit = kernelabi::getIm2colCornerLimit(dims);
  for (const auto *corners : {im2col.lower(), im2col.upper()})
    for (int32_t corner : *corners)
      if (corner < -limit || corner >= limit)
        return invalid("the tensor map has a corner at ", corner, ", not ",
                       -limit, " to ", limit - 1);
  for (uint32_t step : *im2col.steps())
    if (step < 1 || step > kernelabi::kMaxIm2colStep)
      return invalid("the tensor map has steps of ", step, " pixels, not 1 to ",
                     kernelabi::kMaxIm2colStep);
  return Status::ok();
}

Status runtime::validateTensorMap(const Plan &plan, const TensorMapArg &map) {
  GROUT_RETURN_IF_ERROR(validateBufferIndex(plan, map.buffer()));
  uint64_t size = elementSize(map.element_type());
  if (size == 0)
    return invalid("the tensor map has unknown element type ",
                   int(map.element_type()));
  if (isInteger(map.element_type()))
    return invalid("the tensor map has elements of ",
                   elementName(map.element_type()), ", which are no floats");
  if (!isAligned(*map.sizes()) || !isAligned(*map.strides()))
    return invalid("the tensor map has misaligned sizes or strides");
  flatbuffers::uoffset_t rank = map.sizes()->size();
  if (rank < 1 || rank > kernelabi::kMaxTensorMapRank)
    return invalid("the tensor map has rank ", rank, ", not 1 to ",
                   kernelabi::kMaxTensorMapRank);
  if (map.im2col())
    GROUT_RETURN_IF_ERROR(validateIm2col(map));
  if (map.strides()->size() != rank - 1 ||
      map.box()->size() != (map.im2col() ? 2 : rank))
    return invalid("the tensor map has rank ", rank, ", but ",
                   map.strides()->size(), " strides and ", map.box()->size(),
                   " box sizes");
  if (map.offset() % kernelabi::kTensorMapGranule != 0)
    return invalid("the tensor map's offset ", map.offset(),
                   " is not a multiple of ", kernelabi::kTensorMapGranule);
  for (uint64_t extent : *map.sizes())
    if (extent == 0 || extent > kernelabi::kMaxTensorMapExtent)
      return invalid("the tensor map has size ", extent, ", not 1 to 2^32");
  for (uint64_t stride : *map.strides())
    if (stride % kernelabi::kTensorMapGranule != 0 ||
        stride >= kernelabi::kTensorMapStrideLimit)
      return invalid("the tensor map has stride ", stride,
                     ", not a multiple of 16 below 2^40");
  for (flatbuffers::uoffset_t i = 0; i != map.box()->size(); ++i) {
    uint32_t box = map.box()->Get(i);
    uint32_t boxLimit = map.im2col() && i == 1 ? kernelabi::kMaxIm2colPixels
                                               : kernelabi::kMaxBoxExtent;
    if (box == 0 || box > boxLimit)
      return invalid("the tensor map has box size ", box, ", not 1 to ",
                     boxLimit);
  }
  uint64_t innerBytes = map.box()->Get(0) * size;
  if (innerBytes % kernelabi::kTensorMapGranule != 0)
    return invalid("the tensor map's innermost box has ", innerBytes,
                   " bytes, not a multiple of ", kernelabi::kTensorMapGranule);
  uint64_t limit = maxInnerBoxBytes(map.swizzle());
  if (limit == 0)
    return invalid("the tensor map has unknown swizzle ", int(map.swizzle()));
  if (innerBytes > limit)
    return invalid("the tensor map's innermost box has ", innerBytes,
                   " bytes; its swizzle spans ", limit);
  return validateView(plan, map);
}
