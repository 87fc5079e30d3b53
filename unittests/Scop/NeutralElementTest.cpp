//===- NeutralElementTest.cpp - What reductions start from ----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/IR/Scop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OwningOpRef.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace grout::test {
namespace {

/// The neutral element of `Op` on values of type `name`, as text.
template <typename Op> std::string neutralOf(Type type) {
  OpBuilder builder(type.getContext());
  Location loc = builder.getUnknownLoc();
  Block block;
  Value value = block.addArgument(type, loc);
  builder.setInsertionPointToStart(&block);
  TypedAttr neutral =
      scop::getNeutralElement(Op::create(builder, loc, value, value));
  if (!neutral)
    return "none";
  EXPECT_EQ(neutral.getType(), type);
  std::string text;
  llvm::raw_string_ostream(text) << neutral;
  return text;
}

struct NeutralElement : testing::Test {
  NeutralElement() { context.loadDialect<arith::ArithDialect>(); }

  MLIRContext context;
  Builder builder{&context};
  Type f16 = builder.getF16Type(), f32 = builder.getF32Type();
  Type i8 = builder.getI8Type(), i32 = builder.getI32Type();
};

TEST_F(NeutralElement, LeavesFloatingPointNumbersAsTheyAre) {
  // -0 + -0 is -0, but 0 + -0 is 0.
  EXPECT_EQ(neutralOf<arith::AddFOp>(f32), "-0.000000e+00 : f32");
  EXPECT_EQ(neutralOf<arith::MulFOp>(f16), "1.000000e+00 : f16");
  EXPECT_EQ(neutralOf<arith::MaximumFOp>(f32), "0xFF800000 : f32");
  EXPECT_EQ(neutralOf<arith::MaxNumFOp>(f32), "0xFF800000 : f32");
  EXPECT_EQ(neutralOf<arith::MinimumFOp>(f16), "0x7C00 : f16");
  EXPECT_EQ(neutralOf<arith::MinNumFOp>(f16), "0x7C00 : f16");
  EXPECT_EQ(neutralOf<arith::SubFOp>(f32), "none");
}

TEST_F(NeutralElement, LeavesIntegersAsTheyAre) {
  EXPECT_EQ(neutralOf<arith::AddIOp>(i32), "0 : i32");
  EXPECT_EQ(neutralOf<arith::MulIOp>(i32), "1 : i32");
  EXPECT_EQ(neutralOf<arith::OrIOp>(i8), "0 : i8");
  EXPECT_EQ(neutralOf<arith::XOrIOp>(i8), "0 : i8");
  EXPECT_EQ(neutralOf<arith::AndIOp>(i8), "-1 : i8");
  EXPECT_EQ(neutralOf<arith::MaxUIOp>(i8), "0 : i8");
  EXPECT_EQ(neutralOf<arith::MinUIOp>(i8), "-1 : i8");
  EXPECT_EQ(neutralOf<arith::MaxSIOp>(i8), "-128 : i8");
  EXPECT_EQ(neutralOf<arith::MinSIOp>(i8), "127 : i8");
}

} // namespace
} // namespace grout::test
