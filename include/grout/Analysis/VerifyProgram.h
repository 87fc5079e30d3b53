//===- VerifyProgram.h - Proof that a tile program is safe ------*- C++ -*-===//
//
// Part of Grout. Coverage, overwrites and deadlock, proved with isl.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_ANALYSIS_VERIFYPROGRAM_H
#define GROUT_ANALYSIS_VERIFYPROGRAM_H

#include "grout/Analysis/TileProgram.h"
#include "grout/Isl/IslContext.h"
#include <optional>

namespace grout {

enum class VerifyFailureKind {
  /// The program is not well formed.
  Invalid,
  /// An element is read that no tile writes.
  UnwrittenRead,
  /// Two tiles write one element of one tensor.
  DoubleWrite,
  /// A read is not ordered after the write of its element.
  UnsynchronisedRead,
  /// A write to a shared buffer is not ordered after an access to the tensor
  /// that it overwrites.
  UnsynchronisedOverwrite,
  /// A semaphore's count is less than its posts, so a wait covers too little.
  CountTooLow,
  /// A semaphore's count is greater than its posts, so a wait can never end.
  CountTooHigh,
  /// Two tiles have the same place in the order.
  OrderTie,
  /// Tiles wait for each other in a cycle.
  Cycle,
  /// The program needs more residents than VerifyOptions::residents.
  TooFewResidents,
  /// A budget ran out, so nothing is known.
  GaveUp,
};

llvm::StringRef stringifyFailureKind(VerifyFailureKind kind);

/// A tile, as an example in a failure.
struct TilePoint {
  unsigned kernel = 0;
  llvm::SmallVector<int64_t> tile;
  /// Step of the tile, where it matters.
  std::optional<int64_t> step;

  bool operator==(const TilePoint &other) const {
    return kernel == other.kernel && tile == other.tile && step == other.step;
  }
};

struct VerifyFailure {
  VerifyFailureKind kind = VerifyFailureKind::Invalid;
  /// One sentence that names kernels, tiles and numbers.
  std::string message;
  /// The tile that reads, overwrites or waits.
  std::optional<TilePoint> consumer;
  /// The tile that `consumer` misses.
  std::optional<TilePoint> producer;
  /// Position of the edge at fault, if there is one.
  std::optional<unsigned> edge;
  /// Position of the read at fault, if there is one.
  std::optional<unsigned> read;
  /// For Cycle: each tile waits for the next, and the last for the first.
  llvm::SmallVector<TilePoint> cycle;
};

struct VerifyOptions {
  /// Residents that the program will have, if known.
  std::optional<int64_t> residents;
  /// The largest number of tiles that may be enumerated, to count posts, or to
  /// find the number of residents if the order is not monotone.
  int64_t maxTiles = 1 << 20;
};

struct VerifyResult {
  /// Empty if the program is safe. Otherwise at most one failure for each
  /// cause.
  std::vector<VerifyFailure> failures;
  /// Whether no tile waits for a later tile. Then one resident is enough, and
  /// this was proved without enumeration.
  bool isMonotone = false;
  /// With at least this many residents, the program cannot deadlock; with fewer
  /// it does. 0 if not known.
  int64_t requiredResidents = 0;

  bool succeeded() const { return failures.empty(); }
  /// Returns whether no error was found, but a budget ran out.
  bool gaveUp() const;
  /// Returns all failures, one on a line.
  std::string str() const;
};

/// Proves three properties of `program`, run as TileProgram describes:
///  1. Every read is ordered after the write of its element. Dependences are
///     derived anew from the accesses. If the count of a semaphore equals the
///     number of its posts, a wait orders its tile after all posts. A wait for
///     a launch orders it after that launch, and after those that cannot end
///     later. Happens-before is closed over kernels.
///  2. Every write to a shared buffer is ordered after all accesses to the
///     tensor that it overwrites. Tensors of unequal shape count as overlapping
///     everywhere.
///  3. The program cannot deadlock with `requiredResidents` residents. Let B(t)
///     be the tiles among the first t that wait, directly or through others,
///     for a tile that is not among them. They must leave a resident free:
///     max |B(t)| + 1 residents are needed and enough. Launches have residents
///     of their own, so that this number for each launch is enough, and a
///     smaller number may be enough.
/// A property that cannot be decided within the budget fails as GaveUp. A
/// program never fails for its size alone, unless `options.maxTiles` is needed.
VerifyResult verifyProgram(const IslContext &context,
                           const TileProgram &program,
                           const VerifyOptions &options = {});

} // namespace grout

#endif // GROUT_ANALYSIS_VERIFYPROGRAM_H
