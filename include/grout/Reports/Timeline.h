//===- Timeline.h - Draws modelled tiles over processors --------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_REPORTS_TIMELINE_H
#define GROUT_REPORTS_TIMELINE_H

#include "grout/Target/TargetSpec.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

namespace grout {

/// Draws, as SVG, the modelled run of every chain of `module` on `target`, once
/// with its kernels one after another and once in its mode: a row for each
/// processor, a bar for each tile, waiting in grey. The chains must have an
/// order and, where tiles wait for tiles, policies. If `trace` is not empty, it
/// is a file that `grout-run --trace` wrote; the measured run is drawn below,
/// and the module needs no chain. Fails with a diagnostic.
mlir::LogicalResult printTimeline(mlir::ModuleOp module,
                                  const TargetSpec &target,
                                  llvm::StringRef trace, llvm::raw_ostream &os);

} // namespace grout

#endif // GROUT_REPORTS_TIMELINE_H
