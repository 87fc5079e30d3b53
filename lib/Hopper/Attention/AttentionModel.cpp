//===- AttentionModel.cpp - Attention on Hopper ---------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Hopper/Attention/AttentionModel.h"

#include "grout/Hopper/Kit/MmaTraits.h"
#include "grout/Runtime/DeviceABI.h"
#include "grout/Support/ElementTypes.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

#define DEBUG_TYPE "tgemm-assign-attention-tiling"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;
using namespace grout::tgemm;

static constexpr HeadLimits kHeadLimits = {/*unit=*/8, /*most=*/256};
static constexpr int64_t kMaxKeys = 256;
static constexpr int64_t kMaxKeyStages = 8;
/// Alignment of the data that blocks of a cluster send to each other, in bytes.
static constexpr int64_t kJoinAlignment = 16;
/// Registers that a consumer thread needs for values other than accumulators
/// and weights.
static constexpr int64_t kAttentionRegisters = 40;
/// Registers that one wgmma with an operand in registers needs at the start,
/// besides its accumulators.
static constexpr int64_t kProductRegisters = 30;
/// Kernels compute positions and their sums as signed 32-bit numbers.
static constexpr int64_t kMaxExtent = int64_t(1) << 29;
/// How many times 64 rows a tall block has.
static constexpr int64_t kTallRowGroups = 3;
/// Elements of a sector, 32 bytes. TMA copies rows that end inside of a sector
/// more slowly, whatever their strides: heads of 24 or 40 elements took 1.7
/// times as long as heads of 32 or 48 in small blocks (H200). Large blocks copy
/// keys half as often.
static constexpr int64_t kSectorElements = 16;

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

JoinLayout JoinLayout::get(AttentionOp op, AttentionTilingAttr tiling) {
  return {tiling.getSplits(), tiling.getWarpgroups(),
          std::min<int64_t>(tiling.getM(), op.getQueries() * tiling.getHeads()),
          llvm::divideCeilSigned(op.getValueSize(), kGroup)};
}

int64_t JoinLayout::getGroupsOfBlock() const {
  return llvm::divideCeilSigned(groups, splits);
}

WarpgroupJoinLayout WarpgroupJoinLayout::get(AttentionOp op) {
  return {llvm::divideCeilSigned(op.getValueSize(), JoinLayout::kGroup)};
}

int64_t hopper::getRowGroups(AttentionTilingAttr tiling) {
  int64_t heads = tiling.getHeads();
  return llvm::divideCeilSigned(tiling.getM(),
                                heads * getRowGroupQueries(heads));
}

