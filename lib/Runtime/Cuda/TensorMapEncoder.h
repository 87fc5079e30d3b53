//===- TensorMapEncoder.h - Tensor maps for kernel arguments ----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_RUNTIME_CUDA_TENSORMAPENCODER_H
#define GROUT_LIB_RUNTIME_CUDA_TENSORMAPENCODER_H

#include "../ArtifactTypes.h"
#include "grout/RuntimeSupport/Cuda/Driver.h"

namespace grout {
namespace runtime {
namespace cuda {

/// Encodes a map that the validator accepted, for a view that starts at
/// `address`. Works only on the host.
Status encodeTensorMap(const DriverFunctions &driver,
                       const artifact::TensorMapArg &map, DevicePtr address,
                       TensorMap &encoded);

} // namespace cuda
} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_CUDA_TENSORMAPENCODER_H
