//===- GemmPlan.h - The shape of a GEMM kernel -----------------*- C++ -*-===//
//
// Part of Grout. The decisions of KernelPlan.h for kernels of GEMMs and
// convolutions: which warpgroups compute which rows, the layout of shared
// memory, loads and stores. See docs/HopperKernels.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_HOPPER_GEMM_GEMMPLAN_H
#define GROUT_HOPPER_GEMM_GEMMPLAN_H

#include "grout/Conversion/Common/LaunchTensors.h"
#include "grout/Conversion/Common/SemaphoreLayout.h"
#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Hopper/Kit/KernelPlan.h"
#include "grout/Hopper/Kit/Mma.h"
#include "grout/Target/TargetSpec.h"
#include <vector>

namespace grout::hopper {

// "Rows" and "columns" are those of the result, "MMA rows" and "MMA columns"
// those of the MMAs. With `swap_ab`, MMA rows are columns of the result.

/// The warp that issues the TMA loads of an operand.
enum class Loader {
  /// Never waits, so that its loads run ahead of the other warp's loads.
  independent,
  /// May have to wait for semaphores, or for the launches before.
  waiting,
};

/// An operand of the GEMMs (lhs, or one of several rhs), as the kernel loads
/// it.
struct OperandPlan {
  /// The index of its tensor map among the kernel's parameters.
  unsigned param;
  /// Whether neighbours in memory are rows of lhs (columns of rhs) rather than
  /// elements of the reduction.
  bool isMNMajor;
  bool isBatched;
  /// Bytes of an element.
  int64_t elementBytes;
  Loader loader;
  /// The number of rows of lhs (columns of rhs) that a block needs.
  int64_t extent;
  /// The number of blocks of the cluster that need the same rows (columns).
  /// Each of them copies an equal part to all of them.
  int64_t sharers;
  /// Whether each element is read by only one tile, so that caches need not
  /// keep it.
  bool isReadOnce;
  /// Bytes of a row in shared memory, over which it is swizzled. This is 128.
  /// For an operand with `isMNMajor` it is 64 if the tile's extent does not
  /// fill rows of 128 bytes.
  int64_t rowBytes;
  /// The number of TMA loads for one chunk of the reduction.
  int64_t copies;
  /// Bytes from the start of a stage, and bytes of one chunk.
  int64_t offset;
  int64_t chunkBytes;

  /// With `isMNMajor`: the elements of a row, and the bytes of such rows for a
  /// whole chunk.
  int64_t getRowElements() const { return rowBytes / elementBytes; }
  int64_t getBlockBytes() const { return getChunk() * rowBytes; }
  /// The elements of the reduction in one chunk.
  int64_t getChunk() const { return kRowBytes / elementBytes; }
};

/// For inputs that depend on the column alone: a warp reads so many columns at
/// once, two in each lane.
inline constexpr int64_t kSharedColumns = 64;

/// An epilogue input, as the kernel reads it.
struct InputPlan {
  /// The index of its address among the kernel's parameters.
  unsigned param;
  mlir::FloatType elementType;
  /// Bytes from the address to the first element.
  int64_t offset;
  /// Bytes between neighbours along the result's batch, MMA rows and MMA
  /// columns; 0 if the input does not depend on that coordinate.
  int64_t batchStride = 0, mmaRowStride = 0, mmaColumnStride = 0;
  /// Whether one load can read two MMA columns.
  bool readsPairs;
  /// Whether tiles that this kernel's tiles wait for write the input, and
  /// whether the kernel must wait for the launches before, before it reads the
  /// input.
  bool waitsForTiles = false, needsLaunches = false;
  /// Whether consumers read the input before the steps of a tile, or before its
  /// last steps (EarlyInputs).
  bool isEarly = false;

