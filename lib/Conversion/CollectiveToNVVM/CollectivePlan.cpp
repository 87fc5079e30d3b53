//===- CollectivePlan.cpp - How the blocks of a collective share it -------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "CollectivePlan.h"

#include "grout/Conversion/Common/PeerWords.h"
#include "grout/Runtime/DeviceABI.h"
#include "grout/Support/ElementTypes.h"
#include "grout/Support/TensorSize.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using collective::AllGatherOp;
using collective::AllToAllOp;
using collective::CollectiveOpInterface;
using collective::ReduceScatterOp;

/// Bytes of the widest load or store of a thread, and of a word.
static constexpr int64_t kVectorBytes = 16, kWordBytes = 4;
/// A block with fewer threads has a smaller chunk, and exchanges it sooner. It
/// has more threads only if the tensor needs more than `kMaxBlocks` blocks.
static constexpr int64_t kFewestThreads = 128, kMostThreads = 512;
/// With more blocks, NVLink is not faster. All blocks have to run at once, and
/// leave SMs to the kernels of other streams.
static constexpr int64_t kMaxBlocks = 64;

static PartedTensor getInput(CollectiveOpInterface op, const BufferView &view) {
  if (auto scatter = dyn_cast<ReduceScatterOp>(*op))
    return PartedTensor::getCut(view, scatter.getDim(), op.getRanks());
  if (auto exchange = dyn_cast<AllToAllOp>(*op))
    return PartedTensor::getCut(view, exchange.getSplitDim(), op.getRanks());
  return PartedTensor::getWhole(view);
}

static PartedTensor getOutput(CollectiveOpInterface op,
                              const BufferView &view) {
  if (auto gather = dyn_cast<AllGatherOp>(*op))
    return PartedTensor::getCut(view, gather.getDim(), op.getRanks());
  if (auto exchange = dyn_cast<AllToAllOp>(*op))
    return PartedTensor::getCut(view, exchange.getConcatDim(), op.getRanks());
  return PartedTensor::getWhole(view);
}

/// Whether all bits of a word of `type` may be set, though it is no NaN.
static bool hasAllBits(Type type) {
  return !isGemmFloat(type) && !type.isInteger(1);
}

CollectivePlan::CollectivePlan(CollectiveOpInterface op,
                               const BufferView &inputView,
                               const BufferView &outputView,
                               const TargetSpec &target, int64_t sets)
    : ranks(op.getRanks()), sets(sets), input(getInput(op, inputView)),
      output(getOutput(op, outputView)),
      elementBytes(*getSize({1}, inputView.elementType)),
      elements(computeProduct(input.part.shape)) {
  chooseVector(inputView.elementType, op.isSum());
  // The elements of all ranks' parts.
  int64_t work = std::max(computeProduct(inputView.shape),
                          computeProduct(outputView.shape));
  if (isa<ReduceScatterOp>(*op))
    algorithm = Algorithm::scatter;
  else if (isa<AllGatherOp>(*op))
    algorithm = Algorithm::gather;
  else if (isa<AllToAllOp>(*op))
    algorithm = Algorithm::allToAll;
  else
    algorithm = target.getRankSumPath(ranks, work * elementBytes).isTwoShot
                    ? Algorithm::twoShots
                    : Algorithm::oneShot;
  chooseBlocks(work, target.getResidentTiles(/*clusterSize=*/1,
                                             /*blocksPerProcessor=*/1));
}

/// Chooses the vectors. Elements that are not added up are just bits. If all
/// bits of a word may be set, each word that is sent has 16 bits of data.
void CollectivePlan::chooseVector(Type element, bool isSum) {
  bool isSpread = hasAllBits(element);
  vector = kVectorBytes / (isSpread ? 2 : 1) / elementBytes;
  while (!input.hasVectors(vector) || !output.hasVectors(vector))
    vector /= 2;
  MLIRContext *context = element.getContext();
  auto getVector = [&](int64_t size, Type type) {
    return VectorType::get(size, type);
  };
  int64_t bytes = vector * elementBytes;
  if (isSpread && bytes >= kWordBytes) {
    stored = getVector(bytes / 2, IntegerType::get(context, 16));
    sent = getVector(bytes / 2, IntegerType::get(context, 32));
    return;
  }
  stored = sent = getVector(
      vector, isSum ? element : IntegerType::get(context, 8 * elementBytes));
}

void CollectivePlan::chooseBlocks(int64_t work, int64_t residents) {
  int64_t maxBlocks = std::min(kMaxBlocks, residents);
  int64_t parts = algorithm == Algorithm::oneShot ? 1 : ranks;
  // Except in one shot, a thread works on the same vector of all parts.
  threads = kFewestThreads;
  while (threads < kMostThreads && threads * vector * maxBlocks < elements)
    threads *= 2;
  blocks = std::clamp<int64_t>(llvm::divideCeil(work, threads * vector), 1,
                               maxBlocks);
  chunk = llvm::alignTo(llvm::divideCeil(work, blocks), vector * parts) / parts;
  blocks = llvm::divideCeil(work, chunk * parts);
}

int64_t CollectivePlan::getVectorBytes() const {
  return getWordBytes(sent.getNumElements(), sent.getElementTypeBitWidth() / 8);
}

int64_t CollectivePlan::getPlaceBytes() const {
  return kernelabi::getExchangeBytes(blocks * chunk / vector *
                                     getVectorBytes());
}
