//===- EdgeModel.cpp - The gain of waiting by tile ------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/Transforms/EdgeModel.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

/// Whether all tiles of `op` run at once with its tiling.
static bool isOneWave(ProductOpInterface op, const ProductModel &model) {
  int64_t tiles = 1;
  for (int64_t extent : *op.getTileGrid())
    tiles *= extent;
  return tiles <= model.getResidentTiles(*op.getTiling());
}

double tgemm::getFilledTime(ProductOpInterface op, const ProductModel &model) {
  if (isOneWave(op, model))
    return 0;
  return model.getChainConstants().filledShare *
         model.modelTiling(op, *op.getTiling()).waves;
}

/// Whether `op` is a kernel that other kernels may wait for. A product that is
/// only a part of the next one is not.
static bool isKernel(Operation *op) {
  auto kernel = dyn_cast<TileKernelOpInterface>(op);
  return kernel && !kernel.isPartOfNext();
}

/// The tile kernel before `op` in its block, or null.
static TileKernelOpInterface getPreviousKernel(Operation *op) {
  do
    op = op->getPrevNode();
  while (op && !isa<TileKernelOpInterface>(op));
  return dyn_cast_or_null<TileKernelOpInterface>(op);
}

/// Whether `op` shares its launch with other kernels that others may wait for.
static bool sharesLaunch(TileKernelOpInterface op) {
  TileKernelOpInterface previous = getPreviousKernel(op);
  return (op.isLaunchedWithNext() && !op.isPartOfNext()) ||
         (previous && previous.isLaunchedWithNext() &&
          !previous.isPartOfNext());
}

/// The last kernel of the launch before that of `op`, or null.
static TileKernelOpInterface getKernelBefore(TileKernelOpInterface op) {
  TileKernelOpInterface previous = getPreviousKernel(op);
  while (previous && previous.isLaunchedWithNext())
    previous = getPreviousKernel(previous);
  return previous;
}

/// Returns the kernels of its block whose results `kernel` reads, even if it
/// reads only parts of them.
static llvm::SetVector<Operation *> getProducers(Operation *kernel) {
  llvm::SetVector<Operation *> producers, seen;
  SmallVector<Operation *> left = {kernel};
  while (!left.empty())
    for (Value operand : left.pop_back_val()->getOperands()) {
      Operation *op = operand.getDefiningOp();
      if (!op || op->getBlock() != kernel->getBlock())
        continue;
      if (isKernel(op))
        producers.insert(op);
      else if (seen.insert(op))
        left.push_back(op);
    }
  return producers;
}

/// Returns the time that `op` gains if it starts in order and its tiles are
/// ordered for it. The loss of an early start is not included.
static double getOrderedGain(ProductOpInterface op, const ProductModel &model) {
  TilingAttr tiling = *op.getTiling();
  if (tiling.getClusterSize() != 1)
    return 0;
  return model.getChainConstants().orderedGain *
         model.modelTiling(op, tiling, KernelStart::last).early;
}

/// Returns the time that `op` saves if it starts in order after the product
/// `before`.
static double getInOrderGain(ProductOpInterface op, ProductOpInterface before,
                             const ProductModel &model) {
  auto getTime = [&](KernelStart start) {
    return model.getModelledTime(op, *op.getTiling(), start);
  };
  double gain = getTime(KernelStart::last) - getTime(KernelStart::inOrder) +
                getOrderedGain(op, model);
  double hidden =
      model.modelTiling(before, *before.getTiling(), KernelStart::first).hidden;
  return std::max(0.0, gain - hidden - model.getChainConstants().inOrderTime);
}

bool tgemm::anyStartsInOrder(ArrayRef<ProductOpInterface> ops,
                             const ProductModel &model) {
  return llvm::any_of(ops, [&](ProductOpInterface op) {
    return modelEdges(op, model).inOrderGain > 0;
  });
}

tsync::EdgeTimes tgemm::modelEdges(TileKernelOpInterface kernel,
                                   const ProductModel &model) {
  tsync::EdgeTimes times;
  TileKernelOpInterface last = getKernelBefore(kernel);
  times.before = last;
  llvm::SetVector<Operation *> producers = getProducers(kernel);
  if (!producers.empty())
    times.cost = model.getChainConstants().overlapTime;
  auto op = dyn_cast<ProductOpInterface>(*kernel);
  auto before = dyn_cast_or_null<ProductOpInterface>(times.before);
  bool areAlone = !sharesLaunch(kernel) && !(last && sharesLaunch(last));
  if (op && before && !producers.empty() && areAlone)
    times.inOrderGain = getInOrderGain(op, before, model);
  if (!times.before)
    times.obstacle = "no kernel comes before";
  else if (!areAlone)
    times.obstacle = "several products share a launch";
  else if (!op)
    times.obstacle = "it is memory-bound";
  else if (!llvm::all_of(producers, [](Operation *producer) {
             return isa<ProductOpInterface>(producer);
           }))
    times.obstacle = "it reads what a memory-bound kernel writes";
  else if (!before)
    times.obstacle = "the kernel before is memory-bound";
  else if (isOneWave(before, model))
    times.obstacle = "all tiles of the kernel before run at once";
  else
    times.gain = getFilledTime(before, model);
  return times;
}
