//===- BufferPlaces.cpp - Where buffers are in memory --------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Launch/IR/BufferPlaces.h"

#include "grout/Dialect/Launch/IR/BufferLifetimes.h"
#include <map>

using namespace mlir;
using namespace grout;
using namespace grout::launch;

namespace {

/// Knows, for each byte of a memory, the value that it was given to last.
class Bytes {
public:
  /// Gives bytes [begin, end) to `owner`, and calls `visit` with each value
  /// that had one of these bytes before.
  void take(int64_t begin, int64_t end, Value owner,
            llvm::function_ref<void(Value)> visit);

private:
  struct Segment {
    int64_t end;
    Value owner;
  };
  /// Disjoint segments, by the bytes at which they begin.
  std::map<int64_t, Segment> segments;
};

} // namespace

void Bytes::take(int64_t begin, int64_t end, Value owner,
                 llvm::function_ref<void(Value)> visit) {
  auto it = segments.upper_bound(begin);
  if (it != segments.begin() && std::prev(it)->second.end > begin)
    --it;
  while (it != segments.end() && it->first < end) {
    auto [first, segment] = *it;
    visit(segment.owner);
    it = segments.erase(it);
    if (first < begin)
      segments[first] = {begin, segment.owner};
    if (segment.end > end)
      segments[end] = segment;
  }
  segments[begin] = {end, owner};
}

/// "buffer 'h'", or "output 1".
static std::string describe(PlanOp plan, Value memory) {
  if (auto buffer = memory.getDefiningOp<BufferOp>())
    return "buffer '" + buffer.getName().str() + "'";
  unsigned number = cast<BlockArgument>(memory).getArgNumber();
  return "output " + std::to_string(number - plan.getNumInputs());
}

LogicalResult launch::verifyBufferPlaces(PlanOp plan,
                                         const LaunchOrder &order) {
  auto all = plan.getBody().getOps<BufferOp>();
  if (llvm::none_of(all, [](BufferOp buffer) { return buffer.getOffset(); }))
    return success();
  BufferLifetimes lifetimes(plan, order);
  // The bytes of each output that hosts buffers, and, at null, of the
  // workspace.
  llvm::DenseMap<Value, Bytes> memories;
  for (BufferOp buffer : all)
    memories.try_emplace(buffer.getHost());
  Value destroyed, destroyer;
  auto take = [&](Value memory, int64_t begin, int64_t bytes, Value owner) {
    memories[memory].take(begin, begin + bytes, owner, [&](Value before) {
      if (destroyed || lifetimes.endsBefore(before, owner))
        return;
      destroyed = before;
      destroyer = owner;
    });
  };
  for (Value memory : lifetimes.getBuffers()) {
    // Comparing with the last owner of a byte is enough: if this buffer comes
    // after the last owner, it also comes after the owners before that.
    if (auto buffer = memory.getDefiningOp<BufferOp>()) {
      if (buffer.getOffset())
        take(buffer.getHost(), *buffer.getOffset(), buffer.getBytes(), buffer);
    } else if (memories.contains(memory)) {
      take(memory, 0, getBytes(memory), memory);
    }
  }
  if (!destroyed)
    return success();
  std::string first = describe(plan, destroyed);
  std::string second = describe(plan, destroyer);
  InFlightDiagnostic diag =
      emitError(destroyer.getLoc())
      << second << " has bytes of " << first << ", and a launch may write "
      << second << " before all launches that use " << first
      << " have ended; give the buffer another place, or give it none and run "
         "launch-place-buffers";
  diag.attachNote(destroyed.getLoc()) << first << " is here";
  return diag;
}
