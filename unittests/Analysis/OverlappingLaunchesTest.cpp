//===- OverlappingLaunchesTest.cpp - Kernels that wait for kernels' tiles -===//
//
// Part of Grout. Launches as a model: their blocks take the places of a GPU,
// claim tiles, and wait for semaphores or for launches, and chance decides what
// happens next. docs/HopperSynchronisation.md says why they cannot deadlock
// ("Kernels that overlap", "Modes by edge"); here each rule of that argument is
// also broken.
//
//===----------------------------------------------------------------------===//

#include "RandomProgram.h"

#include "gtest/gtest.h"

namespace grout::test {
namespace {

struct Rules {
  /// A kernel starts when all blocks of the one before have started.
  bool startInOrder = true;
  /// A block ends when the kernel before has ended.
  bool endInOrder = true;
  /// Tiles post. If not, those of one kernel do not.
  bool post = true;
};

enum class Outcome { Ended, EndedOutOfOrder, Deadlock, ReadTooEarly };

/// A launch of one kernel.
struct Launch {
  std::vector<TileTask> tiles; // in the order in which they are claimed
  size_t claimed = 0;
  int64_t blocks = 0, started = 0, ended = 0;

  bool hasStarted() const { return started == blocks; }
  bool hasEnded() const { return ended == blocks; }
};

struct Block {
  unsigned kernel;
  /// What it works on; null between tiles.
  const TileTask *tile = nullptr;
};

class Model {
public:
  Model(const TileProgram &program, int64_t places, const Rules &rules,
        Random &random)
      : program(program), places(places), rules(rules), random(random),
        launches(program.kernels.size()) {
    for (const TileTask &task : llvm::cantFail(enumerateOrder(program)))
      launches[task.kernel].tiles.push_back(task);
    for (Launch &launch : launches)
      launch.blocks = random.pick(1, 4);
    for (const SynchronisedEdge &edge : program.edges)
      counters.emplace_back(getNumSemaphores(edge.policy));
  }

  /// Runs until nothing can happen any more.
  Outcome run() {
    for (;;) {
      // Launches whose next block may start, and blocks that may go on.
      std::vector<unsigned> startable;
      std::vector<size_t> movable;
      for (unsigned kernel = 0; kernel != launches.size(); ++kernel)
        if (mayStart(kernel))
          startable.push_back(kernel);
      for (size_t block = 0; block != blocks.size(); ++block)
        if (mayMove(blocks[block]))
          movable.push_back(block);
      auto events = static_cast<int64_t>(startable.size() + movable.size());
      if (events == 0)
        break;
      auto event = static_cast<size_t>(random.pick(0, events - 1));
      if (event < startable.size())
        start(startable[event]);
      else
        move(movable[event - startable.size()]);
    }
    for (const Launch &launch : launches)
      if (!launch.hasEnded())
        return Outcome::Deadlock;
    if (readTooEarly)
      return Outcome::ReadTooEarly;
    return endedOutOfOrder ? Outcome::EndedOutOfOrder : Outcome::Ended;
  }

private:
  bool mayStart(unsigned kernel) const {
    return static_cast<int64_t>(blocks.size()) < places &&
           !launches[kernel].hasStarted() &&
           (!rules.startInOrder || kernel == 0 ||
            launches[kernel - 1].hasStarted()) &&
           (!getWaits(kernel).atStart || kernel == 0 ||
            launches[kernel - 1].hasEnded());
  }

  LaunchWaits getWaits(unsigned kernel) const {
    return program.launches.empty() ? LaunchWaits() : program.launches[kernel];
  }

  /// Whether `kernel` waits for launches, and not for tiles.
  bool isByLaunch(unsigned kernel) const {
    return getWaits(kernel).atStart || getWaits(kernel).beforeWrites;
  }

  void start(unsigned kernel) {
    ++launches[kernel].started;
    blocks.push_back({kernel});
  }

  bool mayMove(const Block &block) const {
    const Launch &launch = launches[block.kernel];
    if (block.tile)
      return isReady(*block.tile);
    return launch.claimed != launch.tiles.size() || !rules.endInOrder ||
           block.kernel == 0 || launches[block.kernel - 1].hasEnded();
  }

  /// Lets a block finish its tile, claim one, or end.
  void move(size_t index) {
    Block &block = blocks[index];
    Launch &launch = launches[block.kernel];
    if (block.tile) {
      // It could read any tile of any kernel before.
      if (isByLaunch(block.kernel))
        for (unsigned kernel = 0; kernel != block.kernel; ++kernel)
          readTooEarly |= !launches[kernel].hasEnded();
      post(*block.tile);
      block.tile = nullptr;
    } else if (launch.claimed != launch.tiles.size()) {
      block.tile = &launch.tiles[launch.claimed++];
    } else {
      ++launch.ended;
      endedOutOfOrder |= launch.hasEnded() && block.kernel != 0 &&
                         !launches[block.kernel - 1].hasEnded();
      blocks.erase(blocks.begin() + static_cast<ptrdiff_t>(index));
    }
  }

