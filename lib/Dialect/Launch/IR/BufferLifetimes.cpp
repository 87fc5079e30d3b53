//===- BufferLifetimes.cpp - When the buffers of a plan are used ----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Launch/IR/BufferLifetimes.h"

#include "grout/Dialect/Launch/IR/BufferParts.h"

using namespace mlir;
using namespace grout;
using namespace grout::launch;

BufferLifetimes::BufferLifetimes(PlanOp plan, const LaunchOrder &order) {
  unsigned count = llvm::range_size(plan.getLaunches());
  // The lifetime of the buffer of which `value` is, or is a part of.
  auto find = [&](Value value) -> Lifetime * {
    auto buffer = getMemory(value).getDefiningOp<BufferOp>();
    if (!buffer || buffer.getValue())
      return nullptr;
    auto [it, isFirst] = lifetimes.try_emplace(buffer);
    if (isFirst) {
      buffers.push_back(buffer);
      it->second.uses.resize(count);
    }
    return &it->second;
  };
  for (LaunchOpInterface launch : plan.getLaunches()) {
    unsigned number = order.getNumber(launch);
    for (Value value : launch.getReads())
      if (Lifetime *lifetime = find(value)) {
        lifetime->uses.set(number);
        lifetime->last = number;
      }
    for (Value value : launch.getWrites())
      if (Lifetime *lifetime = find(value)) {
        lifetime->uses.set(number);
        lifetime->last = number;
        const BitVector &ended = order.getEndedAtUse(launch);
        if (lifetime->ended.empty())
          lifetime->ended = ended;
        else
          lifetime->ended &= ended;
      }
  }
  for (auto &[buffer, lifetime] : lifetimes) {
    // Nothing precedes what nobody writes.
    lifetime.ended.resize(count);
    int running = lifetime.ended.find_first_unset();
    lifetime.endedPrefix = running < 0 ? count : running;
  }
}

bool BufferLifetimes::endsBefore(BufferOp first, BufferOp second) const {
  const Lifetime &before = lifetimes.at(first);
  const Lifetime &after = lifetimes.at(second);
  if (before.last < after.endedPrefix)
    return true;
  // The last use is one that has not ended.
  if (!after.ended.test(before.last))
    return false;
  return !before.uses.test(after.ended);
}
