//===- RankMemory.h - Memory that all ranks reach ---------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_RANKMEMORY_H
#define GROUT_TOOLS_GROUT_RUN_RANKMEMORY_H

#include "OwnedModule.h"

#include <memory>
#include <vector>

namespace grout {
namespace run {

/// The symmetric memory of all ranks of a plan. All ranks are in this process.
/// On GPUs, rank r has GPU `firstGpu` + r. A plan that exchanges no data has
/// one rank, and no memory.
class RankMemory {
public:
  /// Allocates memory that is all 0. Fails if a GPU is missing, or cannot
  /// access the memory of another one.
  static Status create(const OwnedModule &module, grout_plan plan, int firstGpu,
                       std::unique_ptr<RankMemory> &memory);
  RankMemory(const RankMemory &) = delete;
  RankMemory &operator=(const RankMemory &) = delete;
  virtual ~RankMemory() = default;

  uint32_t numRanks() const { return ranks; }
  /// Gives the session of a rank its rank, its GPU and the memory. The memory
  /// must outlive the session.
  void configure(uint32_t rank, grout_session_config &config) const;

protected:
  RankMemory(uint32_t ranks, int firstGpu) : ranks(ranks), firstGpu(firstGpu) {}
  virtual Status allocate(uint64_t bytes) = 0;

  uint32_t ranks;
  int firstGpu;
  /// The address of each rank's memory; none if the plan exchanges no data.
  std::vector<void *> addresses;
};

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_RANKMEMORY_H
