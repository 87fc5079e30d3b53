//===- TargetSpec.cpp - The limits and rates of a processor ---------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Target/TargetSpec.h"

#include "grout/Runtime/ArtifactLimits.h"
#include "llvm/Support/MathExtras.h"

using namespace grout;

int64_t TargetSpec::getResidentTiles(int64_t clusterSize,
                                     int64_t blocksPerProcessor) const {
  if (code == CodeFormat::Native)
    return artifact::kMaxWorkers;
  // Clusters do not fill every processor.
  return blocksPerProcessor *
         (clusterSize == 1 ? processors : getResidentClusters(clusterSize));
}

int64_t TargetSpec::getResidentClusters(int64_t size) const {
  return clusters[llvm::Log2_64(size)];
}

RankSumPath TargetSpec::getRankSumPath(int64_t ranks, int64_t bytes) const {
  double inOne = static_cast<double>((ranks - 1) * bytes);
  double inTwo = 2 * inOne / static_cast<double>(ranks);
  // The second exchange takes as long as the link takes for so many bytes.
  bool isTwoShot = inOne - inTwo > linkTime * linkRate;
  return {isTwoShot, isTwoShot ? inTwo : inOne};
}
