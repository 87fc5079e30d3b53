//===- TileSynchronisation.h - Waits and posts of a block -------*- C++ -*-===//
//
// Part of Grout. For launches in which each block computes one tile: how their
// blocks wait for earlier work, and tell later work that they are done. Either
// the launch waits as a whole, or, with synchronisation by tile, each block
// waits for tiles.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_TILESYNCHRONISATION_H
#define GROUT_CONVERSION_COMMON_TILESYNCHRONISATION_H

#include "grout/Conversion/Common/ProgrammaticLaunch.h"
#include "grout/Conversion/Common/SemaphoreLayout.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace grout {

/// The waits and posts of a kernel. The default is a kernel that starts when
/// all launches before have ended.
struct TileSynchronisation {
  ProgrammaticLaunch programmatic;
  /// Whether a kernel that loads early may load a buffer of the plan before it
  /// waits.
  std::function<bool(mlir::Value buffer)> isEarly;
  llvm::SmallVector<SemaphoreWait> waits;
  llvm::SmallVector<SemaphorePost> posts;
  /// Whether the semaphores are in the kernel's own synchronisation state.
  bool ownsSemaphores = false;

  /// Returns the waits and posts of the kernel of `launch`, whose tile kernels
  /// are `kernels`.
  static TileSynchronisation get(launch::TilesOp launch,
                                 llvm::ArrayRef<mlir::Operation *> kernels);

  bool usesSemaphores() const { return !waits.empty() || !posts.empty(); }
  /// Returns the kernel's parameters for synchronisation, which follow its
  /// buffers: its own state and, if another launch's state has the semaphores,
  /// that state.
  llvm::SmallVector<mlir::Attribute> getArgs(mlir::MLIRContext *context) const;
};

/// Emits the waits and triggers of all threads of a block, before all other
/// code. Returns the wait for launches; null if there is none.
mlir::Operation *emitStart(mlir::ImplicitLocOpBuilder &b,
                           const TileSynchronisation &sync);

/// Emits the waits for all tiles that the tile at `tile` reads. `tile` has i32
/// coordinates in `grid`, of any rank. All threads of the block must execute
/// this code. `states` are the parameters of TileSynchronisation::getArgs. If
/// there are waits, wrong arguments are an error at the location of `b`.
mlir::LogicalResult emitTileWaits(mlir::ImplicitLocOpBuilder &b,
                                  const TileSynchronisation &sync,
                                  mlir::ValueRange states,
                                  llvm::ArrayRef<int64_t> grid,
                                  mlir::ValueRange tile);

/// Emits the posts of a written tile, and the end of the block. See
/// emitTileWaits for the arguments.
mlir::LogicalResult emitEnd(mlir::ImplicitLocOpBuilder &b,
                            const TileSynchronisation &sync,
                            mlir::ValueRange states, mlir::ValueRange tile);

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_TILESYNCHRONISATION_H
