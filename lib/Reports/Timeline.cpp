//===- Timeline.cpp - Draws modelled tiles over processors ----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Reports/Timeline.h"

#include "Panels.h"
#include "TracePanels.h"
#include "grout/Reports/TileSimulation.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace grout;

static Panel makePanel(const SimulatedRun &run, StringRef title) {
  Panel panel;
  panel.title = title.str();
  panel.rows = run.residents;
  panel.end = run.end;
  for (const SimulatedTile &tile : run.tiles) {
    double ready = tile.start + tile.waited;
    panel.bars.push_back({Bar::kWaiting, tile.resident, tile.start, ready});
    panel.bars.push_back({tile.kernel, tile.resident, ready, tile.end});
  }
  return panel;
}

/// Returns a title for launches with these waits.
static llvm::StringRef getTitle(ArrayRef<tsync::LaunchWait> waits) {
  if (!llvm::all_equal(waits))
    return "launches, each with a mode of its own";
  switch (waits.front()) {
  case tsync::LaunchWait::BeforeStart:
    return "one kernel after another";
  case tsync::LaunchWait::BeforeUse:
    return "programmatic dependent launch";
  case tsync::LaunchWait::BeforeEnd:
    return "launches that overlap, synchronised by tile";
  case tsync::LaunchWait::Never:
    return "synchronised by tile";
  }
  llvm_unreachable("unknown wait");
}

/// Reports why `module`, which has no chain, has no drawing.
static LogicalResult emitNoChain(ModuleOp module, const TargetSpec &target) {
  InFlightDiagnostic diag =
      emitError(module.getLoc(), "the module has no chain to draw");
  bool hasKernels =
      module.walk([](TileKernelOpInterface) { return WalkResult::interrupt(); })
          .wasInterrupted();
  if (hasKernels)
    diag << ": memory-bound kernels for " << target.name
         << " are launches of their own, whose time is not modelled";
  return diag;
}

/// Simulates `chain`, one kernel after another and in its mode.
static FailureOr<PanelGroup> simulateChain(tsync::ChainOp chain,
                                           const TargetSpec &target) {
  FailureOr<tsync::ChainProgram> program = tsync::ChainProgram::get(chain);
  if (failed(program))
    return failure();
  // The first kernel waits for no kernel of the chain. So it gets the wait of
  // the second kernel.
  SmallVector<tsync::LaunchWait> waits =
      llvm::map_to_vector(program->kernels, [&](TileKernelOpInterface op) {
        return chain.getLaunchWait(op);
      });
  if (waits.size() > 1)
    waits.front() = waits[1];
  SmallVector<tsync::LaunchWait> serial(waits.size(),
                                        tsync::LaunchWait::BeforeStart);
  PanelGroup group;
  for (const auto &[modelled, title] :
       {std::pair(serial, StringRef("one kernel after another")),
        std::pair(waits, getTitle(waits))}) {
    llvm::Expected<SimulatedRun> run = simulate(*program, target, modelled);
    if (!run)
      return chain.emitOpError("cannot be drawn: ")
             << llvm::toString(run.takeError());
    group.kernels = run->kernels;
    group.panels.push_back(makePanel(*run, title));
  }
  return group;
}

/// Adds the panels of the trace in file `path` to `groups`.
static LogicalResult addTrace(ModuleOp module, StringRef path,
                              std::vector<PanelGroup> &groups) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return emitError(module.getLoc(), "cannot read the trace '")
           << path << "': " << buffer.getError().message();
  llvm::Expected<PanelGroup> group = readTracePanels((*buffer)->getBuffer());
  if (!group)
    return emitError(module.getLoc(), "cannot draw the trace '")
           << path << "': " << llvm::toString(group.takeError());
  groups.push_back(std::move(*group));
  return success();
}

LogicalResult grout::printTimeline(ModuleOp module, const TargetSpec &target,
                                   StringRef trace, llvm::raw_ostream &os) {
  std::vector<PanelGroup> groups;
  WalkResult walk = module.walk([&](tsync::ChainOp chain) {
    FailureOr<PanelGroup> group = simulateChain(chain, target);
    if (failed(group))
      return WalkResult::interrupt();
    groups.push_back(std::move(*group));
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  if (!trace.empty() && failed(addTrace(module, trace, groups)))
    return failure();
  if (groups.empty())
    return emitNoChain(module, target);
  drawPanels(
      os,
      (trace.empty() ? "Modelled tiles" : "Modelled and measured tiles") +
          llvm::Twine(" over the processors of ") + target.name +
          "; grey is waiting",
      groups);
  return success();
}
