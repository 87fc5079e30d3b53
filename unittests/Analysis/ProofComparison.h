//===- ProofComparison.h - The proof against the interpreter ----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_UNITTESTS_ANALYSIS_PROOFCOMPARISON_H
#define GROUT_UNITTESTS_ANALYSIS_PROOFCOMPARISON_H

#include "grout/Analysis/TileProgram.h"

namespace grout::test {

/// How often each verdict was reached, to see that tests test something.
struct Tally {
  int accepted = 0, rejected = 0, bounded = 0, deadOverwrites = 0,
      inconclusive = 0;

  /// Checks that accepted and rejected ones are both many.
  void expectVariety() const;
};

/// Checks that the proof and the interpreter agree on `program`: by every order
/// of its events that waits allow, one by one if `exhaustive`. Adds to `tally`.
void compare(const TileProgram &program, bool exhaustive, Tally &tally);

} // namespace grout::test

#endif // GROUT_UNITTESTS_ANALYSIS_PROOFCOMPARISON_H
