//===- SplitChoice.cpp - Chooses reductions to split ----------------------===//
//
// Part of Grout. The modelled time of a kernel is its bytes divided by the
// memory's rate, if it has enough blocks for all processors.
//
//===----------------------------------------------------------------------===//

#include "SplitChoice.h"

#include "grout/Dialect/Scop/IR/IndexSum.h"
#include "grout/Target/GPU.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "scop-split-reductions"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// The bytes that a warp reads at once. Parts of rows are not shorter.
static constexpr int64_t kWarpBytes = kWarpSize * kMaxAccessBytes;
/// The least number of elements that a part combines into one.
static constexpr int64_t kMinPartElements = 8;
/// The most blocks, as a multiple of those that keep the memory busy. More
/// blocks would not help.
static constexpr int64_t kMaxBlocksFactor = 4;

static bool isReduction(StmtOp op, unsigned iterator) {
  return llvm::is_contained(op.getReductions(), int64_t(iterator));
}

namespace {

/// A reduction, and the numbers on which its modelled time depends.
struct Reduction {
  explicit Reduction(StmtOp op);

  /// Returns the time in ns if the reduction has an outer loop of `factor`.
  double getTime(const SplitModel &model, int64_t factor) const;

  StmtOp op;
  int64_t numResults = 1, numPoints = 1;
  /// The bytes that it reads, without those of its results; and the bytes of
  /// its results.
  int64_t bytes = 0, resultBytes = 0;
  /// The iterator along which elements of its largest array are neighbours, and
  /// their size.
  std::optional<unsigned> contiguous;
  int64_t elementBytes = 1;
  /// The number of blocks without a split, and of each part with a split.
  int64_t blocks, partBlocks;
};

class Chooser {
public:
  Chooser(KernelOp kernel, const SplitModel &model)
      : kernel(kernel), model(model) {}
  SplitChoice choose();

private:
  std::optional<SplitLoop> chooseLoop(const Reduction &reduction);
  void split(const Reduction &reduction, const SplitLoop &loop);
  /// Splits `op` like the reduction whose mean it subtracts from the same
  /// elements, if there is one that is split. Returns whether there is.
  bool splitLikeMean(StmtOp op);
  bool pays();
  /// Adds the loops of other statements that access the same elements as
  /// `loop`.
  void addMatchingLoops(const SplitLoop &loop);

  KernelOp kernel;
  const SplitModel &model;
  std::vector<Reduction> reductions;
  /// The statements that have to come after the reductions that are split.
  StatementSet late;
  SplitChoice choice;
};

} // namespace

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

/// Returns the iterator along which the elements of an access are neighbours.
static std::optional<unsigned> getContiguous(StmtOp op, Value array,
                                             AffineMap map) {
  SmallVector<int64_t> strides =
      cast<MemRefType>(array.getType()).getStridesAndOffset().first;
  IndexSum sum(op.getContext());
  for (auto [result, stride] : llvm::zip_equal(map.getResults(), strides))
    sum.add(IndexSum(result, op.getExtents()), stride);
  for (unsigned i = 0; i != op.getNumIterators(); ++i)
    if (op.getExtents()[i] != 1 && sum.getFactor(i) == 1)
      return i;
  return std::nullopt;
}

Reduction::Reduction(StmtOp op) : op(op) {
  numPoints = op.getNumInstances();
  for (auto [i, extent] : llvm::enumerate(op.getExtents()))
    numResults *= isReduction(op, i) ? 1 : extent;
  for (Value array : op.getWrites())
    resultBytes += numResults * getElementBytes(array);
  llvm::SetVector<Value> arrays;
  int64_t mostBytes = 0;
  for (auto [index, array] : llvm::enumerate(op.getReads())) {
    if (op.writes(array) || !arrays.insert(array))
      continue;
    int64_t ofArray =
        std::min(getArrayBytes(array), numPoints * getElementBytes(array));
    bytes += ofArray;
    if (ofArray <= mostBytes)
      continue;
    mostBytes = ofArray;
    contiguous = getContiguous(op, array, op.getReadMap(index));
    elementBytes = getElementBytes(array);
  }
  blocks = partBlocks = numResults;
  if (contiguous && !isReduction(op, *contiguous)) {
    int64_t extent = op.getExtents()[*contiguous];
    int64_t rows = numResults / extent;
    // A block should take a cache line of a row, but at least a sector.
    blocks = rows * llvm::divideCeil(extent * elementBytes, kSectorBytes);
    partBlocks = rows * llvm::divideCeil(extent * elementBytes, kLineBytes);
  }
}

