//===- TilingChoice.cpp - Chooses tilings ---------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/Transforms/TilingChoice.h"

#include "grout/Dialect/TGemm/Transforms/EdgeModel.h"
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

/// A tiling that is simpler must be beaten by this: half a percent.
static constexpr double kTilingMargin = 0.995;
/// The same for modes other than `pdl` and `serial`, whose waits are modelled
/// roughly: two percent.
static constexpr double kModeMargin = 0.98;

/// The fastest of `op`'s tilings among those that `isAllowed` admits; among
/// equals the simplest, which is first.
static const ModelledTiling *
findFastest(const OpTilings &op, function_ref<bool(TilingAttr)> isAllowed) {
  const ModelledTiling *best = nullptr;
  for (const ModelledTiling &candidate : op.tilings)
    if (isAllowed(candidate.tiling) &&
        (!best || candidate.seconds < kTilingMargin * best->seconds))
      best = &candidate;
  return best;
}

/// Chooses for all of `ops` with blocks of one form.
static void chooseTogether(ArrayRef<OpTilings> ops, const ProductModel &model) {
  double bestTime = std::numeric_limits<double>::infinity();
  SmallVector<TilingAttr> best;
  for (const KernelForm &form : model.getKernelForms()) {
    double time = 0;
    SmallVector<TilingAttr> chosen;
    for (const OpTilings &op : ops)
      if (const ModelledTiling *fastest =
              findFastest(op, [&](TilingAttr tiling) {
                return model.fits(op.op, tiling, form);
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

KernelStart tgemm::getKernelStart(size_t position, size_t count,
                                  StringRef mode) {
  if (mode == "serial")
    return KernelStart::inOrder;
  if (position == 0)
    return count == 1 ? KernelStart::alone : KernelStart::first;
  return position + 1 == count ? KernelStart::last : KernelStart::between;
}

void tgemm::chooseTilings(ArrayRef<MatmulOp> ops, StringRef mode,
                          const ProductModel &model) {
  SmallVector<OpTilings> all;
  for (auto [position, matmul] : llvm::enumerate(ops)) {
    MatmulOp op = matmul;
    OpTilings entry = {op, {}};
    if (std::optional<TilingAttr> given = op.getTiling())
      entry.tilings.push_back({*given, 0});
    else
      entry.tilings =
          model.modelTilings(op, getKernelStart(position, ops.size(), mode));
    all.push_back(std::move(entry));
  }
  if (mode == "persistent" && !model.getKernelForms().empty())
    chooseTogether(all, model);
  // What does not fit together is still refused with the op's own tiling.
  for (OpTilings &entry : all) {
    MatmulOp op = entry.op;
    if (op.getTiling())
      continue;
    if (const ModelledTiling *fastest =
            findFastest(entry, [](TilingAttr) { return true; }))
      op.setTilingAttr(fastest->tiling);
  }
}

/// The modelled time of `ops` as `mode` says, with the tilings that they have.
static double getTime(ArrayRef<MatmulOp> ops, StringRef mode,
                      const ProductModel &model) {
  double time = 0;
  for (auto [position, matmul] : llvm::enumerate(ops)) {
    MatmulOp op = matmul;
    time += model.getModelledTime(op, *op.getTiling(),
                                  getKernelStart(position, ops.size(), mode));
  }
  if (mode == "serial")
    time += static_cast<double>(ops.size() - 1) *
            model.getChainConstants().inOrderTime;
  if (mode == "persistent")
    for (MatmulOp op : ops.drop_back())
      time -= getFilledTime(op, model);
  if (mode == tsync::kByEdge)
    for (MatmulOp op : ops)
      time -= std::max(0.0, modelEdges(op, model).getGain());
  if (mode == tsync::kByLaunch)
    for (MatmulOp op : ops)
      time -= modelEdges(op, model).inOrderGain;
  return time;
}

StringRef tgemm::chooseMode(ArrayRef<MatmulOp> ops, const ProductModel &model,
                            bool areParted) {
  if (!model.hasTimes()) {
    chooseTilings(ops, "persistent", model);
    return "persistent";
  }
  SmallVector<MatmulOp> free =
      llvm::filter_to_vector(ops, [](MatmulOp op) { return !op.getTiling(); });
  chooseTilings(ops, "pdl", model);
  auto hasTiling = [](MatmulOp op) { return op.getTiling().has_value(); };
  if (!llvm::all_of(ops, hasTiling))
    return "pdl";
  StringRef mode =
      anyStartsInOrder(ops, model) ? StringRef(tsync::kByLaunch) : "pdl";
  double time = getTime(ops, mode, model);
  if (double other = getTime(ops, tsync::kByEdge, model);
      other < kModeMargin * time) {
    mode = tsync::kByEdge;
    time = other;
  }
  if (areParted)
    return mode;
  SmallVector<TilingAttr> best;
  for (MatmulOp op : free)
    best.push_back(*op.getTiling());
  // Takes over another mode, with tilings of its own, if it is faster.
  auto tryMode = [&](StringRef other, double margin) {
    for (MatmulOp op : free)
      op.removeTilingAttr();
    chooseTilings(ops, other, model);
    auto tilings =
        llvm::map_to_vector(ops, [](MatmulOp op) { return *op.getTiling(); });
    if (other == "persistent" && !model.canShareKernel(ops, tilings))
      return;
    double otherTime = getTime(ops, other, model);
    if (otherTime >= margin * time)
      return;
    mode = other;
    time = otherTime;
    best =
        llvm::map_to_vector(free, [](MatmulOp op) { return *op.getTiling(); });
  };
  tryMode("serial", /*margin=*/1);
  tryMode("persistent", kModeMargin);
  for (auto [op, tiling] : llvm::zip_equal(free, best))
    op.setTilingAttr(tiling);
  return mode;
}
