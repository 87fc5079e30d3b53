//===- TilingChoice.cpp - Chooses tilings ---------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TilingChoice.h"

#include "TilingModel.h"
#include "grout/Dialect/TGemm/Transforms/TilingLimits.h"
#include <array>
#include <limits>

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

namespace {

/// What a kernel's blocks look like, as far as tilings must agree on it.
struct KernelForm {
  int64_t clusterSize;
  /// Blocks that share out the steps of a tile, where any do.
  int64_t splits;
  /// Consumer warpgroups of a block.
  int64_t warpgroups;
};

/// What is known of an op's tilings.
struct OpTilings {
  MatmulOp op;
  /// All that it may get; those of a user are one.
  std::vector<ModelledTiling> tilings;
};

} // namespace

/// Whether tiles of `tiling` can be computed by blocks of `form`.
static bool fits(MatmulOp op, TilingAttr tiling, const KernelForm &form) {
  return tiling.getClusterSize() == form.clusterSize &&
         (tiling.getSplitK() == 1 || tiling.getSplitK() == form.splits) &&
         fitsWarpgroups(op, tiling, form.warpgroups);
}

/// The fastest of `op`'s tilings among those that `isAllowed` admits. The model
/// is not good to two percent; among equals the simplest, which is first, wins.
static const ModelledTiling *
findFastest(const OpTilings &op, function_ref<bool(TilingAttr)> isAllowed) {
  constexpr double margin = 0.98;
  const ModelledTiling *best = nullptr;
  for (const ModelledTiling &candidate : op.tilings)
    if (isAllowed(candidate.tiling) &&
        (!best || candidate.seconds < margin * best->seconds))
      best = &candidate;
  return best;
}

/// Chooses for all of `ops` with blocks of one form.
static void chooseTogether(ArrayRef<OpTilings> ops) {
  double bestTime = std::numeric_limits<double>::infinity();
  SmallVector<TilingAttr> best;
  constexpr std::array<int64_t, 2> clusters[] = {
      {1, 1}, {2, 2}, {4, 2}, {4, 4}};
  for (auto [clusterSize, splits] : clusters)
    for (int64_t warpgroups : {1, 2, 3}) {
      KernelForm form = {clusterSize, splits, warpgroups};
      double time = 0;
      SmallVector<TilingAttr> chosen;
      for (const OpTilings &op : ops)
        if (const ModelledTiling *fastest =
                findFastest(op, [&](TilingAttr tiling) {
                  return fits(op.op, tiling, form);
                })) {
          time += fastest->seconds;
          chosen.push_back(fastest->tiling);
        }
      if (chosen.size() == ops.size() && time < bestTime) {
        bestTime = time;
        best = chosen;
      }
    }
  for (auto [op, tiling] : llvm::zip(ops, best)) {
    MatmulOp matmul = op.op;
    matmul.setTilingAttr(tiling);
  }
}

void tgemm::chooseTilings(ArrayRef<MatmulOp> ops, const TargetSpec &target,
                          bool oneKernel) {
  SmallVector<OpTilings> all;
  for (MatmulOp op : ops) {
    OpTilings entry = {op, {}};
    if (std::optional<TilingAttr> given = op.getTiling())
      entry.tilings.push_back({*given, 0});
    else
      entry.tilings = modelTilings(op, target);
    all.push_back(std::move(entry));
  }
  if (oneKernel && target.isGPU)
    chooseTogether(all);
  // What does not fit together is still refused with the op's own tiling.
  for (const OpTilings &entry : all) {
    MatmulOp op = entry.op;
    if (op.getTiling())
      continue;
    if (const ModelledTiling *fastest =
            findFastest(entry, [](TilingAttr) { return true; }))
      op.setTilingAttr(fastest->tiling);
  }
}

bool tgemm::isOneWave(MatmulOp op, const TargetSpec &target) {
  int64_t tiles = 1;
  for (int64_t extent : *op.getTileGrid())
    tiles *= extent;
  return tiles <= target.getResidentClusters(op.getTiling()->getClusterSize());
}
