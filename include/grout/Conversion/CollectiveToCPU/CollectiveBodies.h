//===- CollectiveBodies.h - Collective ops on CPUs --------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COLLECTIVETOCPU_COLLECTIVEBODIES_H
#define GROUT_CONVERSION_COLLECTIVETOCPU_COLLECTIVEBODIES_H

#include "grout/Conversion/TGemmToCPU/TileBodyGenerator.h"

namespace grout::cpu {

/// Create the generators for sums over ranks (collective.all_reduce and
/// collective.reduce_scatter), collective.all_gather and collective.all_to_all.
std::unique_ptr<TileBodyGenerator> createRankSumBodyGenerator();
std::unique_ptr<TileBodyGenerator> createAllGatherBodyGenerator();
std::unique_ptr<TileBodyGenerator> createAllToAllBodyGenerator();

} // namespace grout::cpu

#endif // GROUT_CONVERSION_COLLECTIVETOCPU_COLLECTIVEBODIES_H
