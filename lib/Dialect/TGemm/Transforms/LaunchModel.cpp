//===- LaunchModel.cpp - Products that share a launch ---------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/Transforms/LaunchModel.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

/// Launches of up to this many waves are modelled tile by tile.
static constexpr int64_t kMostWaves = 8;

/// In each attempt, the limit on the time of a tile grows by this factor.
static constexpr double kLongerTile = 1.1;

namespace {

/// The tiles of one product, all with the same tiling.
struct Tiles {
  TilingAttr tiling;
  int64_t count;
  /// The time of one tile, in seconds.
  double seconds;

  double getWork() const { return static_cast<double>(count) * seconds; }
};

} // namespace

/// Returns the tiles of `op` with `tiling`, if all of them together take
/// `seconds`.
static Tiles getTiles(ProductOpInterface op, TilingAttr tiling, double seconds,
                      int64_t resident) {
  int64_t count = op.getBatch() * llvm::divideCeil(op.getM(), tiling.getM()) *
                  llvm::divideCeil(op.getN(), tiling.getN());
  int64_t waves = llvm::divideCeil(count, resident);
  return {tiling, count, seconds / static_cast<double>(waves)};
}

/// Returns when the last tile of a launch ends, if `resident` tiles run at a
/// time, and the longest tiles start first.
static double getEnd(SmallVector<Tiles> launch, int64_t resident) {
  int64_t count = 0;
  double work = 0, longest = 0;
  for (const Tiles &tiles : launch) {
    count += tiles.count;
    work += tiles.getWork();
    longest = std::max(longest, tiles.seconds);
  }
  if (count > kMostWaves * resident)
    return work / static_cast<double>(resident) + longest;
  llvm::stable_sort(launch, [](const Tiles &first, const Tiles &second) {
    return first.seconds > second.seconds;
  });
  // A heap of the times at which each place for a tile is free. The earliest
  // time is at the front.
  std::vector<double> free(resident);
  double end = 0;
  for (const Tiles &tiles : launch)
    for (int64_t tile = 0; tile != tiles.count; ++tile) {
      std::pop_heap(free.begin(), free.end(), std::greater<>());
      free.back() += tiles.seconds;
      end = std::max(end, free.back());
      std::push_heap(free.begin(), free.end(), std::greater<>());
    }
  return end;
}

/// Returns `tilings` with the number of stages that a kernel with all of them
/// has.
static SmallVector<TilingAttr> withCommonStages(ArrayRef<TilingAttr> tilings) {
  int64_t stages = std::numeric_limits<int64_t>::max();
  for (TilingAttr tiling : tilings)
    stages = std::min(stages, tiling.getStages());
  return llvm::map_to_vector(
      tilings, [&](TilingAttr tiling) { return tiling.withStages(stages); });
}

double tgemm::modelTile(ProductOpInterface op, TilingAttr tiling,
                        KernelStart start, const ProductModel &model) {
  return getTiles(op, tiling, model.getModelledTime(op, tiling, start),
                  model.getResidentTiles(tiling))
      .seconds;
}

double tgemm::getLeastWork(const OpTilings &op, const ProductModel &model) {
  double least = std::numeric_limits<double>::infinity();
  for (const ModelledTiling &candidate : op.tilings) {
    int64_t resident = model.getResidentTiles(candidate.tiling);
    Tiles tiles =
        getTiles(op.op, candidate.tiling, candidate.seconds, resident);
    least = std::min(least, tiles.getWork() / static_cast<double>(resident));
  }
  return least;
}

double tgemm::modelLaunch(ArrayRef<ProductOpInterface> ops,
                          ArrayRef<TilingAttr> tilings, KernelStart start,
                          const ProductModel &model) {
  SmallVector<Tiles> launch;
  int64_t resident = model.getResidentTiles(tilings.front());
  double cache = 0, memory = 0;
  for (auto [op, tiling] : llvm::zip_equal(ops, withCommonStages(tilings))) {
    TilingTime time = model.modelTiling(op, tiling, start);
    launch.push_back(getTiles(op, tiling, time.total, resident));
    cache += time.cache;
    memory += time.memory;
  }
  return std::max({getEnd(std::move(launch), resident), cache, memory});
}

/// Returns the tiles of `op` for each of its tilings that blocks of `form` can
/// compute.
static std::vector<Tiles> getTiles(const OpTilings &op, const KernelForm &form,
                                   const ProductModel &model) {
  std::vector<Tiles> all;
  for (const ModelledTiling &candidate : op.tilings)
    if (!candidate.tiling.hasParts() &&
        model.fits(op.op, candidate.tiling, form))
      all.push_back(getTiles(op.op, candidate.tiling, candidate.seconds,
                             model.getResidentTiles(candidate.tiling)));
  return all;
}

/// Returns the tiling of `all` with the least work, among the tilings whose
/// tiles take no longer than `longest`; null if there is none.
static TilingAttr findLeastWork(ArrayRef<Tiles> all, double longest) {
  const Tiles *best = nullptr;
  for (const Tiles &tiles : all)
    if (tiles.seconds <= longest &&
        (!best || tiles.getWork() < best->getWork()))
      best = &tiles;
  return best ? best->tiling : TilingAttr();
}

std::optional<ModelledLaunch>
tgemm::chooseLaunch(ArrayRef<const OpTilings *> ops, double most,
                    const ProductModel &model) {
  auto products = llvm::map_to_vector(
      ops, [](const OpTilings *tilings) { return tilings->op; });
  std::optional<ModelledLaunch> best;
  for (const KernelForm &form : model.getKernelForms()) {
    auto all = llvm::map_to_vector(
        ops, [&](const OpTilings *op) { return getTiles(*op, form, model); });
    // Start with the shortest limit for which each product has a tiling whose
    // tiles take no longer.
    double longest = 0;
    for (ArrayRef<Tiles> of : all) {
      double shortest = std::numeric_limits<double>::infinity();
      for (const Tiles &tiles : of)
        shortest = std::min(shortest, tiles.seconds);
      longest = std::max(longest, shortest);
    }
    SmallVector<TilingAttr> last;
    while (longest < most) {
      double within = std::exchange(longest, longest * kLongerTile);
      auto tilings = llvm::map_to_vector(
          all, [&](ArrayRef<Tiles> of) { return findLeastWork(of, within); });
      if (tilings == last || !model.canShareKernel(products, tilings))
        continue;
      last = tilings;
      double seconds =
          modelLaunch(products, tilings, KernelStart::between, model);
      if (seconds >= most)
        continue;
      most = seconds;
      best = {withCommonStages(tilings), seconds};
    }
  }
  return best;
}
