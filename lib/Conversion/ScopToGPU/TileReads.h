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

/// Each read that is staged comes into shared memory, then the threads go
/// through the tile in rounds.
class TileReads {
public:
  TileReads(EmitContext &ctx) : ctx(ctx) {}

  /// Brings the block's tile, which begins at `start`, into shared memory, and
  /// calls `visit` with each point of a thread.
  mlir::LogicalResult
  emit(const Point &start,
       llvm::function_ref<mlir::LogicalResult(const Point &)> visit);
  /// Loads from shared memory.
  Lanes emitLoad(const StridedAccess &access, const Point &point);

private:
  void emitStaging(const StridedAccess &access, const Point &tile,
                   mlir::Value thread);
  /// From a column of the tile to the next in shared memory, in elements.
  int64_t getPitch(const StridedAccess &access) const;
  mlir::Value emitSlotAddress(const StridedAccess &access, mlir::Value memory,
                              mlir::Value slot);

  EmitContext &ctx;
  /// Where staged reads are in shared memory.
  std::vector<std::pair<StridedAccess, mlir::Value>> staged;
};

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOGPU_TILEREADS_H
