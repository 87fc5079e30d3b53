//===- TGemmMergeGroups.cpp - Tiles for convolutions of narrow groups -----===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/Transforms/Passes.h"
#include "grout/Dialect/TGemm/Transforms/ProductModel.h"
#include "grout/Target/IR/Grout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>
#include <tuple>

namespace grout::tgemm {
#define GEN_PASS_DEF_TGEMMMERGEGROUPS
#include "grout/Dialect/TGemm/Transforms/Passes.h.inc"
} // namespace grout::tgemm

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

namespace {

/// The size of a block of features that read the same channels, and the number
/// of groups from which these channels are.
struct FeatureBlock {
  int64_t features, groups;
  /// The work for each feature, as a multiple of the work for one channel.
  int64_t cost;
  /// The number of columns of the widest tile.
  int64_t columns;

  /// At equal cost, wide tiles are better, and then small filters.
  bool isBetterThan(const FeatureBlock &other) const {
    return std::tuple(cost, -columns, features) <
           std::tuple(other.cost, -other.columns, other.features);
  }
};

} // namespace

/// Returns the block of `features` features. Returns none if no tile's columns
/// divide them, or if a block's first channel is not a multiple of
/// `channelUnit`. A filter that is copied anyway gets a multiple of
/// `channelUnit` channels.
static std::optional<FeatureBlock> getBlock(Conv2dOp op, int64_t features,
                                            const PreferredColumns &tiles) {
  int64_t group = op.getGroupFeatures();
  if (features % tiles.unit != 0)
    return std::nullopt;
  int64_t columns = std::min(features, tiles.most);
  while (features % columns != 0 || columns % tiles.unit != 0)
    --columns;

  int64_t groups = 1;
  // Blocks repeat after lcm(features, group) features. Their first channels,
  // modulo `channelUnit`, repeat after `channelUnit` times as many.
  int64_t period;
  if (llvm::MulOverflow(std::lcm(features, group), tiles.channelUnit, period))
    period = op.getN();
  for (int64_t first = 0, end = std::min(period, op.getN()); first < end;
       first += features) {
    if (first / group * op.getGroupChannels() % tiles.channelUnit != 0)
      return std::nullopt;
    int64_t last = std::min(first + features, op.getN()) - 1;
    groups = std::max(groups, last / group - first / group + 1);
  }
  // A block that is one group uses all of the filter as it is. Others use a
  // copy.
  if (features != group) {
    int64_t channels = op.getGroupChannels();
    groups =
        llvm::alignTo(groups, std::lcm(channels, tiles.channelUnit) / channels);
  }
  int64_t channels =
      llvm::alignTo(groups * op.getGroupChannels(), Conv2dOp::kChannelBlock);
  return FeatureBlock{features, groups,
                      channels * tiles.full / std::min(columns, tiles.full),
                      columns};
}

/// Returns the best block. Candidates are whole groups, and the widths that
/// suit tiles best. Returns none if no candidate's first channels are possible.
/// A block that is one group needs no other filter, so it is preferred at equal
/// cost.
static std::optional<FeatureBlock> chooseBlock(Conv2dOp op,
                                               const PreferredColumns &tiles) {
  std::optional<FeatureBlock> best;
  auto add = [&](int64_t features) {
    std::optional<FeatureBlock> block = getBlock(op, features, tiles);
    if (block && (!best || block->isBetterThan(*best)))
      best = block;
  };
  int64_t group = op.getGroupFeatures();
  // A block of all features may have any width.
  int64_t all = llvm::alignTo(op.getN(), tiles.unit);
  // Larger blocks cost as much as blocks of fewer groups.
  int64_t most = std::min(all, tiles.most + std::lcm(group, tiles.unit) *
                                                tiles.channelUnit);
  for (int64_t features = group; features < most; features += group)
    add(features);
  for (int64_t features : {tiles.full, 2 * tiles.full, all})
    add(std::min(features, all));
  std::optional<FeatureBlock> own = getBlock(op, group, tiles);
  return own && own->cost == best->cost ? own : best;
}

/// Returns the filter of `op` for blocks: a feature has zeros for the channels
/// of the other groups in its block.
static Value widenFilter(OpBuilder &builder, Conv2dOp op,
                         const FeatureBlock &block) {
  Location loc = op.getLoc();
  auto type = op.getFilter().getType();
  // Dimensions are: feature, row, column, group in the block, channel in the
  // group.
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.end() - 1, block.groups);
  unsigned rank = shape.size();
  AffineMap identity = builder.getMultiDimIdentityMap(rank);
  AffineMap read = identity.dropResult(rank - 2);
  SmallVector<utils::IteratorType> parallel(rank,
                                            utils::IteratorType::parallel);
  Value init =
      tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  auto wide = linalg::GenericOp::create(
      builder, loc, init.getType(), op.getFilter(), init,
      ArrayRef<AffineMap>{read, identity}, parallel,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        auto index = [&](int64_t value) -> Value {
          return arith::ConstantIndexOp::create(b, loc, value);
        };
        auto div = [&](Value value, int64_t divisor) -> Value {
          return arith::DivUIOp::create(b, loc, value, index(divisor));
        };
        // The group of the feature, and the group of the channel.
        Value feature = linalg::IndexOp::create(b, loc, 0);
        Value group = div(feature, op.getGroupFeatures());
        Value first = arith::MulIOp::create(
            b, loc, div(feature, block.features), index(block.features));
        Value other =
            arith::AddIOp::create(b, loc, div(first, op.getGroupFeatures()),
                                  linalg::IndexOp::create(b, loc, rank - 2));
        Value isOwn = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                            group, other);
        Value zero = arith::ConstantOp::create(
            b, loc, b.getFloatAttr(type.getElementType(), 0.0));
        linalg::YieldOp::create(
            b, loc,
            arith::SelectOp::create(b, loc, isOwn, args[0], zero).getResult());
      });
  return tensor::CollapseShapeOp::create(
      builder, loc, wide->getResult(0),
      ArrayRef<ReassociationIndices>{{0}, {1}, {2}, {3, 4}});
}

namespace {

struct TGemmMergeGroups
    : grout::tgemm::impl::TGemmMergeGroupsBase<TGemmMergeGroups> {
  using Base::Base;

  void runOnOperation() override {
    const Target *target = findTarget(getOperation());
    const auto *model = target ? target->getInterface<ProductModel>() : nullptr;
    std::optional<PreferredColumns> tiles;
    if (model)
      tiles = model->getPreferredColumns();
    if (!tiles)
      return;
    getOperation().walk([&](Conv2dOp op) {
      // If the op has blocks or a tiling already, they are a deliberate choice.
      if (op.getGroups() == 1 || op.getFeatureBlock() || op.getTiling())
        return;
      // A later pass refuses this op because of its f32 operands.
      if (op.getInputElementType().isF32() && !model->multipliesF32())
        return;
      std::optional<FeatureBlock> block = chooseBlock(op, *tiles);
      if (!block || block->features == op.getGroupFeatures())
        return;
      OpBuilder builder(op);
      op.getFilterMutable().assign(widenFilter(builder, op, *block));
      op.setFeatureBlock(block->features);
      ++numMerged;
    });
  }
};

} // namespace
