//===- LaunchPlaceBuffers.cpp - Buffers share the workspace ---------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Launch/IR/BufferLifetimes.h"
#include "grout/Dialect/Launch/IR/BufferPlaces.h"
#include "grout/Dialect/Launch/Transforms/Passes.h"
#include "llvm/Support/DebugLog.h"
#include <limits>

#define DEBUG_TYPE "launch-place-buffers"

namespace grout::launch {
#define GEN_PASS_DEF_LAUNCHPLACEBUFFERS
#include "grout/Dialect/Launch/Transforms/Passes.h.inc"
} // namespace grout::launch

using namespace mlir;
using namespace grout;
using namespace grout::launch;

namespace {

/// Bytes of the workspace that are taken: [begin, end).
struct Interval {
  int64_t begin, end;
};

} // namespace

/// Where `bytes` fit best between `taken`: at the start of the smallest gap, or
/// behind all.
static int64_t findPlace(SmallVectorImpl<Interval> &taken, int64_t bytes) {
  llvm::sort(taken, [](const Interval &a, const Interval &b) {
    return a.begin < b.begin;
  });
  int64_t end = 0, smallest = std::numeric_limits<int64_t>::max();
  std::optional<int64_t> place;
  for (const Interval &interval : taken) {
    int64_t gap = interval.begin - end;
    if (gap >= bytes && gap < smallest) {
      smallest = gap;
      place = end;
    }
    end = std::max(end, interval.end);
  }
  return place.value_or(end);
}

/// The buffers without a place that launches use, the largest first.
static SmallVector<BufferOp> getUnplaced(const BufferLifetimes &lifetimes) {
  SmallVector<BufferOp> buffers;
  llvm::copy_if(lifetimes.getBuffers(), std::back_inserter(buffers),
                [](BufferOp buffer) { return !buffer.getOffset(); });
  llvm::stable_sort(buffers, [](BufferOp a, BufferOp b) {
    return a.getBytes() > b.getBytes();
  });
  return buffers;
}

/// Returns how many buffers it has placed.
static unsigned placeBuffers(PlanOp plan) {
  LaunchOrder order(plan);
  BufferLifetimes lifetimes(plan, order);
  SmallVector<BufferOp> placed;
  llvm::copy_if(lifetimes.getBuffers(), std::back_inserter(placed),
                [](BufferOp buffer) { return buffer.getOffset(); });
  SmallVector<BufferOp> unplaced = getUnplaced(lifetimes);
  SmallVector<Interval> taken;
  int64_t end = 0;
  for (BufferOp buffer : unplaced) {
    taken.clear();
    for (BufferOp other : placed)
      if (!lifetimes.endsBefore(other, buffer) &&
          !lifetimes.endsBefore(buffer, other)) {
        int64_t begin = *other.getOffset();
        taken.push_back({begin, begin + other.getAlignedBytes()});
      }
    int64_t place = findPlace(taken, buffer.getAlignedBytes());
    buffer.setOffset(place);
    placed.push_back(buffer);
    end = std::max(end, place + buffer.getAlignedBytes());
  }
  // What no launch uses takes no room.
  for (auto buffer : plan.getBody().getOps<BufferOp>())
    if (!buffer.getValue() && !buffer.getOffset())
      buffer.setOffset(0);
  LDBG() << plan.getSymName() << ": " << unplaced.size() << " buffers in "
         << end << " bytes";
  return unplaced.size();
}

namespace {

struct LaunchPlaceBuffers
    : grout::launch::impl::LaunchPlaceBuffersBase<LaunchPlaceBuffers> {
  using Base::Base;

  void runOnOperation() override {
    for (auto plan : getOperation().getOps<PlanOp>())
      numPlaced += placeBuffers(plan);
  }
};

} // namespace
