//===- CudaObjects.h - Owned objects of the CUDA driver ---------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_CUDAOBJECTS_H
#define GROUT_TOOLS_GROUT_RUN_CUDAOBJECTS_H

#include "grout/RuntimeSupport/Cuda/StreamObjects.h"

#include <functional>

namespace grout {
namespace run {

using runtime::Status;
using runtime::cuda::DriverFunctions;
using runtime::cuda::OwnedEvent;

/// Owns an executable graph, which captures a stream.
class CapturedGraph {
public:
  CapturedGraph() = default;
  CapturedGraph(const CapturedGraph &) = delete;
  CapturedGraph &operator=(const CapturedGraph &) = delete;
  ~CapturedGraph();

  /// Captures the work that `enqueue` enqueues into `stream`.
  Status capture(const DriverFunctions &driver, runtime::cuda::Stream stream,
                 const std::function<Status()> &enqueue);
  Status launch(runtime::cuda::Stream stream) const;

private:
  const DriverFunctions *driver = nullptr;
  runtime::cuda::GraphExec executable = nullptr;
};

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_CUDAOBJECTS_H
