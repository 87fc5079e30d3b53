//===- StatementEmitter.h - The code of statements at a point ---*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_SCOPTOGPU_STATEMENTEMITTER_H
#define GROUT_LIB_CONVERSION_SCOPTOGPU_STATEMENTEMITTER_H

#include "ComputedAccesses.h"
#include "KnownValues.h"
#include "TileReads.h"
#include "llvm/ADT/MapVector.h"

namespace grout::scop {

/// The statements of a kernel at a point, and what they combine.
class StatementEmitter {
public:
  StatementEmitter(EmitContext &ctx, TileReads &tile)
      : ctx(ctx), tile(tile), known(ctx) {}

  /// Checks that all of each output is written.
  mlir::LogicalResult checkOutputs();
  /// Loads what is scattered from an outer point, so that all of it arrives at
  /// once: loads do not pass what is stored anywhere.
  mlir::LogicalResult loadScattered(const Point &outerPoint);
  /// The statements of a phase, in order.
  mlir::LogicalResult emitPoint(Phase &phase, const Point &point);
  /// What an access reads at a point; from memory if it is not known.
  mlir::FailureOr<Lanes> emitRead(StmtOp op, const StridedAccess &access,
                                  const Point &point);
  /// The state of a phase's reductions before its first point, and what follows
  /// its last. `threads` are the numbers of outer and inner threads.
  mlir::LogicalResult startReductions(Phase &phase, const Point &outerPoint);
  mlir::LogicalResult finishReductions(Phase &phase, const Point &outerPoint,
                                       mlir::Value outerThread,
                                       mlir::Value innerThread);
  /// Stores what several threads have, and `point` is one's own of.
  void emitFinalStores(const Point &point);

  KnownValues &getKnown() { return known; }
  /// What a thread has so far, for each write of the phase's reductions.
  auto &getAccumulators() { return accumulators; }

private:
  /// Whether `op` reads by `access` what no statement of the kernel has
  /// written.
  bool isOutside(StmtOp op, const StridedAccess &access) const;
  mlir::LogicalResult emitStatement(PhaseStatement &statement,
                                    const Point &point);
  mlir::LogicalResult emitAccumulation(PhaseStatement &statement,
                                       const Point &point);
  /// The region's results for one of the points; what it scatters is in
  /// `scattered` then.
  llvm::SmallVector<mlir::Value> emitBody(const PhaseStatement &statement,
                                          mlir::ValueRange elements,
                                          const Point &point, int64_t lane);
  /// Takes what `scatter` scatters at a point; `values` has its operands.
  void addScattered(const PhaseStatement &statement, ScatterOp scatter,
                    const mlir::IRMapping &values);
  /// Stores what all points have scattered.
  void storeScattered(const Point &point);
  /// Whether nothing overwrites what `statement` writes by its write `index`.
  bool isFinal(const PhaseStatement &statement, unsigned index);
  /// `point`, as that of the block that is the first of those that have what
  /// the access stores.
  Point getStorePoint(const StridedAccess &access, Point point);
  void storeAtEnd(const StridedAccess &access);

  EmitContext &ctx;
  TileReads &tile;
  KnownValues known;
  llvm::MapVector<std::pair<mlir::Operation *, unsigned>, Lanes> accumulators;
  /// What a statement scatters at the points that a thread has at once: `width`
  /// neighbours for each place.
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

#endif // GROUT_LIB_CONVERSION_SCOPTOGPU_STATEMENTEMITTER_H
