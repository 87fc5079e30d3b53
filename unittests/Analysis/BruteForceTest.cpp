//===- BruteForceTest.cpp - Derived policies against enumeration ----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "BruteForce.h"
#include "RandomProgram.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace grout::test {
namespace {

void forEachTile(const TileKernel &kernel,
                 llvm::function_ref<void(const Tile &)> visit) {
  for (int64_t i = 0; i < kernel.grid[0]; ++i)
    for (int64_t j = 0; j < kernel.grid[1]; ++j)
      visit({i, j});
}

/// Checks a policy of `dependence`; adds to the numbers of exact ones.
void checkPolicy(const Dependence &dependence, const DerivedPolicy &derived,
                 const TileKernel &producer, const TileKernel &consumer,
                 Granularity granularity, int &exactClasses, int &exactWaits) {
  const SemaphorePolicy &policy = derived.policy;
  // What each consumer step must wait for, by granularity.
  Dependence needed = dependence;
  int64_t firstStep = consumer.steps;
  for (const auto &entry : dependence)
    firstStep = std::min(firstStep, entry.first.second);
  ASSERT_EQ(policy.firstStep, firstStep);
  if (granularity != Granularity::Tile) {
    needed.clear();
    for (const auto &[step, producers] : dependence)
      for (int64_t s = 0; s < consumer.steps; ++s)
        needed[{step.first, s}].insert(producers.begin(), producers.end());
  }

  // Counts are numbers of posts; coordinates are dense.
  std::vector<int64_t> posts(getNumSemaphores(policy));
  std::map<Tile, int64_t> semaphoreOf;
  forEachTile(producer, [&](const Tile &tile) {
    int64_t semaphore = getSemaphore(policy, tile);
    ASSERT_GE(semaphore, 0);
    ++posts[semaphore];
    semaphoreOf[tile] = semaphore;
  });
  for (auto [semaphore, number] : llvm::enumerate(posts)) {
    EXPECT_EQ(getCount(policy, semaphore), number);
    EXPECT_GT(number, 0);
  }

  // Classes: tiles with the same semaphore have the same consumers, if exact.
  std::map<Tile, std::set<std::pair<Tile, int64_t>>> consumersOf;
  for (const auto &[step, producers] : needed)
    for (const Tile &tile : producers)
      consumersOf[tile].insert(step);
  bool sameClasses = true, togetherStay = true;
  forEachTile(producer, [&](const Tile &one) {
    forEachTile(producer, [&](const Tile &other) {
      if (consumersOf[one].empty())
        return;
      bool sameSemaphore = semaphoreOf[one] == semaphoreOf[other];
      bool sameConsumers = consumersOf[one] == consumersOf[other];
      sameClasses &= sameSemaphore == sameConsumers;
      togetherStay &= sameSemaphore || !sameConsumers;
    });
  });
  EXPECT_TRUE(togetherStay);
  if (granularity == Granularity::Kernel) {
    EXPECT_EQ(getNumSemaphores(policy), 1);
  } else {
    EXPECT_EQ(sameClasses, derived.exactClasses);
  }
  exactClasses += sameClasses;

  // Waits cover what is needed, and nothing else if exact.
  bool sameWaits = true;
  for (const auto &[step, producers] : needed) {
    std::set<int64_t> expected, actual;
    for (const Tile &tile : producers)
      expected.insert(semaphoreOf[tile]);
    forEachSemaphore(policy, getWaitBox(policy, step.first, step.second),
                     [&](int64_t semaphore) { actual.insert(semaphore); });
    EXPECT_TRUE(std::includes(actual.begin(), actual.end(), expected.begin(),
                              expected.end()));
    // Steps that read nothing may wait for anything.
    if (dependence.count(step))
      sameWaits &= expected == actual;
  }
  EXPECT_TRUE(sameWaits || !derived.exactWaits);
  exactWaits += sameWaits;
}

TEST(BruteForceTest, RandomPairs) {
  RandomProgramOptions options;
  options.maxKernels = 2;
  options.maxExtent = 12;
  options.shareBuffers = false;
  int policies = 0, exactClasses = 0, exactWaits = 0, claimedWaits = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    TileProgram program = makeRandomChain(random, options);
    // One read, of what the first kernel writes.
    ProgramAccess write = program.writes[0];
    llvm::erase_if(program.reads, [&](const ProgramAccess &read) {
      return read.tensor != write.tensor;
    });
    if (program.reads.empty())
      continue;
    program.reads.resize(1);
    const TileKernel &producer = program.kernels[0];
    const TileKernel &consumer = program.kernels[1];

    IslContext context;
    TileDependence dependence =
        unwrapOrDie(deriveDependence(context, 0, producer, write.access, 1,
                                     consumer, 0, program.reads[0].access));
    Dependence expected =
        enumerateDependence(program, program.reads[0], /*producer=*/0);
    if (expected.empty()) {
      EXPECT_TRUE(unwrapOrDie(dependence.relation.isEmpty()));
      continue;
    }
    Relation relation = unwrapOrDie(
        Relation::parse(context, formatRelation(expected, producer, consumer)));
    ASSERT_TRUE(unwrapOrDie(dependence.relation.isEqual(relation)))
        << dependence.relation.str() << "\n"
        << relation.str();
    for (Granularity granularity :
         {Granularity::Tile, Granularity::Row, Granularity::Kernel}) {
      DerivedPolicy derived = unwrapOrDie(derivePolicy(
          dependence, producer, consumer, granularity, getContext()));
      ++policies;
      claimedWaits += derived.exactWaits;
      checkPolicy(expected, derived, producer, consumer, granularity,
                  exactClasses, exactWaits);
    }
    if (HasFailure())
      return;
  }
  EXPECT_GT(policies, 300);
  // Guesses must succeed nearly always where an exact answer exists.
  EXPECT_EQ(claimedWaits, exactWaits);
  EXPECT_GT(exactWaits, policies * 95 / 100);
  EXPECT_GT(exactClasses, policies / 2);
}

} // namespace
} // namespace grout::test
