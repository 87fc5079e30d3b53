//===- ProofComparison.cpp - The proof against the interpreter ------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ProofComparison.h"

#include "TestPrograms.h"
#include "grout/Analysis/Interpreter.h"
#include "grout/Analysis/VerifyProgram.h"
#include "gtest/gtest.h"

namespace grout::test {

void Tally::expectVariety() const {
  int all = accepted + rejected + deadOverwrites;
  EXPECT_GT(accepted, all / 4);
  EXPECT_GT(rejected, all / 4);
  EXPECT_GT(bounded, all / 20);
  EXPECT_LT(deadOverwrites, all / 50);
  EXPECT_LT(inconclusive, all / 10);
}

static InterpretResult interpret(const TileProgram &program, InterpretMode mode,
                                 int64_t residents) {
  InterpretOptions options;
  options.mode = mode;
  options.residents = residents;
  options.maxStates = 20000;
  return unwrapOrDie(interpretProgram(program, options));
}

/// Whether the proof rejects only because of overwrites.
static bool rejectsOverwritesOnly(const VerifyResult &proof) {
  return llvm::all_of(proof.failures, [](const VerifyFailure &failure) {
    return failure.kind == VerifyFailureKind::UnsynchronisedOverwrite;
  });
}

void compare(const TileProgram &program, bool exhaustive, Tally &tally) {
  IslContext context;
  VerifyResult proof = verifyProgram(context, program);
  for (const VerifyFailure &failure : proof.failures)
    ASSERT_NE(failure.kind, VerifyFailureKind::GaveUp) << proof.str();

  // With all tiles resident, every order that waits allow can happen.
  InterpretResult run =
      interpret(program, InterpretMode::Adversarial, /*residents=*/0);
  ASSERT_NE(run.outcome, InterpretOutcome::Inconclusive);
  bool safe = run.outcome == InterpretOutcome::Safe;
  if (safe && !proof.succeeded() && rejectsOverwritesOnly(proof)) {
    // Elements that are never read may be overwritten in any order.
    ++tally.deadOverwrites;
    return;
  }
  ASSERT_EQ(proof.succeeded(), safe) << proof.str() << run.message;
  if (exhaustive) {
    InterpretResult all = interpret(program, InterpretMode::Exhaustive, 0);
    if (all.outcome == InterpretOutcome::Inconclusive)
      ++tally.inconclusive;
    else
      ASSERT_EQ(all.outcome == InterpretOutcome::Safe, safe)
          << all.message << run.message;
  }
  if (!proof.succeeded()) {
    ++tally.rejected;
    return;
  }
  ++tally.accepted;

  // The number of residents is needed, and enough.
  int64_t needed = proof.requiredResidents;
  ASSERT_GE(needed, 1);
  ASSERT_EQ(interpret(program, InterpretMode::Adversarial, needed).outcome,
            InterpretOutcome::Safe);
  if (exhaustive) {
    InterpretOutcome outcome =
        interpret(program, InterpretMode::Exhaustive, needed).outcome;
    ASSERT_TRUE(outcome == InterpretOutcome::Safe ||
                outcome == InterpretOutcome::Inconclusive);
  }
  if (needed > 1) {
    ++tally.bounded;
    // Launches have residents of their own, but those of all are counted.
    if (program.launches.empty())
      ASSERT_EQ(interpret(program, InterpretMode::Single, needed - 1).outcome,
                InterpretOutcome::Deadlock);
    VerifyOptions options;
    options.residents = needed - 1;
    VerifyResult bounded = verifyProgram(context, program, options);
    ASSERT_EQ(bounded.failures.size(), 1u);
    ASSERT_EQ(bounded.failures[0].kind, VerifyFailureKind::TooFewResidents);
  }
}

} // namespace grout::test
