//===- TilingModel.cpp - Times of tilings on Hopper -----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Hopper/Gemm/ProductModel.h"

#include "grout/Hopper/Gemm/TilingLimits.h"
#include "grout/Hopper/Kit/MmaTraits.h"
#include "grout/Target/GPU.h"
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
static constexpr int64_t kMinTilingStages = 3;
static constexpr int64_t kMaxTilingStages = 12;
/// The stages of a convolution if at least four blocks split the steps, and all
/// blocks fill at most 7/8 of the SMs. Other convolutions have as many stages
/// as fit.
static constexpr int64_t kFewConvolutionStages = 6;
/// The least columns of a tile, unless narrow blocks of columns need fewer.
static constexpr int64_t kLeastColumns = 32;
/// Blocks of more rows than this are tall (`tallGroupLoss`).
static constexpr double kTallRows = 128;
/// With up to so many waves, we consider numbers of columns (with `swap_ab`, of
/// rows) that are not a multiple of 32.
static constexpr double kMaxWavesOfOddWidths = 3;
/// With `swap_ab`, a block's rows are a multiple of the first number, and at
/// most the second. If there is more than one row of tiles, they are at least
/// the third.
static constexpr int64_t kSwappedRowUnit = 8;
static constexpr int64_t kMaxSwappedRows = 256;
static constexpr int64_t kMinSwappedRows = 32;

/// We consider stream-K with up to so many waves, if each part has at least so
/// many K steps.
static constexpr double kMaxWavesOfStreamK = 4;
static constexpr int64_t kMinPartSteps = 8;
/// Parts of a tile. With more parts, stream-K was slower wherever it was
/// measured.
static constexpr int64_t kParts = 2;

/// Tiles that are sent to other ranks beside the next tiles hold these up for
/// this share of the time that the link takes.
static constexpr double kSendingLoss = 0.5;
/// How much longer a sum over ranks takes in kernels with clusters.
static constexpr double kSendingClusterTime = 2.5e-6;

static double getClusterTime(int64_t size, const ModelConstants &constants) {
  if (size == 1)
    return 0;
  return size <= 4 ? constants.clusterTime : constants.largestClusterTime;
}

/// Combines times of several limits into one, which is a little above the
/// largest. Limits that are close to each other hinder each other.
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

/// Models the time of `op` in tiles of `tiling`. If `equalReaders` blocks read
/// the same data at the same time, only one of them pays for it.
class TilingModel {
public:
  TilingModel(ProductOpInterface op, TilingAttr tiling,
              const TargetSpec &target, const ModelConstants &constants,
              KernelStart start, double equalReaders = 1)
      : op(op), tiling(tiling), target(target), constants(constants),
        start(start), equalReaders(equalReaders) {}

  /// Returns the modelled time of all tiles, and its components.
  TilingTime getTime();

private:
  /// Returns the time of one K step of a tile, if `blocks` blocks run on the
  /// whole GPU.
  TilingTime getStepTime(int64_t blocks);
  double getEpilogueTime();
  /// Returns the time of the split-K sum over the blocks of a cluster.
  double getExchangeTime();
  /// Add the waves of `tiles` tiles, or all tasks of a stream-K tiling, on
  /// `resident` clusters to `time`. Both return how long all of them take.
  /// Stream-K tasks do not run in waves, but when a resident cluster becomes
  /// free. The additional time for their sums is `time.sums`, and not part of
  /// the returned time.
  double addWaves(TilingTime &time, int64_t tiles, int64_t resident);
  double addParts(TilingTime &time, const StreamK &parts, int64_t resident);
  /// Returns the time of memory for operands and result, if `blocks` blocks run
  /// at a time, and `allBlocks` in all.
  double getMemoryTime(int64_t blocks, int64_t allBlocks);
  /// Returns how much longer the sum over ranks takes than `computing`, the
  /// time of all tiles in `waves` waves. Only the last wave's tiles are sent
  /// when nothing is computed.
  double getRankTime(double computing, double waves);

  ProductOpInterface op;
  TilingAttr tiling;
  const TargetSpec &target;
  const ModelConstants &constants;
  KernelStart start;
  double equalReaders;
};

} // namespace

/// Whether a kernel starts early behind another kernel of its chain; and
/// whether another kernel starts early behind this kernel.
static bool startsBehind(KernelStart start) {
  return start == KernelStart::between || start == KernelStart::last;
}
static bool hasEarlySuccessor(KernelStart start) {
  return start == KernelStart::first || start == KernelStart::between;
}

static int64_t getTiles(ProductOpInterface op, TilingAttr tiling) {
  return getModelledRowTiles(op, tiling.getM()) *
         llvm::divideCeil(op.getN(), tiling.getN());
}

