//===- TilingLimits.h - Which tiles Hopper can compute ----------*- C++ -*-===//
//
// Part of Grout. Shared by the pass that chooses tilings and by whoever lowers
// them, so that both agree on what fits.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TARGET_HOPPER_TILINGLIMITS_H
#define GROUT_TARGET_HOPPER_TILINGLIMITS_H

#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Target/TargetSpec.h"
#include <string>

namespace grout::hopper {

/// Registers that a consumer thread needs for anything but accumulators.
constexpr int64_t kOtherRegisters = 32;

/// Bytes of one step of a block's share of lhs, of every rhs, and of both in
/// shared memory.
int64_t getLhsStageBytes(tgemm::ProductOpInterface op,
                         tgemm::TilingAttr tiling);
int64_t getRhsStageBytes(tgemm::ProductOpInterface op,
                         tgemm::TilingAttr tiling);
int64_t getStageBytes(tgemm::ProductOpInterface op, tgemm::TilingAttr tiling);

/// Shared memory that a block needs for a tile at least, in bytes: all stages,
/// partial sums of other blocks, and barriers. A result for which there is no
/// room beside them is stored through the last stage.
int64_t getSharedMemoryBytes(tgemm::ProductOpInterface op,
                             tgemm::TilingAttr tiling);

/// Bytes of partial sums that a block receives from those with which it shares
/// out the steps of a tile.
int64_t getExchangeBytes(tgemm::ProductOpInterface op,
                         tgemm::TilingAttr tiling);

/// How many warpgroups compute a block: one for every 64 rows of matrix
/// instructions, but two with 128 each for 256. The rows must be 64, 128, 192
/// or 256.
int64_t getConsumerWarpgroups(tgemm::TilingAttr tiling);

/// f32 accumulators that each consumer thread holds, for all products of `op`.
int64_t getAccumulatorsPerThread(tgemm::ProductOpInterface op,
                                 tgemm::TilingAttr tiling);

/// Whether a thread adds its accumulators to other registers every so many
/// steps, as the sum depth of `op` asks for.
bool addsInSteps(tgemm::ProductOpInterface op, tgemm::TilingAttr tiling);

/// Registers of a thread for accumulators, and for such sums of them.
int64_t getSumRegisters(tgemm::ProductOpInterface op, tgemm::TilingAttr tiling);

/// Whether blocks with `warpgroups` consumer warpgroups have the registers for
/// tiles of `tiling`.
bool fitsWarpgroups(tgemm::ProductOpInterface op, tgemm::TilingAttr tiling,
                    int64_t warpgroups);

/// Why `target` cannot compute `op` in tiles of `tiling`; empty if it can.
std::string findTilingProblem(tgemm::ProductOpInterface op,
                              tgemm::TilingAttr tiling,
                              const TargetSpec &target);

} // namespace grout::hopper

#endif // GROUT_TARGET_HOPPER_TILINGLIMITS_H
