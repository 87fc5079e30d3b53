//===- StreamObjects.h - Owned streams and events ---------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_RUNTIMESUPPORT_CUDA_STREAMOBJECTS_H
#define GROUT_RUNTIMESUPPORT_CUDA_STREAMOBJECTS_H

#include "grout/RuntimeSupport/Cuda/Driver.h"

namespace grout {
namespace runtime {
namespace cuda {

/// Owns a stream that does not wait for the legacy default stream.
class OwnedStream {
public:
  OwnedStream() = default;
  OwnedStream(const OwnedStream &) = delete;
  OwnedStream &operator=(const OwnedStream &) = delete;
  ~OwnedStream();

  Status create(const DriverFunctions &driver);
  Stream get() const { return stream; }

private:
  const DriverFunctions *driver = nullptr;
  Stream stream = nullptr;
};

/// Owns an event. Two events measure time, unless `flags` says otherwise.
class OwnedEvent {
public:
  OwnedEvent() = default;
  OwnedEvent(const OwnedEvent &) = delete;
  OwnedEvent &operator=(const OwnedEvent &) = delete;
  ~OwnedEvent();

  Status create(const DriverFunctions &driver, unsigned flags = kEventDefault);
  Event get() const { return event; }

private:
  const DriverFunctions *driver = nullptr;
  Event event = nullptr;
};

} // namespace cuda
} // namespace runtime
} // namespace grout

#endif // GROUT_RUNTIMESUPPORT_CUDA_STREAMOBJECTS_H