double Reduction::getTime(const SplitModel &model, int64_t factor) const {
  int64_t allBlocks = factor == 1 ? blocks : partBlocks * factor;
  int64_t partialBytes = factor == 1 ? 0 : 2 * resultBytes * factor;
  double used = std::min(1.0, double(allBlocks) / model.blocks);
  return (bytes / used + partialBytes) / model.memoryRate;
}

//===----------------------------------------------------------------------===//
// The loop that is split
//===----------------------------------------------------------------------===//

/// Whether the reduction can be combined in parts.
static bool canSplit(StmtOp op) {
  if (!op.isReduction())
    return false;
  for (auto [index, array] : llvm::enumerate(op.getWrites()))
    if (llvm::count(op.getReads(), array) != 1 ||
        !getNeutralElement(op.getCombiner(index)))
      return false;
  return true;
}

std::optional<SplitLoop> Chooser::chooseLoop(const Reduction &reduction) {
  StmtOp op = reduction.op;
  int64_t maxFactor =
      llvm::divideCeil(kMaxBlocksFactor * model.blocks, reduction.partBlocks);
  std::optional<SplitLoop> best;
  double bestTime = reduction.getTime(model, 1);
  for (int64_t iterator : op.getReductions()) {
    int64_t extent = op.getExtents()[iterator];
    for (int64_t factor = 2; factor <= std::min(extent, maxFactor); ++factor) {
      int64_t elements = reduction.numPoints / reduction.numResults / factor;
      if (extent % factor != 0 || elements < kMinPartElements)
        continue;
      if (reduction.contiguous == unsigned(iterator)) {
        int64_t part = extent / factor * reduction.elementBytes;
        bool isAligned = extent * reduction.elementBytes % kMaxAccessBytes == 0;
        if (part < kWarpBytes || (isAligned && part % kMaxAccessBytes != 0))
          continue;
      }
      double time = reduction.getTime(model, factor);
      if (reduction.contiguous == unsigned(iterator))
        time *= model.splitRowCost;
      if (time >= bestTime)
        continue;
      bestTime = time;
      best = SplitLoop{op, unsigned(iterator), factor};
    }
  }
  return best;
}

bool Chooser::pays() {
  double gain = -model.launchTime;
  for (auto [reduction, loop] : llvm::zip_equal(reductions, choice.reductions))
    gain += reduction.getTime(model, 1) - reduction.getTime(model, loop.factor);
  // Arrays that the second kernel has to read again.
  llvm::SetVector<Value> arrays;
  for (StmtOp op : late)
    arrays.insert_range(op.getReads());
  for (Value array : arrays)
    if (llvm::any_of(kernel.getStatements(), [&](StmtOp op) {
          return !late.contains(op) && (op.reads(array) || op.writes(array));
        }))
      gain -= getArrayBytes(array) / model.memoryRate;
  return gain > 0;
}

//===----------------------------------------------------------------------===//
// Loops that go with it
//===----------------------------------------------------------------------===//

/// Calls `visit` with the array, dimension and iterator of every subscript of
/// `op` that is an iterator.
static void
forEachPlainSubscript(StmtOp op,
                      function_ref<void(Value, unsigned, unsigned)> visit) {
  auto visitAccess = [&](Value array, AffineMap map) {
    for (auto [dim, result] : llvm::enumerate(map.getResults()))
      if (auto iterator = dyn_cast<AffineDimExpr>(result))
        visit(array, dim, iterator.getPosition());
  };
  for (auto [index, array] : llvm::enumerate(op.getReads()))
    visitAccess(array, op.getReadMap(index));
  for (auto [index, array] : llvm::enumerate(op.getWrites()))
    visitAccess(array, op.getWriteMap(index));
}

