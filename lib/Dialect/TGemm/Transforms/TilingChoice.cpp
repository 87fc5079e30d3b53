//===- TilingChoice.cpp - Chooses tilings ---------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/Transforms/TilingChoice.h"

#include "grout/Dialect/TGemm/Transforms/EdgeModel.h"
#include "grout/Dialect/TGemm/Transforms/TilingLimits.h"
#include "grout/Dialect/TSync/Transforms/ChosenMode.h"
#include "llvm/Support/MathExtras.h"
#include <limits>
#include <utility>

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
    form.warpgroups = std::max(form.warpgroups, getConsumerWarpgroups(tiling));
  }
  return llvm::all_of(llvm::zip(ops, tilings), [&](auto pair) {
    return fits(std::get<0>(pair), std::get<1>(pair), form);
  });
}

/// The model is not good to two percent: what is simpler must be beaten by
/// that.
static constexpr double kMargin = 0.98;

/// How much longer a kernel that starts early takes for each processor that its
/// blocks leave idle, as a share: two of 96 blocks for 132 processors, one
/// after another, took 85 us, and 78 if the second had 128 (GPT-3, M = 64). A
/// larger share chooses blocks that lose more, as they are narrow (LLaMA 3, M =
/// 1 to 16).
static constexpr double kIdleLoss = 0.15;

/// The fastest of `op`'s tilings among those that `isAllowed` admits; among
/// equals the simplest, which is first.
static const ModelledTiling *
findFastest(const OpTilings &op, function_ref<bool(TilingAttr)> isAllowed) {
  const ModelledTiling *best = nullptr;
  for (const ModelledTiling &candidate : op.tilings)
    if (isAllowed(candidate.tiling) &&
        (!best || candidate.seconds < kMargin * best->seconds))
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

/// Adds to the times of `op`'s tilings what it costs a kernel that starts early
/// if it does not fill the GPU: its blocks start as those of the kernel before
/// end, and processors that have two take longer than those that have one.
static void addIdleTimes(OpTilings &op, const TargetSpec &target) {
  // Where operands come from the cache nothing of the kind was seen.
  if (getOperandBytes(op.op) <= target.cacheBytes / 2)
    return;
  for (ModelledTiling &candidate : op.tilings) {
    MatmulOp matmul = op.op;
    TilingAttr tiling = candidate.tiling;
    double blocks = static_cast<double>(
        matmul.getBatch() * llvm::divideCeil(matmul.getM(), tiling.getM()) *
        (llvm::divideCeil(matmul.getN(), tiling.getN()) +
         (tiling.getStreamK() - 1) * tiling.getTail()) *
        tiling.getClusterSize());
    double idle = 1 - blocks / static_cast<double>(target.processors);
    if (idle > 0)
      candidate.seconds *= 1 + kIdleLoss * idle;
  }
}

void tgemm::chooseTilings(ArrayRef<MatmulOp> ops, const TargetSpec &target,
                          bool oneKernel, KernelStart start) {
  SmallVector<OpTilings> all;
  for (MatmulOp op : ops) {
    OpTilings entry = {op, {}};
    if (std::optional<TilingAttr> given = op.getTiling())
      entry.tilings.push_back({*given, 0});
    else
      entry.tilings = modelTilings(op, target, start);
    all.push_back(std::move(entry));
  }
  if (oneKernel && target.isGPU)
    chooseTogether(all);
  // What does not fit together is still refused with the op's own tiling.
  bool isFirst = true;
  for (OpTilings &entry : all) {
    MatmulOp op = entry.op;
    if (!std::exchange(isFirst, false) && target.isGPU &&
        start == KernelStart::early)
      addIdleTimes(entry, target);
    if (op.getTiling())
      continue;
    if (const ModelledTiling *fastest =
            findFastest(entry, [](TilingAttr) { return true; }))
      op.setTilingAttr(fastest->tiling);
  }
}

/// What it costs a kernel that it starts when the one before has ended, in
/// seconds.
static constexpr double kSerialTime = 1.2e-6;
/// By how much starting in order must beat starting early, beside kMargin: what
/// an early start costs is modelled roughly.
static constexpr double kSerialMargin = 0.96;

/// The modelled time of `ops` as `mode` says, with the tilings that they have.
static double getTime(ArrayRef<MatmulOp> ops, StringRef mode,
                      const TargetSpec &target) {
  double time = 0;
  for (MatmulOp op : ops) {
    bool isInOrder = mode == "serial";
    // In several waves, blocks do not read the same at the same time anyway.
    KernelStart start = isInOrder || !isOneWave(op, target)
                            ? KernelStart::inOrder
                            : KernelStart::early;
    time += getModelledTime(op, *op.getTiling(), target, start);
    if (isInOrder)
      time += kSerialTime;
  }
  if (mode == "persistent")
    for (MatmulOp op : ops.drop_back())
      time -= getFilledTime(op, target);
  if (mode == tsync::kByEdge)
    for (MatmulOp op : ops)
      time -= std::max(0.0, modelEdges(op, target).getGain());
  if (mode == tsync::kByLaunch)
    for (MatmulOp op : ops)
      time -= modelEdges(op, target).inOrderGain;
  return time;
}

StringRef tgemm::chooseMode(ArrayRef<MatmulOp> ops, const TargetSpec &target,
                            bool areParted) {
  if (!target.isGPU) {
    chooseTilings(ops, target, /*oneKernel=*/true);
    return "persistent";
  }
  SmallVector<MatmulOp> free =
      llvm::filter_to_vector(ops, [](MatmulOp op) { return !op.getTiling(); });
  chooseTilings(ops, target, /*oneKernel=*/false);
  auto hasTiling = [](MatmulOp op) { return op.getTiling().has_value(); };
  if (!llvm::all_of(ops, hasTiling))
    return "pdl";
  StringRef mode =
      anyStartsInOrder(ops, target) ? StringRef(tsync::kByLaunch) : "pdl";
  double time = kMargin * getTime(ops, mode, target);
  if (double other = getTime(ops, tsync::kByEdge, target); other < time) {
    mode = tsync::kByEdge;
    time = other;
  }
  if (areParted)
    return mode;
  SmallVector<TilingAttr> best;
  for (MatmulOp op : free)
    best.push_back(*op.getTiling());
  // Takes over another mode, with tilings of its own, if it is faster.
  auto tryMode = [&](StringRef other, KernelStart start, double margin) {
    bool oneKernel = other == "persistent";
    for (MatmulOp op : free)
      op.removeTilingAttr();
    chooseTilings(ops, target, oneKernel, start);
    auto tilings =
        llvm::map_to_vector(ops, [](MatmulOp op) { return *op.getTiling(); });
    if (oneKernel && !canShareKernel(ops, tilings))
      return;
    double otherTime = getTime(ops, other, target);
    if (otherTime >= margin * time)
      return;
    mode = other;
    time = otherTime;
    best =
        llvm::map_to_vector(free, [](MatmulOp op) { return *op.getTiling(); });
  };
  tryMode("serial", KernelStart::inOrder, kSerialMargin);
  tryMode("persistent", KernelStart::early, /*margin=*/1);
  for (auto [op, tiling] : llvm::zip_equal(free, best))
    op.setTilingAttr(tiling);
  return mode;
}
