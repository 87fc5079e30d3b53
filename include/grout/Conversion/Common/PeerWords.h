//===- PeerWords.h - Data that ranks store for each other -------*- C++ -*-===//
//
// Part of Grout. How a GPU sees that data of another GPU has arrived, without a
// semaphore. For example, rank 0 stores two bf16 into the memory of rank 1:
//
// - The memory is 0 before. Rank 0 stores the complement of the word, which is
//   never 0.
// - Rank 1 loads the word until it is not 0. Then it stores 0 again.
//
// The first two accesses are relaxed, at system scope. A word of 32 bits is
// stored and loaded by one access, so a word that is not 0 has all of its data,
// and no access needs an order.
//
// The complement of a word is 0 only if all of its bits are set. Such elements
// are NaNs. They are sent as other NaNs.
//
// The reader must have stored 0 before another rank stores again. So launches
// that follow each other have other places: see docs/Collectives.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_PEERWORDS_H
#define GROUT_CONVERSION_COMMON_PEERWORDS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace grout {

/// Returns how many bytes of symmetric memory `elements` elements take, if they
/// are sent as one vector of up to 16 bytes. Fewer than four bytes, for example
/// a single bf16 or two i8, take a word.
int64_t getWordBytes(int64_t elements, int64_t elementBytes);

/// Returns what `emitSend` stores for `value`, a vector: so that a thread which
/// sends it to several ranks computes it once.
mlir::Value emitWords(mlir::ImplicitLocOpBuilder &b, mlir::Value value);

/// Stores `words` of `emitWords` at `address`, a pointer to the symmetric
/// memory of any rank, at a multiple of the bytes of the words.
void emitSend(mlir::ImplicitLocOpBuilder &b, mlir::Value words,
              mlir::Value address);

/// A vector that a rank stores into this rank's symmetric memory.
struct PeerVector {
  mlir::Value address;
  /// The number of that rank, an i32.
  mlir::Value rank;
  /// An i1; if it is false, the vector is not received, but there is memory at
  /// `address`. Null stands for true.
  mlir::Value isThere;
};

/// Waits until all `vectors` are there, makes their memory 0 again, and returns
/// them as vectors of `type`. What is returned for a vector that is not
/// received has no meaning. `state` is the launch's synchronisation state: with
/// a watchdog, it gets the rank that does not come.
llvm::SmallVector<mlir::Value> emitReceive(mlir::ImplicitLocOpBuilder &b,
                                           llvm::ArrayRef<PeerVector> vectors,
                                           mlir::VectorType type,
                                           mlir::Value state);

/// Returns the sum of `terms`, vectors of one type, in this order: in f32, and
/// rounded once.
mlir::Value emitRankSum(mlir::ImplicitLocOpBuilder &b, mlir::ValueRange terms);

/// Receives `ranks` vectors, one from each rank, for each sum, and returns the
/// sums. The arguments are those of `emitReceive`.
llvm::SmallVector<mlir::Value>
emitReceivedSums(mlir::ImplicitLocOpBuilder &b,
                 llvm::ArrayRef<PeerVector> vectors, size_t ranks,
                 mlir::VectorType type, mlir::Value state);

/// Returns the byte of the symmetric memory, an i64, at which the places of
/// this run begin. There are one or two sets of places, of `setBytes` bytes
/// each, and runs take them in turns. `state` is the launch's synchronisation
/// state.
mlir::Value emitPlaceSet(mlir::ImplicitLocOpBuilder &b, mlir::Value state,
                         int64_t sets, int64_t setBytes);

/// Returns the pointer of `peers` with number `number`, an i32.
mlir::Value emitSelectedPeer(mlir::ImplicitLocOpBuilder &b,
                             mlir::ValueRange peers, mlir::Value number);

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_PEERWORDS_H
