//===- CudaTrace.cpp - Records that kernels write -------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "CudaTrace.h"
#include "../TaskList.h"
#include "grout/RuntimeSupport/Cuda/StreamObjects.h"

#include <algorithm>

using namespace grout;
using namespace grout::artifact;
using namespace grout::runtime;
using namespace grout::runtime::cuda;
using kernelabi::TraceRecord;
using kernelabi::TraceVariable;

/// The most records that a block has of a task: of two loads, a store, and the
/// arithmetic of each consumer warpgroup, or a sum over ranks instead of it.
static constexpr uint64_t kRecordsOfTask =
    3 + kernelabi::kMaxConsumerWarpgroups;
/// The records of a launch whose number of tasks is known on the GPU only.
static constexpr uint64_t kUnknownRecords = 1 << 16;
/// The most records of a launch: 192 MiB.
static constexpr uint64_t kMostRecords = 1 << 22;

uint32_t cuda::getTraceCapacity(const Launch &launch) {
  uint64_t tasks = TaskList(launch).size();
  uint64_t records = kRecordsOfTask * tasks * launch.cluster();
  if (launch.grid_kind() == GridKind::Fixed) {
    uint64_t blocks = 1;
    for (uint32_t extent : *launch.grid())
      blocks *= extent;
    records = std::max(records, blocks);
  } else if (tasks == 0) {
    records = kUnknownRecords;
  }
  return static_cast<uint32_t>(std::min(records, kMostRecords));
}

Status CudaTrace::add(const CodeImage &image, const Launch &launch) {
  std::string name = kernelabi::kTracePrefix + launch.entries()->Get(0)->str();
  DevicePtr variable = 0;
  size_t bytes = 0;
  GROUT_RETURN_IF_ERROR(image.lookUpVariable(name.c_str(), variable, bytes));
  if (!variable)
    return Status::ok();
  if (bytes != sizeof(TraceVariable))
    return Status::error(GROUT_ERROR_LOAD, "launch '", launch.name()->str(),
                         "': the variable '", name, "' has ", bytes,
                         " bytes, not ", sizeof(TraceVariable));
  kernels.push_back({&launch, variable, {0, getTraceCapacity(launch), 0}});
  return Status::ok();
}

Status CudaTrace::allocate() {
  if (kernels.empty())
    return Status::error(GROUT_ERROR_NOT_FOUND,
                         "no kernel of the plan records its times; compile "
                         "the artifact with --trace");
  std::vector<uint64_t> offsets;
  for (const Kernel &kernel : kernels)
    offsets.push_back(
        arena.reserveFilled(sizeof(TraceRecord) * kernel.value.capacity, 0));
  GROUT_RETURN_IF_ERROR(arena.allocate(driver));
  OwnedStream stream;
  GROUT_RETURN_IF_ERROR(stream.create(driver));
  for (size_t i = 0; i != kernels.size(); ++i) {
    kernels[i].value.records = arena.address(offsets[i]);
    GROUT_RETURN_IF_ERROR(clear(kernels[i], stream.get()));
  }
  return Status::ok();
}

Status CudaTrace::clear(const Kernel &kernel, Stream stream) const {
  GROUT_RETURN_IF_CUDA_ERROR(
      driver,
      memsetD8Async(kernel.value.records, 0,
                    sizeof(TraceRecord) * kernel.value.capacity, stream),
      "clear a trace");
  GROUT_RETURN_IF_CUDA_ERROR(driver,
                             memcpyHtoDAsync(kernel.variable, &kernel.value,
                                             sizeof(TraceVariable), stream),
                             "tell a kernel where its trace is");
  GROUT_RETURN_IF_CUDA_ERROR(driver, streamSynchronize(stream),
                             "clear a trace");
  return Status::ok();
}

static grout_trace_record toRecord(const Launch &launch,
                                   const TraceRecord &read) {
  grout_trace_record record = {};
  record.launch = launch.name()->c_str();
  record.name = launch.entries()->Get(0)->c_str();
  record.role = static_cast<grout_trace_role>(read.role);
  record.processor = read.processor;
  record.block = read.block;
  record.body = read.body;
  record.x = read.x;
  record.y = read.y;
  record.z = read.z;
  record.start = read.start;
  record.end = read.end;
  return record;
}

Status CudaTrace::take(const Kernel &kernel, Stream stream,
                       Trace &trace) const {
  TraceVariable value = {};
  std::vector<TraceRecord> records(kernel.value.capacity);
  GROUT_RETURN_IF_CUDA_ERROR(
      driver,
      memcpyDtoHAsync(&value, kernel.variable, sizeof(TraceVariable), stream),
      "read a trace");
  GROUT_RETURN_IF_CUDA_ERROR(
      driver,
      memcpyDtoHAsync(records.data(), kernel.value.records,
                      sizeof(TraceRecord) * records.size(), stream),
      "read a trace");
  GROUT_RETURN_IF_CUDA_ERROR(driver, streamSynchronize(stream), "read a trace");
  for (const TraceRecord &record : records)
    if (record.end)
      trace.records.push_back(toRecord(*kernel.launch, record));
  if (value.taken > kernel.value.capacity)
    trace.lost += value.taken - kernel.value.capacity;
  return clear(kernel, stream);
}

Status CudaTrace::take(Trace &trace) {
  GROUT_RETURN_IF_CUDA_ERROR(driver, ctxSynchronize(), "finish the runs");
  OwnedStream stream;
  GROUT_RETURN_IF_ERROR(stream.create(driver));
  for (const Kernel &kernel : kernels)
    GROUT_RETURN_IF_ERROR(take(kernel, stream.get(), trace));
  return Status::ok();
}
