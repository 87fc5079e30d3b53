//===- FuzzedBody.h - Code of tiles that does anything ----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_UNITTESTS_OUTSIDERS_FUZZEDBODY_H
#define GROUT_UNITTESTS_OUTSIDERS_FUZZEDBODY_H

#include "grout/Conversion/TGemmToCPU/TileBodyGenerator.h"

namespace grout::test {

/// Makes tile bodies of fuzz.sum, with the faults that its answers have.
std::unique_ptr<cpu::TileBodyGenerator> createFuzzedBody();

} // namespace grout::test

#endif // GROUT_UNITTESTS_OUTSIDERS_FUZZEDBODY_H
