//===- TilingLimits.cpp - Which tiles a target can compute ----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/Transforms/TilingLimits.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <limits>

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

/// Space to align the stages to, which the swizzle of bulk tensor copies needs.
static constexpr int64_t kAlignmentBytes = 1024;
static constexpr int64_t kBarrierBytes = 1024;

/// Bytes of the two buffers through which a warpgroup stores: one is filled,
/// while the other, of 64 rows of 128 bytes, is on its way to memory.
static constexpr int64_t kStagingBytes = 2 * 64 * 128;

/// Elements in a row of shared memory that is swizzled over 128 bytes. Factors
/// come in blocks of such rows.
static constexpr int64_t kSwizzleElements = 64;

/// Registers that a consumer thread needs for anything but accumulators.
static constexpr int64_t kOtherRegisters = 32;

/// The product, or the largest number if that is too large: a user may ask for
/// any number of stages.
static int64_t multiply(int64_t a, int64_t b) {
  int64_t result;
  return llvm::MulOverflow(a, b, result) ? std::numeric_limits<int64_t>::max()
                                         : result;
}

int64_t tgemm::getStageBytes(MatmulOp op, TilingAttr tiling) {
  // Where the reduction is not the dimension that is dense in memory, the rows
  // of a factor in shared memory run along the tile instead, in whole blocks.
  int64_t m = tiling.getM(), n = tiling.getN();
  if (op.getTransposeLhs())
    m = llvm::alignTo(m, kSwizzleElements);
  if (!op.getTransposeRhs())
    n = llvm::alignTo(n, kSwizzleElements);
  int64_t elementBytes = op.getInputElementType().getWidth() / 8;
  return multiply((m + n * op.getNumProducts()) * elementBytes, tiling.getK());
}

int64_t tgemm::getSharedMemoryBytes(MatmulOp op, TilingAttr tiling) {
  int64_t fixed = getConsumerWarpgroups(tiling.getM()) * kStagingBytes +
                  kAlignmentBytes + kBarrierBytes;
  int64_t stages = multiply(tiling.getStages(), getStageBytes(op, tiling));
  int64_t bytes;
  return llvm::AddOverflow(stages, fixed, bytes) ? stages : bytes;
}

int64_t tgemm::getConsumerWarpgroups(int64_t m) {
  return m == 256 ? 2 : m / 64;
}

int64_t tgemm::getAccumulatorsPerThread(MatmulOp op, TilingAttr tiling) {
  return tiling.getM() * tiling.getN() * op.getNumProducts() /
         (kWarpgroupThreads * getConsumerWarpgroups(tiling.getM()));
}

/// Accumulators that a thread may hold, from the registers that consumers get
/// once the producer has handed over what it does not need.
static int64_t getMaxAccumulators(int64_t consumers) {
  constexpr int64_t registers[] = {216, 232, 160};
  return registers[consumers - 1] - kOtherRegisters;
}

/// The limits of `wgmma` fed by bulk tensor copies.
static std::string findHopperProblem(MatmulOp op, TilingAttr tiling,
                                     const TargetSpec &target) {
  std::string problem;
  llvm::raw_string_ostream os(problem);
  int64_t m = tiling.getM(), n = tiling.getN(), k = tiling.getK();
  if (op.getInputElementType().isF32()) {
    os << "multiplies f32, but " << target.name
       << " has matrix instructions for f16 and bf16";
  } else if (k % kSwizzleElements != 0) {
    os << "needs tiles with k a multiple of " << kSwizzleElements << " on "
       << target.name << ", got " << k;
  } else if (m % 64 != 0 || m > 256) {
    os << "needs tiles with m of 64, 128, 192 or 256 on " << target.name
       << ", got " << m;
  } else if (n % 16 != 0 || n > 256) {
    os << "needs tiles with n a multiple of 16 up to 256 on " << target.name
       << ", got " << n;
  } else if (m == 192 && n > 192) {
    // Four warpgroups start with 128 registers a thread, and ptxas needs more
    // for a product of so many columns.
    os << "needs tiles with n up to 192 beside m of 192 on " << target.name
       << ", got " << n;
  } else if (int64_t accumulators = getAccumulatorsPerThread(op, tiling),
             limit = getMaxAccumulators(getConsumerWarpgroups(m));
             accumulators > limit) {
    os << "tile needs " << accumulators << " accumulators in each thread, but "
       << target.name << " has room for " << limit;
  } else if (int64_t bytes = getSharedMemoryBytes(op, tiling);
             bytes > target.sharedMemory) {
    os << "tile needs " << bytes << " bytes of shared memory, but "
       << target.name << " has " << target.sharedMemory;
  }
  return problem;
}

std::string tgemm::findTilingProblem(MatmulOp op, TilingAttr tiling,
                                     const TargetSpec &target) {
  // A CPU loops over whatever a tile is.
  return target.isGPU ? findHopperProblem(op, tiling, target) : std::string();
}
