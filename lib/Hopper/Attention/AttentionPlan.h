//===- AttentionPlan.h - The shape of an attention kernel -------*- C++ -*-===//
//
// Part of Grout. The decisions of KernelPlan.h for kernels of attention. See
// docs/HopperAttention.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_HOPPER_ATTENTION_ATTENTIONPLAN_H
#define GROUT_LIB_HOPPER_ATTENTION_ATTENTIONPLAN_H

#include "grout/Conversion/Common/LaunchTensors.h"
#include "grout/Conversion/Common/SemaphoreLayout.h"
#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Hopper/Attention/AttentionModel.h"
#include "grout/Hopper/Kit/KernelPlan.h"
#include "grout/Target/TargetSpec.h"

namespace grout::hopper {

/// A tensor that threads access themselves: the index of its address among the
/// parameters, bytes from there to the first element, and bytes between
/// neighbours in (b, h, i, d or j). A stride is 0 if the element does not
/// depend on the coordinate.
struct StridedTensor {
  unsigned param = 0;
  int64_t offset = 0;
  int64_t strides[4] = {0, 0, 0, 0};
  mlir::FloatType elementType;
};

/// The plan of a kernel for one tgemm.attention.
struct AttentionPlan : KernelPlan {
  tgemm::AttentionOp op;
  tgemm::AttentionTilingAttr tiling;
  /// The grid of tiles: batches, groups of heads, groups of queries.
  llvm::SmallVector<int64_t> grid;
  /// Steps of a tile (of its part, if keys are in parts), and of one block.
  int64_t steps = 0, blockSteps = 0;
  /// The number of groups of 64 rows. With `getSharers()` warpgroups for each
  /// group, these split the group's steps.
  int64_t rowGroups = 0;
  AttentionMemory memory;
  /// The queries and the result, each once: from the loader to the consumers,
  /// and from these to the storer.
  Ring queryRing, resultRing;
  /// The keys and the values of steps: from the loader to the consumers.
  Ring keyRing, valueRing;

  llvm::SmallVector<SemaphoreWait> waits;
  llvm::SmallVector<SemaphorePost> posts;
  /// Whether query, key or value, and the bias, can be read only after the
  /// launches before have ended.
  bool loadsNeedLaunches = false, biasNeedsLaunches = false;
  /// Whether keys, or values, are prefetched before that: they are in a buffer
  /// of the caller, and so may have to come from memory.
  bool fetchesKeys = false, fetchesValues = false;

  /// Indices of tensor maps.
  unsigned queryParam = 0, keyParam = 0, valueParam = 0, resultParam = 0;
  std::optional<StridedTensor> bias;
  /// The result, if threads store it.
  std::optional<StridedTensor> result;

  int64_t getNumTiles() const { return grid[0] * grid[1] * grid[2]; }
  int64_t getNumBlocks() const { return getNumTiles() * tiling.getSplits(); }
  /// Whether the blocks of a cluster split the steps of a tile.
  bool isSplit() const { return hasCluster(); }
  /// Returns how many warpgroups split the steps of the same rows.
  int64_t getSharers() const { return tiling.getWarpgroups(); }
  /// Whether warpgroups take turns to start MMAs, so that one of them computes
  /// exponentials while the MMAs of another run (FlashAttention-3).
  bool takesTurns() const { return rowGroups != 1; }
  /// Returns the queries of each head in 64 rows.
  int64_t getRowGroupQueries() const {
    return hopper::getRowGroupQueries(tiling.getHeads());
  }
  /// Returns how many of a thread's two rows, r and r + 8 of its warp, may have
  /// a query.
  int64_t getThreadRows() const {
    int64_t rows = tgemm::AttentionOp(op).getQueries() * tiling.getHeads();
    return rows <= kMmaRows / kWarpsPerWarpgroup / 2 ? 1 : 2;
  }
  /// Whether the last tile of the heads that read the same keys has fewer
  /// heads.
  bool hasFewerHeads() const {
    return tgemm::AttentionOp(op).getGroup() % tiling.getHeads() != 0;
  }
  /// Bytes of one chunk: of the queries' rows, and of the keys or values of a
  /// step.
  int64_t getQueryChunkBytes() const;
  int64_t getStepChunkBytes() const;
  const Ring &getRing(bool isValue) const {
    return isValue ? valueRing : keyRing;
  }
  /// Returns all rings in the order in which barriers are initialised.
  llvm::SmallVector<Ring> getRings() const {
    return {queryRing, resultRing, keyRing, valueRing};
  }
  /// The role of the warpgroups that read the same stages.
  Role getStageReaders() const {
    return Role::consumers(warpgroups / getSharers());
  }
  bool usesSemaphores() const { return !waits.empty() || !posts.empty(); }
};

/// Plans the kernel of `launch`, which has one tgemm.attention. Fails with a
/// diagnostic at the op if it cannot be compiled.
mlir::FailureOr<AttentionPlan> planAttention(launch::TilesOp launch,
                                             LaunchTensors &tensors,
                                             const TargetSpec &target);

} // namespace grout::hopper

#endif // GROUT_LIB_HOPPER_ATTENTION_ATTENTIONPLAN_H
