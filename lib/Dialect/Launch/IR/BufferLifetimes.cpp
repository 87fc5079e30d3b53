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

/// Whether `memory`, a buffer or an argument of `plan`, has no contents when
/// the plan starts.
static bool isEmptyAtStart(PlanOp plan, Value memory) {
  if (auto buffer = memory.getDefiningOp<BufferOp>())
    return !buffer.getValue();
  return plan.isEmptyOutput(cast<BlockArgument>(memory).getArgNumber());
}

BufferLifetimes::BufferLifetimes(PlanOp plan, const LaunchOrder &order) {
  unsigned count = llvm::range_size(plan.getLaunches());
  // Returns the lifetime of the buffer that `value` is, or is a part of.
  auto find = [&](Value value) -> Lifetime * {
    Value memory = getMemory(value);
    if (!isEmptyAtStart(plan, memory))
      return nullptr;
    auto [it, isFirst] = lifetimes.try_emplace(memory);
    if (isFirst)
      buffers.push_back(memory);
    return &it->second;
  };
  for (LaunchOpInterface launch : plan.getLaunches()) {
    unsigned number = order.getNumber(launch);
    for (Value value : launch.getReads())
      if (Lifetime *lifetime = find(value))
        lifetime->uses.push_back(number);
    for (Value value : launch.getWrites())
      if (Lifetime *lifetime = find(value)) {
        lifetime->uses.push_back(number);
        const BitVector &ended = order.getEndedAtUse(launch);
        if (lifetime->ended.empty())
          lifetime->ended = ended;
        else
          lifetime->ended &= ended;
      }
  }
  for (auto &[buffer, lifetime] : lifetimes) {
    // For a buffer that no launch writes, no launch is known to have ended.
    lifetime.ended.resize(count);
    int running = lifetime.ended.find_first_unset();
    lifetime.endedPrefix = running < 0 ? count : running;
  }
}

bool BufferLifetimes::endsBefore(Value first, Value second) const {
  // An output is used until the plan has ended: the caller reads it.
  if (isa<BlockArgument>(first))
    return false;
  const Lifetime &before = lifetimes.at(first);
  const Lifetime &after = lifetimes.at(second);
  // In most cases, the last use decides.
  if (before.uses.back() < after.endedPrefix)
    return true;
  return llvm::all_of(llvm::reverse(before.uses),
                      [&](unsigned use) { return after.ended.test(use); });
}
