//===- StreamObjects.cpp - Owned streams and events -----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/RuntimeSupport/Cuda/StreamObjects.h"

using namespace grout::runtime;
using namespace grout::runtime::cuda;

OwnedStream::~OwnedStream() {
  if (stream)
    driver->streamDestroy(stream);
}

Status OwnedStream::create(const DriverFunctions &functions) {
  GROUT_RETURN_IF_CUDA_ERROR(
      functions, streamCreate(&stream, kStreamNonBlocking), "create a stream");
  driver = &functions;
  return Status::ok();
}

OwnedEvent::~OwnedEvent() {
  if (event)
    driver->eventDestroy(event);
}

Status OwnedEvent::create(const DriverFunctions &functions, unsigned flags) {
  GROUT_RETURN_IF_CUDA_ERROR(functions, eventCreate(&event, flags),
                             "create an event");
  driver = &functions;
  return Status::ok();
}
