//===- TilingChoice.cpp - Chooses tilings ---------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/Transforms/TilingChoice.h"

#include "grout/Dialect/TGemm/Transforms/EdgeModel.h"
#include "grout/Dialect/TGemm/Transforms/JoinedProduct.h"
#include "grout/Dialect/TGemm/Transforms/LaunchModel.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include <limits>
#include <utility>

#define DEBUG_TYPE "tgemm-assign-tiling"

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

static auto toMicroseconds(double seconds) {
  return llvm::format("%.2f us", seconds * 1e6);
}

/// A tiling is preferred to a simpler one only if it takes less than this
/// fraction of its time.
static constexpr double kTilingMargin = 0.995;

const ModelledTiling *
tgemm::findFastest(ArrayRef<ModelledTiling> tilings,
                   function_ref<bool(TilingAttr)> isAllowed) {
  const ModelledTiling *best = nullptr;
  for (const ModelledTiling &candidate : tilings)
    if ((!best || candidate.seconds < kTilingMargin * best->seconds) &&
        isAllowed(candidate.tiling))
      best = &candidate;
  return best;
}

/// Reports that `chosen` is the tiling of `op`, and the next best one.
static void reportChoice(const OpTilings &op, TilingAttr chosen) {
  LDBG_OS([&](llvm::raw_ostream &os) {
    ProductOpInterface product = op.op;
    os << product->getLoc() << " gets " << chosen;
    const ModelledTiling *second = findFastest(
        op.tilings, [&](TilingAttr tiling) { return tiling != chosen; });
    for (const ModelledTiling &candidate : op.tilings)
      if (candidate.tiling == chosen)
        os << ", modelled at " << toMicroseconds(candidate.seconds);
    if (second)
      os << "; next is " << second->tiling << " at "
         << toMicroseconds(second->seconds);
    os << "; of " << op.tilings.size();
  });
}

/// Chooses tilings for all of `ops` that fit blocks of one form.
static void chooseTogether(ArrayRef<OpTilings> ops, const ProductModel &model) {
  double bestTime = std::numeric_limits<double>::infinity();
  SmallVector<TilingAttr> best;
  for (const KernelForm &form : model.getKernelForms()) {
    double time = 0;
    SmallVector<TilingAttr> chosen;
    for (const OpTilings &op : ops)
      if (const ModelledTiling *fastest =
              findFastest(op.tilings, [&](TilingAttr tiling) {
                return model.fits(op.op, tiling, form);
              })) {
        time += fastest->seconds;
        chosen.push_back(fastest->tiling);
      }
    if (chosen.size() == ops.size() && time < bestTime) {
      LDBG() << "all fit one kernel with " << form.warpgroups
             << " consumer warpgroups and clusters of " << form.clusterSize
             << ", up to " << form.splits << " for one tile, modelled at "
             << toMicroseconds(time);
      bestTime = time;
      best = chosen;
    }
  }
  for (auto [op, tiling] : llvm::zip(ops, best)) {
    ProductOpInterface matmul = op.op;
    matmul.setTilingAttr(tiling);
    reportChoice(op, tiling);
  }
}

/// Returns the launches of `ops`: each is the list of products that share it.
static SmallVector<ArrayRef<ProductOpInterface>>
getLaunches(ArrayRef<ProductOpInterface> ops) {
  SmallVector<ArrayRef<ProductOpInterface>> launches;
  while (!ops.empty()) {
    size_t count = 1;
    while (count < ops.size() &&
           cast<TileKernelOpInterface>(*ops[count - 1]).isLaunchedWithNext())
      ++count;
    launches.push_back(ops.take_front(count));
    ops = ops.drop_front(count);
  }
  return launches;
}

/// Returns how launch number `position` of `count` launches starts in `mode`.
static KernelStart getStart(size_t position, size_t count, tsync::Mode mode) {
  if (getLaunchWait(mode) == tsync::LaunchWait::BeforeStart)
    return KernelStart::inOrder;
  if (position == 0)
    return count == 1 ? KernelStart::alone : KernelStart::first;
  return position + 1 == count ? KernelStart::last : KernelStart::between;
}

SmallVector<KernelStart>
tgemm::getKernelStarts(ArrayRef<ProductOpInterface> ops, tsync::Mode mode) {
  SmallVector<KernelStart> starts;
  auto launches = getLaunches(ops);
  for (auto [position, launch] : llvm::enumerate(launches))
    starts.append(launch.size(), getStart(position, launches.size(), mode));
  return starts;
}

void tgemm::chooseTilings(ArrayRef<ProductOpInterface> ops, tsync::Mode mode,
                          const ProductModel &model) {
  SmallVector<OpTilings> all;
  for (auto [matmul, start] :
       llvm::zip_equal(ops, getKernelStarts(ops, mode))) {
    ProductOpInterface op = matmul;
    OpTilings entry = {op, {}};
    if (std::optional<TilingAttr> given = op.getTiling())
      entry.tilings.push_back({*given, 0});
    else
      entry.tilings = model.modelTilings(op, start);
    all.push_back(std::move(entry));
  }
  if (isOneLaunch(mode) && !model.getKernelForms().empty())
    chooseTogether(all, model);
  SmallPtrSet<Operation *, 8> chosen;
  // Products whose tilings do not fit one kernel get their own tilings here.
  // They are refused later.
  for (OpTilings &entry : all) {
    ProductOpInterface op = entry.op;
    if (op.getTiling())
      continue;
    if (const ModelledTiling *fastest =
            findFastest(entry.tilings, [](TilingAttr) { return true; })) {
      op.setTilingAttr(fastest->tiling);
      reportChoice(entry, fastest->tiling);
      chosen.insert(op);
    }
  }
  if (isOneLaunch(mode))
    return;
  for (ArrayRef<ProductOpInterface> launch : getLaunches(ops)) {
    ProductOpInterface op = launch.front();
    if (launch.size() == 1 && chosen.contains(op))
      op.setTilingAttr(model.refineTiling(op, *op.getTiling()));
  }
}

