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
#include <optional>

namespace grout::hopper {

class HopperAttentionModel : public tgemm::AttentionModel {
public:
  explicit HopperAttentionModel(const TargetSpec &target) : target(target) {}

  std::string findProblem(tgemm::AttentionOp op) const override;
  std::string
  findTilingProblem(tgemm::AttentionOp op,
                    tgemm::AttentionTilingAttr tiling) const override;
  tgemm::AttentionTilingAttr chooseTiling(tgemm::AttentionOp op) const override;
  /// One kernel has no kinds of tiles but products.
  bool hasOwnLaunch() const override { return true; }

private:
  TargetSpec target;
};

/// Where things are in the shared memory of a block, in bytes from its start.
struct AttentionMemory {
  /// Blocks of 64 elements that a row of keys, and of values, takes.
  int64_t keyChunks, valueChunks;
  int64_t keyOffset, valueOffset, statisticsOffset, barrierOffset, sharedBytes;
};

/// Bytes of a row of sums of values, where blocks that share out steps join
/// what they have: padded, so that rows begin in different banks.
int64_t getJoinRowBytes(tgemm::AttentionOp op);

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
