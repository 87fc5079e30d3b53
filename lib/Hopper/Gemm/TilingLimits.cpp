//===- TilingLimits.cpp - Tiles that a target can compute -----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Hopper/Gemm/TilingLimits.h"

#include "grout/Dialect/TGemm/Transforms/ProductModel.h"
#include "grout/Hopper/Gemm/ProductModel.h"
#include "grout/Hopper/Kit/MmaTraits.h"
#include "grout/Runtime/DeviceABI.h"
#include "grout/Support/ElementTypes.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <limits>

using namespace mlir;
using namespace grout;
using namespace grout::hopper;
using namespace grout::tgemm;

/// Bytes for barriers and the task.
static constexpr int64_t kBarrierSpace = 1024;

/// Returns the product, or the largest number if it overflows: a user may ask
/// for any number of stages.
static int64_t multiply(int64_t a, int64_t b) {
  int64_t result;
  return llvm::MulOverflow(a, b, result) ? std::numeric_limits<int64_t>::max()
                                         : result;
}

// If an operand is not contiguous along the reduction, its rows in shared
// memory run along the tile, in whole rows of 64 or 128 bytes.

static int64_t getElementBytes(ProductOpInterface op) {
  return op.getInputElementType().getWidth() / 8;
}

int64_t hopper::getLhsStageBytes(ProductOpInterface op, TilingAttr tiling) {
  int64_t m = tiling.getBlockM();
  if (op.getTransposeLhs())
    m = llvm::alignTo(m, kRowBytes / 2 / getElementBytes(op));
  return multiply(m * getElementBytes(op), tiling.getK());
}

int64_t hopper::getRhsStageBytes(ProductOpInterface op, TilingAttr tiling) {
  int64_t n = tiling.getBlockN();
  if (!op.getTransposeRhs())
    n = llvm::alignTo(n, kRowBytes / 2 / getElementBytes(op));
  return multiply(n * op.getNumProducts() * getElementBytes(op), tiling.getK());
}

int64_t hopper::getStageBytes(ProductOpInterface op, TilingAttr tiling) {
  int64_t bytes;
  return llvm::AddOverflow(getLhsStageBytes(op, tiling),
                           getRhsStageBytes(op, tiling), bytes)
             ? std::numeric_limits<int64_t>::max()
             : bytes;
}

int64_t hopper::getSharedMemoryBytes(ProductOpInterface op, TilingAttr tiling) {
  int64_t fixed = getExchangeBytes(op, tiling) + kBarrierSpace;
  int64_t stages = multiply(tiling.getStages(), getStageBytes(op, tiling));
  int64_t bytes;
  return llvm::AddOverflow(stages, fixed, bytes) ? stages : bytes;
}

int64_t hopper::getExchangeBytes(ProductOpInterface op, TilingAttr tiling) {
  return (tiling.getSplitK() - 1) * tiling.getMmaM() * tiling.getResultMmaN() *
         op.getNumProducts() * sizeof(float);
}

int64_t hopper::getConsumerWarpgroups(TilingAttr tiling) {
  int64_t rows = tiling.getMmaM();
  return rows == 256 ? 2 : rows / kMmaRows;
}

/// The warpgroups that sum the result of `op` over ranks.
static int64_t getSummingWarpgroups(ProductOpInterface op) {
  return op.getSumRanks() ? 1 : 0;
}

int64_t hopper::getWarpgroups(ProductOpInterface op, TilingAttr tiling) {
  return getConsumerWarpgroups(tiling) + getSummingWarpgroups(op);
}

int64_t hopper::getAccumulatorsPerThread(ProductOpInterface op,
                                         TilingAttr tiling) {
  return tiling.getBlockM() * tiling.getBlockN() * op.getNumProducts() /
         (kWarpgroupThreads * getConsumerWarpgroups(tiling));
}

/// Returns how many accumulators a thread may hold in blocks with `warpgroups`
/// warpgroups besides the producer, which gives up registers (`setmaxnreg`).
static int64_t getMaxAccumulators(int64_t warpgroups) {
  return kernelabi::kRegisterShares[warpgroups - 1].consumer - kOtherRegisters;
}

