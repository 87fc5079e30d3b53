//===- BufferPartsTest.cpp - Parts and their elements, by brute force -----===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Launch/IR/BufferParts.h"
#include "grout/Dialect/Launch/IR/Launch.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

#include "gtest/gtest.h"
#include <random>
#include <set>

using namespace mlir;
using namespace grout;
using namespace grout::launch;

namespace {

class BufferPartsTest : public testing::TestWithParam<int> {
protected:
  BufferPartsTest() : builder(&context) {
    context.loadDialect<LaunchDialect>();
    block = std::make_unique<Block>();
    builder.setInsertionPointToEnd(block.get());
    whole = addBuffer();
  }

  Value addBuffer() {
    return BufferOp::create(builder, builder.getUnknownLoc(),
                            MemRefType::get({kElements}, builder.getF16Type()),
                            builder.getStringAttr("buffer"), ElementsAttr());
  }

  Value addPart(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides,
                int64_t offset) {
    auto layout = StridedLayoutAttr::get(&context, offset, strides);
    return PartOp::create(builder, builder.getUnknownLoc(),
                          MemRefType::get(shape, builder.getF16Type(), layout),
                          whole);
  }

  /// The places of all elements of `part`.
  static std::set<int64_t> getPlaces(Value part) {
    auto type = cast<MemRefType>(part.getType());
    SmallVector<int64_t> strides;
    int64_t offset = 0;
    EXPECT_TRUE(succeeded(type.getStridesAndOffset(strides, offset)));
    std::set<int64_t> places = {offset};
    for (auto [extent, stride] : llvm::zip_equal(type.getShape(), strides)) {
      std::set<int64_t> more;
      for (int64_t place : places)
        for (int64_t index = 0; index != extent; ++index)
          more.insert(place + index * stride);
      places = std::move(more);
    }
    return places;
  }

  static constexpr int64_t kElements = 4096;

  MLIRContext context;
  OpBuilder builder;
  std::unique_ptr<Block> block;
  Value whole;
};

TEST_P(BufferPartsTest, PartsOfAConcatenationAreApart) {
  // Of 16 rows: columns, images of them, and rows.
  Value left = addPart({16, 24}, {64, 1}, 0);
  Value right = addPart({2, 8, 40}, {512, 64, 1}, 24);
  Value below = addPart({4, 64}, {64, 1}, 1024);
  EXPECT_FALSE(mayOverlap(left, right));
  EXPECT_FALSE(mayOverlap(right, left));
  EXPECT_FALSE(mayOverlap(right, below));
  EXPECT_TRUE(mayOverlap(left, addPart({16, 40}, {64, 1}, 23)));
  EXPECT_TRUE(mayOverlap(left, left));
  EXPECT_TRUE(mayOverlap(left, whole));
  EXPECT_TRUE(mayOverlap(whole, below));
  EXPECT_FALSE(mayOverlap(left, addBuffer()));
  EXPECT_FALSE(mayOverlap(whole, addBuffer()));
  EXPECT_EQ(getMemory(right), whole);
  EXPECT_EQ(getMemory(whole), whole);
}

/// Parts that are said to be apart are, whatever their strides.
TEST_P(BufferPartsTest, WhatIsApartHasNoElementInCommon) {
  std::mt19937 random(GetParam());
  auto pick = [&](int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  };
  int apart = 0;
  auto addRandom = [&] {
    SmallVector<int64_t> shape, strides;
    int64_t stride = pick(1, 2);
    for (int64_t rank = pick(1, 3); rank != 0; --rank) {
      shape.insert(shape.begin(), pick(1, 5));
      strides.insert(strides.begin(), stride);
      stride *= pick(1, 9);
    }
    return addPart(shape, strides, pick(0, 60));
  };
  for (int i = 0; i != 1000; ++i) {
    Value one = addRandom(), other = addRandom();
    std::set<int64_t> places = getPlaces(one), others = getPlaces(other);
    bool haveCommon = llvm::any_of(
        places, [&](int64_t place) { return others.count(place) != 0; });
    if (haveCommon)
      EXPECT_TRUE(mayOverlap(one, other));
    apart += !mayOverlap(one, other);
  }
  EXPECT_GT(apart, 100);
}

INSTANTIATE_TEST_SUITE_P(Seeds, BufferPartsTest, testing::Range(0, 4));

} // namespace
