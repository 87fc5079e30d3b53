//===- TileReads.h - A block's tile, and reads through shared memory -*- C++
//-*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_SCOPTOGPU_TILEREADS_H
#define GROUT_LIB_CONVERSION_SCOPTOGPU_TILEREADS_H

#include "EmitContext.h"

namespace grout::scop {

/// Loads the elements of staged reads into shared memory. Then the threads go
/// through the tile in rounds.
class TileReads {
public:
  TileReads(EmitContext &ctx) : ctx(ctx) {}

  /// Loads the block's tile, which begins at `start`, into shared memory, and
  /// calls `visit` with each point of a thread.
  mlir::LogicalResult
  emit(const Point &start,
       llvm::function_ref<mlir::LogicalResult(const Point &)> visit);
  /// Loads an element from shared memory.
  Lanes emitLoad(const StridedAccess &access, const Point &point);

private:
  void emitStaging(const StridedAccess &access, const Point &tile,
                   mlir::Value thread);
  /// Returns the distance from one column of the tile to the next in shared
  /// memory, in elements.
  int64_t getPitch(const StridedAccess &access) const;
  mlir::Value emitSlotAddress(const StridedAccess &access, mlir::Value memory,
                              mlir::Value slot);

  EmitContext &ctx;
  /// The addresses of staged reads in shared memory.
  std::vector<std::pair<StridedAccess, mlir::Value>> staged;
};

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOGPU_TILEREADS_H
