//===- GroupRows.cpp - How many rows of tiles are issued together ---------===//
//
// Part of Grout.
//
// Measured on an H100, with orders as the only difference: 1024 x 1024 x 4096
// in tiles of 128 x 64 takes 17.3 to 20.3 us, and 2048 x 1024 x 4096 in tiles
// of 128 x 128 takes 25.9 to 28.5 us.
//
//===----------------------------------------------------------------------===//

#include "GroupRows.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>
#include <set>

using namespace mlir;
using namespace grout;
using namespace grout::tsync;

namespace {

/// An operand of which a tile reads `bytes` in a step, and whether these depend
/// on the tile's row and column.
struct SharedOperand {
  bool hasRow, hasColumn;
  int64_t bytes;
};

/// The cost of an order, in bytes for one step.
struct OrderCost {
  /// Bytes that move along the paths of all groups of processors.
  int64_t traffic = 0;
  /// Bytes in the cache. Copies in several parts of the cache count separately.
  int64_t footprint = 0;
};

} // namespace

static SmallVector<SharedOperand> getOperands(TileKernelOpInterface kernel,
                                              unsigned rank) {
  SmallVector<SharedOperand> operands;
  for (OpOperand &operand : kernel->getOpOperands()) {
    auto tensor = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!tensor || kernel.isReadAfterSteps(operand))
      continue;
    TileAccess access = kernel.getOperandAccess(operand);
    int64_t bits = tensor.getElementTypeBitWidth();
    for (int64_t size : access.localSizes)
      bits *= size;
    operands.push_back({access.map.isFunctionOfDim(rank - 2),
                        access.map.isFunctionOfDim(rank - 1), bits / 8});
  }
  return operands;
}

/// Returns the cost of groups of `groupRows` rows, if each path to the cache
/// serves `tiles` tiles at a time, and the cache has `parts` parts.
static OrderCost getCost(ArrayRef<SharedOperand> operands, int64_t rows,
                         int64_t columns, int64_t groupRows, int64_t tiles,
                         int64_t parts) {
  // For each operand, the paths along which each of its boxes comes.
  using Box = std::pair<int64_t, int64_t>;
  SmallVector<std::map<Box, std::set<int64_t>>> paths(operands.size());
  int64_t number = 0;
  for (int64_t first = 0; first < rows; first += groupRows)
    for (int64_t column = 0; column != columns; ++column)
      for (int64_t row = first, end = std::min(rows, first + groupRows);
           row != end; ++row) {
        int64_t path = number++ / tiles;
        for (auto [operand, boxes] : llvm::zip_equal(operands, paths))
          boxes[{operand.hasRow ? row : 0, operand.hasColumn ? column : 0}]
              .insert(path);
      }
  OrderCost cost;
  for (auto [operand, boxes] : llvm::zip_equal(operands, paths))
    for (const auto &[box, readers] : boxes) {
      auto copies = static_cast<int64_t>(readers.size());
      cost.traffic += operand.bytes * copies;
      cost.footprint += operand.bytes * std::min(copies, parts);
    }
  return cost;
}

int64_t tsync::chooseGroupRows(TileKernelOpInterface kernel,
                               ArrayRef<int64_t> grid,
                               const TargetSpec &target) {
  int64_t rows = grid[grid.size() - 2], columns = grid.back();
  int64_t blocks = kernel.getTileWork().clusterSize;
  // Multiplied one by one, as the product of all extents may overflow.
  for (int64_t extent : grid) {
    if (extent > target.processors)
      return kGroupRows;
    blocks *= extent;
  }
  bool isOneMatrix = llvm::all_of(grid.drop_back(2),
                                  [](int64_t extent) { return extent == 1; });
  int64_t tiles = target.pathProcessors / kernel.getTileWork().clusterSize;
  if (!isOneMatrix || blocks > target.processors || tiles < 2)
    return kGroupRows;

  SmallVector<SharedOperand> operands = getOperands(kernel, grid.size());
  SmallVector<std::pair<int64_t, OrderCost>> choices;
  auto add = [&](int64_t group) {
    choices.push_back({group, getCost(operands, rows, columns, group, tiles,
                                      target.cacheParts)});
  };
  for (int64_t group = 1; group < std::min(rows, kGroupRows); group *= 2)
    add(group);
  add(kGroupRows);
  int64_t least = INT64_MAX;
  for (auto &[group, cost] : choices)
    least = std::min(least, cost.traffic);
  llvm::erase_if(choices, [&](const auto &choice) {
    return static_cast<double>(choice.second.traffic) >
           target.maxPathTraffic * static_cast<double>(least);
  });
  return llvm::min_element(choices,
                           [](const auto &one, const auto &other) {
                             return one.second.footprint <
                                    other.second.footprint;
                           })
      ->first;
}
