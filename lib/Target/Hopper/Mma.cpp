//===- Mma.cpp - What matrix instructions multiply ------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Target/Hopper/Mma.h"

using namespace grout;
using namespace grout::hopper;

std::optional<MmaTraits> hopper::findMmaTraits(mlir::Type type) {
  if (type.isF16())
    return MmaTraits{"f16", 2, kMmaDepth, /*takesMNMajor=*/true};
  if (type.isBF16())
    return MmaTraits{"bf16", 2, kMmaDepth, /*takesMNMajor=*/true};
  return std::nullopt;
}
