//===- TileSimulation.cpp - Modelled times of tiles -----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Reports/TileSimulation.h"

#include "llvm/Support/MathExtras.h"
#include <queue>
#include <utility>

using namespace mlir;
using namespace grout;

/// Returns the time from the end of one kernel to the start of the next, in
/// microseconds.
static double getLaunchTime(const TargetSpec &target) {
  return 1e6 * target.launchTime;
}

/// Returns this time in microseconds if the next kernel is already on the GPU.
/// The model assumes that a block needs the same time until it can start on a
/// tile.
static double getEarlyLaunchTime(const TargetSpec &target) {
  return std::max(0.0, 1e6 * (target.launchTime - target.earlyLaunchGain));
}

/// Returns the number of blocks that compute one tile of `kernel` on `target`.
static int64_t getClusterSize(TileKernelOpInterface kernel,
                              const TargetSpec &target) {
  return target.hasClusters() ? kernel.getTileWork().clusterSize : 1;
}

double grout::getTileTime(TileKernelOpInterface kernel,
                          const TargetSpec &target) {
  TileWork work = kernel.getTileWork();
  double processors = static_cast<double>(target.processors);
  double arithmetic =
      static_cast<double>(work.flops) / (target.matrixRate / processors);
  double loads = static_cast<double>(work.bytesRead + work.bytesWritten) /
                 (target.cacheRate / processors);
  return 1e6 * std::max(arithmetic, loads) /
             static_cast<double>(getClusterSize(kernel, target)) +
         1e6 * target.tileTime;
}

namespace {

/// The times at which the semaphores of an edge are complete.
class EdgeState {
public:
  explicit EdgeState(const SemaphorePolicy &policy) : policy(policy) {
    ready.resize(getNumSemaphores(policy));
  }

  void post(ArrayRef<int64_t> tile, double time) {
    int64_t semaphore = getSemaphore(policy, tile);
    if (semaphore < 0)
      return;
    ready[semaphore] = std::max(ready[semaphore], time);
  }

  /// Returns the time at which all semaphores that (tile, step) waits for are
  /// complete.
  double getReady(ArrayRef<int64_t> tile, int64_t step) const {
    double time = 0;
    forEachSemaphore(
        policy, getWaitBox(policy, tile, step),
        [&](int64_t semaphore) { time = std::max(time, ready[semaphore]); });
    return time;
  }

  bool dependsOnStep() const { return grout::dependsOnStep(policy); }

private:
  const SemaphorePolicy &policy;
  std::vector<double> ready;
};

} // namespace

/// The number of steps of a tile, evenly spaced, at which the model looks for
/// waits.
static constexpr int64_t kMaxModelledSteps = 1 << 12;

/// Returns the end of a tile that starts at `start`, runs `steps` steps of
/// `stepTime` each, and waits for `edges`.
static double runTile(double start, double stepTime, int64_t steps,
                      ArrayRef<int64_t> tile, ArrayRef<EdgeState *> edges) {
  bool everyStep = llvm::any_of(
      edges, [](const EdgeState *edge) { return edge->dependsOnStep(); });
  int64_t stride =
      everyStep ? llvm::divideCeil(steps, kMaxModelledSteps) : steps;
  double time = start;
  for (int64_t step = 0; step < steps; step += stride) {
    for (const EdgeState *edge : edges)
      time = std::max(time, edge->getReady(tile, step));
    time += stepTime * static_cast<double>(std::min(stride, steps - step));
  }
  return time;
}

llvm::Expected<SimulatedRun>
grout::simulate(const tsync::ChainProgram &chainProgram,
                const TargetSpec &target,
                ArrayRef<tsync::LaunchWait> launchWaits) {
  const TileProgram &program = chainProgram.program;
  llvm::Expected<std::vector<TileTask>> tasks = enumerateOrder(program);
  if (!tasks)
    return tasks.takeError();

  SimulatedRun run;
  int64_t clusterSize = 1;
  std::vector<double> tileTimes;
  for (auto [index, kernel] : llvm::enumerate(chainProgram.kernels)) {
    run.kernels.push_back(program.kernels[index].name);
    tileTimes.push_back(getTileTime(kernel, target));
    clusterSize = std::max(clusterSize, getClusterSize(kernel, target));
  }
  run.residents = target.getResidentClusters(clusterSize);
  std::vector<EdgeState> edges;
  for (const SynchronisedEdge &edge : program.edges)
    edges.emplace_back(edge.policy);
  // Kernels that share a launch have the same number here.
  std::vector<unsigned> launches = {0};
  for (TileKernelOpInterface kernel : chainProgram.kernels)
    launches.push_back(launches.back() + (kernel.isLaunchedWithNext() ? 0 : 1));
  if (!llvm::is_contained(launchWaits, tsync::LaunchWait::Never))
    llvm::stable_sort(*tasks, [&](const TileTask &a, const TileTask &b) {
      return launches[a.kernel] < launches[b.kernel];
    });

  // The resident that is free first claims the next tile.
  using Free = std::pair<double, unsigned>;
  std::priority_queue<Free, std::vector<Free>, std::greater<Free>> free;
  for (unsigned resident = 0; resident < run.residents; ++resident)
    free.push({0.0, resident});

  // The launch of each resident's current block.
  std::vector<unsigned> blocks(run.residents, 0);

  // The times from which tiles of the current kernel may be claimed, and can
  // run.
  double kernelStart = 0, kernelReady = 0;
  unsigned current = 0;
  for (const TileTask &task : *tasks) {
    tsync::LaunchWait wait = launchWaits[task.kernel];
    unsigned launch =
        wait == tsync::LaunchWait::Never ? 0 : launches[task.kernel];
    if (launch != current) {
      current = launch;
      // The kernel before triggers the start of this kernel when it need not
      // wait any more.
      if (wait == tsync::LaunchWait::BeforeStart)
        kernelStart = run.end + getLaunchTime(target);
      else
        kernelStart = kernelReady;
      kernelReady = wait == tsync::LaunchWait::BeforeUse
                        ? run.end + getEarlyLaunchTime(target)
                        : kernelStart;
    }
    auto [time, resident] = free.top();
    free.pop();
    double start = std::max(time, kernelStart);
    if (std::exchange(blocks[resident], launch) != launch &&
        wait == tsync::LaunchWait::BeforeEnd)
      start += getEarlyLaunchTime(target);
    int64_t steps = program.kernels[task.kernel].steps;
    double work = tileTimes[task.kernel];
    // If launches wait for launches, the wait of this kernel ends at
    // `kernelReady`.
    double end = std::max(start, kernelReady) + work;
    SmallVector<EdgeState *> waits;
    for (auto [state, edge] : llvm::zip_equal(edges, program.edges))
      if (edge.consumer == task.kernel)
        waits.push_back(&state);
    if (!waits.empty())
      end = runTile(std::max(start, kernelReady),
                    work / static_cast<double>(steps), steps, task.tile, waits);
    for (auto [state, edge] : llvm::zip_equal(edges, program.edges))
      if (edge.producer == task.kernel)
        state.post(task.tile, end);
    run.tiles.push_back(
        {task.kernel, resident, start, end, end - start - work});
    run.end = std::max(run.end, end);
    free.push({end, resident});
  }
  return run;
}
