//===- KernelPlan.h - The shape of a Hopper kernel --------------*- C++ -*-===//
//
// Part of Grout. Everything about a kernel that is decided before its code is
// built: who computes what, what lies where in shared memory, what its
// parameters are. See docs/HopperKernels.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_TGEMMTONVVM_KERNELPLAN_H
#define GROUT_CONVERSION_TGEMMTONVVM_KERNELPLAN_H

#include "grout/Conversion/Common/LaunchTensors.h"
#include "grout/Conversion/Common/ProgrammaticLaunch.h"
#include "grout/Conversion/Common/SemaphoreLayout.h"
#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Runtime/DeviceABI.h"
#include "grout/Target/Hopper/Mma.h"
#include "grout/Target/TargetSpec.h"
#include <vector>

namespace grout::hopper {

// "Rows" and "columns" are those of the result, "MMA rows" and "MMA columns"
// those of the MMAs; with `swap_ab`, one are the other.

/// Bytes of a block of 64 rows of one chunk.
inline constexpr int64_t kRowBlockBytes = kMmaRows * kRowBytes;

/// Which warp issues the TMA loads of an operand.
enum class Loader {
  /// Loads that never wait, so that they run ahead of those that do.
  independent,
  /// Loads that may first wait, for semaphores or for the launches before.
  waiting,
};

/// A factor of the products, as the kernel loads it.
struct FactorPlan {
  /// Index of its tensor map among the kernel's parameters.
  unsigned param;
  /// Whether consecutive elements in memory are rows of lhs (columns of rhs)
  /// rather than elements of the reduction.
  bool isMNMajor;
  bool isBatched;
  Loader loader;
  /// Rows of lhs (columns of rhs) that a block needs.
  int64_t extent;
  /// Blocks of the cluster that need the same. Each copies this share of it to
  /// all of them.
  int64_t sharers;
  /// Whether no other tile reads what a tile reads, so that caches need not
  /// keep it.
  bool isReadOnce;
  /// Bytes of a row in shared memory, and the pattern after which they are
  /// swizzled: 128, or, if rows run along the tile, 64 where its columns do not
  /// fill rows of 128.
  int64_t rowBytes;
  /// TMA loads for one chunk of the reduction.
  int64_t copies;
  /// Bytes from the start of a stage, and bytes of one chunk.
  int64_t offset;
  int64_t chunkBytes;

  /// If rows run along the tile: elements of a row, and bytes of the rows of
  /// one chunk.
  int64_t getRowElements() const { return rowBytes / 2; }
  int64_t getBlockBytes() const { return kChunk * rowBytes; }
};

/// Columns of which each lane of a warp has two.
inline constexpr int64_t kSharedColumns = 64;

/// An epilogue input, as the kernel reads it.
struct InputPlan {
  /// Index of its address among the kernel's parameters.
  unsigned param;
  mlir::FloatType elementType;
  /// Bytes from the address to the first element.
  int64_t offset;
  /// Bytes between neighbours in the result's batch, MMA rows and MMA columns;
  /// 0 where the input does not depend on the coordinate.
  int64_t batchStride = 0, mmaRowStride = 0, mmaColumnStride = 0;
  /// Whether two MMA columns can be read at once.
  bool readsPairs;
  /// Whether it is written by tiles that this kernel's wait for; whether it can
  /// be read only after the launches before have ended.
  bool waitsForTiles = false, needsLaunches = false;
  /// Whether it is read before the steps of a tile, or its last ones
  /// (EarlyInputs).
  bool isEarly = false;

