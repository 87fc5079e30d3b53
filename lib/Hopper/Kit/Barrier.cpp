//===- Barrier.cpp - Barriers in shared memory ----------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Hopper/Kit/Barrier.h"

#include "grout/Hopper/Kit/KernelContext.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

int64_t Barriers::getArrivals() const {
  int64_t arrivals = 0;
  for (const BarrierUser &user : users)
    arrivals += user.role.arrivals * user.blocks;
  return arrivals;
}

Value Barriers::get(const KernelContext &context, Value index) const {
  DeviceBuilder &b = context.b;
  Value first = b.add(context.shared, offset);
  return index ? b.add(first, b.mul(index, kBarrierBytes)) : first;
}

void Barriers::emitInit(const KernelContext &context, Value index) const {
  if (!users.empty())
    context.b.initBarrier(get(context, index), getArrivals());
}

void Barriers::emitArrival(const KernelContext &context, const Role &role,
                           Value address) const {
  DeviceBuilder &b = context.b;
  const auto *user = llvm::find_if(
      users, [&](const BarrierUser &user) { return user.role == role; });
  assert(user != users.end() && "the barrier does not count this role");
  if (role.warp)
    b.arrive(address);
  else if (user->blocks == 1)
    b.ifThen(b.isEqual(context.lane, 0), [&] { b.arrive(address); });
  else
    b.ifThen(b.isBelow(context.lane, b.i32(user->blocks)),
             [&] { b.arriveRemote(b.remotePointer(address, context.lane)); });
}

Barriers BarrierLayout::add(int64_t count, ArrayRef<BarrierUser> users) {
  Barriers barriers(end, users);
  end += count * kBarrierBytes;
  return barriers;
}
