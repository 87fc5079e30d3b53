//===- ProductModel.h - What a target knows of products ---------*- C++ -*-===//
//
// Part of Grout. See docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_TRANSFORMS_PRODUCTMODEL_H
#define GROUT_DIALECT_TGEMM_TRANSFORMS_PRODUCTMODEL_H

#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Target/Target.h"
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace grout::tgemm {

/// When a kernel's blocks start, and those of the chain's next kernel.
enum class KernelStart {
  /// All at once, after the kernel before; and so do those of the next one.
  inOrder,
  /// Each block as soon as there is room for it. The only kernel of its chain,
  /// and the first of several: behind blocks of the chain's last run.
  alone,
  first,
  /// The same, behind blocks of the kernel before: between two kernels, and
  /// last of all.
  between,
  last,
};

/// How long all tiles of an op take with a tiling, without the launch, and what
/// of it each limit would take if it were the only one. The parts overlap, so
/// their sum is more than the total. All in seconds.
struct TilingTime {
  double total = 0;
  /// Of all K steps: MMAs, loads from the cache by all processors
  /// together, and into one of them.
  double products = 0, cache = 0, entry = 0;
  /// Loads that a ring of stages does not hide, and the first of every wave.
  double latency = 0;
  /// What memory takes to deliver operands and to take the result, once each.
  double memory = 0;
  /// Of all waves: epilogues, and the sums over blocks before them.
  double epilogue = 0, exchange = 0;
  /// What it takes longer to store and add up the sums of parts.
  double sums = 0;
  /// What it takes longer to sum the result over ranks.
  double ranks = 0;
  /// What clusters cost beside single blocks.
  double clusters = 0;
  /// What it costs that blocks start early.
  double early = 0;
  /// The part of the total that the last wave leaves unused, or, with tiles in
  /// parts, that clusters do nothing.
  double waves = 0;
  /// What the next kernel hides of the last epilogue, the sums over blocks
  /// before it, and clusters: the total is without it.
  double hidden = 0;

  /// The parts with their names.
  std::array<std::pair<llvm::StringRef, double>, 13> getParts() const;
  /// The name of the largest part: what bounds the time.
  llvm::StringRef getBound() const;
};

/// A tiling, and how long all tiles of an op take with it, without the launch.
struct ModelledTiling {
  TilingAttr tiling;
  double seconds;
};

/// What a kernel's blocks look like, as far as tilings must agree on it.
struct KernelForm {
  int64_t clusterSize;
  /// Blocks that split the K loop of a tile, where any do.
  int64_t splits;
  /// Consumer warpgroups of a block.
  int64_t warpgroups;
};

/// The fitted constants of the model of chains. ChainConstants.def describes
/// each.
struct ChainConstants {
#define GROUT_CONSTANT(name) double name;
#include "grout/Dialect/TGemm/Transforms/ChainConstants.def"
};

/// Of the columns of a tile.
struct PreferredColumns {
  /// What `n` of tilings is a multiple of.
  int64_t unit;
  /// So many and fewer take equally long.
  int64_t full;
  /// No tile has more.
  int64_t most;
  /// The channels that a convolution loads for a tile begin at a multiple of so
  /// many.
  int64_t channelUnit;
};

/// Limits of a convolution along each axis of the image, in pixels. 0 means
/// that there is no such limit. The *reach* of a filter is the distance of its
/// last element from its first.
struct ConvolutionLimits {
  int64_t maxStride = 0;
  /// Reaches are below this.
  int64_t reachLimit = 0;
  /// The padding is at most this. It is less than this more than the reach, and
  /// at most this less than the reach.
  int64_t cornerLimit = 0;
};

/// What a target knows of matrix products: in which tiles it can compute them,
/// and how long they take. A target without one has no kernels for products.
class ProductModel : public TargetInterface {
public:
  /// Why `op` cannot be computed in tiles of `tiling`; empty if it can.
  virtual std::string findProblem(ProductOpInterface op,
                                  TilingAttr tiling) const = 0;

  /// What widths of tiles the target prefers; none if any is as good.
  virtual std::optional<PreferredColumns> getPreferredColumns() const {
    return std::nullopt;
  }

  /// Limits of convolutions by their shape alone, for callers that have no op
  /// yet.
  virtual ConvolutionLimits getConvolutionLimits() const { return {}; }

  /// Whether factors may be f32.
  virtual bool multipliesF32() const = 0;

  /// All tilings of `op` that are worth a thought, the simplest first. Empty
  /// if there are none for `op`.
  virtual std::vector<ModelledTiling> modelTilings(ProductOpInterface op,
                                                   KernelStart start) const = 0;
  std::vector<ModelledTiling> modelTilings(ProductOpInterface op) const {
    return modelTilings(op, KernelStart::inOrder);
  }

  /// What a kernel that computes nothing but `op` takes for `tiling`: tiles of
  /// the same size, for which the same time is modelled.
  virtual TilingAttr refineTiling(ProductOpInterface op,
                                  TilingAttr tiling) const {
    return tiling;
  }

  /// Whether times are modelled; without, they are 0.
  virtual bool hasTimes() const = 0;
  /// The modelled time of `op` in tiles of `tiling`, which it can be computed
  /// in.
  virtual TilingTime modelTiling(ProductOpInterface op, TilingAttr tiling,
                                 KernelStart start) const = 0;
  TilingTime modelTiling(ProductOpInterface op, TilingAttr tiling) const {
    return modelTiling(op, tiling, KernelStart::inOrder);
  }
  /// Its total, in seconds.
  double getModelledTime(ProductOpInterface op, TilingAttr tiling,
                         KernelStart start = KernelStart::inOrder) const {
    return modelTiling(op, tiling, start).total;
  }
  /// How many tiles of `tiling` run at once.
  virtual int64_t getResidentTiles(TilingAttr tiling) const = 0;
  virtual ChainConstants getChainConstants() const = 0;

  /// The forms of kernels for several products, in order of preference; empty
  /// if products with any tilings may share a kernel.
  virtual llvm::ArrayRef<KernelForm> getKernelForms() const = 0;
  /// Whether tiles of `tiling` can be computed by blocks of `form`.
  virtual bool fits(ProductOpInterface op, TilingAttr tiling,
                    const KernelForm &form) const = 0;
  /// Whether one kernel can compute all of `ops`, each with its own of
  /// `tilings`.
  virtual bool canShareKernel(llvm::ArrayRef<ProductOpInterface> ops,
                              llvm::ArrayRef<TilingAttr> tilings) const = 0;
};

/// Why `op` cannot have the stream-K parts of `tiling`, on any target; empty
/// if they can.
std::string findPartsProblem(ProductOpInterface op, TilingAttr tiling);

/// The rows that models assume for each product of `op`: M. If rows are in
/// groups, whose sizes are known only when the kernel runs: the mean of the
/// groups that can have rows.
int64_t getModelledRows(ProductOpInterface op);

/// The number of tiles along the rows of all products of `op`, if a tile has
/// `m` rows. If rows are in groups: the expected number, if sizes of groups
/// follow a geometric distribution. Many groups are then small, and a few are
/// large, as routers of experts make them.
int64_t getModelledRowTiles(ProductOpInterface op, int64_t m);
/// Returns ends of the groups of `op`, with all rows in groups, for
/// measurements: sizes are quantiles of the model's distribution, in no order
/// of size.
llvm::SmallVector<int64_t> getModelledGroupEnds(ProductOpInterface op);

/// Bytes of all factors of `op`.
int64_t getOperandBytes(ProductOpInterface op);

/// Whether the factors of `op` are so small that they are taken to stay in the
/// cache of `target` from one run to the next.
bool stayInCache(ProductOpInterface op, const TargetSpec &target);

} // namespace grout::tgemm

#endif // GROUT_DIALECT_TGEMM_TRANSFORMS_PRODUCTMODEL_H
