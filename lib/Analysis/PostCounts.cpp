//===- PostCounts.cpp - How often each semaphore is posted ----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ProgramChecks.h"
#include "grout/Analysis/AffineConversion.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include <map>

using namespace mlir;

namespace grout::detail {
namespace {

/// Grid dimensions that share semaphore coordinates with each other and with
/// no other dimension, and those coordinates.
struct DimGroup {
  llvm::SmallVector<unsigned> dims, coordinates;
  /// Posts for each value of the coordinates.
  std::map<llvm::SmallVector<int64_t>, int64_t> posts;
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

/// Counts the posts of a group; false if it has more than `limit` points.
bool countPosts(const TileKernel &producer, AffineMap map, DimGroup &group,
                int64_t limit) {
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

/// Whether the coordinates of a group with dynamic extent are its dimensions,
/// so that every semaphore has one post of it.
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
  bool isDynamic = llvm::any_of(policy.shape, ShapedType::isDynamic);
  for (DimGroup &group : groups) {
    if (countPosts(producer, policy.semaphore, group, maxTiles))
      continue;
    // A dynamic grid: a count that is not constant is defined as the number
    // of posts, and one that is constant must not depend on the size.
    bool isCounted = group.coordinates.empty() &&
                     ShapedType::isDynamic(policy.counts.front());
    if (!isCounted && !isIdentity(policy.semaphore, group))
      return fail(VerifyFailureKind::GaveUp,
                  "gave up: too many tiles to count their posts, or dynamic");
    isDynamic = true;
    group.posts.clear();
  }
  for (const DimGroup &group : groups)
    for (const auto &entry : group.posts)
      for (auto [coordinate, value] :
           llvm::zip_equal(group.coordinates, entry.first))
        if (value < 0 || (!ShapedType::isDynamic(policy.shape[coordinate]) &&
                          value >= policy.shape[coordinate]))
          return fail(VerifyFailureKind::Invalid,
                      "coordinate " + std::to_string(coordinate) +
                          " takes the value " + std::to_string(value) +
                          ", outside the array");

  // Compares one semaphore, at `point`; groups without a table have one post.
  auto compare = [&](llvm::ArrayRef<int64_t> point,
                     int64_t count) -> std::optional<VerifyFailure> {
    int64_t posts = 1;
    for (const DimGroup &group : groups) {
      if (group.posts.empty())
        continue;
      llvm::SmallVector<int64_t> value;
      for (unsigned coordinate : group.coordinates)
        value.push_back(point[coordinate]);
      auto found = group.posts.find(value);
      posts *= found == group.posts.end() ? 0 : found->second;
    }
    if (posts == count || ShapedType::isDynamic(count))
      return std::nullopt;
    std::string semaphore;
    for (int64_t value : point)
      semaphore += (semaphore.empty() ? "" : ", ") + std::to_string(value);
    std::string numbers = "semaphore [" + semaphore + "] is posted " +
                          std::to_string(posts) + " times, but its count is " +
                          std::to_string(count);
    return count < posts ? fail(VerifyFailureKind::CountTooLow,
                                numbers + ": a wait would cover too few tiles")
                         : fail(VerifyFailureKind::CountTooHigh,
                                numbers + ": a wait could never end");
  };

  llvm::SmallVector<int64_t> shape(policy.shape);
  if (isDynamic) // any value along a dynamic dimension stands for all
    for (int64_t &size : shape)
      if (ShapedType::isDynamic(size))
        size = 1;
  int64_t numSemaphores = 1;
  for (int64_t size : shape) {
    if (size > maxTiles / numSemaphores)
      return fail(VerifyFailureKind::GaveUp, "gave up: too many semaphores");
    numSemaphores *= size;
  }
  for (int64_t semaphore = 0; semaphore < numSemaphores; ++semaphore) {
    llvm::SmallVector<int64_t> point(shape.size());
    int64_t rest = semaphore;
    for (int dim = static_cast<int>(shape.size()) - 1; dim >= 0; --dim) {
      point[dim] = rest % shape[dim];
      rest /= shape[dim];
    }
    if (auto found = compare(point, getCount(policy, semaphore)))
      return found;
  }
  return std::nullopt;
}

} // namespace grout::detail
