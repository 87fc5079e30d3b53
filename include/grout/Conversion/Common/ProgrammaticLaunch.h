//===- ProgrammaticLaunch.h - Kernels that start early ----------*- C++ -*-===//
//
// Part of Grout. Programmatic dependent launch: a kernel may start before the
// one before it has ended, and waits for its end itself. docs/HopperKernels.md
// says why that is safe.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_PROGRAMMATICLAUNCH_H
#define GROUT_CONVERSION_COMMON_PROGRAMMATICLAUNCH_H

#include "grout/Dialect/TSync/IR/TSync.h"
#include "grout/Target/TargetSpec.h"
#include "mlir/IR/Builders.h"

namespace grout {

/// How a kernel overlaps the launches before and after it.
struct ProgrammaticLaunch {
  /// Whether all of its threads wait before they access memory that may change:
  /// nothing is known of what the launch before it, which is not of its chain,
  /// writes.
  bool waitsAtEntry = false;
  /// Whether those threads wait that access what its chain writes, or write
  /// themselves.
  bool loadsEarly = false;
  /// Whether only its end waits, because tiles wait for tiles.
  bool waitsAtEnd = false;
  /// Whether it lets the launch after it start early: the chain's next kernel,
  /// or the chain's next run.
  bool hasEarlySuccessor = false;
  /// Whether it does so as soon as all of its blocks run. Else a kernel that
  /// waits does so after its wait, and one that does not after its first loads.
  bool triggersAtEntry = false;

  bool startsEarly() const { return waitsAtEntry || loadsEarly || waitsAtEnd; }

  /// For the kernel of the tile kernels `kernels`, of one chain. It waits for
  /// nothing, as launches follow each other, where `target` cannot start early.
  static ProgrammaticLaunch get(llvm::ArrayRef<TileKernelOpInterface> kernels,
                                const TargetSpec &target);
};

/// Emits a wait, of the executing thread, until all launches before have ended
/// and what they wrote is visible to all proxies. Returns at once after a
/// launch that did not start early.
void emitLaunchWait(mlir::OpBuilder &builder, mlir::Location loc);

/// Emits this block's consent to the start of the next launch, which comes when
/// all blocks have given it or ended. Further ones have no effect.
void emitLaunchTrigger(mlir::OpBuilder &builder, mlir::Location loc);

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_PROGRAMMATICLAUNCH_H
