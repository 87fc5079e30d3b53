//===- FuzzedCode.h - Generators that lie about their code ------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_UNITTESTS_OUTSIDERS_FUZZEDCODE_H
#define GROUT_UNITTESTS_OUTSIDERS_FUZZEDCODE_H

#include "grout/Conversion/Common/LaunchGenerator.h"

namespace grout::test {

/// What is wrong with what a generator says of its kernel.
enum class CodeFault {
  none,
  fails,
  noEntries,
  unknownEntry,
  noBuffers,
  noArgs,
  argNull,
  argOther,
  bufferNull,
  bufferOther,
  argOutside,
  noGrids,
  gridZero,
  gridNegative,
  gridShort,
  gridLong,
  gridHuge,
  gridRank,
  noOrder,
  orderNull,
  orderReversed,
  orderRank,
  orderHuge,
  residentsNegative,
  residentsHuge,
  residentsZero,
  blockNegative,
  sharedMemoryHuge,
  clusterZero,
  blocksZero,
  parts,
};
constexpr auto kNumCodeFaults = static_cast<unsigned>(CodeFault::parts) + 1;

/// Makes kernels for CPUs with fuzz.sum, and says of them what is wrong.
std::unique_ptr<LaunchGenerator> createFuzzedGenerator(CodeFault fault);

} // namespace grout::test

#endif // GROUT_UNITTESTS_OUTSIDERS_FUZZEDCODE_H
