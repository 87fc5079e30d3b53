//===- KnownValues.h - Array elements known to a thread ---------*- C++ -*-===//
//
// Part of Grout. The elements that a thread has read or computed are in
// registers, or in local memory if there are too many.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_SCOPTOGPU_KNOWNVALUES_H
#define GROUT_LIB_CONVERSION_SCOPTOGPU_KNOWNVALUES_H

#include "EmitContext.h"

namespace grout::scop {

class KnownValues {
public:
  KnownValues(EmitContext &ctx) : ctx(ctx) {}

  /// Returns the known value of an access at a point, or null.
  Lanes *find(const StridedAccess &access, const Point &point);
  void set(const StridedAccess &access, const Point &point, Lanes lanes);
  /// Sets the value of an access that a statement writes. Values of other
  /// accesses to the array become unknown, as the write may have changed them.
  void setWritten(const StridedAccess &access, const Point &point, Lanes lanes);
  /// Forgets all values that have become known since `mark`. Their registers
  /// belong to code that does not always run.
  void forget(size_t mark) {
    llvm::erase_if(
        known, [&](const KnownValue &value) { return value.number >= mark; });
  }
  size_t getMark() const { return nextNumber; }

  /// Stores values that `statement` has written in local memory for later
  /// phases, if they do not stay in registers.
  mlir::LogicalResult keep(const PhaseStatement &statement,
                           const StridedAccess &access, const Point &point,
                           const Lanes &lanes);
  /// Loads for `op` the value that an earlier statement has stored in local
  /// memory, if one has.
  std::optional<Lanes> loadKept(StmtOp op, const StridedAccess &access,
                                const Point &point);

private:
  /// A known element of an array at a point.
  struct KnownValue {
    StridedAccess access;
    int64_t round;
    Lanes lanes;
    /// Values that became known later have greater numbers.
    size_t number;
  };
  /// Local memory for the values of all rounds.
  struct KeptValues {
    StridedAccess access;
    mlir::Value memory;
    int64_t numLanes;
    /// The first statement that stores values there.
    StmtOp writer;
  };

  int64_t getRound(const StridedAccess &access, const Point &point) const {
    bool isRepeated =
        ctx.mapping.repeats != 1 && access.dependsOn(ctx.mapping.repeatedLoop);
    return isRepeated || ctx.shape.dependsOnInner(access) ? point.round : -1;
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
