//===- LargestFirst.cpp - A launch policy ---------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "image/LargestFirst.h"

#include "grout/Dialect/Launch/IR/Launch.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace grout;
using namespace grout::launch;
using namespace image;

/// The tiles of all kernels of `launch`. One without a tile shape has one.
static int64_t countTiles(LaunchOpInterface launch) {
  auto tiles = dyn_cast<TilesOp>(launch.getOperation());
  if (!tiles)
    return 0;
  int64_t count = 0;
  for (TileKernelOpInterface kernel : tiles.getKernels()) {
    FailureOr<SmallVector<int64_t>> grid = kernel.getTileGrid();
    count += succeeded(grid) ? computeProduct(*grid) : 1;
  }
  return count;
}

/// Whether `launch` waits for none of `left`.
static bool isReady(LaunchOpInterface launch,
                    ArrayRef<LaunchOpInterface> left) {
  return llvm::none_of(launch.getAfter(), [&](Value token) {
    return llvm::any_of(left, [&](LaunchOpInterface other) {
      return other.getToken() == token;
    });
  });
}

LogicalResult LargestFirst::schedule(PlanOp plan, const TargetSpec &) const {
  SmallVector<LaunchOpInterface> left = llvm::to_vector(plan.getLaunches());
  Block &body = plan.getBody().front();
  while (!left.empty()) {
    LaunchOpInterface *next = nullptr;
    for (LaunchOpInterface &launch : left)
      if (isReady(launch, left) &&
          (!next || countTiles(launch) > countTiles(*next)))
        next = &launch;
    (*next)->moveBefore(&body, body.end());
    left.erase(next);
  }
  orderInSequence(plan);
  return success();
}
