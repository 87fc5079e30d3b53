//===- TextTest.cpp - Text of problems and schedules ----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "RandomScop.h"
#include "TestProblems.h"
#include "llvm/ADT/STLExtras.h"
#include <isl/set.h>

namespace grout::test {
namespace {

TEST(Text, SchedulesRoundTrip) {
  llvm::StringRef text = "linear band 0 coincident block\n"
                         "linear band 0 reduction thread_x\n"
                         "sequence band 1\n"
                         "linear band 2 coincident vector 4 of X, Y\n"
                         "linear band 2 reduction thread_x vector 8 masked\n"
                         "linear band 2 coincident vector 2 masked of Y\n"
                         "X: [1, 0] [0, 0] [0, -1] [0, 0] [0, 0] [0, 0]\n"
                         "Y: [0] [1] [2] [9223372036854775807] [0] [0]\n"
                         "linear: [0] [1] [2] [-9223372036854775808] [0] [0]\n";
  Schedule schedule = unwrapOrDie(Schedule::parse(text));
  EXPECT_EQ(schedule.str(), text);
  EXPECT_EQ(unwrapOrDie(Schedule::parse("# nothing\n\n" + schedule.str())),
            schedule);
  EXPECT_TRUE(unwrapOrDie(Schedule::parse("")).dims.empty());
}

TEST(Text, SchedulesAreRefusedByLine) {
  auto refusal = [](llvm::StringRef text) {
    return messageOf(Schedule::parse(text));
  };
  EXPECT_EQ(refusal("linear 0"), "line 1: expected 'band'");
  EXPECT_EQ(refusal("linear band"), "line 1: expected the number of a band");
  EXPECT_EQ(refusal("linear band -1"), "line 1: expected the number of a band");
  EXPECT_EQ(refusal("linear band 0 fast"), "line 1: unexpected text");
  EXPECT_EQ(refusal("linear band 0 vector 1"),
            "line 1: expected the width of a vector, at least 2");
  EXPECT_EQ(refusal("linear band 0 vector 4 of 5"),
            "line 1: expected the name of a statement");
  EXPECT_EQ(refusal("\nlinear band 0\nX [1]"),
            "line 3: expected 'linear', 'sequence', or a statement and ':'");
  EXPECT_EQ(refusal("linear band 0\nX: [1\n"), "line 2: expected ',' or ']'");
  EXPECT_EQ(refusal("linear band 0\nX: [9223372036854775808]"),
            "line 2: expected an integer of 64 bits");
  EXPECT_EQ(refusal("linear band 0\nX: [1] [1]"), "line 2: expected 1 rows");
  EXPECT_EQ(refusal("X:\nX:"), "line 2: statement 'X' is there twice");
  EXPECT_EQ(refusal("X:\nlinear band 0"),
            "line 2: dimensions come before statements");
}

TEST(Text, ProblemsRoundTrip) {
  IslContext context;
  SchedulingProblem problem = makeWorkedCase(context);
  EXPECT_EQ(problem.str(),
            "statement { X[i, k] : 0 <= i <= 7 and 0 <= k <= 7 }\n"
            "statement { Y[i, j, k] : 0 <= i <= 7 and 0 <= j <= 7 and 0 <= k "
            "<= 7 }\n"
            "flow product { X[i, k] -> Y[i, j, k] }\n"
            "flow sum { Y[i, j, k] -> Y[i, j, 1 + k] }\n");
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    SchedulingProblem once = makeRandomScop(context, random).problem;
    SchedulingProblem again =
        unwrapOrDie(SchedulingProblem::parse(context, once.str()));
    EXPECT_EQ(messageOf(again.check()), "");
    // isl may print the same set in another way once it has read it.
    for (auto [mine, other] :
         llvm::zip_equal(once.getStatements(), again.getStatements())) {
      EXPECT_EQ(mine.name, other.name);
      EXPECT_EQ(mine.iterators, other.iterators);
      EXPECT_EQ(isl_set_is_equal(mine.domain.get(), other.domain.get()),
                isl_bool_true);
    }
    for (auto [mine, other] :
         llvm::zip_equal(once.getDependences(), again.getDependences())) {
      EXPECT_EQ(mine.name, other.name);
      EXPECT_EQ(mine.kind, other.kind);
      EXPECT_EQ(mine.reduction, other.reduction);
      EXPECT_TRUE(unwrapOrDie(mine.relation.isEqual(other.relation)));
    }
  }
}

TEST(Text, ProblemsAreRefusedByLine) {
  IslContext context;
  auto refusal = [&](llvm::StringRef text) {
    return messageOf(SchedulingProblem::parse(context, text));
  };
  EXPECT_EQ(refusal("statment { S[] }"),
            "line 1: expected 'statement', 'flow', 'anti' or 'output'");
  EXPECT_EQ(refusal("\nflow { S[] -> S[] }"),
            "line 2: expected the name of a dependence");
  EXPECT_EQ(refusal("statement { S[i").substr(0, 8), "line 1: ");
  EXPECT_EQ(refusal("flow a S[] -> S[]").substr(0, 8), "line 1: ");
}

/// Damages a text: drops, doubles or changes characters.
std::string damage(std::string text, std::mt19937 &random) {
  constexpr llvm::StringRef alphabet = "[]{}:,->0192xS \n'#band";
  unsigned changes = 1 + random() % 4;
  for (unsigned i = 0; i < changes && !text.empty(); ++i) {
    size_t at = random() % text.size();
    switch (random() % 4) {
    case 0:
      text.erase(at, 1 + random() % 5);
      break;
    case 1:
      text.insert(at, text.substr(at, random() % 10));
      break;
    case 2:
      text[at] = alphabet[random() % alphabet.size()];
      break;
    default:
      text.insert(at, 1, alphabet[random() % alphabet.size()]);
      break;
    }
  }
  return text;
}

TEST(Text, DamagedTextIsHarmless) {
  IslContext context;
  SchedulingProblem problem = makeWorkedCase(context);
  std::string problemText = problem.str();
  std::string scheduleText = solve(problem).schedule.str();
  unsigned parsed = 0, refused = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    std::mt19937 random(seed);
    std::string text = damage(scheduleText, random);
    llvm::Expected<Schedule> schedule = Schedule::parse(text);
    if (schedule) {
      ++parsed;
      // What parses prints to what parses to the same.
      EXPECT_EQ(unwrapOrDie(Schedule::parse(schedule->str())), *schedule);
      llvm::consumeError(problem.verify(*schedule));
    } else {
      ++refused;
      llvm::consumeError(schedule.takeError());
    }
    llvm::Expected<SchedulingProblem> other =
        SchedulingProblem::parse(context, damage(problemText, random));
    if (!other) {
      llvm::consumeError(other.takeError());
      continue;
    }
    llvm::consumeError(other->check());
  }
  EXPECT_GT(parsed, 100u);
  EXPECT_GT(refused, 100u);
}

} // namespace
} // namespace grout::test
