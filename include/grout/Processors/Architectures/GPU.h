//===- GPU.h - NVIDIA GPUs of any architecture ------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_PROCESSORS_ARCHITECTURES_GPU_H
#define GROUT_PROCESSORS_ARCHITECTURES_GPU_H

#include "grout/Target/Target.h"

namespace grout {

/// Returns the table that the file of a processor starts from: the limits that
/// all GPUs have, no clusters, no programmatic dependent launch, and the
/// constants of memory-bound kernels, which were fitted on an H200. The file
/// adds the name, the architecture and its PTX version, the SMs, the shared
/// memory, the rates and the cache.
TargetSpec getGPUSpec();

/// Creates a target that has memory-bound kernels, but no kernels for GEMMs and
/// attention.
std::unique_ptr<Target> createGPUTarget(const TargetSpec &spec);

} // namespace grout

#endif // GROUT_PROCESSORS_ARCHITECTURES_GPU_H
