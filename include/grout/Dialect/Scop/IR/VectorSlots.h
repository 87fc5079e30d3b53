//===- VectorSlots.h - Masked vectors along rows of memory ------*- C++ -*-===//
//
// Part of Grout. If rows do not start at multiples of a vector's width, slots
// that do cover them. The first and the last slot of a row may have elements
// outside of it, which are masked.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_SCOP_IR_VECTORSLOTS_H
#define GROUT_DIALECT_SCOP_IR_VECTORSLOTS_H

#include "grout/Dialect/Scop/IR/LinearAccess.h"

namespace grout::scop {

/// An access along rows, as a function of loops.
struct RowAccess {
  LinearAccess access;
  bool isWrite;
  /// Bytes of an element, and the number of times that the access is done.
  int64_t bytes;
  double points;
};

/// Slots of `width` iterations of a loop; `width` is a power of two. Slot k
/// begins at iteration k * width - m. For one access, m is the place of the
/// row's first element within its slot, and is less than `width`.
struct VectorSlots {
  unsigned loop;
  int64_t width;
  /// The address of that access, modulo the width; the stride of `loop` is 0.
  LinearAccess origin;

  /// Returns the largest value of m.
  int64_t getMostBefore() const;
  /// Returns the largest number of slots that a row of `extent` iterations has.
  int64_t getCount(int64_t extent) const;
  /// Returns the largest number of elements, of `bytes` bytes, whose place in
  /// memory is a multiple of this number whenever their place in a slot is.
  /// They have at most 16 bytes.
  int64_t getPart(const LinearAccess &access, int64_t bytes) const;
  /// Returns the elements of a vector if reads should be made of two
  /// neighbouring vectors each, because this takes fewer instructions than
  /// parts; otherwise none.
  std::optional<int64_t> getJoined(const LinearAccess &access,
                                   int64_t bytes) const;
  /// Returns the number of memory accesses that an access to a slot takes.
  int64_t getInstructions(const LinearAccess &access, int64_t bytes,
                          bool isWrite) const;
};

/// Chooses the slots for which `accesses` take the fewest instructions. Writes
/// count twice, because no cache joins the parts of a split write. `isInner`
/// says which loops are inner loops. If `loop` is an outer loop, its slots are
/// the same for all iterations of the inner loops.
VectorSlots chooseVectorSlots(llvm::ArrayRef<RowAccess> accesses,
                              llvm::ArrayRef<bool> isInner, unsigned loop,
                              int64_t width);

} // namespace grout::scop

#endif // GROUT_DIALECT_SCOP_IR_VECTORSLOTS_H
