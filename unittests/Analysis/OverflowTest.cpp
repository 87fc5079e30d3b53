//===- OverflowTest.cpp - What is proved fits the types of code -----------===//
//
// Part of Grout. The proof counts with numbers without end, and code in 64
// bits. Whatever is proved must come to the same in both, for every tile and
// step.
//
//===----------------------------------------------------------------------===//

#include "ExtremeProgram.h"
#include "Seeds.h"
#include "grout/Analysis/Interpreter.h"
#include "grout/Analysis/VerifyProgram.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace grout::test {
namespace {

/// How often each verdict was reached.
struct Verdicts {
  int accepted = 0, refused = 0, overflows = 0;
};

void check(const TileProgram &program, Verdicts &verdicts) {
  std::string overflow = findOverflow(program);
  verdicts.overflows += !overflow.empty();
  VerifyResult proof = verifyProgram(IslContext(), program);
  if (!proof.succeeded()) {
    ++verdicts.refused;
    return;
  }
  ++verdicts.accepted;
  ASSERT_EQ(overflow, "") << "is proved";
  InterpretOptions options;
  options.mode = InterpretMode::Adversarial;
  ASSERT_EQ(unwrapOrDie(interpretProgram(program, options)).outcome,
            InterpretOutcome::Safe);
  options.mode = InterpretMode::Single;
  options.residents = proof.requiredResidents;
  ASSERT_EQ(unwrapOrDie(interpretProgram(program, options)).outcome,
            InterpretOutcome::Safe);
}

TEST(OverflowTest, WhatIsProvedFits) {
  Seeds seeds(5000, 200);
  Verdicts verdicts;
  for (unsigned seed : seeds) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    TileProgram program = makeRandomChain(random, RandomProgramOptions());
    addDerivedEdges(IslContext(), random, program);
    if (random.oneIn(3))
      addLaunches(random, program);
    for (int i = 0; i < 4; ++i) {
      TileProgram extreme = program;
      SCOPED_TRACE(makeExtreme(random, extreme));
      check(extreme, verdicts);
    }
    if (HasFatalFailure())
      return;
  }
  // What is harmless is accepted, and much is not.
  if (seeds.areDefault()) {
    EXPECT_GT(verdicts.accepted, 100);
    EXPECT_GT(verdicts.refused, 200);
    EXPECT_GT(verdicts.overflows, 50);
  }
}

/// `map` with its first result divided by 0.
AffineMap divideByZero(Random &random, AffineMap map) {
  AffineExpr divisor = getAffineConstantExpr(0, getContext());
  AffineExprKind kind =
      random.oneIn(2) ? AffineExprKind::FloorDiv : AffineExprKind::Mod;
  llvm::SmallVector<AffineExpr> results(map.getResults());
  results[0] = getAffineBinaryOpExpr(kind, results[0], divisor);
  return AffineMap::get(map.getNumDims(), 0, results, getContext());
}

TEST(OverflowTest, NothingIsDividedByZero) {
  for (unsigned seed : Seeds(6000, 40)) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    TileProgram program = makeRandomChain(random, RandomProgramOptions());
    addDerivedEdges(IslContext(), random, program);
    AffineMap *map = &program.order.front();
    if (!program.edges.empty() && !random.oneIn(3)) {
      SemaphorePolicy &policy = program.edges.front().policy;
      if (!policy.shape.empty())
        map = random.oneIn(2) ? &policy.semaphore : &policy.waitLower;
    }
    *map = divideByZero(random, *map);
    EXPECT_FALSE(verifyProgram(IslContext(), program).succeeded());
  }
}

} // namespace
} // namespace grout::test
