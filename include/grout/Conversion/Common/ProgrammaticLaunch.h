//===- ProgrammaticLaunch.h - Kernels that start early ----------*- C++ -*-===//
//
// Part of Grout. Programmatic dependent launch: a kernel may start before the
// one before it has ended, and waits for its end itself. What the edges of a
// launch ask of its kernel is said here, and nowhere else;
// docs/HopperKernels.md says why that is safe.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_PROGRAMMATICLAUNCH_H
#define GROUT_CONVERSION_COMMON_PROGRAMMATICLAUNCH_H

#include "grout/Dialect/Launch/IR/Launch.h"
#include "mlir/IR/Builders.h"

namespace grout {

/// How a kernel overlaps the launches before and after it.
struct ProgrammaticLaunch {
  /// Whether all of its threads wait before they access memory that may change:
  /// nothing is known of what the launch before it writes.
  bool waitsAtEntry = false;
  /// Whether those threads wait that write, or read what the launch may not
  /// read early.
  bool loadsEarly = false;
  /// Whether only its end waits, because tiles wait for tiles.
  bool waitsAtEnd = false;
  /// Whether it lets the launch after it start early.
  bool hasEarlySuccessor = false;
  /// Whether it does so as soon as all of its blocks run, or, if it waits at
  /// its entry, behind that. Else a kernel that waits does so after its wait,
  /// and one that does not after its first loads.
  bool triggersAtEntry = false;
  /// Whether it does so as soon as all of its blocks run, before any wait;
  /// `triggersAtEntry` holds, too.
  bool triggersBeforeWait = false;

  /// For the kernel of `launch`. It waits for nothing where all of its edges
  /// are full.
  static ProgrammaticLaunch get(launch::TilesOp launch);
};

/// Emits a wait, of the executing thread, until all launches before have ended
/// and what they wrote is visible to all proxies. Returns at once after a
/// launch that did not start early.
mlir::Operation *emitLaunchWait(mlir::OpBuilder &builder, mlir::Location loc);

/// Emits this block's trigger of the next launch, which starts when all blocks
/// have triggered it or ended. Further ones have no effect.
void emitLaunchTrigger(mlir::OpBuilder &builder, mlir::Location loc);

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_PROGRAMMATICLAUNCH_H
