//===- DerivePolicy.cpp - Semaphores from a dependence --------------------===//
//
// Part of Grout. Guesses policies, and verifies them: see
// docs/TileDependences.md.
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

/// Returns { [t] -> [t'] : some equivalent tiles have t and t' in dimension
/// `dim` }.
isl::map projectClasses(isl::map classes, unsigned dim, unsigned rank) {
  for (isl_dim_type type : {isl_dim_in, isl_dim_out}) {
    classes = isl::manage(
        isl_map_project_out(classes.release(), type, dim + 1, rank - dim - 1));
    classes = isl::manage(isl_map_project_out(classes.release(), type, 0, dim));
    classes = isl::manage(isl_map_reset_tuple_id(classes.release(), type));
  }
  return classes.coalesce();
}

/// The size at which guesses are compared if the true size is not known.
constexpr int64_t sampleSize = 96;

/// The most isl operations for classes.
constexpr uint64_t maxClassOperations = 100'000;

/// Whether some tiles are not together.
bool separates(const isl::map &together) {
  return !isl::manage(isl_map_from_domain_and_range(together.domain().release(),
                                                    together.range().release()))
              .is_subset(together);
}

/// Returns the guesses that do not separate tiles of `together`, from fine to
/// coarse. With `splits`, and if no guess separates tiles that may be separate,
/// the guess that separates all tiles comes first.
std::vector<Candidate> findCandidates(const isl::map &together,
                                      const GridSize &size, bool splits,
                                      MLIRContext *context) {
  isl::ctx ctx = together.ctx();
  std::vector<Candidate> candidates;
  auto add = [&](GridDimMap guess, bool isUniform) {
    int64_t numValues =
        guess.countValues(size.isDynamic() ? sampleSize : size.value);
    candidates.push_back({std::move(guess), numValues, isUniform});
  };
  std::vector<GridDimMap> guesses = guessGridDimMaps(together, context);
  for (const GridDimMap &guess : guesses) {
    isl::map map = guess.getMap(ctx, size);
    bool isUniform = guess.hasUniformFibre(ctx, size);
    if (size.isDynamic() && !isUniform)
      continue;
    if (together.is_subset(map.apply_range(map.reverse())))
      add(guess, isUniform);
  }
  if (splits && candidates.size() == 1 && separates(together))
    add(guesses.front(), /*isUniform=*/true);
  // Of equally fine guesses, the last is the simplest. But a dimension of size
  // 1 keeps its coordinate, so that the policy is still recognised as one
  // semaphore for each tile.
  if (size.value != 1)
    std::reverse(candidates.begin(), candidates.end());
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate &a, const Candidate &b) {
                     return a.numValues > b.numValues;
                   });
  return candidates;
}

/// The semaphore map of a policy that is being built.
class SemaphoreChoice {
public:
  /// With `splits`, tiles of a class may have different semaphores in
  /// dimensions in which all tiles would have the same one otherwise.
  SemaphoreChoice(const isl::map &classes, const TileKernel &producer,
                  Granularity granularity, bool splits, MLIRContext *context)
      : context(context) {
    unsigned rank = producer.grid.size();
    for (unsigned dim = 0; dim < rank; ++dim) {
      sizes.push_back({producer.grid[dim], producer.getGridParameter(dim)});
      candidates.push_back(findCandidates(projectClasses(classes, dim, rank),
                                          sizes.back(), splits, context));
      auto dropped =
          llvm::find_if(candidates.back(), [](const Candidate &candidate) {
            return candidate.map.coordinates.empty();
          });
      chosen.push_back(granularity == Granularity::Kernel
                           ? dropped - candidates.back().begin()
                           : 0);
    }
  }

  /// If there would be more counts than `options` allows, or too many tiles to
  /// count along a dimension, makes dimensions with unequal fibres coarser
  /// until all their counts are equal.
  void limitCounts(const DerivePolicyOptions &options) {
    for (unsigned dim = 0; dim < sizes.size(); ++dim)
      if (sizes[dim].value > options.maxCountedTiles)
        makeUniform(dim);
    int64_t numSemaphores = 1;
    bool uniform = true;
    for (unsigned dim = 0; dim < sizes.size(); ++dim) {
      numSemaphores *= get(dim).numValues;
      uniform &= get(dim).isUniform;
    }
    if (uniform || numSemaphores <= options.maxCounts)
      return;
    for (unsigned dim = 0; dim < sizes.size(); ++dim)
      makeUniform(dim);
  }

