//===- TileSynchronisation.cpp - Waits and posts of a block ---------------===//
//
// Part of Grout. One thread waits and posts for the block. The block's barriers
// pass on what this thread acquires to the other threads, and make it release
// what those have written.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Common/TileSynchronisation.h"

#include "grout/Conversion/Common/CPUTileBody.h"
#include "grout/Conversion/Common/SyncState.h"
#include "grout/Dialect/Launch/IR/Launch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace grout;

TileSynchronisation TileSynchronisation::get(launch::TilesOp launch,
                                             ArrayRef<Operation *> kernels) {
  TileSynchronisation sync;
  sync.programmatic = ProgrammaticLaunch::get(launch);
  sync.isEarly = [=](Value buffer) mutable {
    return launch.readsEarly(buffer);
  };
  SemaphoreLayout layout(launch);
  for (Operation *kernel : kernels) {
    for (const SemaphoreWait &wait : layout.getWaits(kernel))
      sync.waits.push_back(wait.inBlocks());
    llvm::append_range(sync.posts, layout.getPosts(kernel));
  }
  sync.ownsSemaphores = launch.ownsSemaphores();
  return sync;
}

SmallVector<Attribute>
TileSynchronisation::getArgs(MLIRContext *context) const {
  SmallVector<Attribute> args;
  if (!usesSemaphores())
    return args;
  args.push_back(launch::ArgAttr::get(context, launch::ArgKind::sync_state));
  if (!ownsSemaphores)
    args.push_back(launch::ArgAttr::get(context, launch::ArgKind::semaphores));
  return args;
}

Operation *grout::emitStart(ImplicitLocOpBuilder &b,
                            const TileSynchronisation &sync) {
  const ProgrammaticLaunch &programmatic = sync.programmatic;
  Operation *wait = nullptr;
  emitEntryTrigger(b, b.getLoc(), programmatic);
  if (programmatic.waitsAtEntry || programmatic.loadsEarly)
    wait = emitLaunchWait(b, b.getLoc());
  if (programmatic.trigger == launch::Trigger::at_entry ||
      programmatic.trigger == launch::Trigger::after_wait)
    emitLaunchTrigger(b, b.getLoc());
  return wait;
}

/// Refuses a call of `function` for a kernel with `sync` and a grid of `rank`
/// dimensions unless it passes the kernel's states and the coordinates of a
/// tile.
static LogicalResult checkCall(ImplicitLocOpBuilder &b, StringRef function,
                               const TileSynchronisation &sync,
                               ValueRange states, ValueRange tile,
                               size_t rank) {
  SmallVector<Type> pointers(sync.getArgs(b.getContext()).size(),
                             LLVM::LLVMPointerType::get(b.getContext()));
  if (states.getTypes() != TypeRange(pointers))
    return emitError(b.getLoc())
           << function << " takes states of types (" << pointers
           << "), the parameters of TileSynchronisation::getArgs, but was "
              "given ("
           << states.getTypes() << ")";
  SmallVector<Type> coordinates(rank, b.getI32Type());
  if (tile.getTypes() != TypeRange(coordinates))
    return emitError(b.getLoc())
           << function << " takes a tile of types (" << coordinates
           << "), a coordinate for each dimension of the grid, but was given ("
           << tile.getTypes() << ")";
  return success();
}

/// Emits code that runs `body` in one thread of the block.
static void inOneThread(ImplicitLocOpBuilder &b, function_ref<void()> body) {
  Value thread = NVVM::ThreadIdXOp::create(b, b.getI32Type());
  Value zero = arith::ConstantIntOp::create(b, b.getI32Type(), 0);
  Value isFirst =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, thread, zero);
  auto choice = scf::IfOp::create(b, isFirst);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  body();
}

static SmallVector<Value> toIndices(ImplicitLocOpBuilder &b, ValueRange tile) {
  return llvm::map_to_vector(tile, [&](Value coordinate) -> Value {
    return arith::IndexCastUIOp::create(b, b.getIndexType(), coordinate);
  });
}

/// Returns the words of the task for the tile: its body, which is the only one
/// of the launch, and its coordinates. If there are more coordinates than a
/// task has, the outermost ones are packed into one.
static SmallVector<Value> emitTask(ImplicitLocOpBuilder &b,
                                   ArrayRef<int64_t> grid, ValueRange tile) {
  auto i32 = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, b.getI32Type(), value);
  };
  SmallVector<Value> words(tile);
  for (size_t rank = grid.size(); rank > kMaxGridRank; --rank) {
    int64_t extent = grid[grid.size() - rank + 1];
    words[1] = arith::AddIOp::create(
        b, arith::MulIOp::create(b, words[0], i32(extent)), words[1]);
    words.erase(words.begin());
  }
  words.resize(kMaxGridRank, i32(0));
  words.insert(words.begin(), i32(0));
  return words;
}

LogicalResult grout::emitTileWaits(ImplicitLocOpBuilder &b,
                                   const TileSynchronisation &sync,
                                   ValueRange states, ArrayRef<int64_t> grid,
                                   ValueRange tile) {
  if (sync.waits.empty())
    return success();
  // The maps of a policy also take the step.
  size_t rank = sync.waits.front().policy.getLower().getNumDims() - 1;
  if (failed(checkCall(b, "emitTileWaits", sync, states, tile, rank)))
    return failure();
  if (grid.size() != rank)
    return emitError(b.getLoc())
           << "emitTileWaits takes a grid of " << rank
           << " dimensions, the kernel's, but was given one of " << grid.size();
  inOneThread(b, [&] {
    Value semaphores = emitSemaphores(b, states);
    SmallVector<Value> task = emitTask(b, grid, tile);
    Value step = arith::ConstantIndexOp::create(b, 0);
    for (const SemaphoreWait &wait : sync.waits)
      emitSemaphoreWaits(b, b.getLoc(), wait, toIndices(b, tile), step,
                         semaphores, tsync::Scope::device,
                         tsync::Proxy::generic, task);
  });
  NVVM::Barrier0Op::create(b);
  return success();
}

LogicalResult grout::emitEnd(ImplicitLocOpBuilder &b,
                             const TileSynchronisation &sync, ValueRange states,
                             ValueRange tile) {
  if (!sync.usesSemaphores() && !sync.programmatic.waitsAtEnd)
    return success();
  size_t rank = sync.posts.empty() ? tile.size()
                                   : sync.posts.front().semaphore.getNumDims();
  if (sync.usesSemaphores() &&
      failed(checkCall(b, "emitEnd", sync, states, tile, rank)))
    return failure();
  if (!sync.posts.empty())
    NVVM::Barrier0Op::create(b);
  inOneThread(b, [&] {
    if (!sync.posts.empty()) {
      Value semaphores = emitSemaphores(b, states);
      for (const SemaphorePost &post : sync.posts)
        emitSemaphorePost(b, b.getLoc(), post, toIndices(b, tile), semaphores,
                          tsync::Scope::device, tsync::Proxy::generic);
    }
    // This thread has read the epoch if any thread of the block has.
    if (!sync.waits.empty())
      emitBlockFinished(b, states.front());
    // Kernels that wait for the end of this kernel rely on the end of all
    // kernels before it.
    if (sync.programmatic.waitsAtEnd)
      emitLaunchWait(b, b.getLoc());
  });
  return success();
}
