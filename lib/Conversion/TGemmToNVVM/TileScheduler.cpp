//===- TileScheduler.cpp - Which tiles a block works on -------------------===//
//
// Part of Grout. Task n of a block (0, 1, ...) uses the one place for a task in
// shared memory in round n, as a ring of one buffer. In a cluster the first
// block claims a task for all, when all have read the one before.
//
//===----------------------------------------------------------------------===//

#include "TileScheduler.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

// Words of the synchronisation state; see docs/KernelABI.md.
static constexpr int64_t kTicketWord = 0;
static constexpr int64_t kFinishedWord = 1;
static constexpr int64_t kEpochWord = 2;

/// The body of the task that says that there are no more.
static constexpr int64_t kNoBody = -1;

static constexpr int64_t kTaskBytes = 16;

static Type getTaskType(DeviceBuilder &b) {
  return VectorType::get({4}, b.getI32Type());
}

//===----------------------------------------------------------------------===//
// The scheduler
//===----------------------------------------------------------------------===//

/// The address of word `word` of the synchronisation state.
static Value getStateWord(const KernelContext &context, int64_t word) {
  DeviceBuilder &b = context.b;
  Value state =
      b.globalPointer(context.getParam(context.kernel.syncStateParam));
  return b.offsetPointer(state, word * 4);
}

/// Adds 1 to word `word` of the state, and returns the old value.
static Value emitIncrement(const KernelContext &context, int64_t word) {
  DeviceBuilder &b = context.b;
  return LLVM::AtomicRMWOp::create(b, LLVM::AtomicBinOp::add,
                                   getStateWord(context, word), b.i32(1),
                                   LLVM::AtomicOrdering::monotonic, "device");
}