  /// Sets the fields of `derived` for the producer.
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

  /// Makes dimension `dim` coarser until each of its values stands for as many
  /// tiles as any other.
  void makeUniform(unsigned dim) {
    while (!get(dim).isUniform)
      ++chosen[dim];
  }

  /// Returns the value of an expression of the grid sizes; kDynamic if it is
  /// not constant.
  int64_t evaluateAtSizes(AffineExpr expr) const {
    llvm::SmallVector<AffineExpr> values;
    for (auto [dim, size] : llvm::enumerate(sizes))
      values.push_back(size.isDynamic()
                           ? getAffineSymbolExpr(dim, context)
                           : getAffineConstantExpr(size.value, context));
    auto constant = dyn_cast<AffineConstantExpr>(expr.replaceSymbols(values));
    return constant ? constant.getValue() : ShapedType::kDynamic;
  }

  /// Returns the number of posts of each semaphore, row-major. It is the
  /// product of the counts along each dimension.
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

/// The inputs from which a policy is derived.
struct Derivation {
  const IslContext &context;
  const isl::map &dependence;
  const TileKernel &producer, &consumer;
  Granularity granularity;
  MLIRContext *mlirContext;
  const DerivePolicyOptions &options;
  /// See TileClasses.
  isl::map needed, classes;
  bool knowsClasses = false;

  DerivedPolicy derive();

private:
  DerivedPolicy derive(bool splits) const;
  bool waitsForLess(const SemaphorePolicy &one,
                    const SemaphorePolicy &other) const;
};

DerivedPolicy Derivation::derive(bool splits) const {
  SemaphoreChoice choice(classes, producer, granularity, splits, mlirContext);
  choice.limitCounts(options);
  DerivedPolicy derived;
  choice.build(derived);
  SemaphorePolicy &policy = derived.policy;

  isl::map posts = semaphoreMap(dependence.ctx(), policy, producer);
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

/// Whether, in each step, `one` waits only for tiles for which `other` waits,
/// too, and in some step for fewer.
bool Derivation::waitsForLess(const SemaphorePolicy &one,
                              const SemaphorePolicy &other) const {
  auto getTiles = [&](const SemaphorePolicy &policy) {
    isl::ctx ctx = dependence.ctx();
    return waitMap(ctx, policy, producer, consumer)
        .apply_range(semaphoreMap(ctx, policy, producer).reverse());
  };
  bool isLess = false;
  tryWithin(context, maxClassOperations,
            [&] { isLess = getTiles(one).is_strict_subset(getTiles(other)); });
  return isLess;
}

DerivedPolicy Derivation::derive() {
  needed = neededTiles(dependence, producer, consumer, granularity);
  // If classes cannot be found, a semaphore for each tile is always right.
  classes = needed.range().identity();
  knowsClasses = tryWithin(context, maxClassOperations,
                           [&] { classes = sameConsumers(needed); });
  DerivedPolicy derived = derive(/*splits=*/false);
  if (!knowsClasses || derived.exactClasses)
    return derived;
  DerivedPolicy finer = derive(/*splits=*/true);
  return waitsForLess(finer.policy, derived.policy) ? finer : derived;
}

} // namespace
} // namespace detail

llvm::Expected<DerivedPolicy>
derivePolicy(const TileDependence &dependence, const TileKernel &producer,
             const TileKernel &consumer, Granularity granularity,
             MLIRContext *mlirContext, const DerivePolicyOptions &options) {
  const IslContext &context = dependence.relation.getContext();
  return detail::guarded(context, [&] {
    isl::map relation = detail::unwrap(dependence.relation);
    return detail::Derivation{context,  relation,    producer,
                              consumer, granularity, mlirContext,
                              options,  {},          {}}
        .derive();
  });
}

} // namespace grout
