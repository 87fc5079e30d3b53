//===- GPUStatementEmitter.h - The code of statements at a point -*- C++
//-*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_SCOPTOGPU_GPUSTATEMENTEMITTER_H
#define GROUT_LIB_CONVERSION_SCOPTOGPU_GPUSTATEMENTEMITTER_H

#include "ComputedPlaces.h"
#include "KnownValues.h"
#include "TileReads.h"
#include "llvm/ADT/MapVector.h"

namespace grout::scop {

/// Emits the statements of a kernel at a point, and their reductions.
class StatementEmitter {
public:
  StatementEmitter(EmitContext &ctx, TileReads &tile)
      : ctx(ctx), tile(tile), known(ctx) {}

  /// Checks that statements write all elements of each output.
  mlir::LogicalResult checkOutputs();
  /// Loads the values that are scattered from an outer point before any store,
  /// so that the loads are in flight together: loads do not move across stores.
  mlir::LogicalResult loadScattered(const Point &outerPoint);
  /// Loads the elements that statements read at `point` and that no statement
  /// of the kernel writes. If all points are loaded before any store, their
  /// loads are in flight together.
  mlir::LogicalResult loadInputs(const Point &point);
  /// Emits the statements of a phase in order.
  mlir::LogicalResult emitPoint(Phase &phase, const Point &point);
  /// Returns the elements that an access reads at a point. Loads them from
  /// memory if they are not known.
  mlir::FailureOr<Lanes> emitRead(StmtOp op, const StridedAccess &access,
                                  const Point &point);
  /// Initialise the reductions of a phase before its first point, and finish
  /// them after its last one. `outerThread` and `innerThread` are the thread's
  /// numbers.
  mlir::LogicalResult startReductions(Phase &phase, const Point &outerPoint);
  mlir::LogicalResult finishReductions(Phase &phase, const Point &outerPoint,
                                       mlir::Value outerThread,
                                       mlir::Value innerThread);
  /// Stores values that several threads have. `point` belongs to only one of
  /// these threads.
  void emitFinalStores(const Point &point);

  KnownValues &getKnown() { return known; }
  /// Returns the accumulators of a thread, for each write of the phase's
  /// reductions.
  auto &getAccumulators() { return accumulators; }

private:
  /// Whether `op` reads by `access` an element that no statement of the kernel
  /// has written.
  bool isOutside(StmtOp op, const StridedAccess &access) const;
  mlir::LogicalResult emitStatement(PhaseStatement &statement,
                                    const Point &point);
  mlir::LogicalResult emitAccumulation(PhaseStatement &statement,
                                       const Point &point);
  /// Emits the region for one of the points, and returns its results. Values
  /// that it scatters are in `scattered` afterwards.
  llvm::SmallVector<mlir::Value> emitBody(const PhaseStatement &statement,
                                          mlir::ValueRange elements,
                                          const Point &point, int64_t lane);
  /// Records the values that `scatter` scatters at a point. `values` has its
  /// operands.
  void addScattered(const PhaseStatement &statement, ScatterOp scatter,
                    const mlir::IRMapping &values);
  /// Stores the values that all points have scattered.
  void storeScattered(const Point &point);
  /// Whether no other statement overwrites the elements of write `index` of
  /// `statement`.
  bool isFinal(const PhaseStatement &statement, unsigned index);
  /// Returns `point`, restricted to the first of the blocks that have the
  /// values which the access stores.
  Point getStorePoint(const StridedAccess &access, Point point);
  void storeAtEnd(const StridedAccess &access);

  EmitContext &ctx;
  TileReads &tile;
  KnownValues known;
  llvm::MapVector<std::pair<mlir::Operation *, unsigned>, Lanes> accumulators;
  /// The values that a statement scatters at the points that a thread has at
  /// once: `width` neighbours for each place.
  struct Scattered {
    int64_t width;
    llvm::SmallVector<ScatterPlace> places;
    Lanes lanes;
  };
  llvm::MapVector<mlir::Operation *, Scattered> scattered;
  /// Elements that are stored at the end, by one of the threads that have them.
  std::vector<StridedAccess> pending;
};

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOGPU_GPUSTATEMENTEMITTER_H
