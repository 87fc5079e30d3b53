//===- CudaLaunch.cpp - A launch made ready on a GPU ----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "CudaLaunch.h"
#include "../TaskList.h"
#include "TensorMapEncoder.h"
#include "grout/RuntimeSupport/CheckedMath.h"

#include <algorithm>

using namespace grout;
using namespace grout::artifact;
using namespace grout::runtime;
using namespace grout::runtime::cuda;

Status CudaLaunch::checkResources(const DeviceInfo &device) {
  int maxThreads = 0, staticBytes = 0, availableBytes = 0;
  GROUT_RETURN_IF_CUDA_ERROR(
      driver,
      funcGetAttribute(&maxThreads, kFunctionMaxThreadsPerBlock, kernel),
      "ask for a kernel's block size");
  if (launch.block() > static_cast<uint32_t>(maxThreads))
    return Status::error(GROUT_ERROR_TOO_FEW_RESIDENTS, name(),
                         " has blocks of ", launch.block(),
                         " threads, but its kernel was compiled for at most ",
                         maxThreads);
  GROUT_RETURN_IF_CUDA_ERROR(
      driver, funcGetAttribute(&staticBytes, kFunctionSharedSizeBytes, kernel),
      "ask for a kernel's shared memory");
  GROUT_RETURN_IF_CUDA_ERROR(
      driver,
      deviceGetAttribute(&availableBytes, kDeviceMaxSharedMemoryPerBlockOptin,
                         device.device),
      "ask for the GPU's shared memory");
  int dynamicBytes = static_cast<int>(launch.dynamic_shared_memory());
  if (staticBytes + dynamicBytes > availableBytes)
    return Status::error(GROUT_ERROR_TOO_FEW_RESIDENTS, name(), " needs ",
                         staticBytes, " + ", dynamicBytes,
                         " bytes of shared memory, and ", device.name, " has ",
                         availableBytes, " for a block");
  if (dynamicBytes)
    GROUT_RETURN_IF_CUDA_ERROR(
        driver,
        funcSetAttribute(kernel, kFunctionMaxDynamicSharedSizeBytes,
                         dynamicBytes),
        "raise a kernel's limit of shared memory");
  return Status::ok();
}

static size_t parameterSize(const Argument &argument) {
  switch (argument.value_type()) {
  case KernelArg::TensorMapArg:
    return sizeof(TensorMap);
  case KernelArg::TaskCountArg:
  case KernelArg::RankArg:
    return sizeof(uint32_t);
  default:
    return sizeof(DevicePtr);
  }
}

/// Checks the number of parameters. With a wrong number, the driver would read,
/// or the kernel would get, garbage.
Status CudaLaunch::checkParameterCount(std::optional<size_t> known) const {
  size_t count = launch.arguments()->size();
  if (known && *known != count)
    return Status::error(GROUT_ERROR_LOAD, name(), " passes ", count,
                         " arguments, but its kernel takes ", *known);
  if (known || !driver.funcGetParamInfo)
    return Status::ok();
  // Ask the driver for one parameter more only if the code does not tell the
  // number: if the kernel is right, the driver returns an error, which
  // compute-sanitizer reports.
  size_t offset = 0, size = 0;
  if (driver.funcGetParamInfo(kernel, count, &offset, &size) == kSuccess)
    return Status::error(GROUT_ERROR_LOAD, name(), " passes ", count,
                         " arguments, but its kernel takes more");
  return Status::ok();
}

Status CudaLaunch::checkParameterSizes() const {
  if (!driver.funcGetParamInfo)
    return Status::ok();
  size_t count = launch.arguments()->size();
  size_t offset = 0, size = 0;
  for (size_t i = 0; i != count; ++i) {
    const Argument &argument =
        *launch.arguments()->Get(static_cast<flatbuffers::uoffset_t>(i));
    if (driver.funcGetParamInfo(kernel, i, &offset, &size) != kSuccess)
      return Status::error(GROUT_ERROR_LOAD, name(), " passes ", count,
                           " arguments, but its kernel takes ", i);
    if (size != parameterSize(argument))
      return Status::error(GROUT_ERROR_LOAD, name(), " passes ",
                           parameterSize(argument), " bytes as argument ", i,
                           ", but its kernel takes ", size);
  }
  return Status::ok();
}

void CudaLaunch::setAttributes(bool programmatic, Event trigger) {
  unsigned count = 0;
  if (launch.cluster() > 1) {
    LaunchAttribute &attribute = attributes[count++];
    attribute.id = kLaunchClusterDimension;
    attribute.value.clusterDim = {launch.cluster(), 1, 1};
  }
  if (programmatic) {
    LaunchAttribute &attribute = attributes[count++];
    attribute.id = kLaunchProgrammaticStreamSerialization;
    attribute.value.programmaticStreamSerializationAllowed = 1;
  }
  if (trigger) {
    LaunchAttribute &attribute = attributes[count++];
    attribute.id = kLaunchProgrammaticEvent;
    attribute.value.programmaticEvent = {trigger, 0, /*triggerAtBlockStart=*/0};
  }
  config.attributes = attributes;
  config.attributeCount = count;
}

