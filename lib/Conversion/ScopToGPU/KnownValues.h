//===- KnownValues.h - What a thread knows of arrays ------------*- C++ -*-===//
//
// Part of Grout. What a thread has read or computed is in registers, or, if it
// is too much, in memory of its own.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_SCOPTOGPU_KNOWNVALUES_H
#define GROUT_LIB_CONVERSION_SCOPTOGPU_KNOWNVALUES_H

#include "EmitContext.h"

namespace grout::scop {

class KnownValues {
public:
  KnownValues(EmitContext &ctx) : ctx(ctx) {}

  /// What is known of an access at a point, or null.
  Lanes *find(const StridedAccess &access, const Point &point);
  void set(const StridedAccess &access, const Point &point, Lanes lanes);
  /// The same for what a statement writes: elements of the array that are known
  /// by other accesses may be others now.
  void setWritten(const StridedAccess &access, const Point &point, Lanes lanes);
  /// Forgets what has become known since `mark`; it is about registers of code
  /// that does not run always.
  void forget(size_t mark) {
    llvm::erase_if(
        known, [&](const KnownValue &value) { return value.number >= mark; });
  }
  size_t getMark() const { return nextNumber; }

  /// Keeps what `statement` has written for later phases, where registers do
  /// not.
  mlir::LogicalResult keep(const PhaseStatement &statement,
                           const StridedAccess &access, const Point &point,
                           const Lanes &lanes);
  /// Loads for `op` what a statement before it has kept, if one has.
  std::optional<Lanes> loadKept(StmtOp op, const StridedAccess &access,
                                const Point &point);

private:
  /// An element of an array at a point.
  struct KnownValue {
    StridedAccess access;
    int64_t round;
    Lanes lanes;
    /// Later values have greater ones.
    size_t number;
  };
  /// Memory of the thread's own, for values of all rounds.
  struct KeptValues {
    StridedAccess access;
    mlir::Value memory;
    int64_t numLanes;
    /// The first statement that keeps some there.
    StmtOp writer;
  };

  int64_t getRound(const StridedAccess &access, const Point &point) const {
    return ctx.shape.dependsOnInner(access) ? point.round : -1;
  }
  mlir::Value emitKeptAddress(const KeptValues &kept, const Point &point,
                              int64_t lane);

  EmitContext &ctx;
  std::vector<KnownValue> known;
  size_t nextNumber = 0;
  std::vector<KeptValues> kept;
  int64_t keptBytes = 0;
};

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOGPU_KNOWNVALUES_H