void Chooser::addMatchingLoops(const SplitLoop &loop) {
  int64_t extent = StmtOp(loop.op).getExtents()[loop.iterator];
  auto addLoop = [&](StmtOp op, unsigned iterator) {
    auto isSame = [&](const SplitLoop &other) {
      return other.op == op && other.iterator == iterator;
    };
    if (op.getExtents()[iterator] == extent && !isReduction(op, iterator) &&
        llvm::none_of(choice.others, isSame))
      choice.others.push_back({op, iterator, loop.factor});
  };
  forEachPlainSubscript(loop.op, [&](Value array, unsigned dim, unsigned i) {
    if (i != loop.iterator)
      return;
    for (StmtOp other : kernel.getStatements())
      if (other != loop.op && !late.contains(other))
        forEachPlainSubscript(
            other, [&](Value otherArray, unsigned otherDim, unsigned j) {
              if (otherArray == array && otherDim == dim)
                addLoop(other, j);
            });
  });
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

void Chooser::split(const Reduction &reduction, const SplitLoop &loop) {
  reductions.push_back(reduction);
  choice.reductions.push_back(loop);
  // The results of the reductions are late, but the reductions themselves are
  // not.
  late.clear();
  for (const SplitLoop &chosen : choice.reductions)
    late.insert(chosen.op);
  addDependentStatements(kernel, late);
  for (const SplitLoop &chosen : choice.reductions)
    late.remove(chosen.op);
}

bool Chooser::splitLikeMean(StmtOp op) {
  for (size_t i = 0; i != choice.reductions.size(); ++i) {
    SplitLoop loop = choice.reductions[i];
    std::optional<Variance> variance = findVariance(loop.op, op);
    if (!variance)
      continue;
    LDBG() << op.getSymName() << " adds squared differences from the mean of "
           << StmtOp(loop.op).getSymName();
    choice.variances.push_back(*variance);
    split(reductions[i], {op, loop.iterator, loop.factor});
    return true;
  }
  return false;
}

SplitChoice Chooser::choose() {
  int64_t bytes = 0;
  for (BlockArgument array : kernel.getBody().getArguments())
    if (isa<MemRefType>(array.getType()))
      bytes += getArrayBytes(array);
  bool isSmall = bytes < model.minBytes;
  if (isSmall)
    LDBG() << kernel.getLoc() << " is small: " << bytes << " bytes";

  for (StmtOp op : kernel.getStatements()) {
    if (late.contains(op) || !canSplit(op)) {
      if (canSplit(op) && splitLikeMean(op))
        continue;
      if (op.isReduction())
        LDBG() << op.getSymName() << " stays whole: "
               << (late.contains(op) ? "it needs one that is split"
                                     : "it cannot be combined in parts");
      continue;
    }
    Reduction reduction(op);
    if (isSmall && reduction.bytes / reduction.blocks < model.minBlockBytes) {
      LDBG() << op.getSymName() << " stays whole: each of " << reduction.blocks
             << " blocks reads few bytes";
      continue;
    }
    // The time with blocks for all processors.
    int64_t ideal = llvm::divideCeil(model.blocks, reduction.partBlocks);
    double gain = reduction.getTime(model, 1) - reduction.getTime(model, ideal);
    if (gain <= model.launchTime) {
      LDBG() << op.getSymName() << " stays whole: blocks for all processors "
             << "would save " << gain << " ns, and a launch costs "
             << model.launchTime;
      continue;
    }
    std::optional<SplitLoop> loop = chooseLoop(reduction);
    if (!loop) {
      op.emitRemark() << "combines for " << reduction.numResults
                      << " results, which leaves processors idle, but none of "
                         "its loops has a divisor to split it by";
      continue;
    }
    split(reduction, *loop);
  }
  if (choice.reductions.empty())
    return {};
  if (!pays()) {
    LDBG() << kernel.getLoc() << " stays whole: what its second kernel reads "
           << "and its launch take longer than the parts save";
    return {};
  }
  for (const SplitLoop &loop : choice.reductions)
    LDBG() << StmtOp(loop.op).getSymName() << " combines loop " << loop.iterator
           << " of " << StmtOp(loop.op).getExtents()[loop.iterator] << " in "
           << loop.factor << " parts";
  for (const SplitLoop &loop : choice.reductions)
    addMatchingLoops(loop);
  for (size_t i = 0; i != choice.others.size(); ++i)
    addMatchingLoops(SplitLoop(choice.others[i]));
  return choice;
}

SplitChoice grout::scop::chooseSplits(KernelOp kernel,
                                      const SplitModel &model) {
  return Chooser(kernel, model).choose();
}
