//===- ExtremeProgram.h - Tile programs with huge constants -----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_UNITTESTS_ANALYSIS_EXTREMEPROGRAM_H
#define GROUT_UNITTESTS_ANALYSIS_EXTREMEPROGRAM_H

#include "RandomProgram.h"

namespace grout::test {

/// Changes a map, a guard, a count or a step by a number where arithmetic in 32
/// or 64 bits ends; returns what, for messages. Some of what it makes is as
/// safe as before.
std::string makeExtreme(Random &random, TileProgram &program);

/// The first expression of `program` that comes to something else in 64 bits
/// that wrap than in numbers without end, or divides by less than 1, for some
/// tile and step; and what does not fit the 32 bits of a semaphore. Empty if
/// there is none.
std::string findOverflow(const TileProgram &program);

} // namespace grout::test

#endif // GROUT_UNITTESTS_ANALYSIS_EXTREMEPROGRAM_H
