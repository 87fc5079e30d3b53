//===- TilingModel.cpp - How long tilings take on Hopper ------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Target/Hopper/ProductModel.h"

#include "grout/Target/GPU.h"
#include "grout/Target/Hopper/Mma.h"
#include "grout/Target/Hopper/TilingLimits.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <cmath>
#include <map>
#include <utility>

using namespace mlir;
using namespace grout;
using namespace grout::hopper;
using namespace grout::tgemm;

static constexpr int64_t kStepSize = 64;
static constexpr int64_t kDeepStepSize = 128;
static constexpr int64_t kMinStages = 3;
static constexpr int64_t kMaxStages = 12;
/// What convolutions take instead of the most, where four or more blocks share
/// out steps, and all are at most 7/8 of the processors.
static constexpr int64_t kFewStages = 6;
/// Columns of a tile, unless narrow blocks of columns need fewer.
static constexpr int64_t kLeastColumns = 32;
/// Waves up to which columns (with `swap_ab` rows) that are no multiple of 32
/// are considered.
static constexpr double kMaxWavesOfOddWidths = 3;
/// Rows of a block with `swap_ab`: multiples of this many, up to so many, and,
/// where there are several tiles, no fewer than so many.
static constexpr int64_t kSwappedRowUnit = 8;
static constexpr int64_t kMaxSwappedRows = 256;
static constexpr int64_t kMinSwappedRows = 32;

/// Waves up to which stream-K is considered, and K steps that each part needs.
static constexpr double kMaxWavesOfStreamK = 4;
static constexpr int64_t kMinPartSteps = 8;
/// Parts of a tile. More have lost wherever they were measured.
static constexpr int64_t kParts = 2;

static double getClusterTime(int64_t size, const ModelConstants &constants) {
  if (size == 1)
    return 0;
  return size <= 4 ? constants.clusterTime : constants.largestClusterTime;
}

/// The value that several limits leave, a little above the largest: limits that
/// are close hinder each other.
static double combine(ArrayRef<double> times, double power) {
  double sum = 0;
  for (double time : times)
    sum += std::pow(time, power);
  return std::pow(sum, 1 / power);
}

