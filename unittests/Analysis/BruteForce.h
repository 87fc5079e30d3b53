//===- BruteForce.h - Dependences by enumeration ----------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_UNITTESTS_ANALYSIS_BRUTEFORCE_H
#define GROUT_UNITTESTS_ANALYSIS_BRUTEFORCE_H

#include "grout/Analysis/TileProgram.h"
#include "grout/Isl/IslContext.h"
#include <map>
#include <set>

namespace grout::test {

using Tile = std::vector<int64_t>;

/// A dependence, tile by tile: (consumer tile, step) -> producer tiles.
using Dependence = std::map<std::pair<Tile, int64_t>, std::set<Tile>>;

/// What `read` reads of what kernel `producer` writes, element by element, as
/// the interpreter sees it.
Dependence enumerateDependence(TileProgram program, const ProgramAccess &read,
                               unsigned producer);

/// The points of `relation`, from tiles and steps of a consumer to tiles. For
/// those with many, where comparing them with isl takes long.
Dependence enumerateRelation(const Relation &relation);

/// `dependence` of two kernels as isl reads it.
std::string formatRelation(const Dependence &dependence,
                           const TileKernel &producer,
                           const TileKernel &consumer);

} // namespace grout::test

#endif // GROUT_UNITTESTS_ANALYSIS_BRUTEFORCE_H
