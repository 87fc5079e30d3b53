//===- Panels.cpp - Drawings of tiles over processors ---------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Panels.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace grout;
using llvm::StringRef;

/// All lengths are in SVG user units.
static constexpr double kWidth = 1200, kLeft = 60, kRight = 40, kTop = 60;
static constexpr double kPanelGap = 60, kPanelHeight = 320;
static constexpr double kLegendWidth = 110;

static constexpr StringRef kWaitingColour = "#c9c9c4";

/// Colours that differ in lightness as well as in hue.
static constexpr llvm::StringLiteral kColours[] = {
    "#1f6fb4", "#f2a541", "#3a9e6e", "#b4477a", "#7a5cc4", "#8a8f2f"};

static StringRef getColour(unsigned kernel) {
  return kColours[kernel % std::size(kColours)];
}

static void printRect(llvm::raw_ostream &os, double x, double y, double width,
                      double height, StringRef colour) {
  os << llvm::format("<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
                     "height=\"%.2f\" fill=\"",
                     x, y, width, height)
     << colour << "\"/>\n";
}

static void printText(llvm::raw_ostream &os, double x, double y, StringRef text,
                      StringRef more = "") {
  os << llvm::format("<text x=\"%.1f\" y=\"%.1f\" ", x, y) << more << ">";
  llvm::printHTMLEscaped(text, os);
  os << "</text>\n";
}

/// Draws a panel whose top is at `top`. Its width stands for `span`
/// microseconds.
static void printPanel(llvm::raw_ostream &os, const Panel &panel, double top,
                       double span) {
  double scale = (kWidth - kLeft - kRight) / span;
  double row = kPanelHeight / panel.rows;
  double height = row > 4 ? row - 1 : row;
  std::string caption;
  llvm::raw_string_ostream(caption)
      << panel.title << ": " << llvm::format("%.1f", panel.end) << " us";
  printText(os, kLeft, top - 8, caption, "font-weight=\"bold\"");
  printRect(os, kLeft, top, kWidth - kLeft - kRight, kPanelHeight, "#f4f4f2");
  for (const Bar &bar : panel.bars) {
    bool isWaiting = bar.kernel == Bar::kWaiting;
    double width = (bar.end - bar.start) * scale;
    double gap = isWaiting ? 0 : std::min(0.6, width / 8);
    printRect(os, kLeft + bar.start * scale, top + row * bar.row, width - gap,
              height, isWaiting ? kWaitingColour : getColour(bar.kernel));
  }
  double end = kLeft + panel.end * scale;
  os << llvm::format("<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\" "
                     "stroke=\"#222\" stroke-dasharray=\"4 3\"/>\n",
                     end, top, end, top + kPanelHeight);
  os << llvm::format("<text transform=\"translate(%.1f %.1f) rotate(-90)\" "
                     "text-anchor=\"middle\">processors (%u)</text>\n",
                     kLeft - 16, top + kPanelHeight / 2, panel.rows);
}

static void printLegend(llvm::raw_ostream &os,
                        llvm::ArrayRef<std::string> kernels, double top) {
  double x = kWidth - kRight;
  for (unsigned kernel = kernels.size(); kernel-- > 0;) {
    x -= kLegendWidth;
    printRect(os, x, top - 20, 12, 12, getColour(kernel));
    printText(os, x + 18, top - 9, kernels[kernel]);
  }
}

void grout::drawPanels(llvm::raw_ostream &os, const llvm::Twine &title,
                       llvm::ArrayRef<PanelGroup> groups) {
  constexpr double kStep = kPanelHeight + kPanelGap;
  double height = kTop;
  for (const PanelGroup &group : groups)
    height += kStep * static_cast<double>(group.panels.size());
  os << llvm::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" "
                     "height=\"%.0f\" font-family=\"sans-serif\" "
                     "font-size=\"13\">\n",
                     kWidth, height);
  printRect(os, 0, 0, kWidth, height, "#ffffff");
  printText(os, kLeft, 22, title.str());
  double top = kTop + 10;
  for (const PanelGroup &group : groups) {
    printLegend(os, group.kernels, top);
    double span = 0;
    for (const Panel &panel : group.panels)
      span = std::max(span, panel.end);
    for (const Panel &panel : group.panels) {
      printPanel(os, panel, top, span);
      top += kStep;
    }
  }
  os << "</svg>\n";
}
