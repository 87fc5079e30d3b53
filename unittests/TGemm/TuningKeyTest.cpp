//===- TuningKeyTest.cpp - What keys of measurements must have ------------===//
//
// Part of Grout. Keys are in files that outlive a build, so their text may not
// change without a new version of the format.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/Transforms/TuningKey.h"
#include "TestProducts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"
#include <set>

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

namespace {

class TuningKey : public testing::Test {
protected:
  TuningKey() {
    context
        .loadDialect<arith::ArithDialect, func::FuncDialect, math::MathDialect,
                     tensor::TensorDialect, TGemmDialect>();
  }

  /// The products of `text`, which is a function or several.
  std::vector<ProductOpInterface> parse(const std::string &text) {
    modules.push_back(parseSourceString<ModuleOp>(text, &context));
    std::vector<ProductOpInterface> ops;
    if (modules.back())
      modules.back()->walk([&](ProductOpInterface op) { ops.push_back(op); });
    return ops;
  }

  /// The key of the only product of a function with `arguments` and `body`.
  std::string getKey(const std::string &arguments, const std::string &body) {
    std::vector<ProductOpInterface> ops =
        parse("func.func @f(" + arguments + ") {\n" + body + "\n  return\n}\n");
    return ops.size() == 1 ? getProductKey(ops.front()) : "not parsed";
  }

  /// The same with two arguments of 64 x 64, and a rest of the product.
  std::string getSquareKey(const std::string &rest) {
    return getKey("%x: tensor<64x64xf16>, %w: tensor<64x64xf16>",
                  "  %y = tgemm.matmul %x, %w " + rest);
  }

  /// The same with an epilogue of `body`.
  std::string getEpilogueKey(const std::string &body) {
    return getSquareKey(kTypes + " {\n^bb0(%a: f32):\n" + body + "}");
  }

