//===- LaunchOrder.cpp - The order that edges guarantee -------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Launch/IR/LaunchOrder.h"

#include "grout/Dialect/Launch/IR/BufferParts.h"

using namespace mlir;
using namespace grout;
using namespace grout::launch;

LaunchOrder::LaunchOrder(PlanOp plan) : plan(plan) {
  unsigned count = llvm::range_size(plan.getLaunches());
  for (LaunchOpInterface launch : plan.getLaunches()) {
    Ended now;
    now.atStart.resize(count);
    now.atUse.resize(count);
    now.atEnd.resize(count);
    for (auto [token, kind] :
         llvm::zip_equal(launch.getAfter(), launch.getEdges())) {
      auto it = numbers.find(token.getDefiningOp());
      if (it == numbers.end()) // launch.start
        continue;
      const Ended &before = ended[it->second];
      BitVector withIt = before.atEnd;
      withIt.set(it->second);
      // By default, a kernel triggers an early start after it has waited
      // itself.
      auto launchBefore = cast<LaunchOpInterface>(token.getDefiningOp());
      const BitVector &atTrigger =
          launchBefore.triggersBeforeWait() ? before.atStart : before.atUse;
      now.atStart |=
          kind == static_cast<int32_t>(Edge::full) ? withIt : atTrigger;
      if (kind == static_cast<int32_t>(Edge::programmatic))
        now.atUse |= withIt;
      now.atEnd |= withIt;
    }
    now.atUse |= now.atStart;
    now.atEnd |= now.atUse;
    numbers[launch] = ended.size();
    ended.push_back(std::move(now));
  }
}

bool LaunchOrder::contains(BitVector Ended::*time, LaunchOpInterface earlier,
                           LaunchOpInterface launch) {
  return (ended[numbers.lookup(launch)].*time).test(numbers.lookup(earlier));
}

bool LaunchOrder::hasEndedAtStart(LaunchOpInterface earlier,
                                  LaunchOpInterface launch) {
  return contains(&Ended::atStart, earlier, launch);
}

bool LaunchOrder::hasEndedAtUse(LaunchOpInterface earlier,
                                LaunchOpInterface launch) {
  return contains(&Ended::atUse, earlier, launch);
}

bool LaunchOrder::endsBefore(LaunchOpInterface earlier,
                             LaunchOpInterface launch) {
  return contains(&Ended::atEnd, earlier, launch);
}

/// Whether tiles of `launch` wait for tiles of `earlier` before they read
/// `buffer`.
static bool waitsForTiles(LaunchOpInterface earlier, LaunchOpInterface launch,
                          Value buffer) {
  for (auto [token, kind] :
       llvm::zip_equal(launch.getAfter(), launch.getEdges()))
    if (token == earlier.getToken() && kind == static_cast<int32_t>(Edge::tile))
      return launch.waitsForTiles(buffer, earlier);
  return false;
}

LogicalResult LaunchOrder::verifyAccess(LaunchOpInterface earlier,
                                        LaunchOpInterface launch, Value buffer,
                                        bool isRead) {
  if (isRead && launch.readsEarly(buffer)) {
    if (hasEndedAtStart(earlier, launch))
      return success();
    InFlightDiagnostic diag = launch->emitOpError(
        "may read a buffer before it has waited for the launch that writes it");
    diag.attachNote(earlier->getLoc()) << "which is this one";
    return diag;
  }
  if (hasEndedAtUse(earlier, launch) ||
      (isRead && waitsForTiles(earlier, launch, buffer)))
    return success();
  InFlightDiagnostic diag = launch->emitOpError()
                            << (isRead ? "reads" : "writes")
                            << " a buffer, and is not ordered after a launch "
                               "that accesses it before";
  diag.attachNote(earlier->getLoc()) << "which is this one";
  return diag;
}

LogicalResult LaunchOrder::verify() {
  // For each memory, the launches so far that access it, each with the buffer
  // that it accesses.
  using Access = std::pair<LaunchOpInterface, Value>;
  llvm::DenseMap<Value, SmallVector<Access>> readers, writers;
  auto verifyAfter = [&](LaunchOpInterface launch, Value buffer,
                         ArrayRef<Access> accesses, bool isRead) {
    for (auto [earlier, accessed] : accesses)
      if (mayOverlap(accessed, buffer) &&
          failed(verifyAccess(earlier, launch, buffer, isRead)))
        return failure();
    return success();
  };
  for (LaunchOpInterface launch : plan.getLaunches()) {
    SmallVector<Value> reads = launch.getReads(), writes = launch.getWrites();
    for (Value buffer : reads)
      if (failed(verifyAfter(launch, buffer, writers[getMemory(buffer)],
                             /*isRead=*/true)))
        return failure();
    for (Value buffer : writes)
      for (auto *earlier :
           {&readers[getMemory(buffer)], &writers[getMemory(buffer)]})
        if (failed(verifyAfter(launch, buffer, *earlier, /*isRead=*/false)))
          return failure();
    for (Value buffer : reads)
      readers[getMemory(buffer)].emplace_back(launch, buffer);
    for (Value buffer : writes)
      writers[getMemory(buffer)].emplace_back(launch, buffer);
  }
  return success();
}
