//===- EdgeModel.cpp - What waiting by tile is worth ----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/Transforms/EdgeModel.h"

#include "grout/Dialect/TGemm/Transforms/TilingModel.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

/// How much of what the last of several waves leaves unused the next product's
/// tiles fill. (Tiles of a single wave all end at once.)
static constexpr double kFilledShare = 0.15;
/// What it costs that kernels of their own wait for tiles, for each product
/// that does, in seconds.
static constexpr double kOverlapTime = 1.5e-6;

static bool isOneWave(MatmulOp op, const TargetSpec &target) {
  int64_t tiles = 1;
  for (int64_t extent : *op.getTileGrid())
    tiles *= extent;
  return tiles <= target.getResidentClusters(op.getTiling()->getClusterSize());
}

double tgemm::getFilledTime(MatmulOp op, const TargetSpec &target) {
  if (isOneWave(op, target))
    return 0;
  return kFilledShare * modelTiling(op, *op.getTiling(), target).waves;
}

/// The kernels of its block whose results `kernel` reads, if only a part of
/// them.
static llvm::SetVector<Operation *> getProducers(Operation *kernel) {
  llvm::SetVector<Operation *> producers, seen;
  SmallVector<Operation *> left = {kernel};
  while (!left.empty())
    for (Value operand : left.pop_back_val()->getOperands()) {
      Operation *op = operand.getDefiningOp();
      if (!op || op->getBlock() != kernel->getBlock())
        continue;
      if (isa<TileKernelOpInterface>(op))
        producers.insert(op);
      else if (seen.insert(op))
        left.push_back(op);
    }
  return producers;
}

EdgeTimes tgemm::modelEdges(TileKernelOpInterface kernel,
                            const TargetSpec &target) {
  EdgeTimes times;
  times.before = kernel->getPrevNode();
  while (times.before && !isa<TileKernelOpInterface>(times.before))
    times.before = times.before->getPrevNode();
  llvm::SetVector<Operation *> producers = getProducers(kernel);
  if (!producers.empty())
    times.cost = kOverlapTime;
  if (!times.before)
    times.obstacle = "no kernel comes before";
  else if (!isa<MatmulOp>(kernel))
    times.obstacle = "it is memory-bound";
  else if (!llvm::all_of(producers, llvm::IsaPred<MatmulOp>))
    times.obstacle = "it reads what a memory-bound kernel writes";
  else if (!isa<MatmulOp>(times.before))
    times.obstacle = "the kernel before is memory-bound";
  else if (isOneWave(cast<MatmulOp>(times.before), target))
    times.obstacle = "all tiles of the kernel before run at once";
  else
    times.gain = getFilledTime(cast<MatmulOp>(times.before), target);
  return times;
}
