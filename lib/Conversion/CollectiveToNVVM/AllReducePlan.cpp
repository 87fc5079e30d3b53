//===- AllReducePlan.cpp - How the blocks of an all-reduce share it -------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "AllReducePlan.h"

#include "grout/Runtime/DeviceABI.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;

/// Bytes of the widest load or store of a thread.
static constexpr int64_t kVectorBytes = 16;
static constexpr int64_t kThreads = 512;
/// With more blocks, NVLink is not faster. All blocks have to run at once.
static constexpr int64_t kMaxBlocks = 64;
/// A second exchange takes as long as NVLink takes for this many bytes. So two
/// shots pay if they save a rank more than that.
static constexpr int64_t kExchangeBytes = 600 << 10;

/// Returns how many elements of `view` a thread can access at once.
static int64_t getVector(const BufferView &view, int64_t elementBytes) {
  int64_t vector = kVectorBytes / elementBytes;
  bool isDense = view.strides == computeStrides(view.shape) &&
                 view.offset % vector == 0 &&
                 computeProduct(view.shape) % vector == 0;
  return isDense ? vector : 1;
}

AllReducePlan::AllReducePlan(collective::AllReduceOp op,
                             const BufferView &input, const BufferView &output)
    : ranks(op.getRanks()), elements(computeProduct(input.shape)),
      elementBytes(input.elementType.getIntOrFloatBitWidth() / 8),
      vector(std::min(getVector(input, elementBytes),
                      getVector(output, elementBytes))),
      threads(kThreads) {
  int64_t bytes = elements * elementBytes;
  int64_t sentOnce = (ranks - 1) * bytes;
  isTwoShot = sentOnce - 2 * sentOnce / ranks > kExchangeBytes;
  blocks = std::clamp<int64_t>(llvm::divideCeil(elements, threads * vector), 1,
                               kMaxBlocks);
  chunk = llvm::alignTo(llvm::divideCeil(elements, blocks),
                        isTwoShot ? vector * ranks : vector);
  blocks = llvm::divideCeil(elements, chunk);
}

int64_t AllReducePlan::getPlaceBytes() const {
  return kernelabi::getExchangeBytes(blocks * (isTwoShot ? getShare() : chunk) *
                                     elementBytes);
}

int64_t AllReducePlan::getPlacesOffset() const {
  return kernelabi::getExchangeHeaderBytes(getNumPhases() * blocks * ranks);
}

int64_t AllReducePlan::getSumsOffset() const {
  return getPlacesOffset() + ranks * getPlaceBytes();
}

int64_t AllReducePlan::getBytes() const {
  if (!isTwoShot)
    return getPlacesOffset() + 2 * ranks * getPlaceBytes();
  return getSumsOffset() +
         kernelabi::getExchangeBytes(blocks * chunk * elementBytes);
}
