//===- LaunchPlaceBuffers.cpp - Buffers share memory ----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Launch/IR/BufferLifetimes.h"
#include "grout/Dialect/Launch/IR/BufferPlaces.h"
#include "grout/Dialect/Launch/Transforms/Passes.h"
#include "grout/Runtime/DeviceABI.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/MathExtras.h"
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

/// A range of bytes that is taken: [begin, end).
struct Interval {
  int64_t begin, end;
};

class Placer {
public:
  explicit Placer(PlanOp plan);

  /// Places all buffers. Returns how many have got a place.
  unsigned run();

private:
  void place(BufferOp buffer);
  std::optional<int64_t> findPlace(BufferOp buffer, BlockArgument host);

  PlanOp plan;
  LaunchOrder order;
  BufferLifetimes lifetimes;
  /// Outputs that may hold buffers until launches write them.
  SmallVector<BlockArgument> hosts;
  SmallVector<BufferOp> placed, unplaced;
  int64_t workspace = 0;
};

} // namespace

Placer::Placer(PlanOp plan) : plan(plan), order(plan), lifetimes(plan, order) {
  for (Value memory : lifetimes.getBuffers()) {
    auto buffer = memory.getDefiningOp<BufferOp>();
    if (!buffer)
      hosts.push_back(cast<BlockArgument>(memory));
    else if (buffer.getOffset())
      placed.push_back(buffer);
    else
      unplaced.push_back(buffer);
  }
  llvm::stable_sort(unplaced, [](BufferOp a, BufferOp b) {
    return a.getBytes() > b.getBytes();
  });
}

/// Returns the best place for `bytes` between the `taken` ranges: the start of
/// the smallest gap that is large enough, or the end of all ranges.
static int64_t findGap(SmallVectorImpl<Interval> &taken, int64_t bytes) {
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

/// Returns the place for `buffer` in `host`, or in the workspace if `host` is
/// null; none if it does not fit.
std::optional<int64_t> Placer::findPlace(BufferOp buffer, BlockArgument host) {
  if (host && !lifetimes.endsBefore(buffer, host))
    return std::nullopt;
  SmallVector<Interval> taken;
  for (BufferOp other : placed)
    if (other.getHost() == host && !lifetimes.endsBefore(other, buffer) &&
        !lifetimes.endsBefore(buffer, other)) {
      int64_t begin = *other.getOffset();
      taken.push_back({begin, begin + other.getAlignedBytes()});
    }
  int64_t place = findGap(taken, buffer.getAlignedBytes());
  if (host && place + buffer.getBytes() > getBytes(host))
    return std::nullopt;
  return place;
}

void Placer::place(BufferOp buffer) {
  for (BlockArgument host : hosts)
    if (std::optional<int64_t> place = findPlace(buffer, host)) {
      buffer.setOffset(*place);
      buffer.setArgument(host.getArgNumber());
      return;
    }
  int64_t place = *findPlace(buffer, BlockArgument());
  buffer.setOffset(place);
  workspace = std::max(workspace, place + buffer.getAlignedBytes());
}

unsigned Placer::run() {
  for (BufferOp buffer : unplaced) {
    place(buffer);
    placed.push_back(buffer);
  }
  // A buffer that no launch uses needs no memory.
  for (auto buffer : plan.getBody().getOps<BufferOp>())
    if (!buffer.getValue() && !buffer.getOffset())
      buffer.setOffset(0);
  LDBG() << plan.getSymName() << ": " << unplaced.size() << " buffers in "
         << workspace << " bytes";
  return unplaced.size();
}

/// Returns which of three regions the exchange with number `number` of `count`
/// has: so that no two that follow each other have the same, also from run to
/// run. For example, three exchanges have 0, 1, 2, and four 0, 1, 0, 1.
static size_t getRegion(size_t number, size_t count) {
  bool isOddOne = count % 2 == 1 && count != 1 && number + 1 == count;
  return isOddOne ? 2 : number % 2;
}

/// Gives each exchange of `plan` that has none a place in the symmetric memory.
/// Exchanges that are cleared share regions.
static void placeExchanges(PlanOp plan) {
  int64_t end = 0;
  SmallVector<KernelOp> cleared, others;
  for (auto kernel : plan.getBody().front().getOps<KernelOp>()) {
    std::optional<ExchangeAttr> exchange = kernel.getExchange();
    if (!exchange)
      continue;
    if (exchange->getOffset() >= 0)
      end = std::max(end, exchange->getOffset() + exchange->getBytes());
    else
      (exchange->getCleared() ? cleared : others).push_back(kernel);
  }
  auto place = [&](KernelOp kernel, int64_t offset) {
    ExchangeAttr exchange = *kernel.getExchange();
    kernel.setExchangeAttr(
        ExchangeAttr::get(plan.getContext(), exchange.getRanks(),
                          exchange.getBytes(), offset, exchange.getCleared()));
    return offset + exchange.getBytes();
  };
  for (KernelOp kernel : others)
    end = place(kernel, llvm::alignTo(end, kernelabi::kBufferAlignment));
  for (size_t region = 0; region != 3; ++region) {
    int64_t begin = llvm::alignTo(end, kernelabi::kBufferAlignment);
    for (auto [number, kernel] : llvm::enumerate(cleared))
      if (getRegion(number, cleared.size()) == region)
        end = std::max(end, place(kernel, begin));
  }
}

namespace {

struct LaunchPlaceBuffers
    : grout::launch::impl::LaunchPlaceBuffersBase<LaunchPlaceBuffers> {
  using Base::Base;

  void runOnOperation() override {
    for (auto plan : getOperation().getOps<PlanOp>()) {
      numPlaced += Placer(plan).run();
      placeExchanges(plan);
    }
  }
};

} // namespace
