//===- TGemmFuseHorizontally.cpp - Products side by side ------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "IndependentOps.h"
#include "KernelLevels.h"
#include "grout/Dialect/TGemm/Transforms/JoinedProduct.h"
#include "grout/Dialect/TGemm/Transforms/LaunchModel.h"
#include "grout/Dialect/TGemm/Transforms/Passes.h"
#include "grout/Dialect/TGemm/Transforms/TilingChoice.h"
#include "grout/Dialect/TGemm/Transforms/TilingOrigin.h"
#include "grout/Dialect/TSync/IR/TSync.h"
#include "grout/Target/IR/Grout.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"

#define DEBUG_TYPE "tgemm-fuse-horizontally"

namespace grout::tgemm {
#define GEN_PASS_DEF_TGEMMFUSEHORIZONTALLY
#include "grout/Dialect/TGemm/Transforms/Passes.h.inc"
} // namespace grout::tgemm

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

/// The most products in a launch: a kernel has code for each of them.
static constexpr size_t kMostProducts = 8;

/// After so many failed attempts to join products with one product, the pass
/// tries no others: compile time must not grow with the square of the program's
/// size.
static constexpr unsigned kMostAttempts = 8;

/// Products are joined only if the joint launch takes less than this fraction
/// of the time of separate launches.
static constexpr double kMargin = 0.95;

/// Whether `op` shares its launch with the op after it or before it.
static bool sharesLaunch(Operation *op) {
  auto kernel = dyn_cast<TileKernelOpInterface>(op);
  auto previous = dyn_cast_or_null<TileKernelOpInterface>(op->getPrevNode());
  return (kernel && kernel.isLaunchedWithNext()) ||
         (previous && previous.isLaunchedWithNext());
}

/// Whether the user has said how `op` is launched. A tsync.chain says this,
/// too, as it gives its kernels an order.
static bool isGiven(ProductOpInterface op) {
  return sharesLaunch(op) || op->getParentOfType<tsync::ChainOp>();
}

/// Whether `tiling` needs no more tiles for each of `ops` alone than for all of
/// them side by side, with `columns` columns in all.
static bool fitsColumns(ArrayRef<MatmulOp> ops, TilingAttr tiling,
                        int64_t columns) {
  int64_t tiles = 0;
  for (MatmulOp op : ops)
    tiles += llvm::divideCeil(op.getN(), tiling.getN());
  return tiles <=
         static_cast<int64_t>(llvm::divideCeil(columns, tiling.getN()));
}

/// Returns the fastest launch of `ops`, which differ only in their columns.
/// Each gets the tiling that is the fastest for one product with the columns of
/// all.
static std::optional<ModelledLaunch> chooseAlike(ArrayRef<MatmulOp> ops,
                                                 const ProductModel &model) {
  auto all = llvm::to_vector_of<ProductOpInterface>(ops);
  JoinedProduct joined(ops);
  std::vector<ModelledTiling> tilings =
      model.modelTilings(joined.get(), KernelStart::between);
  const ModelledTiling *best = findFastest(tilings, [&](TilingAttr tiling) {
    SmallVector<TilingAttr> same(ops.size(), tiling);
    return !tiling.hasParts() &&
           fitsColumns(ops, tiling, joined.get().getN()) &&
           llvm::all_of(all,
                        [&](ProductOpInterface op) {
                          return model.findProblem(op, tiling).empty();
                        }) &&
           model.canShareKernel(all, same);
  });
  if (!best)
    return std::nullopt;
  return ModelledLaunch{SmallVector<TilingAttr>(ops.size(), best->tiling),
                        best->seconds};
}

namespace {

/// Products of one block that are to share a launch.
struct Group {
  Group(OpTilings &first, ModelledLaunch launch)
      : members({&first}), ops(first.op), launch(std::move(launch)) {}

  void add(OpTilings &next) {
    members.push_back(&next);
    ops.add(next.op);
  }

  SmallVector<OpTilings *> members;
  /// A lower bound on the time that all processors are busy with them, in
  /// seconds.
  double leastWork = 0;
  IndependentOps ops;
  ModelledLaunch launch;
};

/// The levels of the products of a block.
struct Levels {
  KernelLevels of;
  /// For each level, how many of its products may still join others.
  llvm::DenseMap<unsigned, unsigned> products;
};

struct TGemmFuseHorizontally
    : grout::tgemm::impl::TGemmFuseHorizontallyBase<TGemmFuseHorizontally> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<const Target *> target = getTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    model = (*target)->getInterface<ProductModel>();
    if (!model || !model->hasTimes())
      return;
    // The products of each block, in its order, that the user leaves to this
    // pass.
    llvm::MapVector<Block *, std::vector<OpTilings>> blocks;
    getOperation()->walk([&](ProductOpInterface op) {
      if (!op.getTiling() && op.canShareLaunch() && !isGiven(op))
        blocks[op->getBlock()].push_back({op, {}});
    });
    for (auto &[block, products] : blocks) {
      Levels levels = {KernelLevels(*block),
                       llvm::DenseMap<unsigned, unsigned>()};
      for (OpTilings &product : products)
        ++levels.products[levels.of.get(product.op)];
      for (OpTilings &first : products)
        if (!first.op.getTiling())
          joinOthers(first, products, levels);
    }
  }

