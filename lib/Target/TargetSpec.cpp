//===- TargetSpec.cpp - The limits and rates of a processor ---------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Target/TargetSpec.h"

#include "llvm/Support/MathExtras.h"

using namespace grout;

int64_t TargetSpec::getResidentClusters(int64_t size) const {
  return clusters[llvm::Log2_64(size)];
}