/// Draws the number of a task. `isFirst` tells whether it is this cluster's
/// first.
static Value emitTicket(const KernelContext &context, Value isFirst) {
  DeviceBuilder &b = context.b;
  if (!context.kernel.startsWithoutTicket)
    return emitIncrement(context, kTicketWord);
  // Clusters begin with the task of their own number, and draw those after.
  int64_t size = context.kernel.clusterSize;
  auto choice = scf::IfOp::create(b, b.getI32Type(), isFirst,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  Value block = NVVM::BlockIdXOp::create(b, b.getI32Type());
  scf::YieldOp::create(b, b.shiftRight(block, llvm::Log2_64(size)));
  b.setInsertionPointToStart(choice.elseBlock());
  Value blocks = NVVM::GridDimXOp::create(b, b.getI32Type());
  Value clusters = b.shiftRight(blocks, llvm::Log2_64(size));
  scf::YieldOp::create(b, b.add(clusters, emitIncrement(context, kTicketWord)));
  return choice.getResult(0);
}

/// Claims the next task, or kNoBody. Returns it, and whether it is one.
static std::pair<Value, Value> emitClaim(const KernelContext &context,
                                         Value isFirst) {
  DeviceBuilder &b = context.b;
  Value ticket = emitTicket(context, isFirst);
  Value isTask =
      b.isBelow(ticket, context.getParam(context.kernel.taskCountParam));
  auto choice = scf::IfOp::create(b, getTaskType(b), isTask,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  Value list = b.globalPointer(context.getParam(context.kernel.taskListParam));
  Value wide = arith::ExtUIOp::create(b, b.getI64Type(), ticket);
  Value bytes = arith::MulIOp::create(
      b, wide, arith::ConstantIntOp::create(b, b.getI64Type(), kTaskBytes));
  Value task = LLVM::LoadOp::create(b, getTaskType(b),
                                    b.offsetPointer(list, bytes), kTaskBytes);
  scf::YieldOp::create(b, task);
  b.setInsertionPointToStart(choice.elseBlock());
  Value none = arith::ConstantOp::create(
      b, DenseElementsAttr::get(cast<ShapedType>(getTaskType(b)),
                                b.getI32IntegerAttr(kNoBody)));
  scf::YieldOp::create(b, none);
  return {choice.getResult(0), isTask};
}

/// Counts this block as finished, and makes the state ready for the next launch
/// if it is the last. All of the block's claims are behind it, and so are its
/// reads of the epoch: who uses it has read it before its first task arrival.
static void emitFinish(const KernelContext &context) {
  DeviceBuilder &b = context.b;
  auto fence = [&] {
    LLVM::FenceOp::create(b, LLVM::AtomicOrdering::acq_rel, "device");
  };
  fence();
  Value finished = emitIncrement(context, kFinishedWord);
  Value blocks = NVVM::GridDimXOp::create(b, b.getI32Type());
  Value isLast = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                       b.add(finished, 1), blocks);
  b.ifThen(isLast, [&] {
    fence();
    Value epochAddress = getStateWord(context, kEpochWord);
    Value epoch = LLVM::LoadOp::create(b, b.getI32Type(), epochAddress);
    LLVM::StoreOp::create(b, b.add(epoch, 1), epochAddress);
    for (int64_t word : {kTicketWord, kFinishedWord})
      LLVM::StoreOp::create(b, b.i32(0), getStateWord(context, word));
  });
}

/// The task that was published.
static Value emitLoadTask(const KernelContext &context) {
  DeviceBuilder &b = context.b;
  return LLVM::LoadOp::create(
      b, getTaskType(b), b.sharedPointer(context.getTaskAddress()), kTaskBytes);
}

/// Says, for one thread, that its role needs the place for a task no more.
static void emitTaskArrival(const KernelContext &context) {
  DeviceBuilder &b = context.b;
  if (context.hasCluster())
    b.arriveRemote(b.remotePointer(context.getTaskEmptyBarrier(), b.i32(0)));
  else
    b.arrive(context.getTaskEmptyBarrier());
}

/// Claims a task for a block on its own, and publishes it in the round of
/// `parity`. Returns whether there was one.
static Value emitPublish(const KernelContext &context, Value parity,
                         Value isFirst) {
  DeviceBuilder &b = context.b;
  b.waitParity(context.getTaskEmptyBarrier(), b.bitXor(parity, 1));
  auto [task, isTask] = emitClaim(context, isFirst);
  LLVM::StoreOp::create(b, task, b.sharedPointer(context.getTaskAddress()),
                        kTaskBytes);
  b.arrive(context.getTaskFullBarrier());
  return isTask;
}

/// The same for a cluster: its first block claims the task and stores it to all
/// of them.
static Value emitClusterPublish(const KernelContext &context, Value parity,
                                Value isFirst) {
  DeviceBuilder &b = context.b;
  b.arriveExpecting(context.getTaskFullBarrier(), kTaskBytes);
  b.ifThen(b.isEqual(context.blockRank, 0), [&] {
    b.waitParity(context.getTaskEmptyBarrier(), b.bitXor(parity, 1));
    Value task = emitClaim(context, isFirst).first;
    SmallVector<Value> words;
    for (int64_t i = 0; i != 4; ++i)
      words.push_back(LLVM::ExtractElementOp::create(b, task, b.i32(i)));
    for (int64_t rank = 0; rank != context.kernel.clusterSize; ++rank)
      b.storeRemote(b.remotePointer(context.getTaskAddress(), b.i32(rank)),
                    words,
                    b.remotePointer(context.getTaskFullBarrier(), b.i32(rank)));
  });
  b.waitParity(context.getTaskFullBarrier(), parity,
               NVVM::MemScopeKind::CLUSTER);
  Value body =
      LLVM::ExtractElementOp::create(b, emitLoadTask(context), b.i32(0));
  emitTaskArrival(context);
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, body,
                               b.i32(kNoBody));
}

void hopper::emitTileScheduler(const KernelContext &context) {
  DeviceBuilder &b = context.b;
  Value yes = arith::ConstantIntOp::create(b, b.getI1Type(), 1);
  Value no = arith::ConstantIntOp::create(b, b.getI1Type(), 0);
  auto loop = scf::WhileOp::create(b, TypeRange{b.getI32Type()},
                                   ValueRange{b.i32(0), yes});
  {
    OpBuilder::InsertionGuard guard(b);
    Block *before =
        b.createBlock(&loop.getBefore(), {}, {b.getI32Type(), b.getI1Type()},
                      {b.getLoc(), b.getLoc()});
    Value parity = before->getArgument(0);
    auto publish = context.hasCluster() ? emitClusterPublish : emitPublish;
    Value isTask = publish(context, parity, before->getArgument(1));
    scf::ConditionOp::create(b, isTask, ValueRange{parity});

    Block *after =
        b.createBlock(&loop.getAfter(), {}, {b.getI32Type()}, {b.getLoc()});
    scf::YieldOp::create(b, ValueRange{b.bitXor(after->getArgument(0), 1), no});
  }
  emitFinish(context);
  // The first block stays until all others have told it that they read the
  // last round.
  if (context.hasCluster())
    b.ifThen(b.isEqual(context.blockRank, 0), [&] {
      b.waitParity(context.getTaskEmptyBarrier(), loop.getResult(0));
    });
}

//===----------------------------------------------------------------------===//
// Everyone else
//===----------------------------------------------------------------------===//

