//===- ScheduleTextTest.cpp - Schedules in the dialect's text -------------===//
//
// Part of Grout. What is refused, and where, test/Dialect/Scop/invalid.mlir
// has.
//
//===----------------------------------------------------------------------===//

#include "TestProblems.h"
#include <random>

namespace grout::test {
namespace {

TEST(ScheduleText, RoundTrips) {
  llvm::StringRef text =
      "<[linear band 0 coincident map block, "
      "linear band 0 reduction map thread_x, sequence band 1, "
      "linear band 2 coincident vector 4 of [@X, @Y], "
      "linear band 2 reduction map thread_y vector 8 masked, "
      "linear band 2 coincident vector 2 masked of [@Y]], "
      "@X = (d0) -> (d0, 0, 0, -d0, d0 * 3 - 7, d0 * 9223372036854775807), "
      "@Y = () -> (0, 1, 2, 9223372036854775807, 0, 0), "
      "@linear = () -> (0, 1, 2, -9223372036854775807, 0, 0)>";
  Schedule schedule = parseSchedule(text);
  EXPECT_EQ(toText(schedule), text);
  EXPECT_EQ(parseSchedule(toText(schedule)), schedule);
  EXPECT_TRUE(parseSchedule("<[]>").dims.empty());
}

/// Damages a text: drops, doubles or changes characters.
std::string damage(std::string text, std::mt19937 &random) {
  constexpr llvm::StringRef alphabet = "[]()<>@:,->=*+0192xS \n'd#band";
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

TEST(ScheduleText, IsHarmlessIfDamaged) {
  IslContext context;
  SchedulingProblem problem = makeWorkedCase(context);
  std::string text = toText(solve(problem).schedule);
  unsigned parsed = 0, refused = 0;
  for (unsigned seed = 0; seed < 10000; ++seed) {
    std::mt19937 random(seed);
    std::optional<Schedule> schedule = tryParseSchedule(damage(text, random));
    ++(schedule ? parsed : refused);
    if (!schedule)
      continue;
    // What parses prints to what parses to the same.
    EXPECT_EQ(parseSchedule(toText(*schedule)), *schedule);
    llvm::consumeError(problem.verify(*schedule));
  }
  EXPECT_GT(parsed, 100u);
  EXPECT_GT(refused, 100u);
}

} // namespace
} // namespace grout::test