  const std::string kTypes =
      ": tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>";

private:
  MLIRContext context;
  std::vector<OwningOpRef<ModuleOp>> modules;
};

TEST_F(TuningKey, TextIsStable) {
  EXPECT_EQ(getSquareKey(kTypes), "64x64x64 f16->f16");
  EXPECT_EQ(getEpilogueKey(R"(
    %t = math.tanh %a : f32
    %half = arith.constant 5.000000e-01 : f32
    %h = arith.mulf %t, %half : f32
    %o = arith.truncf %h : f32 to f16
    tgemm.yield %o : f16
  )"),
            "64x64x64 f16->f16 epilogue=eb64eb7f3ea22182");
  EXPECT_EQ(getKey("%x: tensor<3x128x64xbf16>, %w: tensor<32x128xbf16>",
                   R"(%y = tgemm.matmul %x, %w {transpose_lhs, transpose_rhs}
                  : tensor<3x128x64xbf16>, tensor<32x128xbf16>
                    -> tensor<3x64x32xf32>)"),
            "64x32x128 batch=3 one-rhs bf16->f32 lhs^T rhs^T");
}

TEST_F(TuningKey, NamesAndOrderDoNotCount) {
  std::string first = getEpilogueKey(R"(
    %one = arith.constant 1.0 : f32
    %two = arith.constant 2.0 : f32
    %sum = arith.addf %a, %one : f32
    %product = arith.mulf %a, %two : f32
    %both = arith.subf %sum, %product : f32
    %o = arith.truncf %both : f32 to f16
    tgemm.yield %o : f16
  )");
  std::string second = getEpilogueKey(R"(
    %2 = arith.constant 2.0 : f32
    %unused = arith.mulf %2, %2 : f32
    %p = arith.mulf %a, %2 : f32
    %1 = arith.constant 1.0 : f32
    %s = arith.addf %a, %1 : f32
    %d = arith.subf %s, %p : f32
    %out = arith.truncf %d : f32 to f16
    tgemm.yield %out : f16
  )");
  EXPECT_EQ(first, second);
  EXPECT_NE(first, getSquareKey(kTypes));
}

TEST_F(TuningKey, ATilingDoesNotCount) {
  EXPECT_EQ(getSquareKey("{tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} " +
                         kTypes),
            getSquareKey(kTypes));
}

TEST_F(TuningKey, AnEpilogueThatDoesNothingIsNone) {
  EXPECT_EQ(getEpilogueKey("%o = arith.truncf %a : f32 to f16\n"
                           "tgemm.yield %o : f16\n"),
            getSquareKey(kTypes));
}

TEST_F(TuningKey, WhatMattersCounts) {
  auto getText = [](const std::string &op) {
    return "%o = " + op + " %a, %a : f32\n%n = arith.truncf %o : f32 to f16\n" +
           "tgemm.yield %n : f16\n";
  };
  auto getConstant = [](const std::string &value) {
    return "%c = arith.constant " + value +
           " : f32\n%o = arith.mulf %a, %c : f32\n"
           "%n = arith.truncf %o : f32 to f16\ntgemm.yield %n : f16\n";
  };
  std::string input = R"(epilogue(%v : tensor<64xf16>) {
      epilogue_maps = [affine_map<(m, n) -> (DIM)>]} )" +
                      kTypes + R"( {
    ^bb0(%a: f32, %b: f16):
      %c = arith.extf %b : f16 to f32
      %s = arith.addf %a, %c : f32
      %o = arith.truncf %s : f32 to f16
      tgemm.yield %o : f16
    })";
  auto getInput = [&](const std::string &dimension) {
    std::string text = input;
    text.replace(text.find("DIM"), 3, dimension);
    return getKey("%x: tensor<64x64xf16>, %w: tensor<64x64xf16>, "
                  "%v: tensor<64xf16>",
                  "%y = tgemm.matmul %x, %w " + text);
  };
  std::vector<std::string> keys = {
      getSquareKey(kTypes),
      getSquareKey("{transpose_lhs} " + kTypes),
      getSquareKey("{transpose_rhs} " + kTypes),
      getSquareKey(
          ": tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>"),
      getKey("%x: tensor<64x64xf16>", "%y = tgemm.matmul %x, %x " + kTypes),
      getKey("%x: tensor<64x32xf16>, %w: tensor<32x64xf16>",
             "%y = tgemm.matmul %x, %w : tensor<64x32xf16>, "
             "tensor<32x64xf16> -> tensor<64x64xf16>"),
      getEpilogueKey(getText("arith.addf")),
      getEpilogueKey(getText("arith.mulf")),
      getEpilogueKey(getConstant("2.0")),
      getEpilogueKey(getConstant("3.0")),
      getInput("m"),
      getInput("n"),
  };
  for (const std::string &key : keys)
    EXPECT_NE(key, "not parsed");
  EXPECT_EQ(std::set<std::string>(keys.begin(), keys.end()).size(),
            keys.size());
}

/// Two products of a function: the second of the first, of a part of it, or of
/// none.
TEST_F(TuningKey, DependencesOfAChainCount) {
  auto getChain = [&](const std::string &between, const std::string &lhs) {
    std::vector<ProductOpInterface> ops =
        parse("func.func @f(%x: tensor<64x64xf16>, %w: tensor<64x64xf16>) {\n"
              "  %h = tgemm.matmul %x, %w " +
              kTypes + "\n" + between + "  %y = tgemm.matmul " + lhs + ", %w " +
              kTypes + "\n  return\n}\n");
    return ops.size() == 2 ? getChainKey(ops) : "not parsed";
  };
  EXPECT_EQ(getChain("", "%h"), "64x64x64 f16->f16; 64x64x64 f16->f16 0<-0");
  EXPECT_EQ(getChain("", "%x"), "64x64x64 f16->f16; 64x64x64 f16->f16");
  EXPECT_EQ(getChain(R"(
    %e = tensor.expand_shape %h [[0, 1], [2]] output_shape [2, 32, 64]
      : tensor<64x64xf16> into tensor<2x32x64xf16>
    %c = tensor.collapse_shape %e [[0, 1], [2]]
      : tensor<2x32x64xf16> into tensor<64x64xf16>
  )",
                     "%c"),
            getChain("", "%h"));
}

} // namespace
