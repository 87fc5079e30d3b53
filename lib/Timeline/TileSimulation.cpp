//===- TileSimulation.cpp - Modelled times of tiles -----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Timeline/TileSimulation.h"

#include "llvm/Support/MathExtras.h"
#include <queue>
#include <utility>

using namespace mlir;
using namespace grout;

/// Microseconds from the end of one kernel to the start of the next.
static double getLaunchTime(const TargetSpec &target) {
  return 1e6 * target.launchTime;
}

/// What is left of them where the next kernel is there already, which is also
/// what a block is taken to need until it can start on a tile.
static double getEarlyLaunchTime(const TargetSpec &target) {
  return std::max(0.0, 1e6 * (target.launchTime - target.earlyLaunchGain));
}

/// Blocks that run one tile of `kernel` on `target`.
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

/// When each semaphore of an edge is complete.
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

  /// The time at which the box of (tile, step) is complete.
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

/// At how many steps of a tile the model looks for waits, evenly spaced.
static constexpr int64_t kMaxModelledSteps = 1 << 12;

/// The end of a tile that starts at `start`, runs `steps` steps of `stepTime`
/// each, and waits for `edges`.
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
  // Those that share one are not launched apart.
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

  // The launch of each resident's block.
  std::vector<unsigned> blocks(run.residents, 0);

  // When tiles of the current kernel may be claimed, and when they can run.
  double kernelStart = 0, kernelReady = 0;
  unsigned current = 0;
  for (const TileTask &task : *tasks) {
    tsync::LaunchWait wait = launchWaits[task.kernel];
    unsigned launch =
        wait == tsync::LaunchWait::Never ? 0 : launches[task.kernel];
    if (launch != current) {
      current = launch;
      // The kernel before lets this one start when it need not wait any more.
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
    // Where launches wait for launches, `kernelReady` is when they need not.
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
