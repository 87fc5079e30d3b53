//===- AllReducePlan.cpp - How the blocks of an all-reduce share it -------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "AllReducePlan.h"

#include "grout/Conversion/Common/PeerWords.h"
#include "grout/Runtime/DeviceABI.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;

/// Bytes of the widest load or store of a thread.
static constexpr int64_t kVectorBytes = 16;
/// A block with fewer threads has a smaller chunk, and exchanges it sooner. It
/// has more threads only if the tensor needs more than `kMaxBlocks` blocks.
static constexpr int64_t kFewestThreads = 128, kMostThreads = 512;
/// With more blocks, NVLink is not faster. All blocks have to run at once, and
/// leave SMs to the kernels of other streams.
static constexpr int64_t kMaxBlocks = 64;
/// A second exchange takes as long as NVLink takes for this many bytes. So two
/// shots pay if they save a rank more than that.
static constexpr int64_t kExchangeBytes = 500 << 10;

/// Returns how many elements of `view` a thread can access at once.
static int64_t getVector(const BufferView &view, int64_t elementBytes) {
  int64_t vector = kVectorBytes / elementBytes;
  bool isDense = view.strides == computeStrides(view.shape) &&
                 view.offset % vector == 0 &&
                 computeProduct(view.shape) % vector == 0;
  return isDense ? vector : 1;
}

AllReducePlan::AllReducePlan(collective::AllReduceOp op,
                             const BufferView &input, const BufferView &output,
                             int64_t residents)
    : ranks(op.getRanks()), elements(computeProduct(input.shape)),
      elementBytes(input.elementType.getIntOrFloatBitWidth() / 8),
      vector(std::min(getVector(input, elementBytes),
                      getVector(output, elementBytes))),
      threads(kFewestThreads) {
  int64_t sentInOne = (ranks - 1) * elements * elementBytes;
  int64_t sentInTwo = 2 * sentInOne / ranks;
  isTwoShot = sentInOne - sentInTwo > kExchangeBytes;
  int64_t maxBlocks = std::min(kMaxBlocks, residents);
  while (threads < kMostThreads && threads * vector * maxBlocks < elements)
    threads *= 2;
  blocks = std::clamp<int64_t>(llvm::divideCeil(elements, threads * vector), 1,
                               maxBlocks);
  chunk = llvm::alignTo(llvm::divideCeil(elements, blocks),
                        isTwoShot ? vector * ranks : vector);
  blocks = llvm::divideCeil(elements, chunk);
}

int64_t AllReducePlan::getBytes(int64_t count) const {
  return kernelabi::getExchangeBytes(count / vector *
                                     getWordBytes(vector, elementBytes));
}
