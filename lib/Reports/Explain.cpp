//===- Explain.cpp - Explains the compiler's decisions --------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Reports/Explain.h"

#include "grout/Analysis/DerivePolicy.h"
#include "grout/Dialect/Scop/ConstraintTrees/ConstraintTrees.h"
#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Dialect/TGemm/Transforms/EdgeModel.h"
#include "grout/Dialect/TSync/Transforms/ChainProgram.h"
#include "grout/Dialect/TSync/Transforms/ChainSemaphores.h"
#include "grout/Reports/ExplainTilings.h"
#include "grout/Reports/TileSimulation.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace grout;
using namespace grout::tsync;

/// The largest number of steps of a tile whose waits are counted one by one.
static constexpr int64_t kMaxExplainedSteps = 1 << 20;

static int64_t getNumTiles(ArrayRef<int64_t> grid) {
  int64_t tiles = 1;
  for (int64_t extent : grid)
    tiles *= extent;
  return tiles;
}

/// Describes how the blocks of a cluster split a tile.
static void explainCluster(tgemm::TilingAttr tiling, llvm::raw_ostream &os) {
  os << "    cluster     " << tiling.getClusterSize() << " blocks of "
     << tiling.getBlockM() << " x " << tiling.getBlockN();
  if (tiling.getClusterM() != 1)
    os << ", rhs loaded once for " << tiling.getClusterM();
  if (tiling.getClusterN() != 1)
    os << ", lhs loaded once for " << tiling.getClusterN();
  if (tiling.getSplitK() != 1)
    os << ", split-K by " << tiling.getSplitK();
  os << "\n";
}

/// Describes the tiles of `op` that stream-K splits.
static void explainParts(tgemm::ProductOpInterface op, llvm::raw_ostream &os) {
  tgemm::StreamK parts = *op.getStreamK();
  int64_t tiles = parts.rows * parts.columns;
  os << "    parts       " << parts.parts << " of each of the last " << tiles
     << " tiles (" << parts.columns << " column"
     << (parts.columns == 1 ? "" : "s") << "), " << parts.partSteps
     << " steps each; sums take "
     << llvm::format("%.1f", static_cast<double>(tiles * (parts.parts - 1)) *
                                 static_cast<double>(parts.elements) * 4 / 1e6)
     << " MB\n";
}

static void explainProduct(tgemm::ProductOpInterface matmul,
                           const Target &target, llvm::raw_ostream &os) {
  tgemm::TilingAttr tiling = *matmul.getTiling();
  os << "    problem     ";
  if (matmul.isBatched())
    os << matmul.getBatch() << " x ";
  os << matmul.getM() << " x " << matmul.getN() << " x " << matmul.getK()
     << " (M x N x K), " << matmul.getNumProducts() << " product"
     << (matmul.getNumProducts() == 1 ? "" : "s") << " of "
     << matmul.getInputElementType();
  if (std::optional<int64_t> groups = matmul.getNumGroups())
    os << ", rows in " << *groups << " groups";
  if (std::optional<int64_t> ranks = matmul.getSumRanks())
    os << ", summed over " << *ranks << " ranks";
  os << "\n";
  os << "    tile        " << tiling.getM() << " x " << tiling.getN()
     << ", steps of " << tiling.getK() << ", " << tiling.getStages()
     << " stages\n";
  if (target.getSpec().hasClusters() && tiling.getClusterSize() != 1)
    explainCluster(tiling, os);
  if (tiling.hasParts())
    explainParts(matmul, os);
}

static void explainAttention(tgemm::AttentionOp op, const Target &target,
                             llvm::raw_ostream &os) {
  tgemm::AttentionTilingAttr tiling = *op.getTiling();
  os << "    problem     " << op.getBatch() << " x " << op.getHeads()
     << " heads of " << op.getKeySize() << ", of " << op.getInputElementType()
     << ", " << op.getQueries() << " x " << op.getKeys() << " (queries x keys)"
     << (op.getCausal() ? ", causal" : "") << "\n";
  os << "    tile        " << tiling.getQueries() << " x " << tiling.getHeads()
     << " (queries x heads), steps of " << tiling.getN() << " keys, "
     << tiling.getStages() << " stage" << (tiling.getStages() == 1 ? "" : "s")
     << "\n";
  // Other targets ignore the rest.
  if (!target.getSpec().hasClusters())
    return;
  if (tiling.getSplits() != 1)
    os << "    cluster     " << tiling.getSplits()
       << " blocks, which split the steps\n";
  if (tiling.getWarpgroups() != 1)
    os << "    warpgroups  " << tiling.getWarpgroups()
       << ", which split the steps\n";
}

