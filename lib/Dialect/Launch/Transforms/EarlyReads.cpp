//===- EarlyReads.cpp - Inputs that launches read early -------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "EarlyReads.h"

#include "grout/Dialect/Launch/IR/BufferParts.h"
#include "grout/Dialect/Launch/IR/LaunchOrder.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/InterleavedRange.h"

#define DEBUG_TYPE "launch-schedule"

using namespace mlir;
using namespace grout;
using namespace grout::launch;

/// Whether the kernel of `launch` waits for launches itself, before it triggers
/// others, and starts after a launch that has waited for the work before the
/// plan.
static bool canReadEarly(TilesOp launch) {
  if (launch.getTrigger() == Trigger::at_entry &&
      cast<LaunchOpInterface>(*launch).hasEdge(Edge::programmatic))
    return false;
  return llvm::any_of(launch.getEdges(),
                      [](int32_t edge) {
                        return edge != static_cast<int32_t>(Edge::full);
                      }) &&
         llvm::none_of(launch.getAfter(), [](Value token) {
           return isa<StartOp>(token.getDefiningOp());
         });
}

void launch::setEarlyReads(PlanOp plan) {
  LaunchOrder order(plan);
  // For each memory, the launches that write it.
  llvm::DenseMap<Value, SmallVector<TilesOp, 1>> writers;
  for (auto launch : plan.getBody().front().getOps<TilesOp>()) {
    if (canReadEarly(launch)) {
      SmallVector<int64_t> early;
      auto isReadyAtStart = [&](Value input) {
        return llvm::none_of(
                   launch.getOutputs(),
                   [&](Value output) { return mayOverlap(output, input); }) &&
               llvm::all_of(writers.lookup(getMemory(input)),
                            [&](TilesOp writer) {
                              return order.hasEndedAtStart(writer, launch);
                            });
      };
      for (auto [number, input] : llvm::enumerate(launch.getInputs()))
        if (isReadyAtStart(input))
          early.push_back(number);
      launch.setEarly(early);
      LDBG() << launch.getName() << " may read "
             << llvm::interleaved_array(early) << " early";
    }
    for (Value output : launch.getOutputs())
      writers[getMemory(output)].push_back(launch);
  }
}