/// Returns the number of tasks (clusters that compute a tile or a stream-K
/// part) of `op`.
static int64_t getTasks(ProductOpInterface op, TilingAttr tiling) {
  int64_t rows = llvm::divideCeil(op.getM(), tiling.getM());
  return getTiles(op, tiling) +
         op.getBatch() * rows * (tiling.getStreamK() - 1) * tiling.getTail();
}

/// Returns how many bytes leave L2 for `bytes` of an operand. `sharers` blocks
/// load them for each other by multicast, and `readers` blocks read them.
static double getReads(double bytes, double sharers, double readers,
                       double gain) {
  readers = std::max(readers, sharers);
  return bytes / sharers * (1 - gain * (1 - sharers / readers));
}

/// Returns the bytes of L2 lines that a step of rhs touches in addition to the
/// bytes that it loads. TMA loads rhs in rows of 128 bytes, or of 64 if the
/// columns of a block do not fill rows of 128. Two rows of 64 bytes share a
/// line, and a row that begins within a line may touch two lines. How many
/// lines are touched depends on the block and, if N is no multiple of a line,
/// on the row.
static double getExtraLineBytes(ProductOpInterface op, TilingAttr tiling) {
  // The rows lie along the reduction.
  if (op.getTransposeRhs())
    return 0;
  constexpr int64_t line = kLineBytes, rows = 8, blocks = 4;
  int64_t width = op.getInputElementType().getWidth() / 8;
  int64_t bytes =
      getRhsStageBytes(op, tiling) / (op.getNumProducts() * tiling.getK());
  int64_t box = bytes % line == 0 ? line : line / 2;
  // Rows are multiples of 16 bytes, and blocks of 32. So the places where rows
  // begin repeat themselves.
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
  // The power limit holds for all SMs together.
  double clock = std::min(constants.maxClockGain, processors / blocks);
  double multiply =
      2 * m * n * k * op.getNumProducts() /
      (constants.matrixShare * target.matrixRate / processors * clock);
  if (op.getNumGroups()) {
    if (tiling.getSwapAb())
      multiply *= 1 + constants.swappedGroupLoss;
    else if (m > kTallRows)
      multiply *= 1 + constants.tallGroupLoss;
  }

  // Operands that blocks of a cluster multicast leave L2 once.
  double lhs = getLhsStageBytes(op, tiling), rhs = getRhsStageBytes(op, tiling);
  double extra = getExtraLineBytes(op, tiling);
  double equal = 1.0 / static_cast<double>(tiling.getSplitK());
  int64_t modelledRows = getModelledRows(op);
  auto rows = static_cast<double>(modelledRows);
  // These tiles read the same rows of lhs.
  double columns = op.getColumnBlock().value_or(op.getN());
  double shared =
      getReads(lhs, tiling.getClusterN(), std::ceil(columns / n) / equalReaders,
               constants.equalLhsGain * equal) +
      getReads(rhs, tiling.getClusterM(), std::ceil(rows / m) / equalReaders,
               constants.equalRhsGain * equal) +
      constants.extraLineRead * extra / tiling.getClusterM();
  double missing = 1 - rows / llvm::alignTo(modelledRows, tiling.getM());
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
  // The block reads one stage, and loads the others.
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

  // Memory needs bytes in flight, and SMs that take them in.
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
  // With stream-K parts, all SMs end at the same time, as they do in a single
  // wave.
  if (tiling.getClusterM() == 1)
    loss += constants.waveMemoryLoss / (tiling.hasParts() ? 1 : waves);
  return (operands + result) / rate * (1 + loss);
}

