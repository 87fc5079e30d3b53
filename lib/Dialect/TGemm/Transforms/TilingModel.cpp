//===- TilingModel.cpp - Chooses tile shapes ------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TilingModel.h"

#include "grout/Dialect/TGemm/Transforms/TilingLimits.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

//===----------------------------------------------------------------------===//
// CPU
//===----------------------------------------------------------------------===//

/// A tile of 64 x 64 f32 sums and one step of both operands (48 KiB in f32)
/// stay in a core's second-level cache. An extent below 128 is cut by 32
/// instead, so that a small product still has several tiles for the workers,
/// and for tests to order. Never more than the extent: a CPU has no use for
/// padding.
static int64_t chooseCPUTileSize(int64_t extent) {
  return std::min<int64_t>(extent, extent < 128 ? 32 : 64);
}

static TilingAttr chooseCPUTiling(MatmulOp op) {
  return TilingAttr::get(op.getContext(), chooseCPUTileSize(op.getM()),
                         chooseCPUTileSize(op.getN()),
                         chooseCPUTileSize(op.getK()), /*stages=*/1);
}

//===----------------------------------------------------------------------===//
// GPU
//===----------------------------------------------------------------------===//

static constexpr int64_t kStepSize = 64;
static constexpr int64_t kMinStages = 3;
static constexpr int64_t kMaxStages = 6;

/// Time of an epilogue, in seconds: a constant and a part for each accumulator
/// of a thread, as measured on an H200 with plain stores.
static constexpr double kEpilogueTime = 0.4e-6;
static constexpr double kEpilogueTimePerAccumulator = 0.017e-6;

/// Modelled time of `op` on `target`, in seconds. Tiles run in waves, one on
/// each processor. In a step, a processor multiplies at its share of the matrix
/// rate while it loads the next operands at its share of the cache's rate;
/// without multicast, that share is what bounds tiles below 256 x 192. No
/// tiling is faster than device memory delivers every operand once.
static double getModelledTime(MatmulOp op, TilingAttr tiling,
                              const TargetSpec &target) {
  double m = tiling.getM(), n = tiling.getN(), k = tiling.getK();
  double products = op.getNumProducts();
  double inputBytes = op.getInputElementType().getWidth() / 8;
  double resultBytes = op.getResultElementType().getWidth() / 8;

  int64_t tiles = op.getBatch() * llvm::divideCeil(op.getM(), tiling.getM()) *
                  llvm::divideCeil(op.getN(), tiling.getN());
  double waves = llvm::divideCeil(tiles, target.processors);
  double steps = llvm::divideCeil(op.getK(), tiling.getK());

  double multiply =
      2 * m * n * k * products * target.processors / target.matrixRate;
  double load =
      getStageBytes(op, tiling) * target.processors / target.cacheRate;
  double epilogue = kEpilogueTime + kEpilogueTimePerAccumulator *
                                        getAccumulatorsPerThread(op, tiling);
  double tile = steps * std::max(multiply, load) + epilogue;

  double rows = op.getM(), columns = op.getN(), depth = op.getK();
  double memory = op.getBatch() *
                  ((rows + columns * products) * depth * inputBytes +
                   rows * columns * resultBytes) /
                  target.memoryRate;
  return std::max(waves * tile, memory);
}

/// The most stages that fit with tiles of `m` x `n`; null if too few do.
static TilingAttr getDeepestTiling(MatmulOp op, int64_t m, int64_t n,
                                   const TargetSpec &target) {
  for (int64_t stages = kMaxStages; stages >= kMinStages; --stages) {
    auto tiling = TilingAttr::get(op.getContext(), m, n, kStepSize, stages);
    if (findTilingProblem(op, tiling, target).empty())
      return tiling;
  }
  return {};
}

static TilingAttr chooseGPUTiling(MatmulOp op, const TargetSpec &target) {
  auto best = TilingAttr::get(op.getContext(), 64, 64, kStepSize, kMinStages);
  double bestTime = std::numeric_limits<double>::infinity();
  // The model is not good to two percent. Among equals the first counts: tall
  // tiles, of which two warpgroups compute the most, as in cuBLAS's choices.
  constexpr double margin = 0.98;
  for (int64_t m : {256, 192, 128, 64}) {
    for (int64_t n : {256, 192, 160, 128, 96, 64}) {
      TilingAttr tiling = getDeepestTiling(op, m, n, target);
      if (!tiling)
        continue;
      double time = getModelledTime(op, tiling, target);
      if (time < margin * bestTime) {
        best = tiling;
        bestTime = time;
      }
    }
  }
  return best;
}

TilingAttr tgemm::chooseTiling(MatmulOp op, const TargetSpec &target) {
  return target.isGPU ? chooseGPUTiling(op, target) : chooseCPUTiling(op);
}