/// Returns the products of a launch if the launch is modelled as one product
/// with the columns of all: they can be joined, and all have one tiling.
/// Otherwise returns none.
static SmallVector<MatmulOp> getJoined(ArrayRef<ProductOpInterface> launch) {
  SmallVector<MatmulOp> joined;
  for (ProductOpInterface op : launch) {
    auto product = dyn_cast<MatmulOp>(*op);
    MatmulOp first = joined.empty() ? product : joined.front();
    if (!product || !canJoin(first, product) ||
        product.getTiling() != first.getTiling())
      return {};
    joined.push_back(product);
  }
  return joined;
}

/// The modelled time of a launch, with the tilings that its products have.
static double getTime(ArrayRef<ProductOpInterface> launch, KernelStart start,
                      const ProductModel &model) {
  ProductOpInterface first = launch.front();
  TilingAttr tiling = *first.getTiling();
  if (launch.size() == 1)
    return model.getModelledTime(first, tiling, start);
  if (SmallVector<MatmulOp> joined = getJoined(launch); !joined.empty())
    return model.getModelledTime(JoinedProduct(joined).get(), tiling, start);
  auto tilings = llvm::map_to_vector(
      launch, [](ProductOpInterface op) { return *op.getTiling(); });
  return modelLaunch(launch, tilings, start, model);
}

/// Returns the modelled time of `ops` in the mode of `execution`, with the
/// tilings that they have.
static double getTime(ArrayRef<ProductOpInterface> ops,
                      const Execution &execution, const ProductModel &model) {
  double time = 0;
  auto launches = getLaunches(ops);
  for (auto [position, launch] : llvm::enumerate(launches))
    time += getTime(launch, getStart(position, launches.size(), execution.mode),
                    model);
  tsync::LaunchWait wait = getLaunchWait(execution.mode);
  if (wait == tsync::LaunchWait::BeforeStart)
    time += static_cast<double>(launches.size() - 1) *
            model.getChainConstants().inOrderTime;
  if (wait == tsync::LaunchWait::Never)
    for (ProductOpInterface op : ops.drop_back())
      time -= getFilledTime(op, model);
  if (!execution.selectsEdges)
    return time;
  for (ProductOpInterface op : ops) {
    tsync::EdgeTimes edge = modelEdges(op, model);
    time -=
        waitsForTiles(wait) ? std::max(0.0, edge.getGain()) : edge.inOrderGain;
  }
  return time;
}

/// Returns the faster of the two executions in which kernels start early, and
/// its time, with the tilings that `ops` have.
static std::pair<Execution, double>
chooseEarly(ArrayRef<ProductOpInterface> ops, const ProductModel &model) {
  Execution byLaunch = {tsync::Mode::pdl, anyStartsInOrder(ops, model)};
  Execution byEdge = {tsync::Mode::overlap, /*selectsEdges=*/true};
  double time = getTime(ops, byLaunch, model);
  double other = getTime(ops, byEdge, model);
  LDBG() << "mode pdl is modelled at " << toMicroseconds(time)
         << ", overlap at " << toMicroseconds(other);
  if (other < model.getChainConstants().modeMargin * time)
    return {byEdge, other};
  return {byLaunch, time};
}

Execution tgemm::chooseExecution(ArrayRef<ProductOpInterface> ops,
                                 const ProductModel &model, bool areParted) {
  if (!model.hasTimes()) {
    chooseTilings(ops, tsync::Mode::persistent, model);
    return {tsync::Mode::persistent};
  }
  SmallVector<ProductOpInterface> free = llvm::filter_to_vector(
      ops, [](ProductOpInterface op) { return !op.getTiling(); });
  chooseTilings(ops, tsync::Mode::pdl, model);
  auto hasTiling = [](ProductOpInterface op) {
    return op.getTiling().has_value();
  };
  if (!llvm::all_of(ops, hasTiling))
    return {tsync::Mode::pdl};
  auto [execution, time] = chooseEarly(ops, model);
  if (areParted)
    return execution;
  SmallVector<TilingAttr> best;
  for (ProductOpInterface op : free)
    best.push_back(*op.getTiling());
  for (auto [mode, margin] :
       {std::pair(tsync::Mode::serial, 1.0),
        std::pair(tsync::Mode::persistent,
                  model.getChainConstants().modeMargin)}) {
    // Chooses `mode`, with tilings of its own, if it is faster.
    for (ProductOpInterface op : free)
      op.setTilingAttr(TilingAttr());
    chooseTilings(ops, mode, model);
    auto tilings = llvm::map_to_vector(
        ops, [](ProductOpInterface op) { return *op.getTiling(); });
    if (isOneLaunch(mode) && !model.canShareKernel(ops, tilings)) {
      LDBG() << "mode persistent is not possible: no kernel fits all products";
      continue;
    }
    double other = getTime(ops, {mode}, model);
    LDBG() << "mode " << tsync::stringifyMode(mode) << " is modelled at "
           << toMicroseconds(other) << ", the best so far at "
           << toMicroseconds(time);
    if (other >= margin * time)
      continue;
    execution = {mode};
    time = other;
    best = llvm::map_to_vector(
        free, [](ProductOpInterface op) { return *op.getTiling(); });
  }
  for (auto [op, tiling] : llvm::zip_equal(free, best))
    op.setTilingAttr(tiling);
  LDBG() << "products run in mode " << tsync::stringifyMode(execution.mode)
         << (execution.selectsEdges ? ", or as suits each edge" : "");
  return execution;
}
