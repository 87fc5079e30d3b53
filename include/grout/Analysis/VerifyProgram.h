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
  /// A read is not ordered after the write of what it reads.
  UnsynchronisedRead,
  /// A write to a shared buffer is not ordered after an access to the tensor
  /// that it overwrites.
  UnsynchronisedOverwrite,
  /// A semaphore's count is below its posts: a wait covers too little.
  CountTooLow,
  /// A semaphore's count is above its posts: a wait can never end.
  CountTooHigh,
  /// Two tiles have the same place in the order.
  OrderTie,
  /// Tiles wait for each other in a cycle.
  Cycle,
  /// More residents are needed than VerifyOptions::residents.
  TooFewResidents,
  /// A budget ran out; nothing is known.
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
  /// The tile that is missed.
  std::optional<TilePoint> producer;
  /// Position of the edge at fault, where there is one.
  std::optional<unsigned> edge;
  /// Position of the read at fault, where there is one.
  std::optional<unsigned> read;
  /// For Cycle: each tile waits for the next, and the last for the first.
  llvm::SmallVector<TilePoint> cycle;
};

struct VerifyOptions {
  /// Residents that the program will have, if known.
  std::optional<int64_t> residents;
  /// Largest number of tiles that may be enumerated to find the number of
  /// residents when the order is not monotone, and to count posts.
  int64_t maxTiles = 1 << 20;
};

struct VerifyResult {
  /// Empty if the program is safe. At most one for each cause.
  std::vector<VerifyFailure> failures;
  /// No tile waits for one that comes later: one resident is enough, and this
  /// was proved without enumeration.
  bool isMonotone = false;
  /// With at least so many residents the program cannot deadlock, and with
  /// fewer it does. 0 if not known.
  int64_t requiredResidents = 0;

  bool succeeded() const { return failures.empty(); }
  /// Whether nothing is wrong, as far as anything is known.
  bool gaveUp() const;
  /// All failures, one on a line.
  std::string str() const;
};

/// Proves that `program`, run as TileProgram describes,
///  1. orders every read after the write of what it reads. Dependences are
///     derived anew from the accesses. A wait orders its tile after all posts
///     of a semaphore, if the count equals the number of posts; a wait for a
///     launch orders it after that launch, and after those that cannot end
///     later; happens-before is closed over kernels;
///  2. orders every write to a shared buffer after all accesses to the tensor
///     that it overwrites. Tensors of unequal shape are taken to overlap
///     everywhere;
///  3. cannot deadlock with `requiredResidents` residents. Let B(t) be the
///     tiles among the first t that wait, directly or through others, for a
///     tile that is not among them. They must leave a resident free:
///     max |B(t)| + 1 residents are needed and enough. Launches have residents
///     of their own, so that as many for each are enough, and fewer may be.
/// What cannot be decided within the budget fails as GaveUp. Never fails a
/// program for its size alone unless `options.maxTiles` is needed.
VerifyResult verifyProgram(const IslContext &context,
                           const TileProgram &program,
                           const VerifyOptions &options = {});

} // namespace grout

#endif // GROUT_ANALYSIS_VERIFYPROGRAM_H
