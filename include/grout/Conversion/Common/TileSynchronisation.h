//===- TileSynchronisation.h - Waits and posts of a block -------*- C++ -*-===//
//
// Part of Grout. How a launch keeps to what comes before and after it where
// each block computes one tile: as a whole, or, in a launch that is
// synchronised by tile, block by block.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_TILESYNCHRONISATION_H
#define GROUT_CONVERSION_COMMON_TILESYNCHRONISATION_H

#include "grout/Conversion/Common/ProgrammaticLaunch.h"
#include "grout/Conversion/Common/SemaphoreLayout.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace grout {

/// What a kernel waits for and posts. The default is a kernel that starts when
/// all before it has ended.
struct TileSynchronisation {
  ProgrammaticLaunch programmatic;
  /// Whether a kernel that loads early may load a buffer of the plan before it
  /// has waited.
  std::function<bool(mlir::Value buffer)> isEarly;
  llvm::SmallVector<SemaphoreWait> waits;
  llvm::SmallVector<SemaphorePost> posts;
  /// Whether the semaphores are in the kernel's own synchronisation state.
  bool ownsSemaphores = false;

  /// For the kernel of `launch`, whose tile kernels are `kernels`.
  static TileSynchronisation get(launch::TilesOp launch,
                                 llvm::ArrayRef<mlir::Operation *> kernels);

  bool usesSemaphores() const { return !waits.empty() || !posts.empty(); }
  /// The parameters of the kernel that stand for its synchronisation state, and
  /// for that which has the semaphores; behind its buffers.
  llvm::SmallVector<mlir::Attribute> getArgs(mlir::MLIRContext *context) const;
};

/// What all threads of a block do before anything else. Returns the wait for
/// launches; null if there is none.
mlir::Operation *emitStart(mlir::ImplicitLocOpBuilder &b,
                           const TileSynchronisation &sync);

/// Waits for what the tile at `tile`, i32 coordinates in a grid of any rank,
/// reads; all threads of the block take part. `states` are the parameters of
/// TileSynchronisation::getArgs. Where tiles wait, other arguments are an error
/// at the location of `b`.
mlir::LogicalResult emitTileWaits(mlir::ImplicitLocOpBuilder &b,
                                  const TileSynchronisation &sync,
                                  mlir::ValueRange states,
                                  llvm::ArrayRef<int64_t> grid,
                                  mlir::ValueRange tile);

/// Posts that the tile is written, and ends the block. Arguments are those of
/// emitTileWaits.
mlir::LogicalResult emitEnd(mlir::ImplicitLocOpBuilder &b,
                            const TileSynchronisation &sync,
                            mlir::ValueRange states, mlir::ValueRange tile);

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_TILESYNCHRONISATION_H