  int64_t getElementBytes() const {
    return elementType.getIntOrFloatBitWidth() / 8;
  }
  /// Registers for two neighbouring elements.
  int64_t getPairRegisters() const { return getElementBytes() / 2; }
  bool isMatrix() const { return mmaRowStride && mmaColumnStride; }
  bool dependsOnColumnAlone() const { return mmaColumnStride && !mmaRowStride; }
};

/// What copies a staging buffer to the result.
enum class StoreWay {
  /// TMA does, for one thread of the storer.
  tma,
  /// The consumers that have filled the buffer do (DirectStores.h), because
  /// TMA cannot store rows that do not start and end at multiples of 16 bytes.
  direct,
  /// TMA does if all rows of the buffer are in the task's group of rows. Else
  /// consumers do, because TMA would write rows of the next group, too.
  tmaIfWhole,
  /// The warpgroup that sums tiles over ranks does (RankSums.h).
  rankSum,
};

/// The result, as the kernel writes it.
struct ResultPlan {
  StoreWay way = StoreWay::tma;
  /// The indices of its tensor map and of its address among the kernel's
  /// parameters. Stores by TMA need the first, others the second.
  unsigned mapParam = 0, addressParam = 0;
  bool isBatched;
  mlir::FloatType elementType;
  /// For stores by address: the bytes from the address to the first element,
  /// and between neighbours in the batch and in a column.
  int64_t offset = 0, batchStride = 0, rowStride = 0;
  /// MMA columns that one store writes. With `swap_ab` this number need not
  /// divide the MMA columns of a block. The last copy then writes some columns
  /// a second time.
  int64_t mmaColumns;
  /// Bytes of a row in a staging buffer, up to 128. This is a power of two, and
  /// 16-byte parts of the row are swizzled, or it is an odd multiple of 16.
  int64_t rowBytes;

  bool isSwizzled() const { return llvm::isPowerOf2_64(rowBytes); }
  /// Whether consumers store some of the result.
  bool mayBeDirect() const {
    return way == StoreWay::direct || way == StoreWay::tmaIfWhole;
  }
};

/// A kernel takes fewer groups of rows than this: half a word holds a group.
inline constexpr int64_t kMaxGroups = 1 << 16;

/// The groups of rows of a body, each of which has an rhs of its own.
struct GroupsPlan {
  int64_t count;
  /// The ends of the groups: the index of their address among the kernel's
  /// parameters, and the bytes from the address to the first end, and from one
  /// end to the next.
  unsigned param;
  int64_t offset, stride;
  /// Whether the kernel must wait for the launches before, before it reads the
  /// ends.
  bool needsLaunches;
};

/// How a result is summed over ranks (RankSums.h).
struct RankSumPlan {
  int64_t ranks;
  /// Sets of places and sums, which runs use in turn: two if the plan has no
  /// other collective launch, else one.
  int64_t sets;
  /// Whether a row is summed by one rank, which gives the sum to the others.
  /// Otherwise each rank sums all rows.
  bool isTwoShot;
  /// Bytes of the place in the symmetric memory in which a rank leaves its
  /// rows, and of all sums, in two shots.
  int64_t placeBytes, sumBytes;
  /// Nanoseconds that a block pauses for each byte that it sends while it
  /// computes a further tile; 0 if no block has two tiles.
  double pausePerByte = 0;
  /// The indices of the rank, and of rank 0's symmetric memory, among the
  /// kernel's parameters. The memory of the other ranks follows.
  unsigned rankParam, firstPeerParam;

