//===- Timeline.cpp - Draws modelled tiles over processors ----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Reports/Timeline.h"

#include "grout/Reports/TileSimulation.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace grout;

/// All lengths are in SVG user units.
static constexpr double kWidth = 1200, kLeft = 60, kRight = 40, kTop = 60;
static constexpr double kPanelGap = 60, kPanelHeight = 320;

/// Colours that differ in lightness as well as in hue.
static constexpr llvm::StringLiteral kColours[] = {
    "#1f6fb4", "#f2a541", "#3a9e6e", "#b4477a", "#7a5cc4", "#8a8f2f"};

static llvm::StringRef getColour(unsigned kernel) {
  return kColours[kernel % std::size(kColours)];
}

static void printRect(llvm::raw_ostream &os, double x, double y, double width,
                      double height, llvm::StringRef colour) {
  os << llvm::format("<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
                     "height=\"%.2f\" fill=\"",
                     x, y, width, height)
     << colour << "\"/>\n";
}

static void printText(llvm::raw_ostream &os, double x, double y,
                      const llvm::Twine &text, llvm::StringRef more = "") {
  os << llvm::format("<text x=\"%.1f\" y=\"%.1f\" ", x, y) << more << ">"
     << text << "</text>\n";
}

/// Draws a run as a panel whose top is at `top`. Its width stands for `span`
/// microseconds.
static void printPanel(llvm::raw_ostream &os, const SimulatedRun &run,
                       llvm::StringRef title, double top, double span) {
  double scale = (kWidth - kLeft - kRight) / span;
  double row = kPanelHeight / run.residents;
  double bar = row > 4 ? row - 1 : row;
  std::string caption;
  llvm::raw_string_ostream(caption)
      << title << ": " << llvm::format("%.1f", run.end) << " us";
  printText(os, kLeft, top - 8, caption, "font-weight=\"bold\"");
  printRect(os, kLeft, top, kWidth - kLeft - kRight, kPanelHeight, "#f4f4f2");
  for (const SimulatedTile &tile : run.tiles) {
    double y = top + row * tile.resident;
    double x = kLeft + tile.start * scale;
    printRect(os, x, y, tile.waited * scale, bar, "#c9c9c4");
    double gap = std::min(0.6, (tile.end - tile.start) * scale / 8);
    printRect(os, x + tile.waited * scale, y,
              (tile.end - tile.start - tile.waited) * scale - gap, bar,
              getColour(tile.kernel));
  }
  double end = kLeft + run.end * scale;
  os << llvm::format("<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\" "
                     "stroke=\"#222\" stroke-dasharray=\"4 3\"/>\n",
                     end, top, end, top + kPanelHeight);
  os << llvm::format("<text transform=\"translate(%.1f %.1f) rotate(-90)\" "
                     "text-anchor=\"middle\">processors (%u)</text>\n",
                     kLeft - 16, top + kPanelHeight / 2, run.residents);
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

LogicalResult grout::printTimeline(ModuleOp module, const TargetSpec &target,
                                   llvm::raw_ostream &os) {
  struct Pair {
    SimulatedRun serial, compiled;
    SmallVector<tsync::LaunchWait> waits;
  };
  std::vector<Pair> runs;
  WalkResult walk = module.walk([&](tsync::ChainOp chain) {
    FailureOr<tsync::ChainProgram> program = tsync::ChainProgram::get(chain);
    if (failed(program))
      return WalkResult::interrupt();
    // The first kernel waits for no kernel of the chain. So it gets the wait of
    // the second kernel.
    SmallVector<tsync::LaunchWait> waits =
        llvm::map_to_vector(program->kernels, [&](TileKernelOpInterface op) {
          return chain.getLaunchWait(op);
        });
    if (waits.size() > 1)
      waits.front() = waits[1];
    llvm::Expected<SimulatedRun> serial =
        simulate(*program, target,
                 SmallVector<tsync::LaunchWait>(
                     waits.size(), tsync::LaunchWait::BeforeStart));
    if (!serial) {
      chain.emitOpError("cannot be drawn: ")
          << llvm::toString(serial.takeError());
      return WalkResult::interrupt();
    }
    llvm::Expected<SimulatedRun> compiled = simulate(*program, target, waits);
    if (!compiled) {
      chain.emitOpError("cannot be drawn: ")
          << llvm::toString(compiled.takeError());
      return WalkResult::interrupt();
    }
    runs.push_back({std::move(*serial), std::move(*compiled), waits});
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  if (runs.empty())
    return emitNoChain(module, target);

  double panel = kPanelHeight + kPanelGap;
  double height = kTop + 2 * panel * static_cast<double>(runs.size());
  os << llvm::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" "
                     "height=\"%.0f\" font-family=\"sans-serif\" "
                     "font-size=\"13\">\n",
                     kWidth, height);
  printRect(os, 0, 0, kWidth, height, "#ffffff");
  printText(os, kLeft, 22,
            "Modelled tiles over the processors of " + target.name +
                "; grey is waiting");
  double top = kTop + 10;
  for (const Pair &pair : runs) {
    double span = std::max(pair.serial.end, pair.compiled.end);
    double legend = kWidth - kRight;
    for (unsigned kernel = pair.serial.kernels.size(); kernel-- > 0;) {
      legend -= 110;
      printRect(os, legend, top - 20, 12, 12, getColour(kernel));
      printText(os, legend + 18, top - 9, pair.serial.kernels[kernel]);
    }
    printPanel(os, pair.serial, "one kernel after another", top, span);
    printPanel(os, pair.compiled, getTitle(pair.waits), top + panel, span);
    top += 2 * panel;
  }
  os << "</svg>\n";
  return success();
}
