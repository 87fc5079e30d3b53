//===- TilingLimits.h - Which tiles Hopper can compute ----------*- C++ -*-===//
//
// Part of Grout. The pass that chooses tilings and the passes that lower them
// share these limits, so that they agree on which tilings fit.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_HOPPER_GEMM_TILINGLIMITS_H
#define GROUT_HOPPER_GEMM_TILINGLIMITS_H

#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Hopper/Kit/MmaTraits.h"
#include "grout/Target/TargetSpec.h"
#include <string>

namespace grout::hopper {

/// Registers that a consumer thread needs for values other than accumulators.
constexpr int64_t kOtherRegisters = 32;

/// Return the bytes of shared memory that one K step of a block takes: for lhs,
/// for all rhs, and for both.
int64_t getLhsStageBytes(tgemm::ProductOpInterface op,
                         tgemm::TilingAttr tiling);
int64_t getRhsStageBytes(tgemm::ProductOpInterface op,
                         tgemm::TilingAttr tiling);
int64_t getStageBytes(tgemm::ProductOpInterface op, tgemm::TilingAttr tiling);

/// Returns the bytes of shared memory that a block needs at least: for all
/// stages, partial sums of other blocks, and barriers. If there is no room for
/// the result beside these, it is stored through the last stage.
int64_t getSharedMemoryBytes(tgemm::ProductOpInterface op,
                             tgemm::TilingAttr tiling);

/// Returns the bytes of partial sums that a block receives from the blocks with
/// which it splits the K steps of a tile.
int64_t getExchangeBytes(tgemm::ProductOpInterface op,
                         tgemm::TilingAttr tiling);

/// Returns the number of warpgroups that compute a block: one for every 64 MMA
/// rows, but two of 128 MMA rows each for 256. The block must have 64, 128, 192
/// or 256 MMA rows.
int64_t getConsumerWarpgroups(tgemm::TilingAttr tiling);

/// Returns the warpgroups of a block of `op` besides the producer: those that
/// compute and, if the result is summed over ranks, one that does so.
int64_t getWarpgroups(tgemm::ProductOpInterface op, tgemm::TilingAttr tiling);

/// Returns the f32 accumulators of a consumer thread, for all GEMMs of `op`.
int64_t getAccumulatorsPerThread(tgemm::ProductOpInterface op,
                                 tgemm::TilingAttr tiling);

/// Returns after how many elements of the reduction a thread adds its
/// accumulators to other registers, because of the sum depth of `op` or of
/// `mma`. None if the accumulators hold the sums until the end.
std::optional<int64_t> getSumDepth(tgemm::ProductOpInterface op,
                                   tgemm::TilingAttr tiling,
                                   const MmaTraits &mma);

/// Returns the registers of a thread for accumulators and for such sums.
int64_t getSumRegisters(tgemm::ProductOpInterface op, tgemm::TilingAttr tiling,
                        const MmaTraits &mma);

/// Whether threads of blocks with `warpgroups` consumer warpgroups have enough
/// registers for tiles of `tiling`.
bool fitsWarpgroups(tgemm::ProductOpInterface op, tgemm::TilingAttr tiling,
                    int64_t warpgroups);

/// Says why `target` cannot compute `op` in tiles of `tiling`; empty if it can.
std::string findTilingProblem(tgemm::ProductOpInterface op,
                              tgemm::TilingAttr tiling,
                              const TargetSpec &target);

} // namespace grout::hopper

#endif // GROUT_HOPPER_GEMM_TILINGLIMITS_H