  int64_t getElementBytes() const {
    return elementType.getIntOrFloatBitWidth() / 8;
  }
  /// Registers for two elements that are neighbours.
  int64_t getPairRegisters() const { return getElementBytes() / 2; }
  bool isMatrix() const { return mmaRowStride && mmaColumnStride; }
  bool dependsOnColumnAlone() const { return mmaColumnStride && !mmaRowStride; }
};

/// The result, as the kernel writes it.
struct ResultPlan {
  /// Index of its tensor map among the kernel's parameters, or of its address.
  unsigned param;
  bool isBatched;
  mlir::FloatType elementType;
  /// Whether TMA cannot store it, since its rows do not start and end at
  /// multiples of 16 bytes: consumers then copy the staging buffers. Bytes from
  /// the address to the first element, and between neighbours in the batch and
  /// in a column.
  bool isDirect = false;
  int64_t offset = 0, batchStride = 0, rowStride = 0;
  /// MMA columns written by one store. With `swap_ab` they need not divide
  /// those of a block: the last copy then writes some a second time.
  int64_t mmaColumns;
  /// Bytes of a row in a staging buffer, up to 128: a power of two, whose parts
  /// of 16 bytes are swizzled, or an odd multiple of 16.
  int64_t rowBytes;

  bool isSwizzled() const { return llvm::isPowerOf2_64(rowBytes); }
};

class FactorLoader;

/// Finds what loads the factors of a product; null if nothing does.
using FindFactorLoader =
    llvm::function_ref<const FactorLoader *(mlir::Operation *product)>;

/// One tile kernel in a kernel: a product, or the partial sums of one.
struct BodyPlan {
  TileKernelOpInterface tileKernel;
  /// The product.
  tgemm::ProductOpInterface op;
  tgemm::TilingAttr tiling;
  llvm::SmallVector<int64_t> grid;
  /// Steps of a tile, and of one block.
  int64_t steps;
  int64_t blockSteps;
  /// After how many steps of a block its accumulators are added to sums, which
  /// begin anew; none if that is at the end.
  std::optional<int64_t> sumSteps;
  /// How stream-K splits the K loops of some tiles, if it does; whether
  /// the tiles are such parts; where the partial sums are among the kernel's
  /// parameters, and the product's operands.
  std::optional<tgemm::StreamK> parts;
  bool arePartialSums = false;
  unsigned sumsParam = 0, sumsOperand = 0;
  /// Consumer warpgroups that compute a tile, and the blocks of 64 MMA rows of
  /// each.
  int64_t warpgroups;
  int64_t rowBlocks;
  /// lhs, then each rhs, and what loads them.
  llvm::SmallVector<FactorPlan> factors;
  const FactorLoader *factorLoader = nullptr;
  llvm::SmallVector<InputPlan> inputs;
  ResultPlan result;
  /// Whether the inputs for all of a staging buffer are read before the buffer
  /// is waited for, which takes registers.
  bool readsAhead = false;
  llvm::SmallVector<SemaphoreWait> waits;
  llvm::SmallVector<SemaphorePost> posts;
  /// Whether the waiting loader's factors, and what the epilogue reads after
  /// the steps, can be read only after the launches before have ended.
  bool factorsNeedLaunches = false;
  bool inputsNeedLaunches = false;
  /// Whether the independent loader has the cache fetch a few steps more than
  /// the stages hold while the waiting one waits.
  bool prefetches = false;

