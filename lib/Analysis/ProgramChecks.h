//===- ProgramChecks.h - Checks that use no integer sets --------*- C++ -*-===//
//
// Part of Grout. For lib/Analysis only.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_ANALYSIS_PROGRAMCHECKS_H
#define GROUT_LIB_ANALYSIS_PROGRAMCHECKS_H

#include "grout/Analysis/VerifyProgram.h"

namespace grout::detail {

/// Compares the counts of program.edges[index] with the posts of each
/// semaphore. Enumerates independent groups of grid dimensions, with at most
/// `maxTiles` points each.
std::optional<VerifyFailure> checkCounts(const TileProgram &program,
                                         unsigned index, int64_t maxTiles);

/// The result of enumeration for an order that is not monotone.
struct ResidentBound {
  /// The number of residents that is needed, and enough; 0 with a failure.
  int64_t residents = 0;
  /// A failure of kind Cycle or GaveUp.
  std::optional<VerifyFailure> failure;
};

/// Returns max |B(t)| + 1, where B(t) are those of the first t tiles in tile
/// order that wait, directly or through others, for a later tile; or a cycle of
/// waits.
ResidentBound findResidentBound(const TileProgram &program, int64_t maxTiles);

/// Returns "name[1, 2]", with " at step 3" if the point has a step.
std::string formatPoint(const TileProgram &program, const TilePoint &point);

} // namespace grout::detail

#endif // GROUT_LIB_ANALYSIS_PROGRAMCHECKS_H
