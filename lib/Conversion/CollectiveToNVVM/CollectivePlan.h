//===- CollectivePlan.h - How the blocks of a collective share it -*- C++ -*-=//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_COLLECTIVETONVVM_COLLECTIVEPLAN_H
#define GROUT_LIB_CONVERSION_COLLECTIVETONVVM_COLLECTIVEPLAN_H

#include "PartedTensor.h"
#include "grout/Dialect/Collective/IR/Collective.h"
#include "grout/Target/TargetSpec.h"

namespace grout {

/// How a collective op runs on a GPU. There are two exchanges:
///
/// - Scatter: each rank gives part r of its operand to rank r, which adds up
///   all of them. This is a reduce-scatter.
/// - Gather: each rank gives its part to all ranks. This is an all-gather.
///
/// In an all-to-all, each rank gives part r of its operand to rank r, as in a
/// scatter, but what a rank gets are the parts of the result, as in a gather.
///
/// There are two algorithms for an all-reduce:
///
/// - One shot: each rank gives its whole operand to all ranks, and each rank
///   adds up all of them. Data travels once.
/// - Two shots: the sums are scattered, and then gathered. Data travels twice,
///   but a rank sends only 2 / ranks as much.
///
/// Block b of each rank works on the elements [b * chunk, (b + 1) * chunk) of
/// all parts, and exchanges data with block b of the other ranks alone. In one
/// shot, the whole tensor is a single part.
///
/// Data travels in words that are never 0, see PeerWords.h.
struct CollectivePlan {
  enum class Algorithm { oneShot, twoShots, scatter, gather, allToAll };

  /// Makes the plan of `op`, with `sets` sets of places, for `target`. Its
  /// operand is `inputView`, and its result is `outputView`.
  CollectivePlan(collective::CollectiveOpInterface op,
                 const BufferView &inputView, const BufferView &outputView,
                 const TargetSpec &target, int64_t sets);

  int64_t ranks;
  /// Sets of places, which runs use in turn: two if the plan has no other
  /// collective launch, else one.
  int64_t sets;
  PartedTensor input, output;
  Algorithm algorithm;
  int64_t elementBytes;
  /// Elements that a thread loads and stores at once: up to 16 bytes.
  int64_t vector;
  /// What a thread loads and stores, and what it exchanges.
  mlir::VectorType stored, sent;
  /// Threads that work on the elements of a block.
  int64_t threads;
  int64_t blocks;
  /// Elements of a part that a block works on; a multiple of `vector`.
  int64_t chunk;
  /// The number of elements of each part or, in an all-reduce, of the tensor.
  int64_t elements;

  /// Returns the number of the first element of part 1. In two shots, parts are
  /// just elements that follow one another. Otherwise, each part has elements
  /// of its own.
  int64_t getPartElements() const {
    return algorithm == Algorithm::twoShots ? blocks * chunk : 0;
  }
  /// Returns the threads of a block: a warp more ends its run.
  int64_t getBlockThreads() const { return threads + 32; }
  /// Returns the bytes that a vector takes in the symmetric memory.
  int64_t getVectorBytes() const;
  /// Returns the size of the place in the symmetric memory in which one rank
  /// leaves a part for another one. The places of the ranks follow one another.
  int64_t getPlaceBytes() const;
  /// Returns where the places of an exchange begin: 0 or, if there are two, 1.
  int64_t getExchangeOffset(int64_t exchange) const {
    return exchange * ranks * getPlaceBytes();
  }
  /// Returns the size of the places of all exchanges.
  int64_t getSetBytes() const {
    return getExchangeOffset(algorithm == Algorithm::twoShots ? 2 : 1);
  }
  /// Returns the size of the symmetric memory.
  int64_t getMemoryBytes() const { return sets * getSetBytes(); }

private:
  void chooseVector(mlir::Type element, bool isSum);
  void chooseBlocks(int64_t work, int64_t residents);
};

} // namespace grout

#endif // GROUT_LIB_CONVERSION_COLLECTIVETONVVM_COLLECTIVEPLAN_H