std::optional<int64_t> hopper::getSumDepth(ProductOpInterface op,
                                           TilingAttr tiling,
                                           const MmaTraits &mma) {
  std::optional<int64_t> depth = op.getSumDepth();
  if (mma.sumDepth)
    depth = std::min(depth.value_or(*mma.sumDepth), *mma.sumDepth);
  if (!depth || llvm::divideCeilSigned(op.getK(), tiling.getSplitK()) <= *depth)
    return std::nullopt;
  return depth;
}

int64_t hopper::getSumRegisters(ProductOpInterface op, TilingAttr tiling,
                                const MmaTraits &mma) {
  return getAccumulatorsPerThread(op, tiling) *
         (getSumDepth(op, tiling, mma) ? 2 : 1);
}

bool hopper::fitsWarpgroups(ProductOpInterface op, TilingAttr tiling,
                            int64_t warpgroups) {
  int64_t all = warpgroups + getSummingWarpgroups(op);
  if (all > kernelabi::kMaxConsumerWarpgroups)
    return false;
  // With three warpgroups, threads start with 128 registers. ptxas needs more
  // for an MMA of so many columns.
  if (all == 3 && tiling.getMmaN() > 192)
    return false;
  std::optional<MmaTraits> mma = findMmaTraits(op.getInputElementType());
  return mma && getConsumerWarpgroups(tiling) <= warpgroups &&
         getSumRegisters(op, tiling, *mma) <= getMaxAccumulators(all);
}

/// Says which limit of clusters `tiling` violates; empty if none.
static std::string findClusterProblem(ProductOpInterface op, TilingAttr tiling,
                                      const TargetSpec &target) {
  std::string problem;
  llvm::raw_string_ostream os(problem);
  for (auto [name, size] : {std::pair("cluster_m", tiling.getClusterM()),
                            std::pair("cluster_n", tiling.getClusterN()),
                            std::pair("split_k", tiling.getSplitK())})
    if (!llvm::isPowerOf2_64(size)) {
      os << "needs a power of two for " << name << " on " << target.name
         << ", got " << size;
      return problem;
    }
  int64_t size = multiply(multiply(tiling.getClusterM(), tiling.getClusterN()),
                          tiling.getSplitK());
  int64_t steps = llvm::divideCeil(op.getK(), tiling.getK());
  if (size > kernelabi::kMaxClusterBlocks)
    os << "needs clusters of up to " << kernelabi::kMaxClusterBlocks
       << " blocks on " << target.name << ", got " << size;
  else if (tiling.getSplitK() > steps)
    os << "cannot split a K loop of " << steps << " steps among "
       << tiling.getSplitK() << " blocks";
  else if (tiling.getResultMmaN() % 8 != 0)
    os << "needs a multiple of 8 " << (tiling.getSwapAb() ? "rows" : "columns")
       << " for each of the " << tiling.getSplitK() << " blocks that complete "
       << tiling.getMmaN();
  // Operand A of the MMAs can always be divided: a block has a multiple of 64
  // rows of it.
  else if (int64_t sharers =
               tiling.getSwapAb() ? tiling.getClusterN() : tiling.getClusterM();
           (tiling.getSwapAb() ? !op.getTransposeLhs()
                               : op.getTransposeRhs()) &&
           tiling.getMmaN() / sharers % kSwizzleRows != 0)
    os << "cannot multicast " << tiling.getMmaN()
       << (tiling.getSwapAb() ? " rows of lhs from " : " columns of rhs from ")
       << sharers << " blocks in groups of " << kSwizzleRows;
  return problem;
}

