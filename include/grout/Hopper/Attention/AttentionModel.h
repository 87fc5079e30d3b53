//===- AttentionModel.h - Attention on Hopper -------------------*- C++ -*-===//
//
// Part of Grout. The possible tilings of attention, and the choice among them.
// The pass that chooses tilings and the lowering share this file, so that they
// agree on which tilings fit.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_HOPPER_ATTENTION_ATTENTIONMODEL_H
#define GROUT_HOPPER_ATTENTION_ATTENTIONMODEL_H

#include "grout/Dialect/TGemm/Transforms/AttentionModel.h"
#include "grout/Hopper/Kit/MmaTraits.h"
#include "grout/Runtime/DeviceABI.h"
#include <optional>

namespace grout::hopper {

/// How long a wave of blocks takes. A wave has as many blocks as run at once,
/// and tiles of heads of up to 64 elements. The unit is the time in which a
/// wave of small blocks, two on each SM, computes with a key of 64 elements.
struct WaveCost {
  /// The time that does not depend on the number of keys.
  double start;
  /// The time for each key, without and with the part that grows with the head:
  /// a head of 64 elements adds `elements`, and smaller heads add less.
  double key;
  double elements;
};

/// Constants that were fitted to measured times of attention on a processor.
struct AttentionConstants {
  /// The stages of a chosen tiling, unless `deepStages`, `tallStages` or
  /// `sharedStages` applies.
  int64_t stages;
  /// Large blocks that have `largeWave` have `deepStages` stages, if there are
  /// more than `deepKeys` keys.
  int64_t deepKeys;
  int64_t deepStages;
  /// The times of waves of small blocks of 64 rows, of large blocks of 128
  /// rows, and of tall blocks of 192 rows. They apply if heads are small, a
  /// tile has rows of one head, and there is no bias. Steps of tall blocks have
  /// `tallKeys` keys, and there are `tallStages` stages of them.
  WaveCost smallWave;
  WaveCost largeWave;
  WaveCost tallWave;
  int64_t tallKeys;
  int64_t tallStages;
  /// If few blocks have more keys than this each, they load them in large
  /// steps.
  int64_t longBlock;
  /// Tiles with up to so many rows are bound by memory.
  int64_t fewRows;
  /// If warpgroups of one block split its steps: how many warpgroups, and how
  /// many stages for each. With up to `sharedKeys` keys, `sharers` warpgroups
  /// of one block split the keys, rather than two blocks.
  int64_t sharers;
  int64_t sharedStages;
  int64_t sharedKeys;
  /// If heads are large, each of two blocks on an SM has at least so many keys.
  int64_t pairedBlock;
  /// If a block has at least so many of a tile's keys, its warpgroups split
  /// them.
  int64_t sharedBlock;
  /// When few tiles have their keys split into parts: if there are at least
  /// `partedKeys` keys for each tile, and at least `leastParts` parts. There
  /// are at most `mostParts` parts. The keys of a part are a multiple of
  /// `partMultiple`.
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
  tgemm::HeadLimits getHeadLimits() const override;
  std::string
  findTilingProblem(tgemm::AttentionOp op,
                    tgemm::AttentionTilingAttr tiling) const override;
  tgemm::AttentionTilingAttr chooseTiling(tgemm::AttentionOp op) const override;
  std::optional<int64_t> choosePartKeys(tgemm::AttentionOp op) const override;
  /// The generator makes a kernel of one attention, so a launch has no other
  /// ops.
  bool hasOwnLaunch() const override { return true; }

private:
  TargetSpec target;
  AttentionConstants constants;
};

/// Returns how many queries of each of `heads` heads are in 64 MMA rows. The
/// remaining rows have no query.
inline int64_t getRowGroupQueries(int64_t heads) { return kMmaRows / heads; }
/// Returns how many times 64 MMA rows a tile of `tiling` takes.
int64_t getRowGroups(tgemm::AttentionTilingAttr tiling);

/// The layout of a block's shared memory, in bytes from its start. It has the
/// rows of queries, which the result replaces later; then the rings of keys and
/// of values. If the blocks of a cluster split the steps, the data follow that
/// they send to this block: largest scores and sums (`statisticsOffset`), and
/// sums of values (`partsOffset`). If only the warpgroups of the block split
/// them, the data follow that they leave to each other. The barriers come last.
struct AttentionMemory {
  /// How many times 64 elements a row of keys, and of values, takes.
  int64_t keyChunks = 0, valueChunks = 0;
  int64_t keyOffset = 0, valueOffset = 0;
  int64_t statisticsOffset = 0, partsOffset = 0, barrierOffset = 0;
  int64_t sharedBytes = 0;
};

/// The layout of the data that the warpgroups of a block leave to each other,
/// if they split steps. Each thread leaves vectors of four f32: first the
/// largest scores and sums of its two rows, then its sums of values, a vector
/// for each group of 8 columns. A thread reads the data of the threads with its
/// number in the other warpgroups, because these have the same rows and
/// columns.
struct WarpgroupJoinLayout {
  static constexpr int64_t kVectorBytes = 4 * sizeof(float);

  int64_t groups;

  static WarpgroupJoinLayout get(tgemm::AttentionOp op);
  /// Bytes of one vector of each thread, and of all data of one warpgroup.
  int64_t getVectorBytes() const { return kWarpgroupThreads * kVectorBytes; }
  int64_t getWarpgroupBytes() const { return (1 + groups) * getVectorBytes(); }
};

/// The layout of the data that the blocks of a cluster send to each other, if
/// they split steps. Each of their warpgroups sends its own data, only for rows
/// that have a query. It sends each row's largest score and sum to all blocks.
/// It sends each group of 8 sums of values to one block.
struct JoinLayout {
  static constexpr int64_t kGroup = 8;
  static constexpr int64_t kStatisticsBytes = 2 * sizeof(float);

  int64_t splits, warpgroups, rows, groups;

  static JoinLayout get(tgemm::AttentionOp op,
                        tgemm::AttentionTilingAttr tiling);
  /// Warpgroups of all blocks.
  int64_t getSenders() const { return splits * warpgroups; }
  /// The most groups that one block completes, and the bytes of a row of these.
  int64_t getGroupsOfBlock() const;
  int64_t getRowBytes() const {
    return getGroupsOfBlock() * kGroup * sizeof(float);
  }
  /// Bytes of the data that one warpgroup sends to one block.
  int64_t getStatisticsBytes() const { return rows * kStatisticsBytes; }
  int64_t getPartBytes() const { return rows * getRowBytes(); }
};

/// Lays out the memory for tiles of `tiling`.
AttentionMemory layOutAttention(tgemm::AttentionOp op,
                                tgemm::AttentionTilingAttr tiling);

/// Returns the registers of a block's threads for tiles of `tiling`; nothing if
/// no choice has enough.
std::optional<kernelabi::RegisterShare>
chooseAttentionRegisters(tgemm::AttentionOp op,
                         tgemm::AttentionTilingAttr tiling);

/// Say why `op` cannot be computed, and why `target` cannot compute it in tiles
/// of `tiling`; empty if there is no problem.
std::string findAttentionProblem(tgemm::AttentionOp op);
std::string findAttentionTilingProblem(tgemm::AttentionOp op,
                                       tgemm::AttentionTilingAttr tiling,
                                       const TargetSpec &target);

} // namespace grout::hopper

#endif // GROUT_HOPPER_ATTENTION_ATTENTIONMODEL_H
