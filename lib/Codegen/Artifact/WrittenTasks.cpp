//===- WrittenTasks.cpp - The tiles of a launch, in order -----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "PlanWriter.h"

#include "grout/Analysis/TileProgram.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;

/// The largest number of tasks in a list. More tasks take seconds to sort, and
/// their orders can be written as loops.
static constexpr uint64_t kMaxListedTasks = uint64_t(1) << 20;

/// Returns the loops that generate the tasks of `kernel` in order. Returns
/// nothing if the order of a body is not one of loops, or if tiles of two
/// bodies are mixed.
static std::optional<std::vector<std::unique_ptr<artifact::TaskLoopsT>>>
getTaskLoops(launch::KernelOp kernel) {
  llvm::SmallVector<std::pair<int64_t, uint32_t>> bodies;
  auto orders = llvm::to_vector(kernel.getOrder()->getAsRange<AffineMapAttr>());
  for (auto [body, map] : llvm::enumerate(orders)) {
    auto first =
        map.getValue().getNumResults() == 0
            ? AffineConstantExpr()
            : dyn_cast<AffineConstantExpr>(map.getValue().getResult(0));
    if (orders.size() != 1 && !first)
      return std::nullopt;
    bodies.push_back({first ? first.getValue() : 0, body});
  }
  llvm::sort(bodies);
  for (size_t i = 1; i < bodies.size(); ++i)
    if (bodies[i].first == bodies[i - 1].first)
      return std::nullopt;

  std::vector<std::unique_ptr<artifact::TaskLoopsT>> result;
  for (uint32_t body : llvm::make_second_range(bodies)) {
    SmallVector<int64_t> grid = kernel.getGrid(body);
    std::optional<SmallVector<TileLoop>> loops =
        getLoopsOfOrder(orders[body].getValue(), grid);
    if (!loops)
      return std::nullopt;
    auto nest = std::make_unique<artifact::TaskLoopsT>();
    nest->body = body;
    nest->grid.assign(grid.begin(), grid.end());
    for (const TileLoop &loop : *loops)
      nest->loops.emplace_back(loop.dim, loop.block);
    result.push_back(std::move(nest));
  }
  return result;
}

/// Returns the sorted tasks of `kernel`.
static FailureOr<std::vector<artifact::Task>> listTasks(launch::KernelOp kernel,
                                                        uint64_t numTiles) {
  if (numTiles > kMaxListedTasks)
    return kernel.emitOpError()
           << "has " << numTiles << " tiles in an order that is listed, and at "
           << "most " << kMaxListedTasks
           << " can be; larger tiles are fewer, and an order of dimensions, or "
              "of blocks of them, needs no list";
  TileProgram program;
  for (auto [body, map] :
       llvm::enumerate(kernel.getOrder()->getAsRange<AffineMapAttr>())) {
    TileKernel &tileKernel = program.kernels.emplace_back();
    tileKernel.name = "body" + std::to_string(body);
    tileKernel.grid = kernel.getGrid(body);
    program.order.push_back(map.getValue());
  }
  llvm::Expected<std::vector<TileTask>> tiles = enumerateOrder(program);
  if (!tiles)
    return kernel.emitOpError()
           << "has no valid tile order: " << llvm::toString(tiles.takeError());
  std::vector<artifact::Task> tasks;
  tasks.reserve(tiles->size());
  for (TileTask &tile : *tiles) {
    tile.tile.resize(3, 0);
    tasks.emplace_back(tile.kernel, tile.tile[0], tile.tile[1], tile.tile[2]);
  }
  return tasks;
}

LogicalResult grout::setTasks(launch::KernelOp kernel,
                              artifact::LaunchT &launch) {
  uint64_t numTiles = 0;
  for (unsigned body = 0, e = kernel.getGrids().size(); body != e; ++body) {
    uint64_t ofKernel = 1;
    for (int64_t extent : kernel.getGrid(body))
      ofKernel = llvm::SaturatingMultiply<uint64_t>(ofKernel, extent);
    numTiles = llvm::SaturatingAdd(numTiles, ofKernel);
  }
  if (numTiles > UINT32_MAX)
    return kernel.emitOpError() << "has " << numTiles
                                << " tiles, and a launch at most 2^32 - 1; "
                                   "larger tiles are fewer";
  if (auto loops = getTaskLoops(kernel)) {
    launch.task_loops = std::move(*loops);
    return success();
  }
  FailureOr<std::vector<artifact::Task>> tasks = listTasks(kernel, numTiles);
  if (failed(tasks))
    return failure();
  launch.tasks = std::move(*tasks);
  return success();
}
