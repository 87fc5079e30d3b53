//===- Role.cpp - Threads of a block that do the same work ----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Hopper/Kit/Role.h"

#include "grout/Hopper/Kit/KernelContext.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

Role Role::consumers(int64_t count) {
  return {std::nullopt, count * kWarpsPerWarpgroup};
}

void Role::emit(const KernelContext &context, function_ref<void()> work) const {
  DeviceBuilder &b = context.b;
  b.ifThen(b.isEqual(context.warp, *warp),
           [&] { b.ifThen(b.electOne(), work); });
}