double TilingModel::getRankTime(double computing, double waves) {
  std::optional<int64_t> ranks = op.getSumRanks();
  if (!ranks)
    return 0;
  int64_t elementBytes = op.getResultElementType().getWidth() / 8;
  RankSumPath path =
      target.getRankSumPath(*ranks, op.getM() * op.getN() * elementBytes);
  // Rows of staging buffers have a power of two of bytes. Short rows do not
  // fill the link's packets.
  int64_t row =
      (tiling.getSwapAb() ? tiling.getBlockN() : tiling.getResultMmaN()) *
      elementBytes;
  int64_t staged = std::min(row & -row, kLineBytes);
  double sending = path.bytes * static_cast<double>(kLineBytes) /
                   (static_cast<double>(staged) * target.linkRate);
  double last = sending / waves, beside = sending - last;
  double clusters = tiling.getClusterSize() == 1 ? 0 : kSendingClusterTime;
  return (path.isTwoShot ? 2 : 1) * target.linkTime + clusters + last +
         std::max(kSendingLoss * beside, beside - (1 - 1 / waves) * computing);
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

/// The resident clusters of a persistent kernel, which take tasks when they
/// become free.
class ResidentClusters {
public:
  explicit ResidentClusters(int64_t count) : total(count) { free[0] = count; }

  /// Runs `count` tasks of `duration` each. None of them ends before
  /// `earliest`. Returns the time at which the last task ends.
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
  /// Runs many rounds at once, with one task for each cluster: as many as
  /// change only the time. Leaves some tasks over, which are run one by one, so
  /// that the result is exact to the last bit. Returns the number of tasks that
  /// were run.
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
  /// The number of clusters that become free at each time.
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

  // Tasks run in tile order: parts, whole tiles, and tiles that add up parts. A
  // second run assumes that sums take no time.
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

  // Returns the mean of `count` for one of `resident` clusters.
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
  // When parts are added up, memory has already delivered all operands.
  time.total = together + time.sums + time.clusters;
  time.ranks = getRankTime(
      time.total, static_cast<double>(llvm::divideCeil(tiles, resident)));
  time.total += time.ranks;
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

/// Returns `tiling`, which has no parts, with other stages.
static TilingAttr withStages(TilingAttr tiling, int64_t stages) {
  return TilingAttr::get(tiling.getContext(), tiling.getM(), tiling.getN(),
                         tiling.getK(), stages, tiling.getClusterM(),
                         tiling.getClusterN(), tiling.getSplitK(),
                         tiling.getSwapAb());
}

/// Returns `tiling` with the most stages that fit; null if too few fit.
static TilingAttr getDeepestTiling(ProductOpInterface op, TilingAttr tiling,
                                   const TargetSpec &target) {
  for (int64_t stages = kMaxTilingStages; stages >= kMinTilingStages;
       --stages) {
    TilingAttr deep = withStages(tiling, stages);
    if (findTilingProblem(op, deep, target).empty())
      return deep;
  }
  return {};
}

/// Returns the number of waves in which the tiles run.
static double getWaves(ProductOpInterface op, TilingAttr tiling,
                       const TargetSpec &target) {
  return static_cast<double>(getTiles(op, tiling)) /
         static_cast<double>(
             target.getResidentClusters(tiling.getClusterSize()));
}

/// The blocks of a cluster along rows, columns and K: `cluster_m`, `cluster_n`
/// and `split_k`.
static constexpr std::array<int64_t, 3> kClusters[] = {
    {1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {1, 1, 2},
    {1, 1, 4}, {2, 1, 2}, {1, 2, 2}, {1, 1, 8}};

/// Calls `visit` with tilings for which lhs is operand A of the MMAs.
static void forEachCandidate(ProductOpInterface op, const TargetSpec &target,
                             function_ref<void(TilingAttr)> visit) {
  int64_t leastColumns =
      op.getColumnBlock() ? HopperProductModel::kColumnUnit : kLeastColumns;
  for (auto [clusterM, clusterN, splitK] : kClusters)
    // Tall blocks come first. Two warpgroups compute the tallest.
    for (int64_t m : {256, 192, 128, 64})
      // Columns that fill whole rows of shared memory come first.
      for (int64_t alignment : {64, 32, 16})
        for (int64_t n = 256; n >= leastColumns; n -= alignment) {
          bool isFirst = alignment == 64 || n % (2 * alignment) != 0;
          if (!isFirst || n % splitK != 0)
            continue;
          auto tiling = TilingAttr::get(
              op.getContext(), m * clusterM, n * clusterN, kStepSize,
              kMinTilingStages, clusterM, clusterN, splitK);
          // Odd widths fill the last wave better. With many waves, this gains
          // almost nothing.
          if (n % 32 != 0 &&
              getWaves(op, tiling, target) > kMaxWavesOfOddWidths)
            continue;
          if (TilingAttr deep = getDeepestTiling(op, tiling, target))
            visit(deep);
        }
}

/// Returns numbers of rows for blocks with `swap_ab`, multiples of `unit`:
/// those that leave the fewest rows over, for each number of tiles. Groups of
/// rows have all sizes, so blocks can have any number of rows.
static SmallVector<int64_t> getSwappedRows(ProductOpInterface op,
                                           int64_t clusterM, int64_t unit) {
  SmallVector<int64_t> found;
  int64_t m = 0;
  for (int64_t most = llvm::alignDown(kMaxSwappedRows, unit); most > 0;
       most = m - unit) {
    m = most;
    if (!op.getNumGroups()) {
      int64_t rows = llvm::divideCeil(op.getM(), most * clusterM);
      m = llvm::alignTo(llvm::divideCeil(op.getM(), rows * clusterM), unit);
      if (rows != 1 && m < kMinSwappedRows)
        break;
    }
    found.push_back(m);
  }
  return found;
}

/// Calls `visit` with tilings that have `swap_ab`. Leaves out numbers of rows
/// that are possible without.
static void forEachSwapped(ProductOpInterface op, const TargetSpec &target,
                           function_ref<void(TilingAttr)> visit) {
  constexpr std::array<int64_t, 3> clusters[] = {
      {1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {1, 1, 2}, {1, 4, 1}, {2, 2, 1},
      {4, 1, 1}, {1, 1, 4}, {2, 1, 2}, {1, 2, 2}, {1, 1, 8}};
  for (auto [clusterM, clusterN, splitK] : clusters)
    for (int64_t n : {256, 192, 128, 64}) {
      for (int64_t m : getSwappedRows(op, clusterM, kSwappedRowUnit * splitK)) {
        if (m % 64 == 0)
          continue;
        auto tiling = TilingAttr::get(op.getContext(), m * clusterM,
                                      n * clusterN, kStepSize, kMinTilingStages,
                                      clusterM, clusterN, splitK,
                                      /*swap_ab=*/true);
        if (m % 32 != 0 && getWaves(op, tiling, target) > kMaxWavesOfOddWidths)
          continue;
        if (TilingAttr deep = getDeepestTiling(op, tiling, target))
          visit(deep);
      }
    }
}

/// Returns `tiling` with stream-K for the tiles of its last wave. Returns null
/// if it has no such wave, or too many waves or too few K steps for stream-K to
/// be worth it. Returns null for several rows of tiles, too: stream-K was
/// slower there wherever it was measured.
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
  // All candidates, the simplest first.
  std::vector<ModelledTiling> tilings;
  auto add = [&](TilingAttr tiling) {
    tilings.push_back({tiling, getModelledTime(op, tiling, start)});
  };
  forEachCandidate(op, target, add);
  forEachSwapped(op, target, add);
  // A tiling with stream-K is a candidate only if it is faster than without.
  for (size_t i = 0, e = tilings.size(); i != e; ++i)
    if (TilingAttr streamK = getStreamKTiling(op, tilings[i].tiling, target)) {
      double time = getModelledTime(op, streamK, start);
      if (time < tilings[i].seconds)
        tilings.push_back({streamK, time});
    }
  return tilings;
}

/// Whether blocks that start early, as `start` says, no longer read the same
/// data at the same time. Blocks of several waves do not do so anyway, and
/// convolutions were not found to. The first kernel of a chain starts in order
/// if it leaves more than a tenth of the SMs idle, unless its operands stay in
/// the cache (see ChainTriggers.cpp).
static bool losesEqualReads(ProductOpInterface op, TilingAttr tiling,
                            const TargetSpec &target, KernelStart start) {
  int64_t size = tiling.getClusterSize();
  if (start == KernelStart::inOrder || op.loadsPixels() ||
      getTiles(op, tiling) > target.getResidentClusters(size))
    return false;
  return startsBehind(start) || stayInCache(op, target) ||
         10 * getTasks(op, tiling) * size >= 9 * target.processors;
}

/// Returns `tiling` with K steps of `k`, and as many bytes in flight.
static TilingAttr withSteps(TilingAttr tiling, int64_t k) {
  return TilingAttr::get(tiling.getContext(), tiling.getM(), tiling.getN(), k,
                         tiling.getStages() * tiling.getK() / k,
                         tiling.getClusterM(), tiling.getClusterN(),
                         tiling.getSplitK(), tiling.getSwapAb());
}

// With fewer stages, two blocks have room on an SM. So the blocks of the next
// kernel begin to load while the blocks of this kernel add up their sums.
// Convolutions took 2 to 17 % less time. With more blocks, which then share an
// SM, they took up to 27 % more.
static TilingAttr refineConvolution(ProductOpInterface op, TilingAttr tiling,
                                    const TargetSpec &target) {
  int64_t blocks = getTiles(op, tiling) * tiling.getClusterSize();
  bool refines = tiling.getSplitK() >= 4 && 8 * blocks <= 7 * target.processors;
  return refines ? withStages(tiling, kFewConvolutionStages) : tiling;
}

// If a block has a single consumer warpgroup, no other warpgroup computes while
// it passes from one step to the next. Half as many steps, each twice as deep,
// took 0 to 4 % less time in layers (benchmarks/RESULTS.md). With several
// warpgroups, they took up to 2 % more.
TilingAttr HopperProductModel::refineTiling(ProductOpInterface op,
                                            TilingAttr tiling) const {
  if (tiling.getK() != kStepSize || tiling.getStages() != kMaxTilingStages ||
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
  // The model does not know the cost of a step or of a stage.
  if (tiling.getK() == kDeepStepSize && tiling.getStreamK() == 1)
    tiling = withSteps(tiling, kStepSize);
  if (op.loadsPixels() && tiling.getStages() == kFewConvolutionStages &&
      tiling.getStreamK() == 1)
    if (TilingAttr deep = withStages(tiling, kMaxTilingStages);
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
