//===- BufferPlaces.cpp - Where buffers are in the workspace --------------===//
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

/// Who has had the bytes of a workspace last.
class Bytes {
public:
  /// Gives [begin, end) to `owner`, and calls `visit` with all who have had a
  /// byte of it.
  void take(int64_t begin, int64_t end, BufferOp owner,
            llvm::function_ref<void(BufferOp)> visit);

private:
  struct Segment {
    int64_t end;
    BufferOp owner;
  };
  /// Where segments begin, which have no byte in common.
  std::map<int64_t, Segment> segments;
};

} // namespace

void Bytes::take(int64_t begin, int64_t end, BufferOp owner,
                 llvm::function_ref<void(BufferOp)> visit) {
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

LogicalResult launch::verifyBufferPlaces(PlanOp plan,
                                         const LaunchOrder &order) {
  auto all = plan.getBody().getOps<BufferOp>();
  if (llvm::none_of(all, [](BufferOp buffer) { return buffer.getOffset(); }))
    return success();
  BufferLifetimes lifetimes(plan, order);
  Bytes bytes;
  BufferOp destroyed, destroyer;
  for (BufferOp buffer : lifetimes.getBuffers()) {
    if (!buffer.getOffset())
      continue;
    // Of buffers before that one, this is after all if it is after that one.
    int64_t begin = *buffer.getOffset();
    bytes.take(begin, begin + buffer.getBytes(), buffer, [&](BufferOp before) {
      if (destroyed || lifetimes.endsBefore(before, buffer))
        return;
      destroyed = before;
      destroyer = buffer;
    });
  }
  if (!destroyed)
    return success();
  InFlightDiagnostic diag =
      destroyer.emitOpError()
      << "'" << destroyer.getName() << "' has bytes of buffer '"
      << destroyed.getName()
      << "', and a launch may write it before all that use that one have "
         "ended; give it another place, or none, so that launch-place-buffers "
         "does";
  diag.attachNote(destroyed->getLoc()) << "which is this one";
  return diag;
}