  bool isReady(const TileTask &task) const {
    bool ready = !isByLaunch(task.kernel) || task.kernel == 0 ||
                 launches[task.kernel - 1].hasEnded();
    for (size_t i = 0; i != program.edges.size(); ++i) {
      const SynchronisedEdge &edge = program.edges[i];
      if (edge.consumer != task.kernel)
        continue;
      for (int64_t step = edge.policy.firstStep;
           step < program.kernels[task.kernel].steps; ++step)
        forEachSemaphore(edge.policy, getWaitBox(edge.policy, task.tile, step),
                         [&](int64_t semaphore) {
                           ready &= counters[i][semaphore] >=
                                    getCount(edge.policy, semaphore);
                         });
    }
    return ready;
  }

  void post(const TileTask &task) {
    for (size_t i = 0; i != program.edges.size(); ++i) {
      const SynchronisedEdge &edge = program.edges[i];
      if (edge.producer == task.kernel &&
          (rules.post || edge.producer != program.edges[0].producer))
        ++counters[i][getSemaphore(edge.policy, task.tile)];
    }
  }

  const TileProgram &program;
  int64_t places;
  Rules rules;
  Random &random;
  std::vector<Launch> launches;
  std::vector<Block> blocks;
  /// Posts so far, for each edge.
  std::vector<std::vector<int64_t>> counters;
  bool endedOutOfOrder = false, readTooEarly = false;
};

struct ChainTally {
  unsigned ended = 0, endedOutOfOrder = 0, deadlocks = 0, readTooEarly = 0;
};

/// Runs random chains, each on GPUs with one and more places; with `byEdge`,
/// some kernels wait for launches.
ChainTally runChains(const Rules &rules, bool byEdge = false) {
  ChainTally tally;
  RandomProgramOptions options;
  options.shareBuffers = false;
  for (unsigned seed = 0; seed != 60; ++seed) {
    Random random(seed);
    TileProgram program = makeRandomChain(random, options);
    addDerivedEdges(IslContext(), random, program);
    if (byEdge)
      addLaunches(random, program);
    if (program.edges.empty())
      continue;
    for (int64_t places = 1; places != 7; ++places) {
      switch (Model(program, places, rules, random).run()) {
      case Outcome::Ended:
        ++tally.ended;
        break;
      case Outcome::EndedOutOfOrder:
        ++tally.endedOutOfOrder;
        break;
      case Outcome::Deadlock:
        ++tally.deadlocks;
        break;
      case Outcome::ReadTooEarly:
        ++tally.readTooEarly;
        break;
      }
    }
  }
  return tally;
}

TEST(LaunchOrderTest, KernelsEndInOrder) {
  ChainTally tally = runChains(Rules());
  EXPECT_GT(tally.ended, 200u);
  EXPECT_EQ(tally.endedOutOfOrder, 0u);
  EXPECT_EQ(tally.deadlocks, 0u);
}

TEST(LaunchOrderTest, BlocksThatStartTooEarlyDeadlock) {
  Rules rules;
  rules.startInOrder = false;
  EXPECT_GT(runChains(rules).deadlocks, 0u);
}

TEST(LaunchOrderTest, TilesThatDoNotPostDeadlock) {
  Rules rules;
  rules.post = false;
  EXPECT_GT(runChains(rules).deadlocks, 0u);
}

TEST(LaunchOrderTest, WithoutTheWaitAtTheEndKernelsEndOutOfOrder) {
  Rules rules;
  rules.endInOrder = false;
  ChainTally tally = runChains(rules);
  EXPECT_GT(tally.endedOutOfOrder, 0u);
  EXPECT_EQ(tally.deadlocks, 0u);
}

TEST(LaunchOrderTest, WaitsForLaunchesCoverAllBefore) {
  ChainTally tally = runChains(Rules(), /*byEdge=*/true);
  EXPECT_GT(tally.ended, 150u);
  EXPECT_EQ(tally.endedOutOfOrder, 0u);
  EXPECT_EQ(tally.deadlocks, 0u);
  EXPECT_EQ(tally.readTooEarly, 0u);
}

TEST(LaunchOrderTest, WithoutTheWaitAtTheEndLaunchesReadTooEarly) {
  Rules rules;
  rules.endInOrder = false;
  ChainTally tally = runChains(rules, /*byEdge=*/true);
  EXPECT_GT(tally.readTooEarly, 0u);
  EXPECT_EQ(tally.deadlocks, 0u);
}

TEST(LaunchOrderTest, BlocksByEdgeThatStartTooEarlyDeadlock) {
  Rules rules;
  rules.startInOrder = false;
  EXPECT_GT(runChains(rules, /*byEdge=*/true).deadlocks, 0u);
}

} // namespace
} // namespace grout::test
