//===- CudaLaunch.h - A launch made ready on a GPU --------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_RUNTIME_CUDA_CUDALAUNCH_H
#define GROUT_LIB_RUNTIME_CUDA_CUDALAUNCH_H

#include "../ArtifactTypes.h"
#include "grout/RuntimeSupport/Cuda/Driver.h"

#include <optional>
#include <vector>

namespace grout {
namespace runtime {
namespace cuda {

class CudaLaunch {
public:
  /// Addresses that kernel arguments may need.
  struct Addresses {
    DevicePtr syncState = 0;
    DevicePtr tasks = 0;
    /// The synchronisation states of all earlier launches, in order.
    std::vector<DevicePtr> earlierStates;
    /// The rank that runs the plan, and where it exchanges data with each rank.
    uint32_t rank = 0;
    // NOLINTNEXTLINE(readability-redundant-member-init): tests omit it.
    std::vector<uintptr_t> peers = {};
  };

  CudaLaunch(const DriverFunctions &driver, const artifact::Launch &launch,
             const Addresses &addresses)
      : driver(driver), launch(launch), addresses(addresses) {}
  CudaLaunch(const CudaLaunch &) = delete;
  CudaLaunch &operator=(const CudaLaunch &) = delete;

  /// Checks that the kernel fits the device and takes the launch's arguments,
  /// and chooses the grid. `kernelParameters` is the number of the kernel's
  /// parameters, if it is known. With `programmatic`, the launch may overlap
  /// the launch before it. If `trigger` is not null, the launch records it when
  /// all blocks have triggered.
  Status prepare(const DeviceInfo &device, Function kernel,
                 std::optional<size_t> kernelParameters, bool programmatic,
                 Event trigger = nullptr);

  /// Enqueues the launch, without any allocation. `buffers` has the address of
  /// each buffer of the plan.
  Status enqueue(const std::vector<DevicePtr> &buffers, Stream stream);

private:
  /// One kernel parameter, aligned for the largest kind.
  struct Parameter {
    TensorMap map;
    DevicePtr address = 0; // or the address that `map` was encoded for
    uint32_t count = 0;
  };

  Status checkResources(const DeviceInfo &device);
  Status checkParameterCount(std::optional<size_t> known) const;
  Status checkParameterSizes() const;
  Status countResidents(const DeviceInfo &device, uint64_t &residents);
  Status chooseGrid(const DeviceInfo &device);
  void setAttributes(bool programmatic, Event trigger);
  void prepareParameters();
  Status updateParameters(const std::vector<DevicePtr> &buffers);
  std::string name() const { return "launch '" + launch.name()->str() + "'"; }

  const DriverFunctions &driver;
  const artifact::Launch &launch;
  Addresses addresses;
  Function kernel = nullptr;
  LaunchConfig config = {};
  LaunchAttribute attributes[3] = {};
  std::vector<Parameter> parameters;
  std::vector<void *> parameterPointers;
};

} // namespace cuda
} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_CUDA_CUDALAUNCH_H