/// Says, for a role, that it needs the place for a task no more.
static void emitRelease(const KernelContext &context, TaskReader reader) {
  DeviceBuilder &b = context.b;
  if (reader != TaskReader::wholeWarp) {
    emitTaskArrival(context);
    return;
  }
  b.syncWarp();
  b.ifThen(b.isEqual(context.lane, 0), [&] { emitTaskArrival(context); });
}

/// Waits for the task of the round of `parity`, and reads it.
static TileTask emitReadTask(const KernelContext &context, TaskReader reader,
                             Value parity) {
  DeviceBuilder &b = context.b;
  b.waitParity(context.getTaskFullBarrier(), parity,
               context.hasCluster() ? NVVM::MemScopeKind::CLUSTER
                                    : NVVM::MemScopeKind::CTA);
  Value words = emitLoadTask(context);
  SmallVector<Value> values;
  for (int64_t i = 0; i != 4; ++i) {
    Value value = LLVM::ExtractElementOp::create(b, words, b.i32(i));
    values.push_back(reader == TaskReader::wholeWarp ? b.uniform(value)
                                                     : value);
  }
  return {values[0], values[1], values[2], values[3]};
}

/// Builds the work on `task` of whichever body it has.
static SmallVector<Value> emitBodySwitch(const KernelContext &context,
                                         const TileTask &task,
                                         ValueRange carried,
                                         TaskBuilder build) {
  DeviceBuilder &b = context.b;
  ArrayRef<BodyPlan> bodies = context.kernel.bodies;
  if (bodies.size() == 1)
    return build(bodies.front(), task, carried);

  SmallVector<int64_t> cases =
      llvm::to_vector(llvm::seq<int64_t>(bodies.size() - 1));
  auto choice = scf::IndexSwitchOp::create(
      b, carried.getTypes(), b.toIndex(task.body), cases, cases.size());
  OpBuilder::InsertionGuard guard(b);
  auto fill = [&](Region &region, const BodyPlan &body) {
    b.createBlock(&region);
    SmallVector<Value> results = build(body, task, carried);
    scf::YieldOp::create(b, results);
  };
  for (auto [region, body] : llvm::zip(choice.getCaseRegions(), bodies))
    fill(region, body);
  fill(choice.getDefaultRegion(), bodies.back());
  return llvm::to_vector_of<Value>(choice.getResults());
}

SmallVector<Value> hopper::emitTaskLoop(const KernelContext &context,
                                        TaskReader reader, ValueRange inits,
                                        TaskBuilder build) {
  DeviceBuilder &b = context.b;
  // Before: parity and carried values. After: these, and the task.
  SmallVector<Value> beforeInits = {b.i32(0)};
  beforeInits.append(inits.begin(), inits.end());
  SmallVector<Type> beforeTypes =
      llvm::to_vector(ValueRange(beforeInits).getTypes());
  SmallVector<Type> afterTypes = beforeTypes;
  afterTypes.append(4, b.getI32Type());
  auto loop = scf::WhileOp::create(b, afterTypes, beforeInits);

  OpBuilder::InsertionGuard guard(b);
  auto getLocs = [&](size_t count) {
    return SmallVector<Location>(count, b.getLoc());
  };
  Block *before = b.createBlock(&loop.getBefore(), {}, beforeTypes,
                                getLocs(beforeTypes.size()));
  TileTask task = emitReadTask(context, reader, before->getArgument(0));
  Value isTask = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, task.body,
                                       b.i32(kNoBody));
  SmallVector<Value> forwarded =
      llvm::to_vector_of<Value>(before->getArguments());
  forwarded.append({task.body, task.x, task.y, task.z});
  scf::ConditionOp::create(b, isTask, forwarded);

  Block *after = b.createBlock(&loop.getAfter(), {}, afterTypes,
                               getLocs(afterTypes.size()));
  ValueRange arguments = after->getArguments();
  ValueRange carried = arguments.slice(1, inits.size());
  ValueRange words = arguments.take_back(4);
  if (reader != TaskReader::loader)
    emitRelease(context, reader);
  SmallVector<Value> results = emitBodySwitch(
      context, {words[0], words[1], words[2], words[3]}, carried, build);
  // The next task is claimed once the last loads of this one are issued. A
  // block that still waits for its first must not claim a second: another block
  // would be idle when both could start.
  if (reader == TaskReader::loader)
    emitRelease(context, reader);
  results.insert(results.begin(), b.bitXor(arguments[0], 1));
  scf::YieldOp::create(b, results);

  // A cluster's first block waits for everyone to have read that there is no
  // more.
  b.setInsertionPointAfter(loop);
  if (context.hasCluster())
    emitRelease(context, reader);
  return llvm::to_vector_of<Value>(loop.getResults().slice(1, inits.size()));
}
