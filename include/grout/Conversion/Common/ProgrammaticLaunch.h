//===- ProgrammaticLaunch.h - Kernels that start early ----------*- C++ -*-===//
//
// Part of Grout. Programmatic dependent launch: a kernel may start before the
// kernel before it has ended, and itself waits for that end. This file alone
// says how the edges of a launch determine when its kernel waits and triggers.
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
  /// Whether all threads of the kernel wait before they access memory that may
  /// change: the kernel does not know which memory the launch before it writes.
  bool waitsAtEntry = false;
  /// Whether the threads that write, or that read inputs which the launch may
  /// not read early, wait before they do so.
  bool loadsEarly = false;
  /// Whether only the end of the kernel waits for launches, because tiles wait
  /// for tiles.
  bool waitsAtEnd = false;
  /// When the kernel lets the next launch start early. The next launch starts
  /// as soon as all blocks have triggered it. If the kernel waits at its entry,
  /// `at_entry` triggers behind that wait. If the kernel does not wait,
  /// `after_wait` triggers behind its first loads.
  launch::Trigger trigger = launch::Trigger::never;

  /// Returns the behaviour of the kernel of `launch`. If all edges of the
  /// launch are full, the kernel waits for nothing.
  static ProgrammaticLaunch get(launch::TilesOp launch);
};

/// Emits a wait of the executing thread for the end of all launches before.
/// Afterwards, all proxies see everything that these launches wrote. The wait
/// returns at once if the launch before did not let this launch start early.
mlir::Operation *emitLaunchWait(mlir::OpBuilder &builder, mlir::Location loc);

/// Whether `op` comes from emitLaunchWait.
bool isLaunchWait(mlir::Operation *op);

/// Emits this block's trigger of the next launch. That launch starts when all
/// blocks have triggered it or ended. A second trigger has no effect.
void emitLaunchTrigger(mlir::OpBuilder &builder, mlir::Location loc);

/// The next four functions emit the waits and triggers of a GEMM or attention
/// kernel, as `programmatic` says. This one is for all threads, at the very
/// start.
void emitEntryTrigger(mlir::OpBuilder &builder, mlir::Location loc,
                      const ProgrammaticLaunch &programmatic);
/// For all threads, before any thread accesses memory that may change.
void emitEntryWait(mlir::OpBuilder &builder, mlir::Location loc,
                   const ProgrammaticLaunch &programmatic);
/// For the thread that loads the inputs which the kernel may read early, behind
/// the first of these loads. So loads of the next kernel do not compete with
/// them.
void emitTriggerBehindLoads(mlir::OpBuilder &builder, mlir::Location loc,
                            const ProgrammaticLaunch &programmatic);
/// For the threads that write results, in every block, even in a block that has
/// nothing to write. So no result is written while a launch before might read
/// its memory, and no block ends before that launch has ended.
void emitStorerWait(mlir::OpBuilder &builder, mlir::Location loc,
                    const ProgrammaticLaunch &programmatic);

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_PROGRAMMATICLAUNCH_H
