//===- KernelSync.cpp - Waits and posts of a CPU tile body ----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/TGemmToCPU/KernelSync.h"

#include "KernelCode.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace grout;
using namespace grout::cpu;

KernelSync::KernelSync(Operation *kernel, const SemaphoreLayout &layout,
                       CPUTileBody &body,
                       function_ref<bool(unsigned operand)> atStart)
    : body(body), steps(cast<TileKernelOpInterface>(kernel).getStepCount()),
      posts(layout.getPosts(kernel)) {
  for (const SemaphoreWait &wait : layout.getWaits(kernel)) {
    WaitTime time = wait.afterSteps ? WaitTime::AfterSteps
                    : !wait.dependsOnStep || atStart(wait.operand)
                        ? WaitTime::BeforeSteps
                        : WaitTime::AtStep;
    waits.push_back({time, wait});
  }
  if (!waits.empty() || !posts.empty())
    semaphores = body.getSemaphores();
}

void KernelSync::emitWaitIfChanged(OpBuilder &builder,
                                   const SemaphoreWait &wait, Value step) {
  OpBuilder::InsertionGuard guard(builder);
  Value changed = emitBoxChanged(builder, body.loc, wait, body.tile, step);
  auto branch = scf::IfOp::create(builder, body.loc, changed,
                                  /*withElseRegion=*/false);
  builder.setInsertionPointToStart(branch.thenBlock());
  emitSemaphoreWaits(builder, body.loc, wait, body.tile, step, semaphores,
                     tsync::Scope::device, tsync::Proxy::generic);
}

void KernelSync::emitWholeWaits(OpBuilder &builder, WaitTime time) {
  for (const auto &timedWait : waits) {
    if (timedWait.first != time)
      continue;
    const SemaphoreWait &wait = timedWait.second;
    if (!wait.dependsOnStep) {
      emitSemaphoreWaits(builder, body.loc, wait, body.tile,
                         body.createIndex(0), semaphores, tsync::Scope::device,
                         tsync::Proxy::generic);
      continue;
    }
    // The policy distinguishes steps, but the operand is read all at once.
    createLoops(builder, body.loc, body.createIndex(steps),
                [&](OpBuilder &builder, ValueRange step) {
                  emitWaitIfChanged(builder, wait, step[0]);
                });
  }
}

void KernelSync::emitBeforeSteps(OpBuilder &builder) {
  emitWholeWaits(builder, WaitTime::BeforeSteps);
}

void KernelSync::emitAtStep(OpBuilder &builder, Value step) {
  for (auto &[time, wait] : waits)
    if (time == WaitTime::AtStep)
      emitWaitIfChanged(builder, wait, step);
}

void KernelSync::emitAfterSteps(OpBuilder &builder) {
  emitWholeWaits(builder, WaitTime::AfterSteps);
}

void KernelSync::emitPosts(OpBuilder &builder) {
  for (const SemaphorePost &post : posts)
    emitSemaphorePost(builder, body.loc, post, body.tile, semaphores,
                      tsync::Scope::device, tsync::Proxy::generic);
}
