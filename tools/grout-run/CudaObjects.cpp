//===- CudaObjects.cpp - Owned objects of the CUDA driver -----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "CudaObjects.h"

using namespace grout;
using namespace grout::run;
using namespace grout::runtime::cuda;

CapturedGraph::~CapturedGraph() {
  if (executable)
    driver->graphExecDestroy(executable);
}

Status CapturedGraph::capture(const DriverFunctions &functions, Stream stream,
                              const std::function<Status()> &enqueue) {
  driver = &functions;
  GROUT_RETURN_IF_CUDA_ERROR(functions,
                             streamBeginCapture(stream, kCaptureThreadLocal),
                             "begin to capture a graph");
  Status enqueued = enqueue();
  // End the capture even if enqueueing failed.
  Graph graph = nullptr;
  Result result = functions.streamEndCapture(stream, &graph);
  if (enqueued.isError())
    return enqueued;
  if (result != kSuccess)
    return driverError(functions, result, "capture a graph");
  result = functions.graphInstantiate(&executable, graph, /*flags=*/0);
  functions.graphDestroy(graph);
  if (result != kSuccess) {
    executable = nullptr;
    return driverError(functions, result, "instantiate a graph");
  }
  return Status::ok();
}

Status CapturedGraph::launch(Stream stream) const {
  GROUT_RETURN_IF_CUDA_ERROR(*driver, graphLaunch(executable, stream),
                             "launch a graph");
  return Status::ok();
}
