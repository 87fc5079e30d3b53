//===- CostTest.cpp - Cost does not grow with the grid --------------------===//
//
// Part of Grout. Compares isl's operation counts, not seconds.
//
//===----------------------------------------------------------------------===//

#include "TestPrograms.h"
#include "grout/Analysis/VerifyProgram.h"
#include "gtest/gtest.h"

namespace grout::test {
namespace {

/// Whether `body` succeeds within a budget.
using Attempt = llvm::function_ref<bool(const IslContext &)>;

bool succeedsWithin(uint64_t operations, Attempt body) {
  return body(IslContext(operations));
}

/// The least budget that is enough, within a quarter.
uint64_t measure(Attempt body) {
  uint64_t budget = 64;
  while (!succeedsWithin(budget, body))
    budget += budget / 4;
  return budget;
}

/// Everything that is done for a pair of GEMMs with `rows` * `columns` tiles.
bool analyse(const IslContext &context, int64_t rows, int64_t columns,
             Granularity granularity) {
  Gemm first = makeGemm("first", rows * 128, columns * 128, 768, 128, 128, 64);
  Gemm second = makeGemm("second", rows * 128, columns * 192, columns * 128,
                         192, 192, 64);
  llvm::Expected<TileDependence> dependence = deriveDependence(
      context, 0, first.kernel, first.c, 1, second.kernel, 0, second.a);
  if (!dependence) {
    llvm::consumeError(dependence.takeError());
    return false;
  }
  llvm::Expected<DerivedPolicy> derived = derivePolicy(
      *dependence, first.kernel, second.kernel, granularity, getContext());
  if (!derived) {
    llvm::consumeError(derived.takeError());
    return false;
  }
  TileProgram program;
  program.kernels = {first.kernel, second.kernel};
  for (const ElementAccess *access : {&first.a, &first.c, &second.c}) {
    TensorInfo tensor;
    tensor.shape = access->shape;
    tensor.buffer = program.tensors.size();
    program.tensors.push_back(tensor);
  }
  program.reads = {{0, 0, 0, first.a}, {1, 0, 1, second.a}};
  program.writes = {{0, 0, 1, first.c}, {1, 0, 2, second.c}};
  program.edges = {{0, 1, 0, derived->policy}};
  program.order = kernelByKernel(program.kernels);
  VerifyResult result = verifyProgram(context, program);
  return result.succeeded() && result.isMonotone;
}

TEST(CostTest, FlatInTheGrid) {
  for (Granularity granularity :
       {Granularity::Tile, Granularity::Row, Granularity::Kernel}) {
    auto small = [&](const IslContext &context) {
      return analyse(context, 6, 4, granularity);
    };
    auto large = [&](const IslContext &context) {
      return analyse(context, 516, 48, granularity);
    };
    uint64_t budget = measure(small);
    EXPECT_TRUE(succeedsWithin(4 * budget, large)) << budget;
  }
}

/// What a slice of a collapsed insertion reads, as isl puts it: the second tile
/// coordinate is the step. The elements are at most those of a box.
std::string readsThroughReshapes(llvm::StringRef box) {
  return ("{ c[0, 0] -> [i, j] : exists (e0, e1, e2, e3: " + box +
          " and -129 - 6i + 4j + 7e0 + 433e1 + 36e2 <= 12e3 <= "
          "-53 - 6i + 4j + 7e0 + 433e1 + 36e2 and "
          "64 - 24i - 4j - 7e0 - 480e1 - 36e2 <= 48e3 <= "
          "327 - 24i - 4j - 7e0 - 480e1 - 36e2 and "
          "108e3 >= 162 - 54i - 10j - 18e0 - 1206e1 - 81e2 and "
          "304 - 54i - 19j - 36e0 - 2340e1 - 171e2 <= 108e3 <= "
          "314 - 54i - 19j - 36e0 - 2340e1 - 171e2 and "
          "108e3 <= 170 - 54i - 10j - 18e0 - 1206e1 - 81e2 and "
          "474e3 >= -587 + 24i + 4j + 7e0 + 741e1 + 36e2 and "
          "-326 - 237i + 4j + 7e0 + 741e1 + 36e2 <= 474e3 <= "
          "-66 - 237i + 4j + 7e0 + 741e1 + 36e2 and "
          "474e3 <= -66 + 24i + 4j + 7e0 + 741e1 + 36e2) }")
      .str();
}

/// That all of it is written is seen without finding out where each element
/// comes from, which takes a minute.
TEST(CostTest, LittleForReadsWithinABox) {
  IslContext context(20'000);
  Relation write = unwrapOrDie(Relation::parse(
      context, "{ p[0, 0] -> [i, j] : 0 <= i <= 1 and 0 <= j <= 125 }"));
  Relation read = unwrapOrDie(Relation::parse(
      context, readsThroughReshapes("0 <= i <= 1 and 0 <= j <= 125")));
  llvm::Expected<TileDependence> dependence =
      deriveDependence(0, 1, 0, write, read);
  EXPECT_TRUE(static_cast<bool>(dependence))
      << llvm::toString(dependence.takeError());
}

} // namespace
} // namespace grout::test
