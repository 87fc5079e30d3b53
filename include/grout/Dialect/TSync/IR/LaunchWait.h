//===- LaunchWait.h - The meaning of a mode ---------------------*- C++ -*-===//
//
// Part of Grout. Only this file defines the waits that a mode promises. The
// proof checks them (ChainProgram), and kernels are generated from them
// (ProgrammaticLaunch). The cost model, the simulation and the explanation use
// them, too.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TSYNC_IR_LAUNCHWAIT_H
#define GROUT_DIALECT_TSYNC_IR_LAUNCHWAIT_H

#include "mlir/Support/LLVM.h"

namespace grout::tsync {

enum class Mode : unsigned;

/// Returns all modes, in the order of how much their launches wait for,
/// beginning with the most.
llvm::ArrayRef<Mode> getModes();
/// Returns the modes that a dependence may have, in the same order: those in
/// which kernels have launches of their own.
llvm::ArrayRef<Mode> getEdgeModes();

/// When a launch of a chain waits for the end of the launches before it.
enum class LaunchWait {
  /// Before it starts. All writes of those launches are then visible.
  BeforeStart,
  /// The launch starts early. Threads wait before they read a tensor that the
  /// chain writes, and every tile waits before it writes. Other data may be
  /// loaded before.
  BeforeUse,
  /// The launch starts early, and its tiles wait for semaphores. The launch
  /// waits only before it ends. So when a launch has ended, all launches before
  /// it have ended, too.
  BeforeEnd,
  /// No launches are before it: a single launch runs all kernels, and tiles
  /// wait for semaphores.
  Never,
};

/// Returns when a launch in `mode` waits.
LaunchWait getLaunchWait(Mode mode);

/// Returns whether a single launch runs all kernels of a chain.
inline bool isOneLaunch(Mode mode) {
  return getLaunchWait(mode) == LaunchWait::Never;
}

/// Returns whether a launch with this wait may start before the launches before
/// it have ended. Then only threads that wait can rely on their end.
inline bool startsEarly(LaunchWait wait) {
  return wait == LaunchWait::BeforeUse || wait == LaunchWait::BeforeEnd;
}

/// Returns whether the tiles of such a launch wait for tiles of other kernels,
/// by semaphores.
inline bool waitsForTiles(LaunchWait wait) {
  return wait == LaunchWait::BeforeEnd || wait == LaunchWait::Never;
}

} // namespace grout::tsync

#endif // GROUT_DIALECT_TSYNC_IR_LAUNCHWAIT_H
