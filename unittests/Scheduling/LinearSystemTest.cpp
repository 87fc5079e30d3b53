//===- LinearSystemTest.cpp - Integer programs against brute force --------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Scheduling/LinearSystem.h"
#include "TestProblems.h"
#include <random>

namespace grout::test {
namespace {

using detail::LinearForm;
using detail::LinearSystem;

/// A system over variables from 0 to 4, kept as data, too.
struct RandomSystem {
  unsigned variables;
  std::vector<LinearForm> equalities, inequalities, objectives;
  std::vector<std::vector<LinearForm>> nonZeros;

  explicit RandomSystem(std::mt19937 &random) : variables(1 + random() % 4) {
    auto form = [&] {
      LinearForm result;
      for (unsigned i = 0; i < variables; ++i)
        result.push_back(random() % 2 ? 0 : static_cast<int>(random() % 7) - 3);
      result.push_back(static_cast<int>(random() % 7) - 3);
      return result;
    };
    for (unsigned i = random() % 2; i > 0; --i)
      equalities.push_back(form());
    for (unsigned i = random() % 4; i > 0; --i)
      inequalities.push_back(form());
    for (unsigned i = random() % 3; i > 0; --i)
      nonZeros.push_back({form(), form()});
    for (unsigned i = random() % 3; i > 0; --i)
      objectives.push_back(form());
    for (unsigned i = 0; i < variables; ++i) {
      LinearForm atMost(variables + 1, 0);
      atMost[i] = -1;
      atMost.back() = 4;
      inequalities.push_back(std::move(atMost));
    }
  }

  bool accepts(const std::vector<int64_t> &values) const {
    auto value = [&](const LinearForm &form) {
      return detail::evaluate(form, values);
    };
    for (int64_t variable : values)
      if (variable < 0)
        return false;
    for (const LinearForm &form : equalities)
      if (value(form) != 0)
        return false;
    for (const LinearForm &form : inequalities)
      if (value(form) < 0)
        return false;
    for (const std::vector<LinearForm> &forms : nonZeros)
      if (llvm::all_of(forms, [&](const auto &f) { return value(f) == 0; }))
        return false;
    return true;
  }

  std::vector<int64_t> costOf(const std::vector<int64_t> &values) const {
    std::vector<int64_t> cost;
    for (const LinearForm &form : objectives)
      cost.push_back(detail::evaluate(form, values));
    return cost;
  }

  std::optional<std::vector<int64_t>> bestCost() const {
    std::optional<std::vector<int64_t>> best;
    std::vector<int64_t> values(variables, 0);
    for (;;) {
      if (accepts(values) && (!best || costOf(values) < *best))
        best = costOf(values);
      unsigned i = 0;
      while (i < variables && ++values[i] == 5)
        values[i++] = 0;
      if (i == variables)
        return best;
    }
  }

  std::optional<std::vector<int64_t>> solve(const IslContext &context) const {
    LinearSystem system(context.get(), variables);
    for (const LinearForm &form : equalities)
      system.addEquality(form);
    for (const LinearForm &form : inequalities)
      system.addInequality(form);
    for (const std::vector<LinearForm> &forms : nonZeros)
      system.addNonZero(forms);
    for (const LinearForm &form : objectives)
      system.addObjective(form);
    return system.solve();
  }
};

TEST(LinearSystem, AgreesWithBruteForce) {
  IslContext context;
  unsigned feasible = 0, infeasible = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    RandomSystem system(random);
    std::optional<std::vector<int64_t>> best = system.bestCost();
    std::optional<std::vector<int64_t>> solution = system.solve(context);
    ASSERT_EQ(solution.has_value(), best.has_value());
    ++(best ? feasible : infeasible);
    if (!best)
      continue;
    ASSERT_TRUE(system.accepts(*solution));
    ASSERT_EQ(system.costOf(*solution), *best);
  }
  EXPECT_GT(feasible, 500u);
  EXPECT_GT(infeasible, 500u);
}

TEST(LinearSystem, PrefersTheFirstVariablesSmall) {
  IslContext context;
  LinearSystem system(context.get(), 3);
  // x + y + z >= 2, and their sum is to be small.
  system.addInequality({1, 1, 1, -2});
  system.addObjective({1, 1, 1, 0});
  EXPECT_EQ(*system.solve(), (std::vector<int64_t>{0, 0, 2}));
}

TEST(LinearSystem, SaysWhenNumbersAreTooLarge) {
  IslContext context;
  LinearSystem system(context.get(), 2);
  system.addEquality({-1, INT64_MAX / 2, 0});
  system.addInequality({INT64_MAX / 2, 0, -1});
  try {
    system.solve();
    FAIL() << "solved";
  } catch (const detail::Failure &failure) {
    EXPECT_EQ(failure.message,
              "gave up: a coefficient needs more than 64 bits");
  }
}

TEST(Integers, NullBasisIsOrthogonal) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    std::mt19937 random(seed);
    size_t width = 1 + random() % 5, count = random() % 5;
    std::vector<LinearForm> rows;
    for (size_t i = 0; i < count; ++i) {
      LinearForm &row = rows.emplace_back();
      for (size_t j = 0; j < width; ++j)
        row.push_back(static_cast<int>(random() % 5) - 2);
    }
    std::vector<LinearForm> basis = detail::rowBasis(rows);
    std::vector<LinearForm> null = detail::nullBasis(basis, width);
    EXPECT_EQ(basis.size() + null.size(), width);
    EXPECT_EQ(detail::rowBasis(null).size(), null.size());
    for (const LinearForm &row : rows)
      for (const LinearForm &vector : null) {
        int64_t product = 0;
        for (size_t i = 0; i < width; ++i)
          product += row[i] * vector[i];
        EXPECT_EQ(product, 0);
      }
  }
}

} // namespace
} // namespace grout::test
