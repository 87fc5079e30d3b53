//===- CPUProductModel.cpp - GEMMs on a CPU
//----------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Processors/CPU/CPUProductModel.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::cpu;
using namespace grout::tgemm;

/// Returns the tile size for a dimension of `extent` elements. A tile of 64 x
/// 64 f32 sums and one K step of both operands (48 KiB in f32) stay in a core's
/// second-level cache. A dimension of less than 128 elements has tiles of 32,
/// so that a small GEMM still has several tiles, for the workers and for tests
/// of their order. A tile is never larger than the dimension, because a CPU
/// does not need padding.
static int64_t chooseTileSize(int64_t extent) {
  return std::min<int64_t>(extent, extent < 128 ? 32 : 64);
}

/// Returns the tile size for `columns`, as chooseTileSize does. If the columns
/// are in blocks of `block`, the size divides `block`.
static int64_t chooseColumns(int64_t columns, std::optional<int64_t> block) {
  if (!block)
    return chooseTileSize(columns);
  int64_t size = std::min(chooseTileSize(*block), columns);
  while (*block % size != 0)
    --size;
  return size;
}

std::string CPUProductModel::findProblem(ProductOpInterface op,
                                         TilingAttr tiling) const {
  std::string problem = findPartsProblem(op, tiling);
  return problem.empty() ? findColumnBlockProblem(op, tiling) : problem;
}

std::vector<ModelledTiling>
CPUProductModel::modelTilings(ProductOpInterface op, KernelStart start) const {
  int64_t k = llvm::alignTo(chooseTileSize(op.getK()), op.getReductionBlock());
  auto tiling = TilingAttr::get(
      op.getContext(), chooseTileSize(getModelledRows(op)),
      chooseColumns(op.getN(), op.getColumnBlock()), k, /*stages=*/1);
  return {{tiling, 0}};
}
