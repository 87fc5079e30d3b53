//===- CudaTrace.h - Records that kernels write -----------------*- C++ -*-===//
//
// Part of Grout. Kernels that were compiled with --trace write records of their
// times, as docs/KernelABI.md says.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_RUNTIME_CUDA_CUDATRACE_H
#define GROUT_LIB_RUNTIME_CUDA_CUDATRACE_H

#include "../Session.h"
#include "CodeImage.h"
#include "grout/Runtime/DeviceABI.h"
#include "grout/RuntimeSupport/Cuda/DeviceArena.h"

namespace grout {
namespace runtime {
namespace cuda {

/// Returns how many records there is room for, for one run of `launch`.
uint32_t getTraceCapacity(const artifact::Launch &launch);

/// The memory for the records of a session's kernels. The context must be
/// current in all calls, and when this object is destroyed.
class CudaTrace {
public:
  explicit CudaTrace(const DriverFunctions &driver) : driver(driver) {}

  /// Notes that the kernel of `launch` is in `image`.
  Status add(const CodeImage &image, const artifact::Launch &launch);
  /// Allocates the memory, and tells all kernels where it is. Fails if no
  /// kernel records its times.
  Status allocate();
  /// Waits for all work, and moves the records to `trace`.
  Status take(Trace &trace);

private:
  struct Kernel {
    const artifact::Launch *launch;
    /// The address of the kernel's kernelabi::TraceVariable.
    DevicePtr variable;
    kernelabi::TraceVariable value;
  };

  /// Tells `kernel` that all places are free.
  Status clear(const Kernel &kernel, Stream stream) const;
  Status take(const Kernel &kernel, Stream stream, Trace &trace) const;

  const DriverFunctions &driver;
  std::vector<Kernel> kernels;
  DeviceArena arena;
};

} // namespace cuda
} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_CUDA_CUDATRACE_H
