//===- TracePanels.h - Drawings of measured runs ----------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_REPORTS_TRACEPANELS_H
#define GROUT_LIB_REPORTS_TRACEPANELS_H

#include "Panels.h"
#include "llvm/Support/Error.h"

namespace grout {

/// Returns a panel for each rank of a trace, the text of a file that
/// `grout-run --trace` wrote: the time of each tile or block on its SM or
/// worker. On CPUs, waits are parts of a tile. Returns an error if the text is
/// no such file or has no tile or block.
llvm::Expected<PanelGroup> readTracePanels(llvm::StringRef text);

} // namespace grout

#endif // GROUT_LIB_REPORTS_TRACEPANELS_H