static void explainKernel(TileKernelOpInterface op, const TileKernel &kernel,
                          const Target &target, llvm::raw_ostream &os) {
  int64_t tiles = getNumTiles(kernel.grid);
  int64_t resident = target.getSpec().processors;
  const char *where = "processors";
  os << "  kernel " << kernel.name << " (" << op->getName() << ")\n";
  if (auto matmul = dyn_cast<tgemm::ProductOpInterface>(op.getOperation()))
    explainProduct(matmul, target, os);
  if (auto attention = dyn_cast<tgemm::AttentionOp>(op.getOperation()))
    explainAttention(attention, target, os);
  if (int64_t size = op.getTileWork().clusterSize;
      target.getSpec().hasClusters() && size != 1) {
    resident = target.getSpec().getResidentClusters(size);
    where = "clusters";
  }
  os << "    tiles       ";
  llvm::interleave(kernel.grid, os, " x ");
  os << " = " << tiles << ", " << kernel.steps << " steps each\n";
  os << "    waves       "
     << llvm::format("%.2f",
                     static_cast<double>(tiles) / static_cast<double>(resident))
     << " of " << resident << " " << where << "\n";
  os << "    tile time   "
     << llvm::format("%.2f", getTileTime(op, target.getSpec()))
     << " us (model)\n";
  if (auto matmul = dyn_cast<tgemm::ProductOpInterface>(op.getOperation()))
    explainTiling(matmul, target, os);
}

/// Describes the modelled gain and cost if tiles of kernel `position` wait for
/// tiles.
static void explainWorth(const ChainProgram &chainProgram, unsigned position,
                         const Target &target, llvm::raw_ostream &os) {
  const auto *model = target.getInterface<tgemm::ProductModel>();
  if (!model || !model->hasTimes())
    return;
  EdgeTimes times = tgemm::modelEdges(chainProgram.kernels[position], *model);
  os << "    by tile     ";
  if (times.obstacle.empty()) {
    size_t before = llvm::find(chainProgram.kernels, times.before) -
                    chainProgram.kernels.begin();
    os << "gains "
       << llvm::format("%.2f us of what the last wave of ", times.gain * 1e6)
       << chainProgram.program.kernels[before].name << " leaves unused";
  } else
    os << "gains nothing: " << times.obstacle;
  os << llvm::format("; costs %.2f us (model)\n", times.cost * 1e6);
  if (times.inOrderGain > 0)
    os << llvm::format("    in order    gains %.2f us: blocks that start early "
                       "are placed badly (model)\n",
                       times.inOrderGain * 1e6);
}

/// Describes when kernel `position` of a chain of launches may start. If it
/// starts early and waits for a launch, also describes which of its operands
/// need the wait.
static void explainStart(const ChainProgram &chainProgram, LaunchWait wait,
                         unsigned position, llvm::raw_ostream &os) {
  ArrayRef<TileKernel> kernels = chainProgram.program.kernels;
  TileKernelOpInterface previous;
  if (position != 0)
    previous = chainProgram.kernels[position - 1];
  bool isInSameLaunch = previous && previous.isLaunchedWithNext();
  if (!previous || (wait == LaunchWait::BeforeStart && !isInSameLaunch)) {
    os << "    start       when all launches before have ended\n";
    return;
  }
  StringRef before = kernels[position - 1].name;
  if (isInSameLaunch) {
    os << "    start       in one launch with " << before << "\n";
    return;
  }
  if (wait == LaunchWait::BeforeEnd) {
    os << "    start       when all blocks of " << before << " have started\n";
    return;
  }
  os << "    start       before " << before << " has ended\n";
  TileKernelOpInterface op = chainProgram.kernels[position];
  for (OpOperand &operand : op->getOpOperands()) {
    auto read =
        llvm::find_if(chainProgram.reads, [&](const ChainRead &candidate) {
          return candidate.operand == &operand;
        });
    std::string name = "operand " + std::to_string(operand.getOperandNumber());
    os << "    " << llvm::left_justify(name, 12);
    if (read != chainProgram.reads.end() &&
        !chainProgram.program.reads[read - chainProgram.reads.begin()]
             .waitsForLaunch)
      os << "loaded after waits for tiles of " << kernels[read->producer].name
         << "\n";
    else if (read != chainProgram.reads.end())
      os << "loaded after the wait: " << kernels[read->producer].name
         << " writes it\n";
    else
      os << "loaded without a wait: no kernel of the chain writes it\n";
  }
}

