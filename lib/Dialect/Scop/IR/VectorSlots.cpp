//===- VectorSlots.cpp - Masked vectors along rows of memory --------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/IR/VectorSlots.h"

#include "grout/Target/GPU.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace grout;
using namespace grout::scop;

int64_t VectorSlots::getMostBefore() const {
  // Rows begin at multiples of this, plus the offset.
  int64_t step = width;
  for (int64_t stride : origin.strides)
    step = std::gcd(step, stride);
  return width - step + origin.offset % step;
}

int64_t VectorSlots::getCount(int64_t extent) const {
  return llvm::divideCeil(extent + getMostBefore(), width);
}

int64_t VectorSlots::getPart(const LinearAccess &access, int64_t bytes) const {
  if (access.strides[loop] != 1)
    return 1;
  auto isMultiple = [&](int64_t part) {
    for (unsigned other = 0, e = access.strides.size(); other != e; ++other)
      if (other != loop &&
          (access.strides[other] - origin.strides[other]) % part != 0)
        return false;
    return (access.offset - origin.offset) % part == 0;
  };
  int64_t part = std::min(width, kMaxAccessBytes / bytes);
  while (part > 1 && !isMultiple(part))
    part /= 2;
  return part;
}

std::optional<int64_t> VectorSlots::getJoined(const LinearAccess &access,
                                              int64_t bytes) const {
  // Vectors are joined by shifts of words.
  int64_t whole = std::min(width, kMaxAccessBytes / bytes);
  if (access.strides[loop] != 1 || whole * bytes < 4 ||
      getPart(access, bytes) * 2 >= whole)
    return std::nullopt;
  return whole;
}

int64_t VectorSlots::getInstructions(const LinearAccess &access, int64_t bytes,
                                     bool isWrite) const {
  if (std::optional<int64_t> joined = getJoined(access, bytes);
      joined && !isWrite)
    return 2 * width / *joined;
  return width / getPart(access, bytes);
}

VectorSlots scop::chooseVectorSlots(ArrayRef<RowAccess> accesses,
                                    ArrayRef<bool> isInner, unsigned loop,
                                    int64_t width) {
  auto modulo = [&](int64_t value) { return (value % width + width) % width; };
  VectorSlots best = {loop, width, {}};
  best.origin.strides.assign(isInner.size(), 0);
  double fewest = 0;
  bool isFirst = true;
  for (const RowAccess &candidate : accesses) {
    if (candidate.access.strides[loop] != 1)
      continue;
    VectorSlots slots = {loop, width, {modulo(candidate.access.offset), {}}};
    for (auto [other, stride] : llvm::enumerate(candidate.access.strides)) {
      bool counts = other != loop && (isInner[loop] || !isInner[other]);
      slots.origin.strides.push_back(counts ? modulo(stride) : 0);
    }
    double instructions = 0;
    for (const RowAccess &row : accesses)
      instructions += (row.isWrite ? 2 : 1) * row.points *
                      slots.getInstructions(row.access, row.bytes, row.isWrite);
    if (isFirst || instructions < fewest) {
      best = std::move(slots);
      fewest = instructions;
    }
    isFirst = false;
  }
  return best;
}
