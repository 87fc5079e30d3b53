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

  /// { kernel[tile..., step] -> root element } of program.reads[index].
  const isl::map &getRead(unsigned index) const { return reads[index]; }
  /// { kernel[tile...] -> root element } of program.writes[index].
  const isl::map &getWrite(unsigned index) const { return writes[index]; }
  /// { consumer[tile...] -> producer[tile...] : waited for at some step }.
  const isl::map &getWaitedTiles(unsigned edge) const {
    return waitedTiles[edge];
  }

  /// What is left of `needed`, { consumer[tile..., step] -> producer[tile...]
  /// }, after all pairs are removed whose producer tile is known to come before
  /// the step.
  isl::map removeOrderedSteps(isl::map needed, unsigned consumer,
                              unsigned producer);

  /// { later[tile...] -> earlier[tile...] : known to come before }. Exact if
  /// kernels do not wait for each other in a cycle, else a subset.
  isl::map getTilesBefore(unsigned later, unsigned earlier);

private:
  isl::ctx ctx;
  const TileProgram &program;
  std::vector<isl::map> reads, writes;
  /// By edge: waited for at that very step; at some step.
  std::vector<isl::map> waitedSteps, waitedTiles;
  std::map<std::pair<unsigned, unsigned>, isl::map> before;
};

} // namespace grout::detail

#endif // GROUT_LIB_ANALYSIS_PROGRAMRELATIONS_H