/// Prints the numbers, in their launch, of the semaphores of `dependence`.
/// Prints nothing if kernels wait for kernels.
static void explainNumbers(DependenceOp dependence,
                           const ChainSemaphores &semaphores,
                           llvm::raw_ostream &os) {
  std::optional<int64_t> base = semaphores.getBase(dependence);
  if (!base)
    return;
  os << " (" << *base;
  if (int64_t count = dependence.getPolicy()->getNumSemaphores(); count != 1)
    os << " to " << *base + count - 1;
  os << ")";
}

static void explainDependence(DependenceOp dependence,
                              const ChainProgram &chainProgram,
                              const ChainSemaphores &semaphores,
                              llvm::raw_ostream &os) {
  auto position = [&](TileKernelOpInterface kernel) {
    return llvm::find(chainProgram.kernels, kernel) -
           chainProgram.kernels.begin();
  };
  const TileKernel &producer =
      chainProgram.program.kernels[position(dependence.getProducerKernel())];
  const TileKernel &consumer =
      chainProgram.program.kernels[position(dependence.getConsumerKernel())];
  os << "  edge " << producer.name << " -> " << consumer.name << " (operand "
     << dependence.getOperand() << ")\n";
  if (dependence.getRelation())
    os << "    relation    " << *dependence.getRelation() << "\n";
  std::optional<PolicyAttr> policy = dependence.getPolicy();
  if (dependence.getMode())
    os << "    mode        " << stringifyMode(*dependence.getMode()) << "\n";
  if (!policy || !dependence.isByTile()) {
    os << "    policy      none: kernels wait for kernels\n";
    return;
  }
  SemaphorePolicy plain = toSemaphorePolicy(*policy);
  os << "    policy      " << getPolicyName(plain) << ", " << *policy << "\n";
  os << "    semaphores  " << policy->getNumSemaphores();
  explainNumbers(dependence, semaphores, os);
  os << ", complete after ";
  if (std::optional<int64_t> count = policy->getUniformCount())
    os << *count << " posts each\n";
  else
    os << *llvm::min_element(policy->getCounts()) << " to "
       << *llvm::max_element(policy->getCounts()) << " posts\n";
  SmallVector<int64_t> first(consumer.grid.size(), 0);
  os << "    waits       ";
  if (std::optional<int64_t> waits =
          countWaits(plain, consumer, first, kMaxExplainedSteps))
    os << *waits;
  else
    os << "uncounted";
  os << " in the first tile of " << consumer.name << ", of " << consumer.steps
     << " steps\n";
}

LogicalResult grout::printExplanation(ModuleOp module, const Target &target,
                                      llvm::raw_ostream &os) {
  unsigned number = 0;
  WalkResult walk = module.walk([&](ChainOp chain) {
    FailureOr<ChainProgram> chainProgram = ChainProgram::get(chain);
    FailureOr<ChainSemaphores> semaphores = ChainSemaphores::get(chain);
    if (failed(chainProgram) || failed(semaphores))
      return WalkResult::interrupt();
    os << "chain " << number++ << ", mode " << stringifyMode(chain.getMode())
       << ", target " << target.getName() << "\n";
    for (auto [position, op, kernel] : llvm::enumerate(
             chainProgram->kernels, chainProgram->program.kernels)) {
      explainKernel(op, kernel, target, os);
      LaunchWait wait = chain.getLaunchWait(op);
      if (startsEarly(getLaunchWait(chain.getMode())) || startsEarly(wait)) {
        explainStart(*chainProgram, wait, position, os);
        if (position != 0 && !op.isLaunchedWithNext())
          explainWorth(*chainProgram, position, target, os);
      }
    }
    for (DependenceOp dependence : chain.getDependences())
      explainDependence(dependence, *chainProgram, *semaphores, os);
    bool byTile = chain.isSynchronisedByTile();
    if (getLaunchWait(chain.getMode()) == LaunchWait::BeforeStart && !byTile)
      os << "  proof         every kernel ends before the next begins\n";
    else if (!byTile)
      os << "  proof         every kernel waits for those before it before it "
            "touches what the chain writes\n";
    else if (std::optional<int64_t> residents = chain.getResidents())
      os << "  proof         every read is covered, no overwrite is lost, no "
            "deadlock with "
         << *residents << " resident tile" << (*residents == 1 ? "" : "s")
         << " or more\n";
    else
      os << "  proof         none: tsync-verify has not run\n";
    if (getLaunchWait(chain.getMode()) != LaunchWait::Never && byTile)
      os << "  residency     by launch order: no block starts before all those "
            "of earlier kernels have, so none waits for one that is not "
            "resident\n";
    return WalkResult::advance();
  });
  unsigned numMemoryBound = scop::explainKernels(module, os);
  if (number + numMemoryBound == 0)
    os << "nothing was compiled to kernels\n";
  return failure(walk.wasInterrupted());
}
