//===- ProgramRelations.h - A tile program in isl ---------------*- C++ -*-===//
//
// Part of Grout. For lib/Analysis only.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_ANALYSIS_PROGRAMRELATIONS_H
#define GROUT_LIB_ANALYSIS_PROGRAMRELATIONS_H

#include "PolicySupport.h"
#include "grout/Analysis/TileProgram.h"
#include <map>

namespace grout::detail {

/// The relations of a program, each computed once, and happens-before of its
/// tiles.
///
/// A tile p *comes before* a step (q, s) if p has posted when q starts step s,
/// and before q if it has posted when q writes. This takes the counts of
/// semaphores to be right.
class ProgramRelations {
public:
  ProgramRelations(isl::ctx ctx, const TileProgram &program);

  /// Add each read, write and edge in order, before any query. So a long
  /// program takes many small computations, each with its own budget.
  void addRead(unsigned index);
  void addWrite(unsigned index);
  void addEdge(unsigned index);

  /// Returns { kernel[tile..., step] -> root element } of program.reads[index].
  const isl::map &getRead(unsigned index) const { return reads[index]; }
  /// Returns { kernel[tile...] -> root element } of program.writes[index].
  const isl::map &getWrite(unsigned index) const { return writes[index]; }
  /// Returns { consumer[tile...] -> producer[tile...] : waited for at some step
  /// }.
  const isl::map &getWaitedTiles(unsigned edge) const {
    return waitedTiles[edge];
  }

  /// Returns the rest of `needed`, { consumer[tile..., step] ->
  /// producer[tile...] } for `read`, without the pairs whose producer tile is
  /// known to come before the read.
  isl::map removeOrderedSteps(isl::map needed, const ProgramAccess &read,
                              unsigned producer);

  /// Returns { later[tile...] -> earlier[tile...] : known to come before }. It
  /// is exact if kernels do not wait for each other in a cycle, and a subset
  /// otherwise.
  isl::map getTilesBefore(unsigned later, unsigned earlier);

private:
  /// Whether every tile of `kernel` waits for the launch before, at the latest
  /// when it reads, before it writes.
  bool waitsBeforeWrites(unsigned kernel) const;
  /// Whether `earlier` has ended when a wait of `later` for the launch before
  /// is over. It has if it is the launch before, or if a launch in between
  /// waits for its end before it begins or ends itself.
  bool hasEnded(unsigned earlier, unsigned later) const;
  /// Returns { later[tile...] -> earlier[tile...] : known to come before the
  /// wait of `later` for the launch before }.
  isl::map getTilesBeforeWait(unsigned later, unsigned earlier);
  isl::space getPairs(unsigned later, unsigned earlier) const;

  isl::ctx ctx;
  const TileProgram &program;
  /// By kernel, if there are launches: the number of its launch.
  std::vector<unsigned> launchNumbers;
  std::vector<isl::map> reads, writes;
  /// By edge: the tiles waited for at that very step; and at some step.
  std::vector<isl::map> waitedSteps, waitedTiles;
  std::map<std::pair<unsigned, unsigned>, isl::map> before;
};

} // namespace grout::detail

#endif // GROUT_LIB_ANALYSIS_PROGRAMRELATIONS_H
