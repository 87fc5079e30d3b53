//===- DerivePolicy.cpp - Semaphores from a dependence --------------------===//
//
// Part of Grout. Guess and verify: see docs/TileDependences.md.
//
//===----------------------------------------------------------------------===//

#include "grout/Analysis/DerivePolicy.h"

#include "GridDimMap.h"
#include "PolicySupport.h"
#include "grout/Isl/AffineConversion.h"

using namespace mlir;

namespace grout {
namespace detail {
namespace {

/// A map for one grid dimension that keeps every class together.
struct Candidate {
  GridDimMap map;
  int64_t numValues;
  bool isUniform;
};

/// { [t] -> [t'] : some equivalent tiles have t and t' in dimension `dim` }.
isl::map projectClasses(isl::map classes, unsigned dim, unsigned rank) {
  for (isl_dim_type type : {isl_dim_in, isl_dim_out}) {
    classes = isl::manage(
        isl_map_project_out(classes.release(), type, dim + 1, rank - dim - 1));
    classes = isl::manage(isl_map_project_out(classes.release(), type, 0, dim));
    classes = isl::manage(isl_map_reset_tuple_id(classes.release(), type));
  }
  return classes.coalesce();
}

/// A size to compare guesses at, where the true one is not known.
constexpr int64_t sampleSize = 96;

/// What the classes may cost, in isl operations.
constexpr uint64_t maxClassOperations = 100'000;

/// The guesses that keep `together` together, from fine to coarse.
std::vector<Candidate> findCandidates(const isl::map &together,
                                      const GridSize &size,
                                      MLIRContext *context) {
  isl::ctx ctx = together.ctx();
  std::vector<Candidate> candidates;
  for (GridDimMap &guess : guessGridDimMaps(together, context)) {
    isl::map map = guess.getMap(ctx, size);
    bool isUniform = guess.hasUniformFibre(ctx, size);
    if (size.isDynamic() && !isUniform)
      continue;
    if (!together.is_subset(map.apply_range(map.reverse())))
      continue;
    int64_t numValues =
        guess.countValues(size.isDynamic() ? sampleSize : size.value);
    candidates.push_back({std::move(guess), numValues, isUniform});
  }
  // Of equally fine ones the last is the simplest; but a dimension of size 1
  // keeps its coordinate, so that a tile's semaphore is still called so.
  if (size.value != 1)
    std::reverse(candidates.begin(), candidates.end());
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate &a, const Candidate &b) {
                     return a.numValues > b.numValues;
                   });
  return candidates;
}

/// The semaphore map of a policy under construction.
class SemaphoreChoice {
public:
  SemaphoreChoice(const isl::map &classes, const TileKernel &producer,
                  Granularity granularity, MLIRContext *context)
      : context(context) {
    unsigned rank = producer.grid.size();
    for (unsigned dim = 0; dim < rank; ++dim) {
      sizes.push_back({producer.grid[dim], producer.getGridParameter(dim)});
      candidates.push_back(findCandidates(projectClasses(classes, dim, rank),
                                          sizes.back(), context));
      auto dropped =
          llvm::find_if(candidates.back(), [](const Candidate &candidate) {
            return candidate.map.coordinates.empty();
          });
      chosen.push_back(granularity == Granularity::Kernel
                           ? dropped - candidates.back().begin()
                           : 0);
    }
  }

  /// Makes dimensions with unequal fibres coarser until all counts are equal,
  /// if there would be more than `limit` of them.
  void limitCounts(int64_t limit) {
    int64_t numSemaphores = 1;
    bool uniform = true;
    for (unsigned dim = 0; dim < sizes.size(); ++dim) {
      numSemaphores *= get(dim).numValues;
      uniform &= get(dim).isUniform;
    }
    if (uniform || numSemaphores <= limit)
      return;
    for (unsigned dim = 0; dim < sizes.size(); ++dim)
      while (!get(dim).isUniform)
        ++chosen[dim];
  }

  /// Fills in the producer's side of `derived`.
  void build(DerivedPolicy &derived) const {
    llvm::SmallVector<AffineExpr> coordinates;
    llvm::SmallVector<AffineExpr> factors;
    bool uniform = true;
    for (unsigned dim = 0; dim < sizes.size(); ++dim) {
      const GridDimMap &map = get(dim).map;
      AffineExpr t = getAffineDimExpr(dim, context);
      AffineExpr n = getAffineSymbolExpr(dim, context);
      for (AffineExpr expr : map.coordinates)
        coordinates.push_back(expr.replaceDims({t}));
      for (AffineExpr expr : map.extents)
        derived.shapeExprs.push_back(expr.replaceSymbols({n}));
      for (AffineExpr expr : map.fibreExtents)
        factors.push_back(expr.replaceSymbols({n}));
      uniform &= get(dim).isUniform;
    }
    derived.policy.semaphore =
        AffineMap::get(sizes.size(), 0, coordinates, context);
    for (AffineExpr expr : derived.shapeExprs)
      derived.policy.shape.push_back(evaluateAtSizes(expr));
    if (uniform) {
      derived.countFactors = factors;
      int64_t count = 1;
      for (AffineExpr factor : factors) {
        int64_t value = evaluateAtSizes(factor);
        if (ShapedType::isDynamic(value)) {
          count = ShapedType::kDynamic;
          break;
        }
        count *= value;
      }
      derived.policy.counts.push_back(count);
    } else {
      derived.policy.counts = tabulateCounts();
    }
  }

private:
  const Candidate &get(unsigned dim) const {
    return candidates[dim][chosen[dim]];
  }

