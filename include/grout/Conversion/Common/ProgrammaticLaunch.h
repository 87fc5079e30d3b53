//===- ProgrammaticLaunch.h - Kernels that start early ----------*- C++ -*-===//
//
// Part of Grout. Programmatic dependent launch: a kernel may start before the
// one before it has ended, and waits for its end itself. What the edges of a
// launch ask of its kernel is said here, and nowhere else;
// docs/HopperSynchronisation.md says why that is safe.
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
  /// When it lets the launch after it start early, which it does as soon as all
  /// of its blocks have: `at_entry` is behind a wait there, and `after_wait`
  /// behind the first loads of a kernel that does not wait.
  launch::Trigger trigger = launch::Trigger::never;

  /// For the kernel of `launch`. It waits for nothing where all of its edges
  /// are full.
  static ProgrammaticLaunch get(launch::TilesOp launch);
};

/// Emits a wait, of the executing thread, until all launches before have ended
/// and what they wrote is visible to all proxies. Returns at once after a
/// launch that did not start early.
mlir::Operation *emitLaunchWait(mlir::OpBuilder &builder, mlir::Location loc);

/// Whether `op` is what emitLaunchWait emits.
bool isLaunchWait(mlir::Operation *op);

/// Emits this block's trigger of the next launch, which starts when all blocks
/// have triggered it or ended. Further ones have no effect.
void emitLaunchTrigger(mlir::OpBuilder &builder, mlir::Location loc);

/// What a kernel of products or attention does as `programmatic` says. All of
/// its threads, first of all:
void emitEntryTrigger(mlir::OpBuilder &builder, mlir::Location loc,
                      const ProgrammaticLaunch &programmatic);
/// All of its threads, before any of them accesses memory that may change:
void emitEntryWait(mlir::OpBuilder &builder, mlir::Location loc,
                   const ProgrammaticLaunch &programmatic);
/// Who loads what the kernel may read early, behind the first of these loads:
/// what the next kernel loads ahead should not compete with them.
void emitTriggerBehindLoads(mlir::OpBuilder &builder, mlir::Location loc,
                            const ProgrammaticLaunch &programmatic);
/// Who writes, in each block, with or without something to write: nothing is
/// written while a launch before might read it, and no block ends before that
/// launch has.
void emitStorerWait(mlir::OpBuilder &builder, mlir::Location loc,
                    const ProgrammaticLaunch &programmatic);

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_PROGRAMMATICLAUNCH_H
