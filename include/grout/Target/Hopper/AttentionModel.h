//===- AttentionModel.h - Attention on Hopper -------------------*- C++ -*-===//
//
// Part of Grout. Which tiles there are, and which are chosen. Shared by the
// pass that chooses and by the lowering, so that both agree on what fits.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TARGET_HOPPER_ATTENTIONMODEL_H
#define GROUT_TARGET_HOPPER_ATTENTIONMODEL_H

#include "grout/Dialect/TGemm/Transforms/AttentionModel.h"
#include "grout/Runtime/DeviceABI.h"
#include "grout/Target/Hopper/Mma.h"
#include <optional>

namespace grout::hopper {

/// What was fitted to measured times of attention on a processor.
struct AttentionConstants {
  /// Stages of a tiling that is chosen.
  int64_t stages;
  /// Keys of a block from which on few tiles load them in large steps.
  int64_t longBlock;
  /// Rows of a tile up to which it is bound by memory.
  int64_t fewRows;
  /// Warpgroups that share out the steps of a block that is alone on its
  /// processor, stages for each, and keys up to which they do so rather than
  /// two blocks.
  int64_t sharers;
  int64_t sharedStages;
  int64_t sharedKeys;
  /// Keys that each of two blocks on a processor has at least, where heads are
  /// large.
  int64_t pairedBlock;
  /// Keys of a block from which on warpgroups share out what it has of those of
  /// a tile.
  int64_t sharedBlock;
  /// Keys, for each tile, from which on those of few tiles are in parts; how
  /// many parts are worth it, and are at most; and what keys of a part are a
  /// multiple of.
  int64_t partedKeys;
  int64_t leastParts;
  int64_t mostParts;
  int64_t partMultiple;
};

class HopperAttentionModel : public tgemm::AttentionModel {
public:
  HopperAttentionModel(const TargetSpec &target,
                       const AttentionConstants &constants)
      : target(target), constants(constants) {}

  const AttentionConstants &getConstants() const { return constants; }

  std::string findProblem(tgemm::AttentionOp op) const override;
  std::string
  findTilingProblem(tgemm::AttentionOp op,
                    tgemm::AttentionTilingAttr tiling) const override;
  tgemm::AttentionTilingAttr chooseTiling(tgemm::AttentionOp op) const override;
  std::optional<int64_t> choosePartKeys(tgemm::AttentionOp op) const override;
  /// One kernel has no kinds of tiles but products.
  bool hasOwnLaunch() const override { return true; }

private:
  TargetSpec target;
  AttentionConstants constants;
};

/// Queries that 64 rows of matrix instructions have of each of `heads` heads.
/// Rows that are left have no query.
inline int64_t getRowGroupQueries(int64_t heads) { return kMmaRows / heads; }
/// How many times 64 rows of matrix instructions a tile of `tiling` takes.
int64_t getRowGroups(tgemm::AttentionTilingAttr tiling);

/// Where things are in the shared memory of a block, in bytes from its start:
/// rows of queries, which the result takes the place of; rings of keys and of
/// values; what the blocks of a cluster send to this one, if they share out
/// steps: largest scores and sums, and sums of values; or what warpgroups that
/// do leave to each other; barriers.
struct AttentionMemory {
  /// Blocks of 64 elements that a row of keys, and of values, takes.
  int64_t keyChunks = 0, valueChunks = 0;
  int64_t keyOffset = 0, valueOffset = 0;
  int64_t statisticsOffset = 0, partsOffset = 0, barrierOffset = 0;
  int64_t sharedBytes = 0;
};

/// What the warpgroups of a block, which share out steps, leave to each other,
/// each thread in vectors of four: the largest scores and sums of its two rows,
/// and then its sums of values, a vector for each group of 8 columns. A thread
/// reads what those with its number have left, which have the same rows and
/// columns.
struct WarpgroupJoinLayout {
  static constexpr int64_t kVectorBytes = 4 * sizeof(float);

  int64_t groups;

  static WarpgroupJoinLayout get(tgemm::AttentionOp op);
  /// Bytes of one vector of each thread, and of what one warpgroup leaves.
  int64_t getVectorBytes() const { return kWarpgroupThreads * kVectorBytes; }
  int64_t getWarpgroupBytes() const { return (1 + groups) * getVectorBytes(); }
};

/// What the blocks of a cluster, which share out steps, send to each other,
/// each of their warpgroups for itself: of the rows that there are, each one's
/// largest score and sum, to all blocks, and its sums of values, in groups of
/// 8, to one block for each group.
struct JoinLayout {
  static constexpr int64_t kGroup = 8;
  static constexpr int64_t kStatisticsBytes = 2 * sizeof(float);

  int64_t splits, warpgroups, rows, groups;

  static JoinLayout get(tgemm::AttentionOp op,
                        tgemm::AttentionTilingAttr tiling);
  /// Warpgroups of all blocks.
  int64_t getSenders() const { return splits * warpgroups; }
  /// The most groups that a block has, and the bytes of a row of these.
  int64_t getGroupsOfBlock() const;
  int64_t getRowBytes() const {
    return getGroupsOfBlock() * kGroup * sizeof(float);
  }
  /// Bytes of what one warpgroup sends a block.
  int64_t getStatisticsBytes() const { return rows * kStatisticsBytes; }
  int64_t getPartBytes() const { return rows * getRowBytes(); }
};

/// Lays out the memory for tiles of `tiling`.
AttentionMemory layOutAttention(tgemm::AttentionOp op,
                                tgemm::AttentionTilingAttr tiling);

/// The registers of a block's threads for tiles of `tiling`; none if they do
/// not do.
std::optional<kernelabi::RegisterShare>
chooseAttentionRegisters(tgemm::AttentionOp op,
                         tgemm::AttentionTilingAttr tiling);

/// Why `target` cannot compute `op`, and why not in tiles of `tiling`; empty if
/// it can.
std::string findAttentionProblem(tgemm::AttentionOp op);
std::string findAttentionTilingProblem(tgemm::AttentionOp op,
                                       tgemm::AttentionTilingAttr tiling,
                                       const TargetSpec &target);

} // namespace grout::hopper

#endif // GROUT_TARGET_HOPPER_ATTENTIONMODEL_H