static bool hasFunctions(ProductOpInterface op) {
  WalkResult result = op.getEpilogue().walk([](Operation *inner) {
    bool isFunction = inner->getName().getDialectNamespace() == "math";
    return isFunction ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

namespace {

/// Models `op` in tiles of `tiling`. Of `equalReaders` blocks that read the
/// same, one pays.
class TilingModel {
public:
  TilingModel(ProductOpInterface op, TilingAttr tiling,
              const TargetSpec &target, const ModelConstants &constants,
              KernelStart start, double equalReaders = 1)
      : op(op), tiling(tiling), target(target), constants(constants),
        start(start), equalReaders(equalReaders) {}

  /// Modelled time of all tiles, and what it consists of.
  TilingTime getTime();

private:
  /// One K step of a tile, while `blocks` blocks run on the whole GPU.
  TilingTime getStepTime(int64_t blocks);
  double getEpilogueTime();
  /// Of the split-K sum over blocks of a cluster.
  double getExchangeTime();
  /// Adds the waves of `tiles` tiles on `resident` clusters to `time`; returns
  /// how long all take. Stream-K tiles are not run in waves, but as resident
  /// clusters become free; what their sums take longer is told apart.
  double addWaves(TilingTime &time, int64_t tiles, int64_t resident);
  double addParts(TilingTime &time, const StreamK &parts, int64_t resident);
  /// Of operands and result, by `blocks` blocks at a time, `allBlocks` in all.
  double getMemoryTime(int64_t blocks, int64_t allBlocks);

  ProductOpInterface op;
  TilingAttr tiling;
  const TargetSpec &target;
  const ModelConstants &constants;
  KernelStart start;
  double equalReaders;
};

} // namespace

/// Whether a kernel starts early behind another one of its chain; and whether
/// another one does behind it.
static bool startsBehind(KernelStart start) {
  return start == KernelStart::between || start == KernelStart::last;
}
static bool hasEarlySuccessor(KernelStart start) {
  return start == KernelStart::first || start == KernelStart::between;
}

static int64_t getTiles(ProductOpInterface op, TilingAttr tiling) {
  return op.getBatch() * llvm::divideCeil(op.getM(), tiling.getM()) *
         llvm::divideCeil(op.getN(), tiling.getN());
}

/// Clusters that compute `op`, stream-K parts included.
static int64_t getTasks(ProductOpInterface op, TilingAttr tiling) {
  int64_t rows = llvm::divideCeil(op.getM(), tiling.getM());
  return getTiles(op, tiling) +
         op.getBatch() * rows * (tiling.getStreamK() - 1) * tiling.getTail();
}

/// What leaves the cache for `bytes` of an operand: `sharers` blocks load it
/// for each other, and `readers` read it.
static double getReads(double bytes, double sharers, double readers,
                       double gain) {
  readers = std::max(readers, sharers);
  return bytes / sharers * (1 - gain * (1 - sharers / readers));
}

/// Bytes of the lines of the cache that a step of rhs touches beyond those that
/// its bytes fill. It is loaded in rows of 128 bytes, or of 64 where the
/// columns of a block do not fill those: two of these are in one line, and a
/// row that begins within a line may be in two. How many lines that are depends
/// on the block, and, where N is no multiple of a line, on the row.
static double getExtraLineBytes(ProductOpInterface op, TilingAttr tiling) {
  // These rows lie along the reduction.
  if (op.getTransposeRhs())
    return 0;
  constexpr int64_t line = kLineBytes, rows = 8, blocks = 4;
  int64_t width = op.getInputElementType().getWidth() / 8;
  int64_t bytes =
      getRhsStageBytes(op, tiling) / (op.getNumProducts() * tiling.getK());
  int64_t box = bytes % line == 0 ? line : line / 2;
  // Extents are multiples of 16 bytes, and blocks of 32: where rows begin
  // repeats itself.
  int64_t touched = 0, count = 0;
  for (int64_t block = 0;
       block != blocks && block * tiling.getBlockN() < op.getN(); ++block)
    for (int64_t row = 0; row != rows; ++row) {
      int64_t begin = (block * tiling.getBlockN() + row * op.getN()) * width;
      for (int64_t offset = begin; offset != begin + bytes; offset += box)
        touched += (offset + box - 1) / line - offset / line + 1;
      ++count;
    }
  double extra = static_cast<double>(touched) / static_cast<double>(count) -
                 static_cast<double>(bytes) / line;
  return extra * line * op.getNumProducts() * tiling.getK();
}

TilingTime TilingModel::getStepTime(int64_t blocks) {
  double processors = target.processors;
  double m = tiling.getBlockM(), n = tiling.getBlockN(), k = tiling.getK();
  // The power limit holds for all processors together.
  double clock = std::min(constants.maxClockGain, processors / blocks);
  double multiply =
      2 * m * n * k * op.getNumProducts() /
      (constants.matrixShare * target.matrixRate / processors * clock);

  // Operands that blocks of a cluster share leave the cache once.
  double lhs = getLhsStageBytes(op, tiling), rhs = getRhsStageBytes(op, tiling);
  double extra = getExtraLineBytes(op, tiling);
  double equal = 1.0 / static_cast<double>(tiling.getSplitK());
  double rows = op.getM();
  // Those that read the same rows of lhs.
  double columns = op.getColumnBlock().value_or(op.getN());
  double shared =
      getReads(lhs, tiling.getClusterN(), std::ceil(columns / n) / equalReaders,
               constants.equalLhsGain * equal) +
      getReads(rhs, tiling.getClusterM(), std::ceil(rows / m) / equalReaders,
               constants.equalRhsGain * equal) +
      constants.extraLineRead * extra / tiling.getClusterM();
  double missing = 1 - rows / llvm::alignTo(op.getM(), tiling.getM());
  double lhsEntry = lhs * (1 + constants.missingRowLoss * missing);
  if (op.loadsPixels())
    lhsEntry *= 1 + constants.pixelLoss / tiling.getClusterN();
  else if (tiling.getClusterN() != 1)
    lhsEntry *= constants.sharedLhsLoss;
  double latency = constants.loadLatency;
  if (tiling.getClusterSize() != 1)
    latency *= constants.clusterLatencyLoss;
  TilingTime time;
  time.products = multiply;
  time.cache = shared * blocks / target.cacheRate;
  time.entry = (lhsEntry + rhs + constants.extraLineEntry * extra) /
               constants.processorLoadRate;
  // One stage is being read, the others are on their way.
  time.latency = latency / std::max<int64_t>(tiling.getStages() - 1, 1);
  time.total = combine({time.products, time.cache, time.entry, time.latency},
                       constants.power);
  return time;
}

double TilingModel::getEpilogueTime() {
  double accumulators = getAccumulatorsPerThread(op, tiling);
  double completed = accumulators / tiling.getSplitK();
  double time =
      constants.epilogueTime + constants.epilogueTimePerAccumulator * completed;
  if (hasFunctions(op))
    time += constants.functionTime;
  return time;
}

double TilingModel::getExchangeTime() {
  if (tiling.getSplitK() == 1)
    return 0;
  double accumulators = getAccumulatorsPerThread(op, tiling);
  double sent = accumulators - accumulators / tiling.getSplitK();
  return constants.exchangeTime + constants.exchangeTimePerAccumulator * sent;
}

double TilingModel::getMemoryTime(int64_t blocks, int64_t allBlocks) {
  double operands = static_cast<double>(getOperandBytes(op));
  double rows = op.getM(), columns = op.getN();
  double result = op.getBatch() * rows * columns *
                  (op.getResultElementType().getWidth() / 8.0);
  if (stayInCache(op, target))
    return result / target.memoryRate;

  // Memory needs bytes in flight, and processors to take them in.
  double inFlight = static_cast<double>(blocks * tiling.getStages()) *
                    static_cast<double>(getStageBytes(op, tiling));
  double rate =
      std::min({target.memoryRate, inFlight / constants.loadLatency,
                static_cast<double>(blocks) * constants.processorMemoryRate});
  double waves =
      std::ceil(static_cast<double>(allBlocks) / static_cast<double>(blocks));
  double slots = waves * static_cast<double>(target.processors);
  double idle = std::max(0.0, 1 - static_cast<double>(allBlocks) / slots);
  double loss = 0;
  if (tiling.getClusterSize() < constants.minClusterWithoutLoss)
    loss += constants.idleMemoryLoss * idle;
  if (startsBehind(start))
    loss += constants.earlyIdleMemoryLoss * idle;
  // With parts, all processors end at the same time, as those of one wave do.
  if (tiling.getClusterM() == 1)
    loss += constants.waveMemoryLoss / (tiling.hasParts() ? 1 : waves);
  return (operands + result) / rate * (1 + loss);
}

double TilingModel::addWaves(TilingTime &time, int64_t tiles,
                             int64_t resident) {
  int64_t clusterSize = tiling.getClusterSize();
  int64_t steps = llvm::divideCeil(llvm::divideCeil(op.getK(), tiling.getK()),
                                   tiling.getSplitK());
  double allWaves = 0;
  auto addSome = [&](int64_t count, int64_t active) {
    TilingTime step = getStepTime(active * clusterSize);
    double epilogue = getEpilogueTime(), exchange = getExchangeTime();
    allWaves += count * (steps * step.total + epilogue + exchange +
                         constants.loadLatency);
    time.products += count * steps * step.products;
    time.cache += count * steps * step.cache;
    time.entry += count * steps * step.entry;
    time.latency += count * (steps * step.latency + constants.loadLatency);
    time.epilogue += count * epilogue;
    time.exchange += count * exchange;
  };
  int64_t full = tiles / resident, rest = tiles % resident;
  if (full)
    addSome(full, resident);
  if (rest)
    addSome(1, rest);
  return allWaves;
}

namespace {

/// Resident clusters of a persistent kernel, which take tasks as they become
/// free.
class ResidentClusters {
public:
  explicit ResidentClusters(int64_t count) : total(count) { free[0] = count; }

  /// Runs `count` tasks of `duration` each, none of which ends before
  /// `earliest`. Returns when the last of them ends.
  double run(int64_t count, double duration, double earliest = 0) {
    double end = 0;
    while (count > 0) {
      count -= runRounds(count, duration, earliest);
      auto [start, idle] = *free.begin();
      free.erase(free.begin());
      int64_t taken = std::min(count, idle);
      double ends = std::max(start + duration, earliest);
      free[ends] += taken;
      if (idle != taken)
        free[start] += idle - taken;
      end = std::max(end, ends);
      count -= taken;
    }
    return end;
  }

private:
  /// Runs as many rounds of one task for each cluster as change nothing but the
  /// time, and leave some tasks over. Returns how many tasks that were. Few are
  /// left to be run one after the other, which is exact to the last bit.
  int64_t runRounds(int64_t count, double duration, double earliest) {
    int64_t rounds = count / total - 64;
    double first = free.begin()->first, last = free.rbegin()->first;
    if (rounds <= 0 || last > first + duration || first + duration < earliest)
      return 0;
    std::map<double, int64_t> later;
    for (auto [start, idle] : free)
      later[start + static_cast<double>(rounds) * duration] += idle;
    free = std::move(later);
    return rounds * total;
  }

  int64_t total;
  /// How many are free from a time on.
  std::map<double, int64_t> free;
};

} // namespace

double TilingModel::addParts(TilingTime &time, const StreamK &parts,
                             int64_t resident) {
  int64_t tail = parts.rows * parts.columns;
  int64_t whole = parts.rows * parts.firstColumn;
  int64_t tasks = whole + tail * parts.parts;
  int64_t steps = llvm::divideCeil(op.getK(), tiling.getK());
  TilingTime step =
      getStepTime(std::min(tasks, resident) * tiling.getClusterSize());
  double accumulators = getAccumulatorsPerThread(op, tiling);
  double store = constants.storeSumsTime +
                 constants.storeSumsTimePerAccumulator * accumulators;
  double add =
      (parts.parts - 1) * (constants.addSumsTime +
                           constants.addSumsTimePerAccumulator * accumulators);
  double epilogue = getEpilogueTime();
  double partTime = parts.partSteps * step.total + constants.loadLatency;
  double lastTime =
      (steps - parts.firstStep) * step.total + constants.loadLatency;

  // In tile order: parts, whole tiles, and those that add parts up; and the
  // same if sums were free.
  auto run = [&](double store, double latency, double add) {
    ResidentClusters clusters(resident);
    double stored =
        clusters.run(tail * (parts.parts - 1), partTime + store) + latency;
    double end = clusters.run(whole, steps * step.total + epilogue +
                                         constants.loadLatency);
    return std::max(end, clusters.run(tail, lastTime + add + epilogue,
                                      stored + add + epilogue));
  };
  double end = run(store, constants.postLatency, add);
  double endOfSteps = run(/*store=*/0, /*latency=*/0, /*add=*/0);

  // What one of `resident` clusters does of it in the mean.
  auto getMean = [&](int64_t count) {
    return static_cast<double>(count) / static_cast<double>(resident);
  };
  double rounds = getMean((whole + tail) * steps);
  double starts = getMean(tasks) * constants.loadLatency;
  time.products = rounds * step.products;
  time.cache = rounds * step.cache;
  time.entry = rounds * step.entry;
  time.latency = rounds * step.latency + starts;
  time.epilogue = getMean(whole + tail) * epilogue;
  time.waves = endOfSteps - (rounds * step.total + starts + time.epilogue);
  time.sums = end - endOfSteps;
  return endOfSteps;
}

TilingTime TilingModel::getTime() {
  int64_t clusterSize = tiling.getClusterSize();
  int64_t resident = target.getResidentClusters(clusterSize);
  int64_t tiles = getTiles(op, tiling);
  TilingTime time;
  std::optional<StreamK> parts;
  if (tiling.hasParts())
    parts = StreamK::get(tiling, op.getM(), op.getN(), op.getK(),
                         op.getNumProducts());
  int64_t tasks = getTasks(op, tiling);
  double allWaves = parts ? addParts(time, *parts, resident)
                          : addWaves(time, tiles, resident);
  // No tiling is faster than memory.
  time.memory = getMemoryTime(std::min(tasks, resident) * clusterSize,
                              tasks * clusterSize);
  double together = combine({allWaves, time.memory}, constants.power);
  time.clusters = getClusterTime(clusterSize, constants);
  // When parts are added up, memory has delivered what it had to.
  time.total = together + time.sums + time.clusters;
  int64_t full = tiles / resident, rest = tiles % resident;
  if (rest && !parts)
    time.waves = time.total * static_cast<double>(resident - rest) /
                 static_cast<double>((full + 1) * resident);
  if (hasEarlySuccessor(start))
    time.hidden = constants.hiddenShare *
                  (getEpilogueTime() + getExchangeTime() + time.clusters);
  time.total -= time.hidden;
  return time;
}

/// `tiling`, which has no parts, with other stages.
static TilingAttr withStages(TilingAttr tiling, int64_t stages) {
  return TilingAttr::get(tiling.getContext(), tiling.getM(), tiling.getN(),
                         tiling.getK(), stages, tiling.getClusterM(),
                         tiling.getClusterN(), tiling.getSplitK(),
                         tiling.getSwapAb());
}

/// The most stages that fit with `tiling`; null if too few do.
static TilingAttr getDeepestTiling(ProductOpInterface op, TilingAttr tiling,
                                   const TargetSpec &target) {
  for (int64_t stages = kMaxStages; stages >= kMinStages; --stages) {
    TilingAttr deep = withStages(tiling, stages);
    if (findTilingProblem(op, deep, target).empty())
      return deep;
  }
  return {};
}

/// Waves in which the tiles run.
static double getWaves(ProductOpInterface op, TilingAttr tiling,
                       const TargetSpec &target) {
  return static_cast<double>(getTiles(op, tiling)) /
         static_cast<double>(
             target.getResidentClusters(tiling.getClusterSize()));
}

/// Blocks of a cluster along rows, columns and K: `cluster_m`, `cluster_n` and
/// `split_k`.
static constexpr std::array<int64_t, 3> kClusters[] = {
    {1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {1, 1, 2},
    {1, 1, 4}, {2, 1, 2}, {1, 2, 2}, {1, 1, 8}};

/// Calls `visit` with tilings in which lhs is operand A of the MMAs.
static void forEachCandidate(ProductOpInterface op, const TargetSpec &target,
                             function_ref<void(TilingAttr)> visit) {
  int64_t leastColumns =
      op.getColumnBlock() ? HopperProductModel::kColumnUnit : kLeastColumns;
  for (auto [clusterM, clusterN, splitK] : kClusters)
    // Tall blocks first, of which two warpgroups compute the most.
    for (int64_t m : {256, 192, 128, 64})
      // Whole rows of shared memory first.
      for (int64_t alignment : {64, 32, 16})
        for (int64_t n = 256; n >= leastColumns; n -= alignment) {
          bool isFirst = alignment == 64 || n % (2 * alignment) != 0;
          if (!isFirst || n % splitK != 0)
            continue;
          auto tiling = TilingAttr::get(op.getContext(), m * clusterM,
                                        n * clusterN, kStepSize, kMinStages,
                                        clusterM, clusterN, splitK);
          // Odd widths fill a last wave better; of many waves that is nothing.
          if (n % 32 != 0 &&
              getWaves(op, tiling, target) > kMaxWavesOfOddWidths)
            continue;
          if (TilingAttr deep = getDeepestTiling(op, tiling, target))
            visit(deep);
        }
}

/// The same for the transposed rhs. Blocks have as many rows as leave the
/// fewest over: the next multiple of what a number of tiles needs. Those that
/// are possible without swapped operands, too, are left out.
static void forEachSwapped(ProductOpInterface op, const TargetSpec &target,
                           function_ref<void(TilingAttr)> visit) {
  constexpr std::array<int64_t, 3> clusters[] = {
      {1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {1, 1, 2}, {1, 4, 1}, {2, 2, 1},
      {4, 1, 1}, {1, 1, 4}, {2, 1, 2}, {1, 2, 2}, {1, 1, 8}};
  for (auto [clusterM, clusterN, splitK] : clusters)
    for (int64_t n : {256, 192, 128, 64}) {
      int64_t unit = kSwappedRowUnit * splitK, m = 0;
      for (int64_t most = llvm::alignDown(kMaxSwappedRows, unit); most > 0;
           most = m - unit) {
        int64_t rows = llvm::divideCeil(op.getM(), most * clusterM);
        m = llvm::alignTo(llvm::divideCeil(op.getM(), rows * clusterM), unit);
        if (rows != 1 && m < kMinSwappedRows)
          break;
        if (m % 64 == 0)
          continue;
        auto tiling =
            TilingAttr::get(op.getContext(), m * clusterM, n * clusterN,
                            kStepSize, kMinStages, clusterM, clusterN, splitK,
                            /*swap_ab=*/true);
        if (m % 32 != 0 && getWaves(op, tiling, target) > kMaxWavesOfOddWidths)
          continue;
        if (TilingAttr deep = getDeepestTiling(op, tiling, target))
          visit(deep);
      }
    }
}

/// `tiling` with stream-K for the tiles of its last wave. Null if it has no
/// such wave, or more waves or fewer K steps than are worth it. So are several
/// rows of tiles: with those, stream-K has lost wherever it was measured.
static TilingAttr getStreamKTiling(ProductOpInterface op, TilingAttr tiling,
                                   const TargetSpec &target) {
  int64_t rows = llvm::divideCeil(op.getM(), tiling.getM());
  int64_t columns = llvm::divideCeil(op.getN(), tiling.getN());
  int64_t steps = llvm::divideCeil(op.getK(), tiling.getK());
  int64_t rest = columns % target.getResidentClusters(tiling.getClusterSize());
  if (op.isBatched() || rows != 1 || tiling.getSplitK() != 1 || rest == 0 ||
      steps < kParts * kMinPartSteps ||
      getWaves(op, tiling, target) > kMaxWavesOfStreamK)
    return {};
  TilingAttr streamK = tiling.withParts(kParts, rest);
  return findTilingProblem(op, streamK, target).empty() ? streamK
                                                        : TilingAttr();
}

std::vector<ModelledTiling>
HopperProductModel::modelTilings(ProductOpInterface op,
                                 KernelStart start) const {
  // All that are considered, the simplest first.
  std::vector<ModelledTiling> tilings;
  auto add = [&](TilingAttr tiling) {
    tilings.push_back({tiling, getModelledTime(op, tiling, start)});
  };
  forEachCandidate(op, target, add);
  forEachSwapped(op, target, add);
  // What gains nothing by stream-K is no candidate with it.
  for (size_t i = 0, e = tilings.size(); i != e; ++i)
    if (TilingAttr streamK = getStreamKTiling(op, tilings[i].tiling, target)) {
      double time = getModelledTime(op, streamK, start);
      if (time < tilings[i].seconds)
        tilings.push_back({streamK, time});
    }
  return tilings;
}

/// Whether blocks that start early, as `start` says, lose equal reads. Those of
/// several waves do not read the same at the same time anyway, nor were those
/// of convolutions found to. The first kernel starts in order if it leaves
/// processors idle, unless it takes no time (see ProgrammaticLaunch).
static bool losesEqualReads(ProductOpInterface op, TilingAttr tiling,
                            const TargetSpec &target, KernelStart start) {
  int64_t size = tiling.getClusterSize();
  if (start == KernelStart::inOrder || op.loadsPixels() ||
      getTiles(op, tiling) > target.getResidentClusters(size))
    return false;
  return startsBehind(start) || stayInCache(op, target) ||
         10 * getTasks(op, tiling) * size >= 9 * target.processors;
}

/// `tiling` with steps of `k`, and as much in flight.
static TilingAttr withSteps(TilingAttr tiling, int64_t k) {
  return TilingAttr::get(tiling.getContext(), tiling.getM(), tiling.getN(), k,
                         tiling.getStages() * tiling.getK() / k,
                         tiling.getClusterM(), tiling.getClusterN(),
                         tiling.getSplitK(), tiling.getSwapAb());
}

// Two blocks have room on a processor so, and the next kernel's begin to load
// while this one's add up what they have. Convolutions took 2 to 17 % less
// time; with more blocks, which then share a processor, up to 27 % more.
static TilingAttr refineConvolution(ProductOpInterface op, TilingAttr tiling,
                                    const TargetSpec &target) {
  int64_t blocks = getTiles(op, tiling) * tiling.getClusterSize();
  bool refines = tiling.getSplitK() >= 4 && 8 * blocks <= 7 * target.processors;
  return refines ? withStages(tiling, kFewStages) : tiling;
}

// Where one warpgroup computes, no other does while it passes from one step to
// the next. Half as many steps, each twice as deep, took 0 to 4 % less in
// layers (benchmarks/RESULTS.md); with several warpgroups they took up to 2 %
// more.
TilingAttr HopperProductModel::refineTiling(ProductOpInterface op,
                                            TilingAttr tiling) const {
  if (tiling.getK() != kStepSize || tiling.getStages() != kMaxStages ||
      tiling.getMmaM() != kMmaRows || tiling.getStreamK() != 1)
    return tiling;
  if (op.loadsPixels())
    return refineConvolution(op, tiling, target);
  if (op.getSumDepth() || op.getK() % (kDeepStepSize * tiling.getSplitK()) != 0)
    return tiling;
  TilingAttr deep = withSteps(tiling, kDeepStepSize);
  return findTilingProblem(op, deep, target).empty() ? deep : tiling;
}

TilingTime HopperProductModel::modelTiling(ProductOpInterface op,
                                           TilingAttr tiling,
                                           KernelStart start) const {
  // The model knows nothing of what steps and stages cost by themselves.
  if (tiling.getK() == kDeepStepSize && tiling.getStreamK() == 1)
    tiling = withSteps(tiling, kStepSize);
  if (op.loadsPixels() && tiling.getStages() == kFewStages &&
      tiling.getStreamK() == 1)
    if (TilingAttr deep = withStages(tiling, kMaxStages);
        refineTiling(op, deep) == tiling &&
        findTilingProblem(op, deep, target).empty())
      tiling = deep;
  TilingTime time = TilingModel(op, tiling, target, constants, start).getTime();
  if (losesEqualReads(op, tiling, target, start)) {
    double apart = TilingModel(op, tiling, target, constants, start,
                               constants.earlyReaders)
                       .getTime()
                       .total;
    time.early = apart - time.total;
    time.total += time.early;
  }
  return time;
}

int64_t HopperProductModel::getResidentTiles(TilingAttr tiling) const {
  return target.getResidentClusters(tiling.getClusterSize());
}
