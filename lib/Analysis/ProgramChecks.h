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
/// semaphore. Counts by enumerating independent groups of grid dimensions, at
/// most `maxTiles` points each.
std::optional<VerifyFailure> checkCounts(const TileProgram &program,
                                         unsigned index, int64_t maxTiles);

/// What enumeration says about an order that is not monotone.
struct ResidentBound {
  /// Residents that are needed and enough; 0 with a failure.
  int64_t residents = 0;
  /// Cycle or GaveUp.
  std::optional<VerifyFailure> failure;
};

/// max |B(t)| + 1, where B(t) are the tiles among the first t in tile order
/// that wait, directly or through others, for a later one; or a cycle of waits.
ResidentBound findResidentBound(const TileProgram &program, int64_t maxTiles);

/// "name[1, 2]", with " at step 3" if the point has a step.
std::string formatPoint(const TileProgram &program, const TilePoint &point);

} // namespace grout::detail

#endif // GROUT_LIB_ANALYSIS_PROGRAMCHECKS_H
