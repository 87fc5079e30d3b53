//===- VectorSlots.h - Masked vectors along rows of memory ------*- C++ -*-===//
//
// Part of Grout. Rows whose starts are no multiples of a vector's width are
// covered by slots, which are: the first and the last of a row may have
// elements outside of it, which are masked.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_SCOP_IR_VECTORSLOTS_H
#define GROUT_DIALECT_SCOP_IR_VECTORSLOTS_H

#include "grout/Dialect/Scop/IR/LinearAccess.h"

namespace grout::scop {

/// An access along the rows, by loops.
struct RowAccess {
  LinearAccess access;
  bool isWrite;
  /// Bytes of an element, and how often it is done.
  int64_t bytes;
  double points;
};

/// Slots of `width` iterations, a power of two, of a loop. Slot k begins at
/// iteration k * width - m, where m, less than `width`, is the place within a
/// slot of the row's first element, for one access.
struct VectorSlots {
  unsigned loop;
  int64_t width;
  /// Of that access, modulo the width; `loop` has stride 0.
  LinearAccess origin;

  /// The greatest m.
  int64_t getMostBefore() const;
  /// The most slots that a row of `extent` iterations has.
  int64_t getCount(int64_t extent) const;
  /// The most elements, of `bytes` bytes, that begin at a multiple of their
  /// number in memory if they do in a slot; at most 16 bytes.
  int64_t getPart(const LinearAccess &access, int64_t bytes) const;
  /// If reads are to be made of two neighbouring vectors each, which take fewer
  /// instructions than parts: the elements of one, else none.
  std::optional<int64_t> getJoined(const LinearAccess &access,
                                   int64_t bytes) const;
  /// How many accesses to memory an access to a slot is.
  int64_t getInstructions(const LinearAccess &access, int64_t bytes,
                          bool isWrite) const;
};

/// The slots for which `accesses` take the fewest instructions, of which writes
/// count twice: no cache joins what they are split into. `isInner` are
/// the inner loops; those of an outer one are the same for all iterations of
/// these.
VectorSlots chooseVectorSlots(llvm::ArrayRef<RowAccess> accesses,
                              llvm::ArrayRef<bool> isInner, unsigned loop,
                              int64_t width);

} // namespace grout::scop

#endif // GROUT_DIALECT_SCOP_IR_VECTORSLOTS_H