private:
  /// Makes `first` share its launch with the products of `products` that are
  /// faster that way.
  void joinOthers(OpTilings &first, std::vector<OpTilings> &products,
                  Levels &levels) {
    const ModelledTiling *alone = findFastest(first);
    if (!alone)
      return;
    Group group(first, {{alone->tiling}, alone->seconds});
    addAlike(group, products, levels);
    for (OpTilings *member : group.members)
      group.leastWork += getLeastWork(*member, *model);
    unsigned attempts = 0;
    for (OpTilings &next : products)
      if (attempts != kMostAttempts && canAdd(group, next) &&
          !canWait(group, next, levels))
        attempts += addIfFaster(group, next) ? 0 : 1;
    if (group.members.size() != 1)
      join(group);
    for (OpTilings *member : group.members)
      --levels.products[levels.of.get(member->op)];
  }

  /// The fastest tiling of `product` alone, or null.
  const ModelledTiling *findFastest(OpTilings &product) const {
    if (product.tilings.empty())
      product.tilings = model->modelTilings(product.op, KernelStart::between);
    return tgemm::findFastest(product.tilings, [](TilingAttr) { return true; });
  }

  /// Whether `next` may share the launch of `group`. Products that already
  /// share a launch have tilings.
  static bool canAdd(const Group &group, OpTilings &next) {
    return group.members.size() != kMostProducts && !next.op.getTiling() &&
           group.ops.canAdd(next.op, sharesLaunch);
  }

  /// Whether `next` should wait for another group. That is so if `next` depends
  /// on kernels for which `group` would have to wait, and if another product of
  /// the level of `next` remains to share a launch with it. For example, the
  /// convolution behind the pooling of an inception module then joins the
  /// convolutions behind other convolutions, and the pooling may run beside the
  /// first convolutions.
  static bool canWait(const Group &group, OpTilings &next,
                      const Levels &levels) {
    unsigned level = levels.of.get(next.op);
    return levels.products.lookup(level) > 1 &&
           llvm::all_of(group.members, [&](OpTilings *member) {
             return levels.of.get(member->op) < level;
           });
  }

  /// Adds to `group`, which is one product, all of `products` that differ from
  /// it only in their columns, if that is faster.
  void addAlike(Group &group, std::vector<OpTilings> &products,
                const Levels &levels) const {
    auto first = dyn_cast<MatmulOp>(*group.members.front()->op);
    if (!first)
      return;
    Group larger = group;
    SmallVector<MatmulOp> ops = {first};
    double apart = group.launch.seconds;
    for (OpTilings &next : products) {
      auto op = dyn_cast<MatmulOp>(*next.op);
      if (!op || !canJoin(first, op) || !canAdd(larger, next) ||
          canWait(group, next, levels))
        continue;
      const ModelledTiling *alone = findFastest(next);
      if (!alone)
        continue;
      apart += alone->seconds;
      ops.push_back(op);
      larger.add(next);
    }
    if (ops.size() != 1)
      takeIfFaster(group, std::move(larger), chooseAlike(ops, *model), apart);
  }

  /// Adds `next` to `group` if they are faster in one launch than in two.
  /// Returns whether they are.
  bool addIfFaster(Group &group, OpTilings &next) const {
    const ModelledTiling *alone = findFastest(next);
    if (!alone)
      return false;
    double apart = group.launch.seconds + alone->seconds;
    double most = kMargin * apart;
    if (group.leastWork + getLeastWork(next, *model) >= most)
      return false;
    Group larger = group;
    larger.add(next);
    larger.leastWork += getLeastWork(next, *model);
    auto ops = llvm::to_vector_of<const OpTilings *>(larger.members);
    return takeIfFaster(group, std::move(larger),
                        chooseLaunch(ops, most, *model), apart);
  }

  /// Replaces `group` by `larger` if `larger` has a `launch`, and that is
  /// faster than separate launches, which take `apart` seconds. Returns whether
  /// it does.
  static bool takeIfFaster(Group &group, Group larger,
                           std::optional<ModelledLaunch> launch, double apart) {
    if (!launch)
      return false;
    bool isFaster = launch->seconds < kMargin * apart;
    LDBG() << larger.members.size() << " products from "
           << larger.members.front()->op->getLoc()
           << (isFaster ? " share" : " do not share") << " a launch with "
           << launch->tilings.front() << ", modelled at "
           << llvm::format("%.2f us, and %.2f us", launch->seconds * 1e6,
                           apart * 1e6)
           << " one after another";
    if (!isFaster)
      return false;
    larger.launch = std::move(*launch);
    group = std::move(larger);
    return true;
  }

  /// Gives `group` one launch. Its products with the longest tiles come first.
  void join(const Group &group) {
    using Member = std::pair<double, ProductOpInterface>;
    SmallVector<Member> sorted;
    for (auto [member, tiling] :
         llvm::zip_equal(group.members, group.launch.tilings)) {
      member->op.setTilingAttr(tiling);
      member->op.setLaunchedWithNext(true);
      if (recordOrigins)
        setTilingOrigin(member->op, {TilingOrigin::ModelledTogether, 0, ""});
      sorted.emplace_back(
          modelTile(member->op, tiling, KernelStart::between, *model),
          member->op);
    }
    llvm::stable_sort(sorted, [](const Member &first, const Member &second) {
      return first.first > second.first;
    });
    sorted.back().second.setLaunchedWithNext(false);
    group.ops.moveTogether(llvm::map_to_vector(
        sorted, [](Member &member) { return member.second.getOperation(); }));
    numJoined += group.members.size();
  }

  const ProductModel *model = nullptr;
};

} // namespace
