//===- AllReducePlan.h - How the blocks of an all-reduce share it -*- C++ -*-=//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_COLLECTIVETONVVM_ALLREDUCEPLAN_H
#define GROUT_LIB_CONVERSION_COLLECTIVETONVVM_ALLREDUCEPLAN_H

#include "grout/Conversion/Common/LaunchTensors.h"
#include "grout/Dialect/Collective/IR/Collective.h"

namespace grout {

/// How an all-reduce runs on a GPU. Block b of each rank works on the same
/// elements [b * chunk, (b + 1) * chunk), and exchanges data with block b of
/// the other ranks alone. There are two algorithms:
///
/// - One shot: each rank gives its chunk to all ranks, and each rank adds up
///   all of them. Data travels once.
/// - Two shots: rank r adds up the r-th share of each chunk. Each rank gives
///   this share to rank r, which gives the sum to all ranks. Data travels
///   twice, but a rank sends only 2 / ranks as much.
///
/// Data travels in words that are never 0, see PeerWords.h.
struct AllReducePlan {
  /// Makes the plan of `op`, whose operand is `input` and whose result is
  /// `output`. At most `residents` blocks run at once.
  AllReducePlan(collective::AllReduceOp op, const BufferView &input,
                const BufferView &output, int64_t residents);

  int64_t ranks;
  bool isTwoShot;
  int64_t elements;
  int64_t elementBytes;
  /// Elements that a thread loads and stores at once: 16 bytes if the tensors
  /// are dense, else one element.
  int64_t vector;
  /// Threads that work on the elements of a block.
  int64_t threads;
  int64_t blocks;
  /// Elements of a block; a multiple of `vector`, and in two shots of `vector`
  /// times `ranks`.
  int64_t chunk;

  /// Returns the elements of a chunk that one rank adds up, in two shots.
  int64_t getShare() const { return chunk / ranks; }
  /// Returns the threads of a block: a warp more ends its run.
  int64_t getBlockThreads() const { return threads + 32; }
  /// Returns how many elements of a chunk each rank gives to another rank.
  int64_t getGiven() const { return isTwoShot ? getShare() : chunk; }
  /// Returns the size of the place in the symmetric memory in which one rank
  /// leaves its data. The places of the ranks follow one another.
  int64_t getPlaceBytes() const { return getBytes(blocks * getGiven()); }
  /// Returns where the sums of all chunks are, in two shots: behind the places.
  int64_t getSumsOffset() const { return ranks * getPlaceBytes(); }
  /// Returns the size of the places and the sums. There are two sets of them,
  /// which runs use in turn.
  int64_t getSetBytes() const {
    return getSumsOffset() + (isTwoShot ? getBytes(blocks * chunk) : 0);
  }
  /// Returns the size of the symmetric memory.
  int64_t getMemoryBytes() const { return 2 * getSetBytes(); }

private:
  /// Returns the bytes that `count` elements take in the symmetric memory.
  int64_t getBytes(int64_t count) const;
};

} // namespace grout

#endif // GROUT_LIB_CONVERSION_COLLECTIVETONVVM_ALLREDUCEPLAN_H
