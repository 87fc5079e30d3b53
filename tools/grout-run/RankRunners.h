//===- RankRunners.h - Running all ranks of a plan --------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_RANKRUNNERS_H
#define GROUT_TOOLS_GROUT_RUN_RANKRUNNERS_H

#include "RankMemory.h"
#include "Runner.h"

#include <functional>

namespace grout {
namespace run {

/// The tensors of each rank, in the order of the ranks.
using RankTensors = std::vector<std::vector<HostTensor>>;

/// The runners of all ranks of a plan. The ranks run at the same time, each on
/// a thread of its own, as they wait for each other. A plan that exchanges no
/// data has one rank.
class RankRunners {
public:
  /// Creates a session and buffers for each rank. `inputs` must outlive the
  /// runners.
  Status create(const OwnedModule &module, const grout_session_config &config,
                const RankTensors &inputs);

  Status runRepeatedly(const RepeatOptions &options, RepeatResult &result);
  Status fetchOutputs(RankTensors &outputs);
  /// Measures the slowest rank.
  Status measure(Timing &timing);
  /// Returns the records of one run of all ranks; see Runner::runTraced.
  Status runTraced(std::vector<SessionTrace> &traces);

private:
  using Work = std::function<Status(uint32_t rank, Runner &runner)>;

  /// Calls `work` for all ranks at the same time. Fails with the error that
  /// came first: later ones may be those of ranks that wait for the first.
  Status forEachRank(const Work &work);

  // The memory outlives the sessions that use it.
  std::unique_ptr<RankMemory> memory;
  std::vector<std::unique_ptr<Runner>> runners;
};

/// Returns a name for people: "y" if there is one rank, "y of rank 2" if there
/// are more.
std::string nameOnRank(const std::string &name, size_t rank, size_t ranks);

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_RANKRUNNERS_H
