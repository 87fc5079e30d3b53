//===- Session.cpp - A plan made ready on a device ------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Session.h"
#include "Cpu/CpuSession.h"
#include "Cuda/CudaSession.h"
#include "grout/Runtime/ArtifactLimits.h"

#include <cmath>

using namespace grout;
using namespace grout::artifact;
using namespace grout::runtime;

static uint32_t getAlignment(const LoadedModule &module, const Plan &plan) {
  return runsOnGpu(module.artifact(), plan) ? GROUT_CUDA_BUFFER_ALIGNMENT
                                            : GROUT_CPU_BUFFER_ALIGNMENT;
}

Session::Session(std::shared_ptr<const LoadedModule> module, const Plan &plan,
                 const grout_session_config &config, SymmetricMemory symmetric)
    : module(std::move(module)), plan(plan),
      hasCallerWorkspace(config.caller_workspace != 0),
      isTraced(config.trace != 0), symmetric(std::move(symmetric)),
      callerBuffers(plan, getAlignment(*this->module, plan),
                    hasCallerWorkspace),
      bound(plan.buffers()->size(), 0) {}

Status Session::create(std::shared_ptr<const LoadedModule> module,
                       const grout_session_config &config,
                       std::unique_ptr<Session> &session) {
  const Plan *plan = module->plan(config.plan);
  if (!plan)
    return Status::error(GROUT_ERROR_NOT_FOUND,
                         config.plan == GROUT_PLAN_REFERENCE
                             ? "the artifact has no reference plan"
                             : "the artifact has no such plan");
  if (config.workers > kMaxWorkers)
    return Status::error(GROUT_ERROR_INVALID_ARGUMENT, config.workers,
                         " workers are more than the limit of ", kMaxWorkers);
  if (!std::isfinite(config.timeout_seconds) || config.timeout_seconds < 0)
    return Status::error(GROUT_ERROR_INVALID_ARGUMENT,
                         "timeout_seconds is negative or not finite");
  SymmetricMemory symmetric;
  GROUT_RETURN_IF_ERROR(SymmetricMemory::get(*plan, config, symmetric));
  auto create = runsOnGpu(module->artifact(), *plan) ? CudaSession::create
                                                     : CpuSession::create;
  return create(std::move(module), *plan, config, std::move(symmetric),
                session);
}

Status Session::run(const void *const *inputs, void *const *outputs,
                    const std::optional<CallerWorkspace> &workspace,
                    void *stream) {
  std::lock_guard<std::mutex> lock(mutex);
  if (broken)
    return Status::error(GROUT_ERROR_INVALID_ARGUMENT,
                         "an earlier run of this session failed, which left "
                         "its semaphores undefined; create a new session");
  GROUT_RETURN_IF_ERROR(callerBuffers.bind(inputs, outputs, workspace, bound));
  GROUT_RETURN_IF_ERROR(checkStream(stream));
  ++runs;
  Status status = runPlan(bound, workspace ? workspace->data : nullptr, stream);
  broken = status.isError();
  return status;
}

Status Session::fillIntermediates(
    const BoundBuffers &buffers, uintptr_t workspace,
    const std::function<Status(uintptr_t, uint64_t)> &fill) const {
  if (plan.workspace())
    GROUT_RETURN_IF_ERROR(fill(workspace, plan.workspace()));
  for (uint32_t i = 0; i != plan.buffers()->size(); ++i)
    if (const Buffer &buffer = *plan.buffers()->Get(i);
        buffer.kind() == BufferKind::InOutput)
      GROUT_RETURN_IF_ERROR(fill(buffers[i], tensorBytes(*buffer.tensor())));
  return Status::ok();
}

Status Session::check() {
  std::lock_guard<std::mutex> lock(mutex);
  Status status = checkWaits();
  broken = broken || status.isError();
  return status;
}

Status Session::readTrace(const Trace *&read) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!isTraced)
    return Status::error(GROUT_ERROR_INVALID_ARGUMENT,
                         "the session records no times; set trace in its "
                         "configuration");
  trace = Trace();
  GROUT_RETURN_IF_ERROR(takeTrace(trace));
  read = &trace;
  return Status::ok();
}

Status Session::skipEpochs(uint32_t epochs) {
  std::lock_guard<std::mutex> lock(mutex);
  if (broken || runs != 1 || skipped)
    return Status::error(GROUT_ERROR_INVALID_ARGUMENT,
                         "epochs can be skipped once, after exactly one "
                         "successful run");
  if (plan.symmetric())
    return Status::error(GROUT_ERROR_INVALID_ARGUMENT,
                         "epochs of a plan that exchanges data with other "
                         "ranks cannot be skipped");
  skipped = true;
  return advanceSyncState(epochs);
}