/// Says which limit of `wgmma` with TMA loads `tiling` violates; empty if none.
static std::string findHopperProblem(ProductOpInterface op, TilingAttr tiling,
                                     const TargetSpec &target) {
  std::string problem;
  llvm::raw_string_ostream os(problem);
  int64_t k = tiling.getK();
  // The extents in MMA rows and columns, and their names in the tiling.
  int64_t rows = tiling.getMmaM(), columns = tiling.getMmaN();
  bool isSwapped = tiling.getSwapAb();
  StringRef m = isSwapped ? "n" : "m", n = isSwapped ? "m" : "n";
  int64_t unit = isSwapped ? 8 : HopperProductModel::kColumnUnit;
  StringRef swapped = isSwapped ? " with swap_ab" : "";
  std::optional<MmaTraits> mma = findMmaTraits(op.getInputElementType());
  if (!mma) {
    os << "multiplies " << op.getInputElementType() << ", but " << target.name
       << " has MMA instructions for " << joinNames(getMmaTypeNames(), "and");
  } else if (k % mma->getChunk() != 0) {
    os << "needs tiles with k a multiple of " << mma->getChunk() << " on "
       << target.name << ", got " << k;
  } else if (isSwapped && op.getResultElementType().isF32()) {
    os << "cannot be computed with swap_ab on " << target.name
       << ", as its result is f32, and not of 16 bits";
  } else if (rows % kMmaRows != 0 || rows > 256) {
    os << "needs blocks with " << m << " of 64, 128, 192 or 256" << swapped
       << " on " << target.name << ", got " << rows;
  } else if (columns % unit != 0 || columns > 256) {
    os << "needs blocks with " << n << " a multiple of " << unit << " up to 256"
       << swapped << " on " << target.name << ", got " << columns;
  } else if (getWarpgroups(op, tiling) > kernelabi::kMaxConsumerWarpgroups) {
    os << "needs blocks with " << m << " of 64, 128 or 256" << swapped
       << " for a sum over ranks on " << target.name << ", got " << rows;
  } else if (getWarpgroups(op, tiling) == 3 && columns > 192) {
    // With three warpgroups, threads start with 128 registers. ptxas needs more
    // for an MMA of so many columns.
    os << "needs blocks with " << n << " up to 192 beside " << m << " of "
       << rows << (op.getSumRanks() ? " and a sum over ranks" : "") << swapped
       << " on " << target.name << ", got " << columns;
  } else if (int64_t accumulators = getSumRegisters(op, tiling, *mma),
             limit = getMaxAccumulators(getWarpgroups(op, tiling));
             accumulators > limit) {
    os << "needs " << accumulators
       << (getSumDepth(op, tiling, *mma)
               ? " accumulators, with those of its sums,"
               : " accumulators")
       << " in each thread for a tile, "
       << "but " << target.name << " has room for " << limit;
  } else if (int64_t bytes = getSharedMemoryBytes(op, tiling);
             bytes > target.sharedMemory) {
    os << "needs " << bytes << " bytes of shared memory for a tile, but "
       << target.name << " has " << target.sharedMemory;
  } else {
    os << findClusterProblem(op, tiling, target);
  }
  return problem;
}

std::string hopper::findTilingProblem(ProductOpInterface op, TilingAttr tiling,
                                      const TargetSpec &target) {
  std::string problem = findPartsProblem(op, tiling);
  if (problem.empty())
    problem = findHopperProblem(op, tiling, target);
  return problem.empty() ? findColumnBlockProblem(op, tiling) : problem;
}

std::string HopperProductModel::findProblem(ProductOpInterface op,
                                            TilingAttr tiling) const {
  return findTilingProblem(op, tiling, target);
}

bool HopperProductModel::fits(ProductOpInterface op, TilingAttr tiling,
                              const KernelForm &form) const {
  return tiling.getClusterSize() == form.clusterSize &&
         (tiling.getSplitK() == 1 || tiling.getSplitK() == form.splits) &&
         fitsWarpgroups(op, tiling, form.warpgroups);
}

ArrayRef<KernelForm> HopperProductModel::getKernelForms() const {
  static constexpr KernelForm forms[] = {
      {1, 1, 1}, {1, 1, 2}, {1, 1, 3}, {2, 2, 1}, {2, 2, 2}, {2, 2, 3},
      {4, 2, 1}, {4, 2, 2}, {4, 2, 3}, {4, 4, 1}, {4, 4, 2}, {4, 4, 3}};
  return forms;
}

bool HopperProductModel::canShareKernel(ArrayRef<ProductOpInterface> ops,
                                        ArrayRef<TilingAttr> tilings) const {
  KernelForm form = {tilings.front().getClusterSize(), 1, 1};
  for (TilingAttr tiling : tilings) {
    form.splits = std::max(form.splits, tiling.getSplitK());
    form.warpgroups = std::max(form.warpgroups, getConsumerWarpgroups(tiling));
  }
  return llvm::all_of(llvm::zip(ops, tilings), [&](auto pair) {
    return fits(std::get<0>(pair), std::get<1>(pair), form);
  });
}
