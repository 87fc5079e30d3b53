//===- LaunchWait.h - What a mode means -------------------------*- C++ -*-===//
//
// Part of Grout. The one place that says what modes promise. The proof checks
// it (ChainProgram), kernels are generated from it (ProgrammaticLaunch), and
// the cost model, the simulation and the explanation read it.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TSYNC_IR_LAUNCHWAIT_H
#define GROUT_DIALECT_TSYNC_IR_LAUNCHWAIT_H

#include "mlir/Support/LLVM.h"

namespace grout::tsync {

enum class Mode : unsigned;

/// All modes, those whose launches wait for most first.
llvm::ArrayRef<Mode> getModes();
/// Those that a dependence may have: of kernels with launches of their own.
llvm::ArrayRef<Mode> getEdgeModes();

/// When a launch of a chain waits for the end of the launches before it.
enum class LaunchWait {
  /// Before it starts. Whatever they have written is there.
  BeforeStart,
  /// It starts early. Who reads what the chain writes waits first, and so does
  /// every tile before it writes; all else may be loaded meanwhile.
  BeforeUse,
  /// It starts early, and its tiles wait for semaphores. Only its end waits,
  /// so that the end of a launch is the end of all before it, too.
  BeforeEnd,
  /// There are no launches before it: one runs all kernels, and tiles wait for
  /// semaphores.
  Never,
};

/// What `mode` says of a launch.
LaunchWait getLaunchWait(Mode mode);

/// Whether one launch runs all kernels of a chain.
inline bool isOneLaunch(Mode mode) {
  return getLaunchWait(mode) == LaunchWait::Never;
}

/// Whether a launch that waits so may start before those before it have ended.
/// It is then visible to nobody that they have, but to who waits.
inline bool startsEarly(LaunchWait wait) {
  return wait == LaunchWait::BeforeUse || wait == LaunchWait::BeforeEnd;
}

/// Whether its tiles wait for tiles of other kernels by semaphores.
inline bool waitsForTiles(LaunchWait wait) {
  return wait == LaunchWait::BeforeEnd || wait == LaunchWait::Never;
}

} // namespace grout::tsync

#endif // GROUT_DIALECT_TSYNC_IR_LAUNCHWAIT_H
