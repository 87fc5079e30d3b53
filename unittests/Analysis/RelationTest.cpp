//===- RelationTest.cpp - Accesses, conversions and dependences -----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TestPrograms.h"
#include "grout/Isl/AffineConversion.h"
#include "mlir/IR/Builders.h"
#include "gtest/gtest.h"
#include <isl/aff.h>

using namespace mlir;

namespace grout::test {
namespace {

class RelationTest : public ::testing::Test {
protected:
  void expectEqual(const Relation &relation, llvm::StringRef text) {
    Relation expected = unwrapOrDie(Relation::parse(context, text));
    EXPECT_TRUE(unwrapOrDie(relation.isEqual(expected))) << relation.str();
  }

  template <typename T>
  void expectError(llvm::Expected<T> value, AnalysisErrorKind kind,
                   llvm::StringRef text) {
    ASSERT_FALSE(static_cast<bool>(value));
    llvm::handleAllErrors(value.takeError(), [&](const AnalysisError &error) {
      EXPECT_EQ(error.getKind(), kind);
      EXPECT_TRUE(error.getMessage().contains(text))
          << error.getMessage().str();
    });
  }

  IslContext context;
};

TEST_F(RelationTest, ReadsAreClipped) {
  Gemm gemm = makeGemm("g", 100, 64, 48, 64, 64, 32);
  expectEqual(unwrapOrDie(readRelation(context, gemm.kernel, gemm.a)),
              "{ g[i, 0, s] -> [m, k] : 0 <= i <= 1 and 0 <= s <= 1 and "
              "64i <= m < 64i + 64 and m < 100 and 32s <= k < 32s + 32 and "
              "k < 48 }");
  expectEqual(unwrapOrDie(writeRelation(context, gemm.kernel, gemm.c)),
              "{ g[i, 0] -> [m, n] : 0 <= i <= 1 and 64i <= m < 64i + 64 and "
              "m < 100 and 0 <= n < 64 }");
}

TEST_F(RelationTest, GuardsMask) {
  TileKernel kernel{"k", {4}, 4, {}};
  ElementAccess access = makeAccess("(i, s, p) -> (s * 2 + p)", {2}, {8});
  access.guards = {parseExpr("i, s, p", "i - s")};
  expectEqual(unwrapOrDie(readRelation(context, kernel, access)),
              "{ k[i, s] -> [e] : 0 <= s <= i < 4 and 2s <= e < 2s + 2 }");
}

TEST_F(RelationTest, Views) {
  expectEqual(
      unwrapOrDie(viewRelation(context, View::slice({1, 2}, {3, 4}, {1, 5}))),
      "{ [a, b] -> [a + 1, 5b + 2] : 0 <= a < 3 and 0 <= b < 4 }");
  expectEqual(unwrapOrDie(viewRelation(context, View::transpose({2, 0, 1}))),
              "{ [a, b, c] -> [b, c, a] }");
  expectEqual(
      unwrapOrDie(viewRelation(context, View::reshape({6, 4}, {2, 3, 4}))),
      "{ [a, c] -> [x, y, c] : 0 <= a < 6 and 0 <= c < 4 and 0 <= x < 2 and "
      "0 <= y < 3 and a = 3x + y }");
  expectEqual(
      unwrapOrDie(viewRelation(context, View::reshape({4, 6}, {6, 4}))),
      "{ [a, b] -> [x, y] : 0 <= a < 4 and 0 <= b < 6 and 0 <= x < 6 and "
      "0 <= y < 4 and 6a + b = 4x + y }");
  expectError(viewRelation(context, View::reshape({4, 6}, {5, 5})),
              AnalysisErrorKind::Invalid, "cannot reshape");
  expectError(viewRelation(context, View::transpose({0, 0})),
              AnalysisErrorKind::Invalid, "permutation");
}

TEST_F(RelationTest, Dependence) {
  Gemm first = makeGemm("p", 256, 256, 64, 128, 64, 64);
  Gemm second = makeGemm("c", 256, 64, 256, 64, 64, 128);
  TileDependence dependence = unwrapOrDie(deriveDependence(
      context, 0, first.kernel, first.c, 1, second.kernel, 0, second.a));
  expectEqual(dependence.relation,
              "{ c[i, 0, s] -> p[x, y] : 0 <= i < 4 and 0 <= s < 2 and "
              "x = floor(i / 2) and 2s <= y < 2s + 2 }");
  // The text does not depend on the context's history.
  IslContext other;
  TileDependence again = unwrapOrDie(deriveDependence(
      other, 0, first.kernel, first.c, 1, second.kernel, 0, second.a));
  EXPECT_EQ(dependence.relation.str(), again.relation.str());
}

TEST_F(RelationTest, UnwrittenReadsOutsideOfABox) {
  auto derive = [&](llvm::StringRef write, llvm::StringRef read) {
    return deriveDependence(0, 1, 0,
                            unwrapOrDie(Relation::parse(context, write)),
                            unwrapOrDie(Relation::parse(context, read)));
  };
  llvm::StringRef box = "{ p[t, 0] -> [e, 3] : 0 <= t < 4 and e = t }";
  expectEqual(
      unwrapOrDie(derive(box, "{ c[t, 0] -> [t, 3] : 1 <= t < 3 }")).relation,
      "{ c[t, 0] -> p[t, 0] : 1 <= t < 3 }");
  for (llvm::StringRef read :
       {"{ c[t, 0] -> [t, 3] : 1 <= t < 5 }",
        "{ c[t, 0] -> [t, 3] : -1 <= t < 3 }",
        "{ c[t, 0] -> [t, e] : 1 <= t < 3 and 3 <= e <= 4 }",
        "{ c[t, 0] -> [t, e] : 1 <= t < 3 and 2 <= e <= 3 }"})
    expectError(derive(box, read), AnalysisErrorKind::UnwrittenRead,
                "which no tile writes");
}

TEST_F(RelationTest, UnwrittenReadIsNamed) {
  Gemm first = makeGemm("p", 128, 128, 64, 64, 64, 64);
  Gemm second = makeGemm("c", 128, 64, 192, 64, 64, 64);
  expectError(deriveDependence(context, 0, first.kernel, first.c, 1,
                               second.kernel, 0, second.a),
              AnalysisErrorKind::UnwrittenRead, "which no tile writes");
}

TEST_F(RelationTest, DoubleWriteIsNamed) {
  TileKernel kernel{"k", {4}, 1, {}};
  ElementAccess write = makeAccess("(i, s, p) -> (i * 3 + p)", {4}, {12});
  Relation relation = unwrapOrDie(writeRelation(context, kernel, write));
  llvm::Error error = checkSingleWriter(relation);
  ASSERT_TRUE(static_cast<bool>(error));
  std::string message = llvm::toString(std::move(error));
  EXPECT_TRUE(llvm::StringRef(message).contains("is written by tiles k["))
      << message;
}

TEST_F(RelationTest, AnyNameWillDo) {
  TileKernel kernel{"@f.matmul#0 and exists", {4}, 1, {}};
  ElementAccess write = makeAccess("(i, s, p) -> (i * 4 + p)", {4}, {16});
  Relation relation = unwrapOrDie(writeRelation(context, kernel, write));
  EXPECT_NE(relation.str().find("@f.matmul#0 and exists[i0]"),
            std::string::npos)
      << relation.str();
}

TEST_F(RelationTest, BadMapsAreRefused) {
  TileKernel kernel{"k", {4}, 1, {}};
  ElementAccess access = makeAccess("(i, s, p) -> (i * 3 + p)", {4}, {12, 1});
  expectError(readRelation(context, kernel, access), AnalysisErrorKind::Invalid,
              "results");
  access = makeAccess("(i, s) -> (i)", {4}, {12});
  expectError(readRelation(context, kernel, access), AnalysisErrorKind::Invalid,
              "dimensions");
  expectError(fromAffineMap(context, parseMap("(i)[n] -> (i mod n)"), "k",
                            {std::string("n")}),
              AnalysisErrorKind::Invalid, "semi-affine");
  expectError(Relation::parse(context, "{ nonsense"),
              AnalysisErrorKind::Invalid, "");
}

TEST_F(RelationTest, FromAffineMap) {
  expectEqual(
      unwrapOrDie(fromAffineMap(
          context,
          parseMap(
              "(i, j)[n] -> (i floordiv 3 + n, (i - j) mod 4, j ceildiv 2)"),
          "t", {std::string("N")})),
      "[N] -> { t[i, j] -> [floor(i / 3) + N, (i - j) mod 4, -floor(-j / 2)] "
      "}");
}

TEST_F(RelationTest, ToAffineExpr) {
  auto convert = [&](const char *text, llvm::ArrayRef<std::string> symbols) {
    isl_aff *aff = isl_aff_read_from_str(context.get(), text);
    llvm::Expected<AffineExpr> expr = toAffineExpr(aff, getContext(), symbols);
    isl_aff_free(aff);
    return expr;
  };
  EXPECT_EQ(unwrapOrDie(convert("{ [i, j] -> [(2i + 3*floor(j/4) - 1)] }", {})),
            parseExpr("i, j", "i * 2 + (j floordiv 4) * 3 - 1"));
  EXPECT_EQ(unwrapOrDie(convert("{ [i] -> [(i - floor((3 + 3i)/4))] }", {})),
            parseExpr("i", "i floordiv 4"));
  EXPECT_EQ(
      unwrapOrDie(convert("[n] -> { [i] -> [(i + n)] }", {std::string("n")})),
      parseMap("(i)[n] -> (i + n)").getResult(0));
  expectError(convert("[n] -> { [i] -> [(i + n)] }", {}),
              AnalysisErrorKind::Invalid, "parameter n");
  expectError(convert("{ [i] -> [(i/2)] }", {}), AnalysisErrorKind::Invalid,
              "not an integer");
}

TEST_F(RelationTest, Evaluate) {
  AffineMap map = parseMap(
      "(i, j) -> (i floordiv 3 - j, (i - j) mod 5, (j - i) ceildiv 2)");
  for (int64_t i = -7; i < 8; ++i)
    for (int64_t j = -7; j < 8; ++j) {
      Builder builder(getContext());
      Attribute operands[] = {builder.getIndexAttr(i), builder.getIndexAttr(j)};
      llvm::SmallVector<Attribute> results;
      ASSERT_TRUE(succeeded(map.constantFold(operands, results)));
      llvm::SmallVector<int64_t> values = evaluate(map, {i, j});
      for (auto [value, attribute] : llvm::zip_equal(values, results))
        EXPECT_EQ(value, cast<IntegerAttr>(attribute).getInt());
    }
}

TEST_F(RelationTest, BudgetRunsOut) {
  IslContext poor(/*maxOperations=*/5);
  Gemm first = makeGemm("p", 256, 256, 64, 128, 64, 64);
  Gemm second = makeGemm("c", 256, 64, 256, 64, 64, 128);
  expectError(deriveDependence(poor, 0, first.kernel, first.c, 1, second.kernel,
                               0, second.a),
              AnalysisErrorKind::GaveUp, "gave up");
  poor.setMaxOperations(0);
  llvm::cantFail(deriveDependence(poor, 0, first.kernel, first.c, 1,
                                  second.kernel, 0, second.a));
}

} // namespace
} // namespace grout::test