  /// The size of a set of places and sums.
  int64_t getSetBytes() const { return ranks * placeBytes + sumBytes; }
};

class OperandLoader;

/// Returns the loader for the operands of a GEMM op; null if there is none.
using FindOperandLoader =
    llvm::function_ref<const OperandLoader *(mlir::Operation *product)>;

/// One of the tile kernels in a kernel: a GEMM op, or its tgemm.partial_sums.
struct BodyPlan {
  TileKernelOpInterface tileKernel;
  /// The GEMM op, also if `tileKernel` is its partial sums.
  tgemm::ProductOpInterface op;
  tgemm::TilingAttr tiling;
  llvm::SmallVector<int64_t> grid;
  /// K steps of a tile, and of one block.
  int64_t steps;
  int64_t blockSteps;
  /// After so many steps of a block, its accumulators are added to sums in
  /// other registers, and start from zero again. None if the accumulators hold
  /// the sums until the end.
  std::optional<int64_t> sumSteps;
  /// If stream-K splits the K loops of some tiles: how; whether this body's
  /// tiles are such parts; the index of the partial sums among the kernel's
  /// parameters and among the operands of `op`.
  std::optional<tgemm::StreamK> parts;
  bool arePartialSums = false;
  unsigned sumsParam = 0, sumsOperand = 0;
  /// The number of consumer warpgroups that compute a tile, and how many times
  /// 64 MMA rows each of them has.
  int64_t warpgroups;
  int64_t rowBlocks;
  /// The instruction that multiplies, and what it multiplies.
  const Mma *mma = nullptr;
  MmaTraits mmaTraits;
  /// lhs, then each rhs, and the loader of all of them.
  llvm::SmallVector<OperandPlan> operands;
  const OperandLoader *operandLoader = nullptr;
  /// The groups of rows, if tiles have rows of one group each. The kernel then
  /// has no other body.
  std::optional<GroupsPlan> groups;
  llvm::SmallVector<InputPlan> inputs;
  ResultPlan result;
  std::optional<RankSumPlan> rankSum;
  /// Whether a thread reads the inputs for a whole staging buffer before it
  /// waits for the buffer. This takes registers.
  bool readsAhead = false;
  /// Whether the epilogue is a loop over its staging buffers, and over the MMA
  /// columns of a buffer, where there are several. Loops take less code.
  bool rollsEpilogue = false;
  llvm::SmallVector<SemaphoreWait> waits;
  llvm::SmallVector<SemaphorePost> posts;
  /// Whether the waiting loader's operands, and the inputs that the epilogue
  /// reads after the steps, can be read only after the launches before have
  /// ended.
  bool operandsNeedLaunches = false;
  bool inputsNeedLaunches = false;
  /// Whether the independent loader, while the waiting loader waits, prefetches
  /// a few more steps into L2 than the stages hold.
  bool prefetches = false;

  bool isBatched() const { return tgemm::ProductOpInterface(op).isBatched(); }
  /// Whether some tiles add up partial sums of other tasks.
  bool hasTilesInParts() const { return parts && !arePartialSums; }
  bool isLhs(const OperandPlan &operand) const {
    return &operand == &operands[0];
  }
  bool isSwapped() const { return tiling.getSwapAb(); }
  /// Operands A and B of the MMAs of GEMM `product`.
  const OperandPlan &getA(unsigned product) const {
    return operands[isSwapped() ? 1 + product : 0];
  }
  const OperandPlan &getB(unsigned product) const {
    return operands[isSwapped() ? 0 : 1 + product];
  }
  unsigned getNumProducts() const { return operands.size() - 1; }
  int64_t getChunksPerStep() const {
    return tiling.getK() / mmaTraits.getChunk();
  }
  int64_t getMmaRowsPerWarpgroup() const { return rowBlocks * kMmaRows; }
  /// Bytes that `loader` loads in a step.
  int64_t getStepBytes(Loader loader) const;
  /// Accumulators of a thread, without the sums in other registers.
  int64_t getNumAccumulators() const;
  /// Accumulators of a thread, only of the MMA columns that one block
  /// completes.
  int64_t getNumResultAccumulators() const;
  /// Bytes of partial sums that a warpgroup receives from the other blocks.
  int64_t getExchangeBytes() const;
  /// Registers of a thread for the inputs of a staging buffer that are not
  /// early, and for `input` if it is early.
  int64_t getInputRegisters() const;
  int64_t getEarlyRegisters(const InputPlan &input) const;
  /// Bytes that a staging buffer of the result needs, and how many buffers a
  /// warpgroup fills for a tile.
  int64_t getStagingBytes() const { return getStagedRows() * result.rowBytes; }
  /// The rows of the result in a staging buffer.
  int64_t getStagedRows() const {
    return isSwapped() ? result.mmaColumns : kMmaRows;
  }
  int64_t getNumStaged() const;
  /// The number of buffers of `bytes` that fit in a warpgroup's rows of A in
  /// one stage.
  int64_t getBuffersInStage(int64_t bytes) const {
    return rowBlocks * kRowBlockBytes / bytes;
  }
};

/// The plan of a kernel that has one or more tile kernels of a launch. Some
/// consumer warpgroups may be idle in a body that needs fewer.
struct GemmPlan : KernelPlan {
  std::vector<BodyPlan> bodies;
  /// How many blocks of a cluster split the K loop, in bodies with split-K; 1
  /// if there are no such bodies.
  int64_t splits = 1;
  /// Whether blocks multicast to each other in any body. A stage must then be
  /// free in all blocks before it is filled, even if the body that used it last
  /// does not multicast.
  bool multicasts = false;
  /// Whether all tiles run at once. Then a block usually has one tile.
  bool isOneWave = false;
  /// Whether a cluster takes its first task without a ticket. That is possible
  /// if no tile waits for another tile, and all tiles are known before the
  /// kernel runs. Otherwise only a cluster that runs may claim a task.
  bool startsWithoutTicket = true;
  /// Whether the number of a cluster determines all its tasks: the first has
  /// the cluster's number, and each next number is larger by the number of
  /// clusters. That is so if no tile waits, and all tiles take equally long.
  bool hasFixedTasks = false;
  /// If `hasFixedTasks` and the tile order is an order of the grid's
  /// dimensions: these dimensions, the fastest last. The kernel then computes a
  /// task from its number. Else empty.
  llvm::SmallVector<unsigned> taskDims;

