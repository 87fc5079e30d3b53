//===- RandomProgram.h - Random tile programs -------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_UNITTESTS_ANALYSIS_RANDOMPROGRAM_H
#define GROUT_UNITTESTS_ANALYSIS_RANDOMPROGRAM_H

#include "TestPrograms.h"
#include <random>

namespace grout::test {

/// Deterministic random choices.
class Random {
public:
  explicit Random(unsigned seed) : engine(seed) {}

  /// A number in [low, high].
  int64_t pick(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(engine() % (high - low + 1));
  }
  /// True once in `n` times.
  bool oneIn(int64_t n) { return pick(1, n) == 1; }

private:
  std::mt19937 engine;
};

struct RandomProgramOptions {
  int64_t minKernels = 2, maxKernels = 4;
  /// Tensors have at most so many rows and columns.
  int64_t maxExtent = 8;
  int64_t maxTilesPerDim = 4;
  int64_t maxSteps = 3;
  bool shareBuffers = true;
};

/// A random chain: kernels with random tiles that read earlier tensors through
/// random accesses and views, fan in and out, with reused buffers, and in a
/// random order. No edges.
TileProgram makeRandomChain(Random &random,
                            const RandomProgramOptions &options);

/// Shares out the steps of some kernels to runs, and has some operands read
/// after the steps.
void addRuns(Random &random, TileProgram &program);

/// Adds an edge with a derived policy of random granularity for every
/// dependence.
void addDerivedEdges(const IslContext &context, Random &random,
                     TileProgram &program);

/// Makes kernels launches of their own, or joins them to the one before. They
/// start early or not, and wait for the launch before in a random place. Some
/// reads then need no edges, which are removed.
void addLaunches(Random &random, TileProgram &program);

/// Changes one thing; returns what, for messages.
std::string mutate(Random &random, TileProgram &program);

} // namespace grout::test

#endif // GROUT_UNITTESTS_ANALYSIS_RANDOMPROGRAM_H
