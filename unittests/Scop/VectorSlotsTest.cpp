//===- VectorSlotsTest.cpp - Slots against enumeration --------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/IR/VectorSlots.h"

#include <gtest/gtest.h>
#include <random>

namespace grout::scop {
namespace {

/// Loops 0 and 1 are around loop 2, along which accesses are dense.
constexpr unsigned kLoop = 2;

RowAccess makeAccess(int64_t offset, int64_t outer, int64_t middle,
                     int64_t bytes, bool isWrite = false) {
  return {{offset, {outer, middle, 1}}, isWrite, bytes, 1};
}

int64_t getElement(const RowAccess &row, int64_t outer, int64_t middle,
                   int64_t inner) {
  const LinearAccess &access = row.access;
  return access.offset + access.strides[0] * outer +
         access.strides[1] * middle + access.strides[2] * inner;
}

/// Where the row of `outer` and `middle` begins in a slot.
int64_t getBefore(const VectorSlots &slots, int64_t outer, int64_t middle) {
  return (slots.origin.offset + slots.origin.strides[0] * outer +
          slots.origin.strides[1] * middle) %
         slots.width;
}

TEST(VectorSlots, CoverRowsOfRandomAccesses) {
  std::mt19937 random(7);
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (int round = 0; round != 2000; ++round) {
    int64_t width = 1 << pick(1, 4), extent = pick(1, 40);
    std::vector<RowAccess> accesses;
    for (int64_t i = 0, e = pick(1, 4); i != e; ++i)
      accesses.push_back(makeAccess(pick(0, 20), pick(0, 60), pick(0, 60),
                                    1 << pick(0, 3), pick(0, 1)));
    bool isInner = pick(0, 1);
    VectorSlots slots =
        chooseVectorSlots(accesses, {false, isInner, isInner}, kLoop, width);
    EXPECT_EQ(slots.origin.strides[kLoop], 0);
    bool hasWhole = false;
    for (const RowAccess &row : accesses) {
      int64_t part = slots.getPart(row.access, row.bytes);
      EXPECT_LE(part * row.bytes, 16);
      hasWhole |= part == std::min(width, 16 / row.bytes);
      for (int64_t outer = 0; outer != 4; ++outer)
        for (int64_t middle = 0; middle != 4; ++middle) {
          int64_t before = getBefore(slots, outer, middle);
          // What begins at a multiple of the part in a slot does in memory.
          EXPECT_EQ((getElement(row, outer, middle, 0) - before) % part, 0);
          EXPECT_LE(before, slots.getMostBefore());
          EXPECT_GE(slots.getCount(extent) * width, before + extent);
        }
    }
    EXPECT_TRUE(hasWhole);
  }
}

TEST(VectorSlots, AreTheSameForAllInnerIterationsOfAnOuterLoop) {
  // Loop 1 is inner, loop 2 is not: a thread has the same columns in all rows.
  RowAccess row = makeAccess(3, 16, 33, 4);
  VectorSlots slots = chooseVectorSlots(row, {false, true, false}, kLoop, 4);
  EXPECT_EQ(slots.origin.strides[1], 0);
  EXPECT_EQ(slots.getMostBefore(), 3);
  EXPECT_EQ(slots.getPart(row.access, row.bytes), 1);
}

TEST(VectorSlots, SuitWritesFirst) {
  RowAccess read = makeAccess(1, 35, 0, 4);
  RowAccess write = makeAccess(0, 33, 0, 4, /*isWrite=*/true);
  VectorSlots slots =
      chooseVectorSlots({read, write}, {false, false, false}, kLoop, 4);
  EXPECT_EQ(slots.getPart(write.access, 4), 4);
  EXPECT_EQ(slots.getPart(read.access, 4), 1);
}

TEST(VectorSlots, JoinVectorsWhereThereWouldBeManyParts) {
  RowAccess write = makeAccess(0, 33, 0, 2, /*isWrite=*/true);
  VectorSlots slots = chooseVectorSlots(write, {false, true, true}, kLoop, 8);
  auto getInstructions = [&](const RowAccess &row, bool isWrite) {
    return slots.getInstructions(row.access, row.bytes, isWrite);
  };
  EXPECT_EQ(getInstructions(write, true), 1);
  // Begins 4 elements later in a slot, 2, or any.
  EXPECT_EQ(getInstructions(makeAccess(4, 33, 0, 2), false), 2);
  EXPECT_EQ(slots.getJoined({4, {33, 0, 1}}, 2), std::nullopt);
  EXPECT_EQ(getInstructions(makeAccess(0, 35, 0, 2), false), 2);
  EXPECT_EQ(slots.getJoined({0, {35, 0, 1}}, 2), 8);
  EXPECT_EQ(getInstructions(makeAccess(0, 0, 0, 2), false), 2);
  EXPECT_EQ(getInstructions(makeAccess(0, 0, 0, 2), true), 8);
  // Two vectors of four words for each half of a slot.
  EXPECT_EQ(slots.getJoined({0, {0, 0, 1}}, 4), 4);
  EXPECT_EQ(getInstructions(makeAccess(0, 0, 0, 4), false), 4);
}

TEST(VectorSlots, OfAlignedRowsHaveNothingBefore) {
  RowAccess row = makeAccess(8, 32, 16, 2);
  VectorSlots slots = chooseVectorSlots(row, {false, true, true}, kLoop, 8);
  EXPECT_EQ(slots.getMostBefore(), 0);
  EXPECT_EQ(slots.getCount(30), 4);
}

} // namespace
} // namespace grout::scop
