//===- TilingLimits.cpp - Which tiles a target can compute ----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/Transforms/TilingLimits.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

/// Space to align the stages to, which the swizzle of bulk tensor copies needs.
static constexpr int64_t kAlignmentBytes = 1024;
static constexpr int64_t kBarrierBytes = 1024;

/// Elements in a row of shared memory that is swizzled over 128 bytes.
static constexpr int64_t kSwizzleElements = 64;

/// Registers that a consumer thread needs for anything but accumulators.
static constexpr int64_t kOtherRegisters = 40;

int64_t tgemm::getSharedMemoryBytes(MatmulOp op, TilingAttr tiling) {
  int64_t inputBytes = op.getInputElementType().getWidth() / 8;
  int64_t resultBytes = op.getResultElementType().getWidth() / 8;
  int64_t stage = (tiling.getM() + tiling.getN() * op.getNumProducts()) *
                  tiling.getK() * inputBytes;
  int64_t staging = tiling.getM() * tiling.getN() * resultBytes;
  return tiling.getStages() * stage + staging + kAlignmentBytes + kBarrierBytes;
}

int64_t tgemm::getConsumerWarpgroups(int64_t m) {
  return m == 256 ? 2 : m / 64;
}

int64_t tgemm::getAccumulatorsPerThread(MatmulOp op, TilingAttr tiling) {
  return tiling.getM() * tiling.getN() * op.getNumProducts() /
         (kWarpgroupThreads * getConsumerWarpgroups(tiling.getM()));
}

/// Accumulators that a thread may hold. A multiprocessor has 512 registers for
/// each thread of a warpgroup, 24 of which the producer keeps; a thread can use
/// 240 of the rest, or 160 where three consumers share them.
static int64_t getMaxAccumulators(int64_t consumers) {
  return (consumers == 3 ? 160 : 240) - kOtherRegisters;
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
