//===- SemaphorePolicy.cpp - Semaphores for a tile dependence -------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Analysis/SemaphorePolicy.h"

#include "grout/Isl/AffineConversion.h"

using namespace mlir;

namespace grout {

int64_t getNumSemaphores(const SemaphorePolicy &policy) {
  int64_t product = 1;
  for (int64_t size : policy.shape)
    product *= size;
  return product;
}

int64_t getCount(const SemaphorePolicy &policy, int64_t semaphore) {
  return policy.counts.size() == 1 ? policy.counts.front()
                                   : policy.counts[semaphore];
}

int64_t getSemaphore(const SemaphorePolicy &policy,
                     llvm::ArrayRef<int64_t> tile) {
  int64_t index = 0;
  for (auto [expr, size] :
       llvm::zip_equal(policy.semaphore.getResults(), policy.shape)) {
    int64_t coordinate = evaluate(expr, tile);
    if (coordinate < 0 || coordinate >= size)
      return -1;
    index = index * size + coordinate;
  }
  return index;
}

int64_t WaitBox::size() const {
  int64_t product = isNone ? 0 : 1;
  for (auto [low, high] : llvm::zip_equal(lower, upper))
    product *= std::max<int64_t>(0, high - low + 1);
  return product;
}

WaitBox getWaitBox(const SemaphorePolicy &policy, llvm::ArrayRef<int64_t> tile,
                   int64_t step) {
  llvm::SmallVector<int64_t> point(tile);
  point.push_back(step);
  WaitBox box;
  box.isNone = llvm::any_of(policy.guards, [&](AffineExpr guard) {
    return evaluate(guard, tile) < 0;
  });
  box.lower = evaluate(policy.waitLower, point);
  box.upper = evaluate(policy.waitUpper, point);
  for (auto [dim, size] : llvm::enumerate(policy.shape)) {
    box.lower[dim] = std::clamp<int64_t>(box.lower[dim], 0, size - 1);
    box.upper[dim] = std::clamp<int64_t>(box.upper[dim], 0, size - 1);
  }
  return box;
}

void forEachSemaphore(const SemaphorePolicy &policy, const WaitBox &box,
                      llvm::function_ref<void(int64_t)> visit) {
  if (box.size() == 0)
    return;
  llvm::SmallVector<int64_t> point = box.lower;
  while (true) {
    int64_t index = 0;
    for (auto [coordinate, size] : llvm::zip_equal(point, policy.shape))
      index = index * size + coordinate;
    visit(index);
    int dim = static_cast<int>(point.size()) - 1;
    while (dim >= 0 && point[dim] == box.upper[dim]) {
      point[dim] = box.lower[dim];
      --dim;
    }
    if (dim < 0)
      return;
    ++point[dim];
  }
}

bool dependsOnStep(const SemaphorePolicy &policy) {
  unsigned stepDim = policy.waitLower.getNumDims() - 1;
  return policy.waitLower.isFunctionOfDim(stepDim) ||
         policy.waitUpper.isFunctionOfDim(stepDim);
}

std::optional<int64_t> countWaits(const SemaphorePolicy &policy,
                                  const TileKernel &consumer,
                                  llvm::ArrayRef<int64_t> tile,
                                  int64_t maxSteps) {
  int64_t steps = consumer.steps;
  if (!dependsOnStep(policy))
    steps = std::min(steps, policy.firstStep + 1);
  if (steps - policy.firstStep > maxSteps)
    return std::nullopt;
  int64_t waits = 0;
  WaitBox previous;
  for (int64_t step = policy.firstStep; step < steps; ++step) {
    WaitBox box = getWaitBox(policy, tile, step);
    if (step == policy.firstStep || !(box == previous))
      waits += box.size();
    previous = std::move(box);
  }
  return waits;
}

llvm::StringRef getPolicyName(const SemaphorePolicy &policy) {
  AffineMap map = policy.semaphore;
  if (map.getNumResults() == 0)
    return "KernelSync";
  if (map.isIdentity())
    return "TileSync";
  bool hasMod = false;
  for (AffineExpr expr : map.getResults())
    expr.walk([&](AffineExpr inner) {
      hasMod |= inner.getKind() == AffineExprKind::Mod;
    });
  if (hasMod)
    return "StridedSync";
  // For the leading coordinates, coordinate i depends on tile dimension i
  // alone.
  if (map.getNumResults() > map.getNumDims())
    return "custom";
  for (auto [i, expr] : llvm::enumerate(map.getResults()))
    for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
      if (expr.isFunctionOfDim(dim) != (dim == i))
        return "custom";
  return map.getNumResults() < map.getNumDims() ? "RowSync" : "custom";
}

} // namespace grout
