//===- PostCounts.cpp - Counts of posts -----------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ProgramChecks.h"
#include "grout/Isl/AffineConversion.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/Support/MathExtras.h"
#include <limits>
#include <map>

using namespace mlir;

namespace grout::detail {
namespace {

/// Posts along `dim floordiv size`: of each block but the last, and of the last
/// one.
struct Blocks {
  int64_t count, posts, lastPosts;

  int64_t getPosts(int64_t block) const {
    return block >= count ? 0 : block + 1 == count ? lastPosts : posts;
  }
};

/// Grid dimensions that share semaphore coordinates with each other, and with
/// no other dimension; and these coordinates.
struct DimGroup {
  llvm::SmallVector<unsigned> dims, coordinates;
  /// The posts for each value of the coordinates, or of the only coordinate.
  std::map<llvm::SmallVector<int64_t>, int64_t> posts;
  std::optional<Blocks> blocks;
};

std::vector<DimGroup> groupDims(AffineMap map) {
  llvm::EquivalenceClasses<unsigned> together;
  for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
    together.insert(dim);
  auto dimsOf = [&](AffineExpr expr) {
    llvm::SmallVector<unsigned> dims;
    for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
      if (expr.isFunctionOfDim(dim))
        dims.push_back(dim);
    return dims;
  };
  for (AffineExpr expr : map.getResults())
    for (unsigned dim : dimsOf(expr))
      together.unionSets(dimsOf(expr).front(), dim);

  std::map<unsigned, DimGroup> groups;
  for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
    groups[together.getLeaderValue(dim)].dims.push_back(dim);
  std::vector<DimGroup> result(1);
  for (auto [index, expr] : llvm::enumerate(map.getResults())) {
    llvm::SmallVector<unsigned> dims = dimsOf(expr);
    DimGroup &group = dims.empty() // a constant coordinate
                          ? result.front()
                          : groups[together.getLeaderValue(dims.front())];
    group.coordinates.push_back(index);
  }
  for (auto &entry : groups)
    result.push_back(std::move(entry.second));
  return result;
}

/// Counts the posts of a group. Returns false if more than `limit` points would
/// have to be enumerated.
bool countPosts(const TileKernel &producer, AffineMap map, DimGroup &group,
                int64_t limit) {
  // Without coordinates to distinguish them, all tiles post the same semaphore.
  if (group.coordinates.empty())
    limit = std::numeric_limits<int64_t>::max();
  int64_t numPoints = 1;
  for (unsigned dim : group.dims) {
    if (ShapedType::isDynamic(producer.grid[dim]) ||
        producer.grid[dim] > limit / numPoints)
      return false;
    numPoints *= producer.grid[dim];
  }
  if (group.coordinates.empty()) {
    group.posts[{}] = numPoints;
    return true;
  }
  llvm::SmallVector<int64_t> tile(map.getNumDims(), 0);
  for (int64_t point = 0; point < numPoints; ++point) {
    int64_t rest = point;
    for (unsigned dim : group.dims) {
      tile[dim] = rest % producer.grid[dim];
      rest /= producer.grid[dim];
    }
    llvm::SmallVector<int64_t> value;
    for (unsigned coordinate : group.coordinates)
      value.push_back(evaluate(map.getResult(coordinate), tile));
    ++group.posts[value];
  }
  return true;
}

/// Returns the group as blocks of its only dimension, if it has only one, and
/// is static.
std::optional<Blocks> getBlocks(const TileKernel &producer, AffineMap map,
                                const DimGroup &group) {
  if (group.dims.size() != 1 || group.coordinates.size() != 1)
    return std::nullopt;
  unsigned dim = group.dims.front();
  int64_t extent = producer.grid[dim], size = 1;
  AffineExpr expr = map.getResult(group.coordinates.front());
  if (expr.getKind() == AffineExprKind::FloorDiv) {
    auto division = cast<AffineBinaryOpExpr>(expr);
    expr = division.getLHS();
    size = cast<AffineConstantExpr>(division.getRHS()).getValue();
  }
  if (ShapedType::isDynamic(extent) ||
      expr != getAffineDimExpr(dim, map.getContext()))
    return std::nullopt;
  int64_t count = llvm::divideCeil(extent, size);
  return Blocks{count, size, extent - (count - 1) * size};
}

/// Whether the coordinates of a group with dynamic extent are its dimensions,
/// so that each semaphore has one post of the group.
bool isIdentity(AffineMap map, const DimGroup &group) {
  return group.dims.size() == 1 && group.coordinates.size() == 1 &&
         map.getResult(group.coordinates.front()) ==
             getAffineDimExpr(group.dims.front(), map.getContext());
}

} // namespace

std::optional<VerifyFailure> checkCounts(const TileProgram &program,
                                         unsigned index, int64_t maxTiles) {
  const SynchronisedEdge &edge = program.edges[index];
  const SemaphorePolicy &policy = edge.policy;
  const TileKernel &producer = program.kernels[edge.producer];
  VerifyFailure failure;
  failure.edge = index;
  std::string where = "the semaphores from " + producer.name + " to " +
                      program.kernels[edge.consumer].name;
  auto fail = [&](VerifyFailureKind kind, std::string message) {
    failure.kind = kind;
    failure.message = where + ": " + message;
    return failure;
  };

  std::vector<DimGroup> groups = groupDims(policy.semaphore);
  for (DimGroup &group : groups) {
    // If all counts are equal, one block represents all others of its size.
    if (policy.counts.size() == 1)
      group.blocks = getBlocks(producer, policy.semaphore, group);
    if (group.blocks || countPosts(producer, policy.semaphore, group, maxTiles))
      continue;
    // A dynamic grid: a count that is not constant is defined as the number
    // of posts, and one that is constant must not depend on the size.
    bool isCounted = group.coordinates.empty() &&
                     ShapedType::isDynamic(policy.counts.front());
    if (!isCounted && !isIdentity(policy.semaphore, group))
      return fail(VerifyFailureKind::GaveUp,
                  "gave up: too many tiles to count their posts, or dynamic");
    group.posts.clear();
  }
  auto isOutside = [&](unsigned coordinate, int64_t value) {
    int64_t size = policy.shape[coordinate];
    return value < 0 || (!ShapedType::isDynamic(size) && value >= size);
  };
  auto failOutside = [&](unsigned coordinate, int64_t value) {
    return fail(VerifyFailureKind::Invalid,
                "coordinate " + std::to_string(coordinate) +
                    " takes the value " + std::to_string(value) +
                    ", outside the array");
  };
  for (const DimGroup &group : groups) {
    if (group.blocks &&
        isOutside(group.coordinates.front(), group.blocks->count - 1))
      return failOutside(group.coordinates.front(), group.blocks->count - 1);
    for (const auto &entry : group.posts)
      for (auto [coordinate, value] :
           llvm::zip_equal(group.coordinates, entry.first))
        if (isOutside(coordinate, value))
          return failOutside(coordinate, value);
  }

  // Compares the count of the semaphore at `point`. Groups without a table have
  // one post.
  auto compare = [&](llvm::ArrayRef<int64_t> point,
                     int64_t count) -> std::optional<VerifyFailure> {
    uint64_t posts = 1;
    for (const DimGroup &group : groups) {
      if (group.blocks) {
        posts = llvm::SaturatingMultiply<uint64_t>(
            posts, group.blocks->getPosts(point[group.coordinates.front()]));
        continue;
      }
      if (group.posts.empty())
        continue;
      llvm::SmallVector<int64_t> value;
      for (unsigned coordinate : group.coordinates)
        value.push_back(point[coordinate]);
      auto found = group.posts.find(value);
      posts = llvm::SaturatingMultiply<uint64_t>(
          posts, found == group.posts.end() ? 0 : found->second);
    }
    if (ShapedType::isDynamic(count) || posts == static_cast<uint64_t>(count))
      return std::nullopt;
    std::string semaphore;
    for (int64_t value : point)
      semaphore += (semaphore.empty() ? "" : ", ") + std::to_string(value);
    std::string numbers = "semaphore [" + semaphore + "] is posted " +
                          std::to_string(posts) + " times, but its count is " +
                          std::to_string(count);
    return static_cast<uint64_t>(count) < posts
               ? fail(VerifyFailureKind::CountTooLow,
                      numbers + ": a wait would cover too few tiles")
               : fail(VerifyFailureKind::CountTooHigh,
                      numbers + ": a wait could never end");
  };

  // For each coordinate, values that represent all of its values.
  llvm::SmallVector<llvm::SmallVector<int64_t>> values;
  int64_t numPoints = 1;
  for (unsigned coordinate = 0; coordinate < policy.shape.size();
       ++coordinate) {
    int64_t size = policy.shape[coordinate];
    const DimGroup &group = *llvm::find_if(groups, [&](const DimGroup &group) {
      return llvm::is_contained(group.coordinates, coordinate);
    });
    llvm::SmallVector<int64_t> &picked = values.emplace_back();
    // Any value of a dynamic dimension represents all of them.
    if (ShapedType::isDynamic(size))
      picked = {0};
    else if (group.blocks)
      for (int64_t value :
           {int64_t(0), group.blocks->count - 1, group.blocks->count}) {
        if (value < size && !llvm::is_contained(picked, value))
          picked.push_back(value);
      }
    else if (size <= maxTiles)
      picked = llvm::to_vector(llvm::seq(size));
    if (picked.empty() ||
        static_cast<int64_t>(picked.size()) > maxTiles / numPoints)
      return fail(VerifyFailureKind::GaveUp, "gave up: too many semaphores");
    numPoints *= picked.size();
  }
  for (int64_t number = 0; number < numPoints; ++number) {
    llvm::SmallVector<int64_t> point(values.size());
    int64_t rest = number, semaphore = 0;
    for (size_t dim = values.size(); dim-- > 0;) {
      point[dim] = values[dim][rest % values[dim].size()];
      rest /= values[dim].size();
    }
    for (auto [value, size] : llvm::zip_equal(point, policy.shape))
      semaphore = policy.counts.size() == 1 ? 0 : semaphore * size + value;
    if (auto found = compare(point, getCount(policy, semaphore)))
      return found;
  }
  return std::nullopt;
}

} // namespace grout::detail
