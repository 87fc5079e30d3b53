//===- SharedLaunch.cpp - Kernels that share a launch ---------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "SharedLaunch.h"

#include "grout/Dialect/Scop/ThreadMapping/MappedKernel.h"
#include "grout/Support/CapturedErrors.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "scop-merge-launches"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// The most kernels of a launch, the most operands of all of them (4 KiB of
/// parameters), and the most instructions, approximately: instruction caches
/// are small.
static constexpr size_t kMaxKernels = 64;
static constexpr int64_t kMaxOperands = 512;
static constexpr int64_t kMaxInstructions = 16384;
/// The number of rounds for which a loop over rounds has code.
static constexpr int64_t kRoundsInCode = 8;

/// Whether a thread keeps values that phases pass on in local memory. That
/// memory is allocated for the whole function, so several kernels would need
/// more of it.
static bool keepsInMemory(const KernelShape &shape,
                          const ThreadMapping &mapping) {
  if (mapping.keepsRounds)
    return false;
  llvm::SmallPtrSet<Value, 8> written;
  for (const Phase &phase : shape.phases) {
    for (const PhaseStatement &statement : phase.statements)
      for (const StridedAccess &access : statement.reads)
        if (written.contains(access.array))
          return true;
    for (const PhaseStatement &statement : phase.statements)
      for (const StridedAccess &access : statement.writes)
        if (shape.dependsOnInner(access))
          written.insert(access.array);
  }
  return false;
}

/// Returns the number of points for which a thread has code in each statement.
static int64_t getPointsInCode(const ThreadMapping &mapping) {
  int64_t rounds = mapping.keepsRounds
                       ? mapping.rounds
                       : std::min(mapping.rounds, kRoundsInCode);
  if (mapping.tile)
    rounds = llvm::divideCeil(mapping.tile->extent * mapping.tile->width,
                              mapping.width * mapping.outerThreads);
  return rounds * mapping.width;
}

static double getTensorBytes(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return double(type.getNumElements()) *
         double(getBytes(type.getElementType()));
}

/// Returns the bytes of `tensor`, or `array` in the kernel, that the kernel
/// accesses: all of them, unless it only gathers from the tensor or scatters to
/// it, one element for each point.
static double getAccessedBytes(BlockArgument array, Value tensor) {
  double points = 0, all = getTensorBytes(tensor);
  for (Operation *user : array.getUsers()) {
    if (isa<StmtOp>(user))
      return all;
    double extents = 1;
    for (int64_t extent : user->getParentOfType<StmtOp>().getExtents())
      extents *= double(extent);
    points += extents;
  }
  return std::min(points * double(getBytes(getElementTypeOrSelf(tensor))), all);
}

std::optional<KernelNeeds> scop::getKernelNeeds(KernelOp kernel,
                                                const TargetSpec &target) {
  if (!kernel.hasTensors() || !kernel.getSchedule() ||
      !llvm::all_of(kernel.getInputs().getTypes(), llvm::IsaPred<TensorType>))
    return std::nullopt;
  FailureOr<MappedKernel> mapped = failure();
  {
    // A kernel that cannot be compiled is refused when it is compiled.
    CapturedErrors errors(kernel.getContext());
    mapped = mapKernel(kernel, target, getWholeLayout);
  }
  if (failed(mapped) || keepsInMemory(mapped->shape, mapped->mapping))
    return std::nullopt;
  const ThreadMapping &mapping = mapped->mapping;
  KernelNeeds needs;
  needs.threads = mapping.getThreads();
  needs.blocks = mapping.blocks;
  needs.keepsRows =
      mapping.keepsRounds && hasKeptValues(mapped->shape) &&
      mapping.rounds * mapping.width > target.memoryBound.freeKeptValues;
  for (StmtOp op : kernel.getStatements())
    needs.instructions += getPointsInCode(mapping) *
                          int64_t(op.getBody().front().getOperations().size() +
                                  op.getReads().size() + op.getWrites().size());
  needs.numOperands = kernel->getNumOperands();
  // A tensor that is several inputs counts at most once as a whole.
  llvm::SmallDenseMap<Value, double> inputs;
  ArrayRef<BlockArgument> arrays = kernel.getBody().getArguments();
  for (auto [array, input] : llvm::zip(arrays, kernel.getInputs()))
    inputs[input] += getAccessedBytes(array, input);
  for (auto [input, bytes] : inputs)
    needs.bytes += std::min(bytes, getTensorBytes(input));
  arrays = arrays.take_back(kernel.getNumResults());
  for (auto [array, result] : llvm::zip_equal(arrays, kernel.getResults()))
    needs.bytes += getAccessedBytes(array, result);
  return needs;
}

bool SharedLaunch::haveSameBlocks(ArrayRef<const KernelNeeds *> all) const {
  int64_t threads = 0, blocks = 0;
  for (const KernelNeeds *kernel : all) {
    threads = std::max(threads, kernel->threads);
    blocks += kernel->blocks;
  }
  int64_t resident = target.processors * target.memoryBound.residentThreads;
  if (blocks > INT32_MAX)
    return false;
  if (blocks * threads <= resident)
    return true;
  return llvm::all_of(all, [&](const KernelNeeds *kernel) {
    return kernel->keepsRows == all.front()->keepsRows &&
           (kernel->threads == threads || kernel->blocks * threads <= resident);
  });
}

double SharedLaunch::getLostTime(ArrayRef<const KernelNeeds *> all) const {
  double moved = 0, lost = 0;
  llvm::SmallPtrSet<Value, 8> seen;
  for (const KernelNeeds *kernel : all) {
    moved += kernel->bytes;
    for (Value tensor : kernel->passedOn)
      if (double bytes = getTensorBytes(tensor);
          bytes <= double(target.cacheBytes) && seen.insert(tensor).second)
        lost += bytes;
  }
  if (moved <= double(target.cacheBytes))
    return 0;
  return lost * (1 / target.memoryRate - 1 / target.cacheRate);
}

bool SharedLaunch::suits(const KernelNeeds &kernel) const {
  SmallVector<const KernelNeeds *> all(kernels);
  all.push_back(&kernel);
  int64_t operands = 0, instructions = 0;
  for (const KernelNeeds *member : all) {
    operands += member->numOperands;
    instructions += member->instructions;
  }
  if (all.size() > kMaxKernels || operands > kMaxOperands ||
      instructions > kMaxInstructions) {
    LDBG() << "a launch is full: " << all.size() << " kernels, " << operands
           << " operands, " << instructions << " instructions";
    return false;
  }
  if (!haveSameBlocks(all)) {
    LDBG() << "kernels with " << kernels.front()->threads << " and "
           << kernel.threads << " threads in " << kernels.front()->blocks
           << " and " << kernel.blocks << " blocks share no launch";
    return false;
  }
  double lost = getLostTime(all) - getLostTime(kernels) - getLostTime(&kernel);
  if (lost > target.launchTime)
    LDBG() << "together, kernels lose " << lost * 1e6
           << " us by what they push out of the cache, and a launch costs "
           << target.launchTime * 1e6;
  return lost <= target.launchTime;
}
