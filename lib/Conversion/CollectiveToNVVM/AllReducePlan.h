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
/// There are two ways to exchange data:
///
/// - In packets. A packet has 4 bytes of data, and the number of the run. It is
///   stored and loaded as one word of 8 bytes. So a reader sees from the packet
///   that the data is there, and nobody waits for a store to arrive.
/// - By semaphores. A block posts when its data has arrived. It waits for that,
///   but sends no more bytes than the data has.
struct AllReducePlan {
  /// Makes the plan of `op`, whose operand is `input` and whose result is
  /// `output`. At most `residents` blocks run at once.
  AllReducePlan(collective::AllReduceOp op, const BufferView &input,
                const BufferView &output, int64_t residents);

  int64_t ranks;
  bool isTwoShot;
  bool hasPackets;
  int64_t elements;
  int64_t elementBytes;
  /// Elements that a thread loads and stores at once: 16 bytes if the tensors
  /// are dense, else one element. Packets need 16 bytes.
  int64_t vector;
  /// Threads that work on the elements of a block.
  int64_t threads;
  int64_t blocks;
  /// Elements of a block; a multiple of `vector`, and in two shots of `vector`
  /// times `ranks`.
  int64_t chunk;

  /// Returns the elements of a chunk that one rank adds up, in two shots.
  int64_t getShare() const { return chunk / ranks; }
  /// Returns the threads of a block. With packets, a warp more ends its run.
  int64_t getBlockThreads() const { return threads + (hasPackets ? 32 : 0); }
  /// Returns how many elements of a chunk each rank gives to another rank.
  int64_t getGiven() const { return isTwoShot ? getShare() : chunk; }
  /// Returns the number of the semaphore of block 0 that rank 0 posts in phase
  /// `phase`. Each block has a semaphore for each rank; they are numbered by
  /// phase, block and rank.
  int64_t getFirstSemaphore(int64_t phase) const {
    return phase * blocks * ranks;
  }
  /// Returns the size of the place in the symmetric memory in which one rank
  /// leaves its data.
  int64_t getPlaceBytes() const { return getBytes(blocks * getGiven()); }
  /// Returns where the place of rank 0 is. The places of the ranks follow one
  /// another. In one shot there are two sets of places, which runs use in turn.
  int64_t getPlacesOffset() const;
  /// Returns where the sums of all chunks are, in two shots.
  int64_t getSumsOffset() const {
    return getPlacesOffset() + ranks * getPlaceBytes();
  }
  /// Returns the size of the symmetric memory.
  int64_t getMemoryBytes() const;

private:
  /// Returns the bytes that `count` elements take in the symmetric memory.
  int64_t getBytes(int64_t count) const;
};

} // namespace grout

#endif // GROUT_LIB_CONVERSION_COLLECTIVETONVVM_ALLREDUCEPLAN_H