/// Counts how many blocks of the launch the whole device holds at once. Counts
/// at most `blocks_per_processor` blocks on an SM, for which the kernel was
/// built.
Status CudaLaunch::countResidents(const DeviceInfo &device,
                                  uint64_t &residents) {
  int perProcessor = 0;
  GROUT_RETURN_IF_CUDA_ERROR(driver,
                             occupancyMaxActiveBlocksPerMultiprocessor(
                                 &perProcessor, kernel,
                                 static_cast<int>(launch.block()),
                                 launch.dynamic_shared_memory()),
                             "compute a kernel's occupancy");
  residents =
      uint64_t(device.processors) *
      std::min<uint64_t>(static_cast<uint64_t>(std::max(perProcessor, 0)),
                         launch.blocks_per_processor());
  if (launch.cluster() > 1) {
    // Clusters may leave SMs unused: all blocks of a cluster are in one group
    // of SMs.
    config.gridX = launch.cluster();
    int clusters = 0;
    GROUT_RETURN_IF_CUDA_ERROR(
        driver, occupancyMaxActiveClusters(&clusters, kernel, &config),
        "compute a kernel's occupancy in clusters");
    residents =
        std::min(residents, uint64_t(std::max(clusters, 0)) * launch.cluster());
    residents -= residents % launch.cluster();
  }
  return Status::ok();
}

Status CudaLaunch::chooseGrid(const DeviceInfo &device) {
  config.gridX = config.gridY = config.gridZ = 1;
  config.blockX = launch.block();
  config.blockY = config.blockZ = 1;
  config.sharedMemoryBytes = launch.dynamic_shared_memory();
  uint64_t residents = 0;
  GROUT_RETURN_IF_ERROR(countResidents(device, residents));
  if (residents == 0)
    return Status::error(
        GROUT_ERROR_TOO_FEW_RESIDENTS, name(), ": ", device.name,
        " cannot hold a single block of ", launch.block(), " threads with ",
        launch.dynamic_shared_memory(), " bytes of dynamic shared memory");
  // Each cluster computes one tile at a time.
  uint64_t residentTiles = residents / launch.cluster();
  if (residentTiles < launch.min_residents())
    return Status::error(GROUT_ERROR_TOO_FEW_RESIDENTS, name(), " needs ",
                         launch.min_residents(),
                         " resident tiles to be free of deadlock, and ",
                         device.name, " holds ", residentTiles);
  if (launch.grid_kind() == GridKind::Fixed) {
    config.gridX = launch.grid()->Get(0);
    config.gridY = launch.grid()->Get(1);
    config.gridZ = launch.grid()->Get(2);
    return Status::ok();
  }
  config.gridX = static_cast<unsigned>(
      launch.cluster() *
      std::min<uint64_t>(TaskList(launch).size(), residentTiles));
  return Status::ok();
}

/// Fills in all parameters that are the same in every run.
void CudaLaunch::prepareParameters() {
  parameters.resize(launch.arguments()->size());
  for (size_t i = 0; i != parameters.size(); ++i) {
    Parameter &parameter = parameters[i];
    const Argument &argument =
        *launch.arguments()->Get(static_cast<flatbuffers::uoffset_t>(i));
    void *pointer = &parameter.address;
    switch (argument.value_type()) {
    case KernelArg::TensorMapArg:
      pointer = &parameter.map;
      break;
    case KernelArg::SyncStateArg:
      parameter.address = addresses.syncState;
      break;
    case KernelArg::SemaphoresArg:
      parameter.address =
          addresses.earlierStates[argument.value_as_SemaphoresArg()->launch()];
      break;
    case KernelArg::TaskListArg:
      parameter.address = addresses.tasks;
      break;
    case KernelArg::TaskCountArg:
      parameter.count = static_cast<uint32_t>(TaskList(launch).size());
      pointer = &parameter.count;
      break;
    case KernelArg::RankArg:
      parameter.count = addresses.rank;
      pointer = &parameter.count;
      break;
    case KernelArg::PeerArg:
      parameter.address = addresses.peers[argument.value_as_PeerArg()->rank()];
      break;
    default:
      break;
    }
    parameterPointers.push_back(pointer);
  }
}

Status CudaLaunch::prepare(const DeviceInfo &device, Function ofKernel,
                           std::optional<size_t> kernelParameters,
                           bool programmatic, Event trigger) {
  kernel = ofKernel;
  GROUT_RETURN_IF_ERROR(checkParameterCount(kernelParameters));
  GROUT_RETURN_IF_ERROR(checkParameterSizes());
  GROUT_RETURN_IF_ERROR(checkResources(device));
  // The choice of the grid needs the cluster's size among the attributes.
  setAttributes(/*programmatic=*/false, /*trigger=*/nullptr);
  GROUT_RETURN_IF_ERROR(chooseGrid(device));
  setAttributes(programmatic, trigger);
  prepareParameters();
  return Status::ok();
}

/// Fills in the parameters that depend on the caller's buffers. Encodes a
/// tensor map again only if its buffer has moved.
Status CudaLaunch::updateParameters(const std::vector<DevicePtr> &buffers) {
  for (size_t i = 0; i != parameters.size(); ++i) {
    Parameter &parameter = parameters[i];
    const Argument &argument =
        *launch.arguments()->Get(static_cast<flatbuffers::uoffset_t>(i));
    if (const BufferArg *arg = argument.value_as_BufferArg()) {
      parameter.address = buffers[arg->buffer()] + arg->offset();
    } else if (const TensorMapArg *map = argument.value_as_TensorMapArg()) {
      DevicePtr address = buffers[map->buffer()] + map->offset();
      if (address == parameter.address)
        continue;
      GROUT_RETURN_IF_ERROR(
          encodeTensorMap(driver, *map, address, parameter.map)
              .in(name() + ", argument " + std::to_string(i)));
      parameter.address = address;
    }
  }
  return Status::ok();
}

Status CudaLaunch::enqueue(const std::vector<DevicePtr> &buffers,
                           Stream stream) {
  GROUT_RETURN_IF_ERROR(updateParameters(buffers));
  config.stream = stream;
  GROUT_RETURN_IF_CUDA_ERROR(driver,
                             launchKernelEx(&config, kernel,
                                            parameterPointers.data(),
                                            /*extra=*/nullptr),
                             "start " + name());
  return Status::ok();
}
