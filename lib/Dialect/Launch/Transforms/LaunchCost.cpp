//===- LaunchCost.cpp - Modelled times and demands of launches ------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "LaunchCost.h"

#include "grout/Dialect/Scop/IR/Scop.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::launch;

/// Returns the bytes of all buffers or tensors of `types`, which must be
/// static.
static double getBytes(TypeRange types) {
  double bytes = 0;
  for (Type type : types)
    if (auto shaped = dyn_cast<ShapedType>(type))
      bytes += static_cast<double>(shaped.getNumElements()) *
               static_cast<double>(
                   llvm::divideCeil(shaped.getElementTypeBitWidth(), 8));
  return bytes;
}

namespace {

/// A number of blocks that all take the same time.
struct Blocks {
  double count = 0;
  double seconds = 0;
};

} // namespace

/// Returns the blocks of a kernel of products or attention. Each block runs a
/// tile together with the other blocks of its cluster. The blocks of a kernel
/// without tiles, on all processors, share its work.
static Blocks getTileBlocks(TileKernelOpInterface kernel,
                            const TargetSpec &target) {
  TileWork work = kernel.getTileWork();
  double share = static_cast<double>(target.processors);
  double cluster =
      target.hasClusters() ? static_cast<double>(work.clusterSize) : 1;
  double arithmetic =
      static_cast<double>(work.flops) * share / (target.matrixRate * cluster);
  double loads = static_cast<double>(work.bytesRead + work.bytesWritten) *
                 share / (target.cacheRate * cluster);
  FailureOr<SmallVector<int64_t>> grid = kernel.getTileGrid();
  if (failed(grid))
    return {share, std::max(arithmetic, loads) / share + target.tileTime};
  double tiles = static_cast<double>(computeProduct(*grid));
  return {tiles * cluster, std::max(arithmetic, loads) + target.tileTime};
}

/// Returns the blocks of a memory-bound kernel. Each of its threads takes
/// `minIterations` points, if there are that many.
static Blocks getMemoryBoundBlocks(scop::KernelOp kernel,
                                   const TargetSpec &target) {
  double points = 0, bytes = getBytes(kernel->getOperandTypes());
  for (scop::StmtOp statement : kernel.getStatements())
    points = std::max(
        points, static_cast<double>(computeProduct(statement.getExtents())));
  const MemoryBoundConstants &model = target.memoryBound;
  double ofBlock = static_cast<double>(
      std::max<int64_t>(model.blockThreads * model.minIterations, 1));
  double count = std::max(1.0, std::ceil(points / ofBlock));
  double perProcessor =
      std::max(1.0, count / static_cast<double>(target.processors));
  double rate = target.cacheRate / static_cast<double>(target.processors) *
                target.maxBandwidthShare;
  // Blocks that share a processor share its rate.
  return {count, target.tileTime + bytes / count * perProcessor / rate};
}

LaunchCost launch::getLaunchCost(TilesOp launch, const TargetSpec &target) {
  LaunchCost cost;
  cost.isMemoryBound = true;
  double processors = static_cast<double>(target.processors);
  double blocks = 0, busy = 0, longest = 0;
  for (TileKernelOpInterface kernel : launch.getKernels()) {
    auto memoryBound = dyn_cast<scop::KernelOp>(*kernel);
    cost.isMemoryBound &= static_cast<bool>(memoryBound);
    Blocks ofKernel = memoryBound ? getMemoryBoundBlocks(memoryBound, target)
                                  : getTileBlocks(kernel, target);
    // Several small blocks that share a processor count as one block of the
    // same time.
    double count =
        memoryBound ? std::min(ofKernel.count, processors) : ofKernel.count;
    blocks += count;
    busy += count * ofKernel.seconds;
    longest = std::max(longest, ofKernel.seconds);
  }
  cost.processors = std::min(1.0, blocks / processors);
  // Blocks run in whole waves. Each block takes the average time.
  double waves = std::ceil(blocks / processors);
  cost.seconds = std::max(longest, waves * busy / blocks);
  double moved = getBytes(launch.getInputs().getTypes()) +
                 getBytes(launch.getOutputs().getTypes());
  cost.seconds = std::max(cost.seconds, moved / target.cacheRate);
  cost.bandwidth = std::min(1.0, moved / target.memoryRate / cost.seconds);
  return cost;
}
