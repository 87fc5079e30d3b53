//===- TilingModel.h - How long tilings take --------------------*- C++ -*-===//
//
// Part of Grout. See docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_TRANSFORMS_TILINGMODEL_H
#define GROUT_DIALECT_TGEMM_TRANSFORMS_TILINGMODEL_H

#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Target/TargetSpec.h"
#include <array>
#include <utility>
#include <vector>

namespace grout::tgemm {

/// When a kernel's blocks start, and those of the chain's next kernel.
enum class KernelStart {
  /// All at once, after the kernel before; and so do those of the next one.
  inOrder,
  /// Each block as soon as there is room for it. The only kernel of its chain,
  /// and the first of several: behind blocks of the chain's last run.
  alone,
  first,
  /// The same, behind blocks of the kernel before: between two kernels, and
  /// last of all.
  between,
  last,
};

/// How long all tiles of an op take with a tiling, without the launch, and what
/// of it each limit would take if it were the only one. The parts overlap, so
/// their sum is more than the total. All in seconds.
struct TilingTime {
  double total = 0;
  /// Of all steps: matrix instructions, loads from the cache by all processors
  /// together, and into one of them.
  double products = 0, cache = 0, entry = 0;
  /// Loads that a ring of stages does not hide, and the first of every wave.
  double latency = 0;
  /// What memory takes to deliver operands and to take the result, once each.
  double memory = 0;
  /// Of all waves: epilogues, and the sums over blocks before them.
  double epilogue = 0, exchange = 0;
  /// What it takes longer to store and add up the sums of parts.
  double sums = 0;
  /// What clusters cost beside single blocks.
  double clusters = 0;
  /// What it costs that blocks start early.
  double early = 0;
  /// The part of the total that the last wave leaves unused, or, with tiles in
  /// parts, that clusters do nothing.
  double waves = 0;
  /// What the next kernel hides of the last epilogue, the sums over blocks
  /// before it, and clusters: the total is without it.
  double hidden = 0;

  /// The parts with their names.
  std::array<std::pair<llvm::StringRef, double>, 12> getParts() const;
  /// The name of the largest part: what bounds the time.
  llvm::StringRef getBound() const;
};

/// A tiling, and how long all tiles of an op take with it, without the launch.
struct ModelledTiling {
  TilingAttr tiling;
  double seconds;
};

/// All tilings of `op` that are worth a thought on `target`, the simplest
/// first. Empty if the target has none for `op`.
std::vector<ModelledTiling>
modelTilings(MatmulOp op, const TargetSpec &target,
             KernelStart start = KernelStart::inOrder);

/// Bytes of all factors of `op`.
int64_t getOperandBytes(MatmulOp op);

/// Whether the factors of `op` are so small that they are taken to stay in the
/// cache of `target` from one run to the next.
bool stayInCache(MatmulOp op, const TargetSpec &target);

/// The modelled time of `op` in tiles of `tiling`, which a GPU `target` can
/// compute.
TilingTime modelTiling(MatmulOp op, TilingAttr tiling, const TargetSpec &target,
                       KernelStart start = KernelStart::inOrder);

/// Its total, in seconds.
double getModelledTime(MatmulOp op, TilingAttr tiling, const TargetSpec &target,
                       KernelStart start = KernelStart::inOrder);

} // namespace grout::tgemm

#endif // GROUT_DIALECT_TGEMM_TRANSFORMS_TILINGMODEL_H
