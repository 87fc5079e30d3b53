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

/// The relations of a program, computed once, and happens-before on its tiles.
///
/// A tile p *comes before* a step (q, s) if p has posted when q starts step s,
/// and before q if it has posted when q writes. Semaphores are taken to have
/// right counts.
class ProgramRelations {
public:
  ProgramRelations(isl::ctx ctx, const TileProgram &program);

  /// Each read, write and edge is added in order, before anything is asked:
  /// what a long program takes is thus many budgets of small amounts.
  void addRead(unsigned index);
  void addWrite(unsigned index);
  void addEdge(unsigned index);

  /// { kernel[tile..., step] -> root element } of program.reads[index].
  const isl::map &getRead(unsigned index) const { return reads[index]; }
  /// { kernel[tile...] -> root element } of program.writes[index].
  const isl::map &getWrite(unsigned index) const { return writes[index]; }
  /// { consumer[tile...] -> producer[tile...] : waited for at some step }.
  const isl::map &getWaitedTiles(unsigned edge) const {
    return waitedTiles[edge];
  }

  /// What is left of `needed`, { consumer[tile..., step] -> producer[tile...]
  /// } for `read`, after all pairs are removed whose producer tile is known to
  /// come before the read.
  isl::map removeOrderedSteps(isl::map needed, const ProgramAccess &read,
                              unsigned producer);

  /// { later[tile...] -> earlier[tile...] : known to come before }. Exact if
  /// kernels do not wait for each other in a cycle, else a subset.
  isl::map getTilesBefore(unsigned later, unsigned earlier);

private:
  /// Whether every tile of `kernel` waits for the launch before, at the latest
  /// to read, before it writes.
  bool waitsBeforeWrites(unsigned kernel) const;
  /// Whether `earlier` has ended when a wait of `later` for the launch before
  /// is over: that is the launch before, or one whose end some launch between
  /// them waits for, before it ends itself or begins.
  bool hasEnded(unsigned earlier, unsigned later) const;
  /// { later[tile...] -> earlier[tile...] : known to come before what waits in
  /// `later` for the launch before }.
  isl::map getTilesBeforeWait(unsigned later, unsigned earlier);
  isl::space getPairs(unsigned later, unsigned earlier) const;

  isl::ctx ctx;
  const TileProgram &program;
  /// By kernel, with launches: the number of its launch.
  std::vector<unsigned> launchNumbers;
  std::vector<isl::map> reads, writes;
  /// By edge: waited for at that very step; at some step.
  std::vector<isl::map> waitedSteps, waitedTiles;
  std::map<std::pair<unsigned, unsigned>, isl::map> before;
};

} // namespace grout::detail

#endif // GROUT_LIB_ANALYSIS_PROGRAMRELATIONS_H
