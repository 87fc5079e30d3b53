//===- CPUAttentionModel.cpp - Attention on a CPU
//----------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Processors/CPU/CPUAttentionModel.h"

#include "grout/Conversion/TGemmToCPU/TileBodyGenerator.h"

using namespace mlir;
using namespace grout;
using namespace grout::cpu;
using namespace grout::tgemm;

/// The largest number of rows of a tile, and of keys of a step. With heads of
/// 64 elements, the data of a tile then stay in a core's second-level cache.
static constexpr int64_t kTileSize = 64;

std::string CPUAttentionModel::findProblem(AttentionOp op) const {
  if (op.getPartKeys())
    return "its keys are in parts";
  if (!fitsLocalMemory(op, 1, 1))
    return "its heads have too many elements";
  return "";
}

std::string
CPUAttentionModel::findTilingProblem(AttentionOp op,
                                     AttentionTilingAttr tiling) const {
  if (!fitsLocalMemory(op, tiling.getM(), tiling.getN()))
    return "a tile needs more than " + std::to_string(kMaxLocalBytes) +
           " bytes of local memory; use a smaller tiling";
  return "";
}

AttentionTilingAttr CPUAttentionModel::chooseTiling(AttentionOp op) const {
  int64_t rows = std::min(kTileSize, op.getQueries());
  int64_t keys = std::min(kTileSize, op.getKeys());
  while (!fitsLocalMemory(op, rows, keys))
    (rows >= keys ? rows : keys) = (std::max(rows, keys) + 1) / 2;
  return AttentionTilingAttr::get(op.getContext(), rows, keys, /*stages=*/1,
                                  /*heads=*/1, /*splits=*/1, /*warpgroups=*/1);
}
