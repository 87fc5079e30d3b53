//===- Panels.h - Drawings of tiles over processors -------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_REPORTS_PANELS_H
#define GROUT_LIB_REPORTS_PANELS_H

#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace grout {

/// A bar of a panel, from `start` to `end` in microseconds.
struct Bar {
  /// The kernel, which has a colour; none is waiting.
  static constexpr unsigned kWaiting = ~0u;
  unsigned kernel;
  unsigned row;
  double start;
  double end;
};

/// A run: a row for each processor, and bars in it. Later bars cover earlier
/// ones.
struct Panel {
  std::string title;
  unsigned rows = 0;
  /// Microseconds until the end of the run.
  double end = 0;
  std::vector<Bar> bars;
};

/// Runs of the same kernels, which have one scale.
struct PanelGroup {
  std::vector<std::string> kernels;
  std::vector<Panel> panels;
};

/// Draws `groups` below each other, as SVG.
void drawPanels(llvm::raw_ostream &os, const llvm::Twine &title,
                llvm::ArrayRef<PanelGroup> groups);

} // namespace grout

#endif // GROUT_LIB_REPORTS_PANELS_H
