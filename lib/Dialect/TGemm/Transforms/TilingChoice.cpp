//===- TilingChoice.cpp - Chooses tilings ---------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/Transforms/TilingChoice.h"

#include "grout/Dialect/TGemm/Transforms/TilingLimits.h"
#include "grout/Dialect/TGemm/Transforms/TilingModel.h"
#include <limits>

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

namespace {

/// What is known of an op's tilings.
struct OpTilings {
  MatmulOp op;
  /// All that it may get; those of a user are one.
  std::vector<ModelledTiling> tilings;
};

} // namespace

bool tgemm::fits(MatmulOp op, TilingAttr tiling, const KernelForm &form) {
  return tiling.getClusterSize() == form.clusterSize &&
         (tiling.getSplitK() == 1 || tiling.getSplitK() == form.splits) &&
         fitsWarpgroups(op, tiling, form.warpgroups);
}

ArrayRef<KernelForm> tgemm::getKernelForms() {
  static constexpr KernelForm forms[] = {
      {1, 1, 1}, {1, 1, 2}, {1, 1, 3}, {2, 2, 1}, {2, 2, 2}, {2, 2, 3},
      {4, 2, 1}, {4, 2, 2}, {4, 2, 3}, {4, 4, 1}, {4, 4, 2}, {4, 4, 3}};
  return forms;
}

bool tgemm::canShareKernel(ArrayRef<MatmulOp> ops,
                           ArrayRef<TilingAttr> tilings) {
  KernelForm form = {tilings.front().getClusterSize(), 1, 1};
  for (TilingAttr tiling : tilings) {
    form.splits = std::max(form.splits, tiling.getSplitK());
    form.warpgroups =
        std::max(form.warpgroups, getConsumerWarpgroups(tiling.getBlockM()));
  }
  return llvm::all_of(llvm::zip(ops, tilings), [&](auto pair) {
    return fits(std::get<0>(pair), std::get<1>(pair), form);
  });
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
  for (const KernelForm &form : getKernelForms()) {
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

/// Whether all tiles of `op`, with the tiling that it has, run on `target` at
/// once.
static bool isOneWave(MatmulOp op, const TargetSpec &target) {
  int64_t tiles = 1;
  for (int64_t extent : *op.getTileGrid())
    tiles *= extent;
  return tiles <= target.getResidentClusters(op.getTiling()->getClusterSize());
}

bool tgemm::prefersPdl(ArrayRef<MatmulOp> ops, const TargetSpec &target) {
  return target.isGPU && llvm::all_of(ops, [&](MatmulOp op) {
           return op.getTiling() && isOneWave(op, target);
         });
}
