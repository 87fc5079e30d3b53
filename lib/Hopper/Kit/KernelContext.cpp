//===- KernelContext.cpp - A kernel while it is built ---------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Hopper/Kit/KernelContext.h"

#include "grout/Hopper/Kit/KernelFunction.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

KernelContext::KernelContext(DeviceBuilder &b, const KernelPlan &plan)
    : b(b), params(b.getInsertionBlock()->getArguments()),
      shared(emitSharedAddress(b)),
      thread(NVVM::ThreadIdXOp::create(b, b.getI32Type())),
      lane(b.bitAnd(thread, kWarpSize - 1)),
      warp(b.uniform(b.shiftRight(thread, llvm::Log2_64(kWarpSize)))),
      blockRank(plan.hasCluster() ? b.uniform(b.blockRank()) : b.i32(0)) {}

Value KernelContext::getWarpgroup() const {
  return b.add(b.shiftRight(warp, llvm::Log2_64(kWarpsPerWarpgroup)), -1);
}

Value KernelContext::getWarpInGroup() const {
  return b.bitAnd(warp, kWarpsPerWarpgroup - 1);
}

Value KernelContext::getThreadInGroup() const {
  return b.add(b.mul(getWarpInGroup(), kWarpSize), lane);
}