  /// The operands of a K step: from the loaders to the consumers.
  Ring stageRing;
  /// The task, in rounds: from the scheduler to all others. In a cluster, the
  /// empty barrier of the first block is for all blocks. Its phase n completes
  /// when all have read task n (0, 1, ...), which is the task of round n, or of
  /// round n - 1 if the first task is not published.
  Ring taskRing;
  /// For each consumer warpgroup: results, from the warpgroup to `getStorer`,
  /// and partial sums, from other blocks to the warpgroup.
  Ring stagingRing, exchangeRing;
  /// If staging buffers are in the ring of stages: the number of the tile's
  /// last steps in whose stages they lie, in the rows of A. These stages are
  /// kept until the result has been copied. Zero if the buffers have memory of
  /// their own.
  int64_t stagedSteps = 0;
  /// The place of the table of groups, if rows are in groups (GroupTasks.h).
  int64_t groupsOffset = 0;

  /// Indices of parameters.
  unsigned taskListParam = 0, taskCountParam = 0;

  /// Returns all rings in the order in which barriers are initialised.
  llvm::SmallVector<Ring> getRings() const {
    return {stageRing, taskRing, exchangeRing, stagingRing};
  }
  bool isStagedInRing() const { return stagedSteps != 0; }
  /// Returns the groups of rows, or null if rows are in no groups.
  const GroupsPlan *getGroups() const {
    return bodies.front().groups ? &*bodies.front().groups : nullptr;
  }
  /// Returns how results are summed over ranks, or null if they are not. The
  /// kernel then has no other body.
  const RankSumPlan *getRankSum() const {
    return bodies.front().rankSum ? &*bodies.front().rankSum : nullptr;
  }
  /// Returns the role that takes results out of staging buffers.
  Role getStorer() const;
  /// Returns how many blocks fit on an SM, if a block may use up to
  /// `sharedMemory` bytes.
  int64_t getBlocksPerProcessor(int64_t sharedMemory) const;
};

/// Plans the kernel of `launch`, which has GEMM ops and partial sums, on
/// `target`. Fails with a diagnostic at the op that cannot be compiled.
mlir::FailureOr<GemmPlan> planGemm(launch::TilesOp launch,
                                   LaunchTensors &tensors,
                                   const TargetSpec &target,
                                   FindOperandLoader findLoader,
                                   FindMma findMma);

} // namespace grout::hopper

#endif // GROUT_HOPPER_GEMM_GEMMPLAN_H