  /// The value of an expression in the grid sizes; kDynamic if not constant.
  int64_t evaluateAtSizes(AffineExpr expr) const {
    llvm::SmallVector<AffineExpr> values;
    for (auto [dim, size] : llvm::enumerate(sizes))
      values.push_back(size.isDynamic()
                           ? getAffineSymbolExpr(dim, context)
                           : getAffineConstantExpr(size.value, context));
    auto constant = dyn_cast<AffineConstantExpr>(expr.replaceSymbols(values));
    return constant ? constant.getValue() : ShapedType::kDynamic;
  }

  /// Posts of each semaphore, row-major: a product of counts along each
  /// dimension.
  llvm::SmallVector<int64_t> tabulateCounts() const {
    llvm::SmallVector<int64_t> counts = {1};
    for (auto [dim, size] : llvm::enumerate(sizes)) {
      const GridDimMap &map = get(dim).map;
      llvm::SmallVector<int64_t> along(get(dim).numValues);
      for (int64_t t = 0; t < size.value; ++t) {
        int64_t index = 0;
        for (auto [expr, extent] :
             llvm::zip_equal(map.coordinates, map.extents)) {
          AffineExpr n = getAffineConstantExpr(size.value, context);
          index = index * evaluate(extent.replaceSymbols({n}), {}) +
                  evaluate(expr, {t});
        }
        ++along[index];
      }
      llvm::SmallVector<int64_t> product;
      for (int64_t outer : counts)
        for (int64_t inner : along)
          product.push_back(outer * inner);
      counts = std::move(product);
    }
    return counts;
  }

  MLIRContext *context;
  llvm::SmallVector<GridSize> sizes;
  llvm::SmallVector<std::vector<Candidate>> candidates;
  llvm::SmallVector<size_t> chosen;
};

DerivedPolicy derive(const IslContext &context, const isl::map &dependence,
                     const TileKernel &producer, const TileKernel &consumer,
                     Granularity granularity, MLIRContext *mlirContext,
                     const DerivePolicyOptions &options) {
  isl::ctx ctx = dependence.ctx();
  isl::map needed = neededTiles(dependence, producer, consumer, granularity);
  // A semaphore for each tile is always right, if classes cannot be had.
  isl::map classes = needed.range().identity();
  bool knowsClasses = tryWithin(context, maxClassOperations,
                                [&] { classes = sameConsumers(needed); });

  SemaphoreChoice choice(classes, producer, granularity, mlirContext);
  choice.limitCounts(options.maxCounts);
  DerivedPolicy derived;
  choice.build(derived);
  SemaphorePolicy &policy = derived.policy;

  isl::map posts = semaphoreMap(ctx, policy, producer);
  derived.exactClasses = knowsClasses && posts.apply_range(posts.reverse())
                                             .intersect_domain(classes.domain())
                                             .is_equal(classes);

  unsigned stepDim = consumer.grid.size();
  isl::set readers = dependence.domain();
  if (readers.is_empty())
    fail(AnalysisErrorKind::Invalid,
         "no tile of " + consumer.name + " depends on " + producer.name);
  isl::val firstStep = readers.dim_min_val(stepDim);
  policy.firstStep = firstStep.is_int() ? toInt64(firstStep) : 0;
  isl::map waited = needed.apply_range(posts).coalesce();
  derived.exactWaits =
      findWaitBounds(context, waited, producer, consumer, mlirContext, policy);
  derived.name = getPolicyName(policy).str();
  return derived;
}

} // namespace
} // namespace detail

llvm::Expected<DerivedPolicy>
derivePolicy(const TileDependence &dependence, const TileKernel &producer,
             const TileKernel &consumer, Granularity granularity,
             MLIRContext *mlirContext, const DerivePolicyOptions &options) {
  const IslContext &context = dependence.relation.getContext();
  return detail::guarded(context, [&] {
    return detail::derive(context, detail::unwrap(dependence.relation),
                          producer, consumer, granularity, mlirContext,
                          options);
  });
}

} // namespace grout
