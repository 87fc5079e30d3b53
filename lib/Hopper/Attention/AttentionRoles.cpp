//===- AttentionRoles.cpp - Code that roles of a kernel share -------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "AttentionRoles.h"

#include "grout/Conversion/Common/SyncState.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

Value hopper::emitElementAddress(const AttentionContext &context,
                                 const StridedTensor &tensor,
                                 ArrayRef<Value> coordinates) {
  DeviceBuilder &b = context.b;
  auto createWide = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, b.getI64Type(), value);
  };
  Value bytes = createWide(tensor.offset);
  for (auto [coordinate, stride] :
       llvm::zip_equal(coordinates, tensor.strides)) {
    if (stride == 0)
      continue;
    Value wide = arith::ExtUIOp::create(b, b.getI64Type(), coordinate);
    bytes = arith::AddIOp::create(
        b, bytes, arith::MulIOp::create(b, wide, createWide(stride)));
  }
  return b.offsetPointer(b.globalPointer(context.getParam(tensor.param)),
                         bytes);
}

void hopper::emitAttentionEnd(const AttentionContext &context,
                              tsync::Proxy proxy) {
  DeviceBuilder &b = context.b;
  const AttentionPlan &plan = context.plan;
  for (const SemaphorePost &post : plan.posts)
    emitSemaphorePost(b, b.getLoc(), post, context.getTile(),
                      context.semaphores, tsync::Scope::device, proxy);
  // This block has made all its reads of the epoch: data for which the loader
  // waited have been used.
  if (!plan.waits.empty())
    emitBlockFinished(b, context.getParam(*plan.syncStateParam));
  // A kernel that waits for this kernel's end relies on the end of all launches
  // before.
  if (plan.programmatic.waitsAtEnd)
    emitLaunchWait(b, b.getLoc());
}