  bool isBatched() const { return tgemm::ProductOpInterface(op).isBatched(); }
  /// Whether some tiles are completed from partial sums.
  bool hasTilesInParts() const { return parts && !arePartialSums; }
  bool isLhs(const FactorPlan &factor) const { return &factor == &factors[0]; }
  bool isSwapped() const { return tiling.getSwapAb(); }
  /// Operands A and B of the MMAs of product `product`.
  const FactorPlan &getA(unsigned product) const {
    return factors[isSwapped() ? 1 + product : 0];
  }
  const FactorPlan &getB(unsigned product) const {
    return factors[isSwapped() ? 0 : 1 + product];
  }
  unsigned getNumProducts() const { return factors.size() - 1; }
  int64_t getChunksPerStep() const { return tiling.getK() / kChunk; }
  int64_t getMmaRowsPerWarpgroup() const { return rowBlocks * kMmaRows; }
  /// Bytes that `loader` copies in a step.
  int64_t getStepBytes(Loader loader) const;
  /// Accumulators of a thread, without those of sums.
  int64_t getNumAccumulators() const;
  /// Accumulators of a thread for those MMA columns that one block completes.
  int64_t getNumResultAccumulators() const;
  /// Bytes of partial sums that a warpgroup receives from the other blocks.
  int64_t getExchangeBytes() const;
  /// Registers of a thread for those inputs of a staging buffer that are not
  /// early, and for `input` if it is.
  int64_t getInputRegisters() const;
  int64_t getEarlyRegisters(const InputPlan &input) const;
  /// Bytes that a staging buffer of the result needs, and how many of them a
  /// warpgroup fills for a tile.
  int64_t getStagingBytes() const;
  int64_t getNumStaged() const;
  /// How many buffers of `bytes` a warpgroup's rows of A in a stage have room
  /// for.
  int64_t getBuffersInStage(int64_t bytes) const {
    return rowBlocks * kRowBlockBytes / bytes;
  }
};

/// A kernel: one or more tile kernels in one launch.
struct KernelPlan {
  std::string name;
  std::vector<BodyPlan> bodies;
  /// Consumer warpgroups; a body may leave some of them idle.
  int64_t warpgroups = 0;
  /// Blocks that compute a tile together, and how many of them split the K
  /// loop in those bodies that do that (1 if none).
  int64_t clusterSize = 1;
  int64_t splits = 1;
  /// Whether blocks copy to each other in any body. A stage must then be free
  /// in all of them, also when it was last used by a body where they do not.
  bool multicasts = false;
  /// Whether a cluster takes its first task without a ticket: where tiles wait
  /// for tiles, only those that run may have one, but here none wait.
  bool startsWithoutTicket = true;
  /// Whether all tasks of a cluster are given by its number: of its own number,
  /// and of every so many after that as there are clusters. That is so where no
  /// tile waits, and all take equally long.
  bool hasFixedTasks = false;
  /// Where these are the tiles of the grid in the order of its dimensions, so
  /// that a task's number is all there is to know: the dimensions, the one that
  /// changes fastest last.
  llvm::SmallVector<unsigned> taskDims;
  kernelabi::RegisterShare registers;
  ProgrammaticLaunch programmatic;

  // Shared memory, in bytes from its start.
  int64_t stages = 0;
  int64_t stageBytes = 0;
  int64_t stagingBuffers = 0; // per consumer warpgroup
  int64_t stagingBytes = 0;   // of one of them
  /// The last steps of a tile whose stages have the staging buffers, in rows of
  /// A, and are kept until the result has been copied; none if buffers are
  /// memory of their own, at stagingOffset.
  int64_t stagedSteps = 0;
  int64_t stagingOffset = 0;
  /// Where partial sums of other blocks arrive, for each consumer warpgroup.
  int64_t exchangeOffset = 0;
  int64_t exchangeBytes = 0;
  int64_t barrierOffset = 0;
  int64_t taskOffset = 0;
  int64_t sharedBytes = 0;

  // Parameters.
  llvm::SmallVector<mlir::Attribute> args;
  llvm::SmallVector<mlir::Value> buffers;
  unsigned syncStateParam = 0, taskListParam = 0, taskCountParam = 0;
  /// The synchronisation state that has the semaphores, if it is not its own.
  std::optional<unsigned> semaphoresParam;

  bool isStagedInRing() const { return stagedSteps != 0; }
  int64_t getBlockSize() const { return kWarpgroupThreads * (1 + warpgroups); }
  /// Blocks that fit on an SM whose blocks may use `sharedMemory`
  /// bytes each.
  int64_t getBlocksPerProcessor(int64_t sharedMemory) const;
};

/// Plans the kernel of `launch`, of products and partial sums, on `target`.
/// Fails with a diagnostic at the op that cannot be compiled.
mlir::FailureOr<KernelPlan> planKernel(launch::TilesOp launch,
                                       LaunchTensors &tensors,
                                       const TargetSpec &target,
                                       FindFactorLoader findLoader);

} // namespace grout::hopper

#endif // GROUT_CONVERSION_TGEMMTONVVM_KERNELPLAN_H