AttentionMemory hopper::layOutAttention(AttentionOp op,
                                        AttentionTilingAttr tiling) {
  AttentionMemory memory;
  memory.keyChunks = llvm::divideCeil(op.getKeySize(), kChunk);
  memory.valueChunks = llvm::divideCeil(op.getValueSize(), kChunk);
  // The result takes the place of the queries. Either of them may be larger.
  int64_t rowChunks = std::max(memory.keyChunks, memory.valueChunks);
  memory.keyOffset = rowChunks * getRowGroups(tiling) * kMmaRows * kRowBytes;
  int64_t step = tiling.getN() * kRowBytes * tiling.getStages();
  memory.valueOffset = memory.keyOffset + memory.keyChunks * step;
  memory.statisticsOffset = memory.valueOffset + memory.valueChunks * step;
  memory.partsOffset = memory.barrierOffset = memory.statisticsOffset;
  if (tiling.getSplits() != 1) {
    // The receivers may still need their keys and values, so the data that
    // blocks send have their own place.
    JoinLayout join = JoinLayout::get(op, tiling);
    memory.partsOffset += llvm::alignTo(
        join.getSenders() * join.getStatisticsBytes(), kJoinAlignment);
    memory.barrierOffset =
        memory.partsOffset + join.getSenders() * join.getPartBytes();
  } else if (tiling.getWarpgroups() != 1)
    memory.barrierOffset += tiling.getWarpgroups() *
                            WarpgroupJoinLayout::get(op).getWarpgroupBytes();
  // Barriers of the queries and of the result; full and empty barriers of the
  // keys and of the values of each stage.
  int64_t barriers = 2 + 4 * tiling.getStages();
  memory.sharedBytes = memory.barrierOffset + 8 * barriers;
  return memory;
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

/// Whether the elements of a head are neighbours in a tensor of `layout`.
static bool hasElementsInnermost(AffineMap layout) {
  return layout.getResults().back() ==
         getAffineDimExpr(layout.getNumDims() - 1, layout.getContext());
}

std::string hopper::findAttentionProblem(AttentionOp op) {
  if (!findMmaTraits(op.getInputElementType()))
    return "its queries are neither " + joinNames(getMmaTypeNames(), "nor");
  if (!op.getPartKeys() &&
      op.getResultElementType() != op.getInputElementType())
    return "its result has another type than its queries";
  for (AffineMap layout : {op.getOperandLayout(0), op.getOperandLayout(1),
                           op.getOperandLayout(2), op.getResultLayout()})
    if (!hasElementsInnermost(layout))
      return "elements of a head are not next to each other in memory";
  for (int64_t size : {op.getKeySize(), op.getValueSize()})
    if (size > kHeadLimits.most || size % kHeadLimits.unit != 0)
      return "heads have " + std::to_string(size) + " elements; multiples of " +
             std::to_string(kHeadLimits.unit) + " up to " +
             std::to_string(kHeadLimits.most) + " are supported";
  for (int64_t extent :
       {op.getBatch(), op.getHeads(), op.getQueries(), op.getKeys()})
    if (extent >= kMaxExtent)
      return "it has an extent of " + std::to_string(extent) +
             "; less than 2^29 are supported";
  if (std::optional<int64_t> causal = op.getCausal())
    if (*causal <= -kMaxExtent || *causal >= kMaxExtent)
      return "queries and keys are more than 2^29 positions apart";
  return "";
}

/// Returns the registers that a consumer thread needs: for scores, sums of
/// values, and weights in pairs.
static int64_t countRegisters(AttentionOp op, AttentionTilingAttr tiling) {
  return tiling.getN() / 2 + llvm::alignTo(op.getValueSize(), 8) / 2 +
         tiling.getN() / 4 + kAttentionRegisters;
}

std::optional<kernelabi::RegisterShare>
hopper::chooseAttentionRegisters(AttentionOp op, AttentionTilingAttr tiling) {
  int64_t columns = std::max(tiling.getN(), op.getValueSize());
  int64_t product = llvm::alignTo(columns / 2 + kProductRegisters, 8);
  int64_t warpgroups = getRowGroups(tiling) * tiling.getWarpgroups();
  kernelabi::RegisterShare share = kernelabi::kRegisterShares[warpgroups - 1];
  if (product <= share.initial && countRegisters(op, tiling) <= share.consumer)
    return share;
  if (warpgroups == 1)
    return kernelabi::kWideRegisterShare;
  if (product <= share.initial)
    return share;
  return std::nullopt;
}

std::string hopper::findAttentionTilingProblem(AttentionOp op,
                                               AttentionTilingAttr tiling,
                                               const TargetSpec &target) {
  int64_t heads = tiling.getHeads();
  if (heads > kMmaRows)
    return "tiles have rows of " + std::to_string(heads) + " heads; up to " +
           std::to_string(kMmaRows) + " are supported";
  int64_t rows = heads * getRowGroupQueries(heads);
  if (tiling.getM() % rows != 0 ||
      tiling.getM() / rows > kernelabi::kMaxConsumerWarpgroups)
    return "tiles have " + std::to_string(tiling.getM()) + " rows; " +
           std::to_string(rows) + ", " + std::to_string(2 * rows) + " and " +
           std::to_string(3 * rows) + " are supported";
  if (tiling.getN() % kMmaDepth != 0 || tiling.getN() > kMaxKeys)
    return "steps have " + std::to_string(tiling.getN()) +
           " keys; multiples of 16 up to 256 are supported";
  if (tiling.getStages() > kMaxKeyStages)
    return "it has more than " + std::to_string(kMaxKeyStages) + " stages";
  if (tiling.getSplits() > kernelabi::kMaxClusterBlocks ||
      !llvm::isPowerOf2_64(tiling.getSplits()))
    return "steps are split among " + std::to_string(tiling.getSplits()) +
           " blocks; powers of 2 up to " +
           std::to_string(kernelabi::kMaxClusterBlocks) + " are supported";
  if (tiling.getWarpgroups() > kernelabi::kMaxConsumerWarpgroups)
    return "steps are split among " + std::to_string(tiling.getWarpgroups()) +
           " warpgroups; up to " +
           std::to_string(kernelabi::kMaxConsumerWarpgroups) + " are supported";
  // A warpgroup must wait for all rounds of its stages. If it left out the
  // round of another warpgroup, it could not tell the next round from the round
  // after that.
  if (tiling.getStages() % tiling.getWarpgroups() != 0)
    return "its stages are no multiple of the warpgroups that split steps";
  if (tiling.getSplits() * tiling.getWarpgroups() != 1 && tiling.getM() != rows)
    return "steps are split, and tiles have more than " + std::to_string(rows) +
           " rows";
  if (std::optional<int64_t> keys = op.getPartKeys()) {
    if (tiling.getSplits() == 1)
      return "its keys are in parts, whose steps are not split among blocks";
    int64_t shared =
        tiling.getN() * tiling.getSplits() * tiling.getWarpgroups();
    if (*keys % shared != 0)
      return "parts of " + std::to_string(*keys) +
             " keys are no multiple of those of one step of each block, " +
             std::to_string(shared);
  }
  std::optional<kernelabi::RegisterShare> share =
      chooseAttentionRegisters(op, tiling);
  int64_t registers = countRegisters(op, tiling);
  if (!share || registers > share->consumer)
    return "a thread needs " + std::to_string(registers) +
           " registers, more than it has; use fewer rows or keys";
  AttentionMemory memory = layOutAttention(op, tiling);
  if (memory.sharedBytes > target.sharedMemory)
    return "a tile needs " + std::to_string(memory.sharedBytes) +
           " bytes of shared memory, and a block has " +
           std::to_string(target.sharedMemory) +
           "; use fewer keys, or fewer stages";
  return "";
}

std::string HopperAttentionModel::findProblem(AttentionOp op) const {
  return findAttentionProblem(op);
}

HeadLimits HopperAttentionModel::getHeadLimits() const { return kHeadLimits; }

std::string
HopperAttentionModel::findTilingProblem(AttentionOp op,
                                        AttentionTilingAttr tiling) const {
  return findAttentionTilingProblem(op, tiling, target);
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

/// Returns the number of tiles of `op`, if each has `rowGroups` times 64 rows,
/// of `heads` heads.
static int64_t countTiles(AttentionOp op, int64_t rowGroups, int64_t heads) {
  return op.getBatch() * op.getParts() * op.getKeyHeads() *
         op.getGroupTiles(heads) *
         llvm::divideCeilSigned(op.getQueries(),
                                rowGroups * getRowGroupQueries(heads));
}

/// Returns how many of the heads that read the same keys a tile takes. This is
/// the most heads whose queries all fit in a tile. If they fill less than half
/// of the rows, which happens if the number of heads has few divisors, it is
/// the number that makes the fewest tiles.
static int64_t chooseHeads(AttentionOp op) {
  int64_t group = op.getGroup(), most = std::min(group, kMmaRows);
  int64_t heads = 1;
  for (int64_t other = 2; other <= most; ++other)
    if (group % other == 0 && other * op.getQueries() <= kMmaRows)
      heads = other;
  if (heads == group || 2 * heads * op.getQueries() > kMmaRows)
    return heads;
  for (int64_t other = heads + 1; other <= most; ++other) {
    // If there are several heads of keys, a tile must not have heads that read
    // different keys.
    bool isPossible = group % other == 0 || op.getKeyHeads() == 1;
    if (isPossible && countTiles(op, 1, other) < countTiles(op, 1, heads))
      heads = other;
  }
  return heads;
}

/// Returns the keys of a tile.
static int64_t getTileKeys(AttentionOp op) {
  return std::min(op.getKeys(), op.getKeysOfPart());
}

/// Whether tiles have so few rows that memory bounds them.
static bool hasFewRows(AttentionOp op, int64_t heads,
                       const AttentionConstants &constants) {
  return op.getQueries() * heads <= constants.fewRows;
}

/// Returns the elements of a key or of a value, whichever is larger.
static int64_t getSize(AttentionOp op) {
  return std::max(op.getKeySize(), op.getValueSize());
}

/// Whether an SM has room for two blocks, each with keys and values of two
/// large steps.
static bool fitsTwice(AttentionOp op) { return getSize(op) <= kChunk; }

/// Whether tiles of `op` with `heads` heads decode: they read many keys, and
/// need only a small part of each MMA.
static bool decodes(AttentionOp op, int64_t heads,
                    const AttentionConstants &constants) {
  return heads != 1 || hasFewRows(op, heads, constants);
}

/// Returns how many blocks split the steps of a tile, if steps have `n` keys.
/// This is the largest number for which each block has a step and all blocks
/// run at once. If tiles have few rows, two blocks may share an SM if each has
/// several steps; with large heads, only if half of the SMs would be idle
/// otherwise.
static int64_t chooseSplits(AttentionOp op, int64_t heads, int64_t n,
                            const TargetSpec &target,
                            const AttentionConstants &constants) {
  int64_t steps = llvm::divideCeil(getTileKeys(op), n);
  int64_t tiles = countTiles(op, /*rowGroups=*/1, heads), splits = 1;
  bool hasFew = hasFewRows(op, heads, constants);
  bool hasPairs = (hasFew || op.getPartKeys()) && fitsTwice(op);
  auto runAtOnce = [&](int64_t blocks) {
    int64_t resident = target.getResidentClusters(blocks);
    return tiles <= resident ||
           (hasPairs && tiles <= 2 * resident && 2 * blocks <= steps);
  };
  while (splits < kernelabi::kMaxClusterBlocks && 2 * splits <= steps &&
         runAtOnce(2 * splits))
    splits *= 2;
  auto fillInPairs = [&](int64_t blocks) {
    return blocks * tiles <= target.processors &&
           tiles <= 2 * target.getResidentClusters(blocks) &&
           blocks * constants.pairedBlock <= getTileKeys(op);
  };
  while (hasFew && !hasPairs && getSize(op) <= 2 * kChunk &&
         splits < kernelabi::kMaxClusterBlocks && fillInPairs(2 * splits))
    splits *= 2;
  // If there are few keys, two warpgroups of one block join their results
  // sooner than two blocks.
  if (splits == 2 && !hasFewRows(op, heads, constants) &&
      op.getKeys() <= constants.sharedKeys)
    return 1;
  return splits;
}

/// Whether two warpgroups split the steps of each block, in a tile that decodes
/// and whose steps `splits` blocks split. Two warpgroups hide the time that one
/// warpgroup spends on rows without queries. But if heads are large and keys
/// come from memory, one warpgroup is as fast.
static bool sharesBlocks(AttentionOp op, int64_t tiles, int64_t splits,
                         const TargetSpec &target,
                         const AttentionConstants &constants) {
  int64_t keys = getTileKeys(op) / splits;
  if (splits * tiles > target.processors ||
      tiles > target.getResidentClusters(splits))
    return false;
  if (fitsTwice(op))
    return splits != 1 && keys >= constants.sharedBlock;
  double elements = static_cast<double>(op.getBatch()) *
                    static_cast<double>(op.getKeyHeads() * op.getKeys()) *
                    static_cast<double>(op.getKeySize() + op.getValueSize());
  double bytes = elements * op.getInputElementType().getWidth() / 8;
  // A cluster of few blocks joins its results sooner.
  bool isLong =
      keys >= constants.sharedBlock || (splits < kernelabi::kMaxClusterBlocks &&
                                        2 * keys >= constants.sharedBlock);
  return getSize(op) <= 2 * kChunk &&
         (op.getPartKeys() ||
          (isLong && bytes <= static_cast<double>(target.cacheBytes)));
}

/// Whether a tile that is not tall has 128 rows: there are enough tiles, and
/// heads are large, or their rows end inside of a sector.
static bool takesLargeBlocks(AttentionOp op, int64_t heads,
                             const TargetSpec &target) {
  int64_t size = getSize(op);
  if (op.getQueries() <= getRowGroupQueries(heads) || size > 2 * kChunk)
    return false;
  if (size > kChunk &&
      countTiles(op, /*rowGroups=*/2, heads) > target.processors)
    return true;
  return size % kSectorElements != 0 &&
         countTiles(op, /*rowGroups=*/1, heads) > target.processors;
}

/// Returns how many keys query `query` may read.
static double getKeysOfQuery(AttentionOp op, int64_t query) {
  int64_t keys = op.getKeys();
  if (std::optional<int64_t> causal = op.getCausal())
    keys = std::clamp<int64_t>(query + *causal + 1, 0, keys);
  return static_cast<double>(keys);
}

/// Returns how many keys tiles of `rows` queries read on average.
static double getMeanKeys(AttentionOp op, int64_t rows) {
  int64_t tiles = llvm::divideCeilSigned(op.getQueries(), rows);
  double sum = 0;
  for (int64_t tile = 0; tile != tiles; ++tile) {
    int64_t end = std::min((tile + 1) * rows, op.getQueries());
    sum += getKeysOfQuery(op, end - 1);
  }
  return sum / static_cast<double>(tiles);
}

/// Returns the time of all tiles of `op`, of `rowGroups` times 64 rows each, in
/// the unit of `cost`. If a mask is causal, the longest tiles come first, so
/// the SMs end at about the same time: no SM waits for a last wave.
static double getModelledTime(AttentionOp op, int64_t rowGroups,
                              const WaveCost &cost, const TargetSpec &target) {
  double size = static_cast<double>(getSize(op)) / kChunk;
  auto getWaveTime = [&](double keys) {
    return cost.start + keys * (cost.key + size * cost.elements);
  };
  int64_t tiles = countTiles(op, rowGroups, /*heads=*/1);
  int64_t blocks = target.processors * (rowGroups == 1 ? 2 : 1);
  double waves = static_cast<double>(tiles) / static_cast<double>(blocks);
  double longest = getWaveTime(getKeysOfQuery(op, op.getQueries() - 1));
  if (!op.getCausal())
    return std::ceil(waves) * longest;
  return std::max(longest,
                  waves * getWaveTime(getMeanKeys(op, rowGroups * kMmaRows)));
}

/// Returns a tiling in tall blocks: three warpgroups, with rows of their own,
/// take turns.
static AttentionTilingAttr getTallTiling(AttentionOp op,
                                         const AttentionConstants &constants) {
  int64_t keys = op.getKeys();
  int64_t n =
      std::min<int64_t>(constants.tallKeys, llvm::alignTo(keys, kMmaDepth));
  int64_t stages =
      std::min<int64_t>(llvm::divideCeilSigned(keys, n), constants.tallStages);
  return AttentionTilingAttr::get(op.getContext(), kTallRowGroups * kMmaRows, n,
                                  stages, /*heads=*/1, /*splits=*/1,
                                  /*warpgroups=*/1);
}

/// Whether `op` with tiles of `heads` heads is like those whose waves were
/// measured: heads are small, and a tile has rows of one head, and all of its
/// keys. There is no bias.
static bool hasMeasuredWaves(AttentionOp op, int64_t heads) {
  return fitsTwice(op) && heads == 1 && !op.getPartKeys() && !op.getBias();
}

/// Whether tall blocks are possible, and the model says that they are faster
/// than small or large ones.
static bool takesTallBlocks(AttentionOp op, int64_t heads,
                            const TargetSpec &target,
                            const AttentionConstants &constants) {
  if (!hasMeasuredWaves(op, heads) || op.getQueries() <= kMmaRows ||
      countTiles(op, /*rowGroups=*/1, heads) <= target.processors)
    return false;
  bool isLarge = takesLargeBlocks(op, heads, target);
  const WaveCost &other = isLarge ? constants.largeWave : constants.smallWave;
  return getModelledTime(op, kTallRowGroups, constants.tallWave, target) <
             getModelledTime(op, isLarge ? 2 : 1, other, target) &&
         findAttentionTilingProblem(op, getTallTiling(op, constants), target)
             .empty();
}

// Two small blocks on an SM overlap the MMAs of one with the exponentials of
// the other. They are faster than one large block, until heads are so large
// that loads from the cache count. Measured on an H100
// (benchmarks/attention.py).
AttentionTilingAttr HopperAttentionModel::chooseTiling(AttentionOp op) const {
  int64_t heads = chooseHeads(op);
  if (takesTallBlocks(op, heads, target, constants)) {
    LDBG() << op.getLoc() << ": " << countTiles(op, kTallRowGroups, /*heads=*/1)
           << " tiles in tall blocks";
    return getTallTiling(op, constants);
  }
  int64_t size = getSize(op);
  int64_t keys = getTileKeys(op);
  bool isLarge = takesLargeBlocks(op, heads, target);
  int64_t rowGroups = isLarge ? 2 : 1;
  int64_t m = rowGroups * heads * getRowGroupQueries(heads);
  int64_t tiles = countTiles(op, rowGroups, heads);
  bool hasLargeSteps =
      isLarge || (size <= kChunk && !hasFewRows(op, heads, constants));
  int64_t n = hasLargeSteps ? 2 * kChunk : kChunk;
  int64_t splits = isLarge ? 1 : chooseSplits(op, heads, n, target, constants);
  // Few long tiles are bound by memory, which is fastest with large loads.
  int64_t room = target.processors * (splits != 1 && fitsTwice(op) ? 2 : 1);
  bool isPaired = splits != 1 && tiles > target.getResidentClusters(splits);
  if (splits * tiles <= room && keys / splits > constants.longBlock &&
      size <= 2 * kChunk && (fitsTwice(op) || !isPaired))
    n = 2 * kChunk;
  if (op.getPartKeys() && fitsTwice(op))
    n = 2 * kChunk;
  // If a block has few keys, they arrive at once, so that it waits for only one
  // step.
  if (splits != 1 && size <= kChunk &&
      llvm::divideCeilSigned(keys, 2 * kChunk) == splits)
    n = 2 * kChunk;
  n = std::min<int64_t>(n, llvm::alignTo(keys, kMmaDepth));
  int64_t blockSteps = llvm::divideCeil(llvm::divideCeil(keys, n), splits);
  auto get = [&](int64_t stages, int64_t warpgroups = 1) {
    return AttentionTilingAttr::get(op.getContext(), m, n, stages, heads,
                                    splits, warpgroups);
  };
  bool isDeep =
      isLarge && hasMeasuredWaves(op, heads) && keys > constants.deepKeys;
  AttentionTilingAttr tiling = get(std::min<int64_t>(
      blockSteps, isDeep ? constants.deepStages : constants.stages));
  // A block that is alone on its SM overlaps its own steps with each other.
  if (!isLarge && splits == 1 && blockSteps > 1 && tiles <= target.processors &&
      !hasFewRows(op, heads, constants)) {
    AttentionTilingAttr shared =
        get(constants.sharedStages * constants.sharers, constants.sharers);
    if (findAttentionTilingProblem(op, shared, target).empty())
      tiling = shared;
  }
  if (!isLarge && decodes(op, heads, constants) &&
      sharesBlocks(op, tiles, splits, target, constants)) {
    AttentionTilingAttr shared = AttentionTilingAttr::get(
        op.getContext(), m, fitsTwice(op) ? 2 * kChunk : kChunk,
        constants.sharedStages * constants.sharers, heads, splits,
        constants.sharers);
    if (findAttentionTilingProblem(op, shared, target).empty())
      tiling = shared;
  }
  while (n > kMmaDepth &&
         !findAttentionTilingProblem(op, tiling, target).empty()) {
    n = llvm::alignDown(n - 1, kMmaDepth);
    tiling = get(constants.stages);
  }
  LDBG() << op.getLoc() << ": " << tiles << " tiles of " << m << " rows"
         << (isLarge ? ", enough for all processors" : "") << ", steps of " << n
         << " keys, split among " << splits << " blocks and "
         << tiling.getWarpgroups() << " warpgroups of each";
  return tiling;
}

/// Returns into how many parts the keys are split if tiles have many rows.
/// Exponentials bound the small blocks of such tiles. The parts' clusters of
/// two blocks fill `target` with two blocks on each SM. Returns 0 if there
/// would be too few or too many parts.
static int64_t getPartsOfPairs(AttentionOp op, int64_t tiles, int64_t heads,
                               const TargetSpec &target,
                               const AttentionConstants &constants) {
  int64_t parts = target.processors / tiles;
  bool isFew = parts < constants.leastParts || parts > constants.mostParts;
  return isFew || hasFewRows(op, heads, constants) || !fitsTwice(op) ||
                 op.getKeys() < constants.partedKeys * parts
             ? 0
             : parts;
}

// To join parts takes as long as a block takes for a thousand keys. Clusters
// that wait until others have ended cost more than larger parts. Measured on an
// H100.
std::optional<int64_t>
HopperAttentionModel::choosePartKeys(AttentionOp op) const {
  if (!target.hasClusters())
    return std::nullopt;
  int64_t heads = chooseHeads(op);
  int64_t tiles = countTiles(op, /*rowGroups=*/1, heads);
  int64_t clusters = target.getResidentClusters(kernelabi::kMaxClusterBlocks);
  int64_t parts = std::min(clusters / tiles, constants.mostParts);
  if (parts < constants.leastParts ||
      op.getKeys() < constants.partedKeys * tiles)
    parts = getPartsOfPairs(op, tiles, heads, target, constants);
  if (parts == 0)
    return std::nullopt;
  int64_t keys = llvm::alignTo(llvm::divideCeil(op.getKeys(), parts),
                               constants.partMultiple);
  if (keys >= op.getKeys())
    return std::nullopt;
  return keys;
}
