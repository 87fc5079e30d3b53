//===- TileScheduler.cpp - Which tiles a block works on -------------------===//
//
// Part of Grout. Tasks go through one slot in shared memory, in rounds, as
// through a ring of one buffer. In a cluster the first block claims a task for
// all, when all have read the one before. Where the first task needs no ticket,
// every thread has it from the start, and round 0 is the second's. Where no
// task does, "claims" means that their numbers are computed.
//
//===----------------------------------------------------------------------===//

#include "TileScheduler.h"

#include "grout/Conversion/Common/SyncState.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

/// The body of the task that says that there are no more.
static constexpr int64_t kNoBody = -1;

static constexpr int64_t kTaskBytes = kernelabi::kTaskBytes;

static Type getTaskType(DeviceBuilder &b) {
  return VectorType::get({4}, b.getI32Type());
}

//===----------------------------------------------------------------------===//
// The scheduler
//===----------------------------------------------------------------------===//

/// The launch's synchronisation state.
static Value getState(const KernelContext &context) {
  return context.getParam(context.kernel.syncStateParam);
}

/// Reads task `index` of the launch's list.
static Value emitListedTask(const KernelContext &context, Value index) {
  DeviceBuilder &b = context.b;
  Value list = b.globalPointer(context.getParam(context.kernel.taskListParam));
  Value wide = arith::ExtUIOp::create(b, b.getI64Type(), index);
  Value bytes = arith::MulIOp::create(
      b, wide, arith::ConstantIntOp::create(b, b.getI64Type(), kTaskBytes));
  return LLVM::LoadOp::create(b, getTaskType(b), b.offsetPointer(list, bytes),
                              kTaskBytes);
}

/// Computes task `index` of a grid whose tiles are in the order of `taskDims`.
static Value emitOrderedTask(const KernelContext &context, Value index) {
  DeviceBuilder &b = context.b;
  Value task = arith::ConstantOp::create(
      b, DenseElementsAttr::get(cast<ShapedType>(getTaskType(b)),
                                b.getI32IntegerAttr(0)));
  ArrayRef<int64_t> grid = context.kernel.bodies.front().grid;
  ArrayRef<unsigned> dims = context.kernel.taskDims;
  for (unsigned dim : llvm::reverse(dims)) {
    Value coordinate = index;
    if (dim != dims.front()) {
      Value extent = b.i32(grid[dim]);
      coordinate = arith::RemUIOp::create(b, index, extent);
      index = arith::DivUIOp::create(b, index, extent);
    }
    // The body comes first, and is the only one.
    task = LLVM::InsertElementOp::create(b, task, coordinate, b.i32(1 + dim));
  }
  return task;
}

static Value emitTask(const KernelContext &context, Value index) {
  return context.kernel.taskDims.empty() ? emitListedTask(context, index)
                                         : emitOrderedTask(context, index);
}

/// The number of the block's cluster.
static Value emitClusterNumber(const KernelContext &context) {
  DeviceBuilder &b = context.b;
  Value block = NVVM::BlockIdXOp::create(b, b.getI32Type());
  return b.shiftRight(block, llvm::Log2_64(context.kernel.clusterSize));
}

/// How many clusters there are.
static Value emitClusterCount(const KernelContext &context) {
  DeviceBuilder &b = context.b;
  Value blocks = NVVM::GridDimXOp::create(b, b.getI32Type());
  return b.shiftRight(blocks, llvm::Log2_64(context.kernel.clusterSize));
}

Value hopper::emitFirstTask(const KernelContext &context) {
  return context.kernel.startsWithoutTicket
             ? emitTask(context, emitClusterNumber(context))
             : Value();
}

/// The number of the task of `round`, by ticket where tasks are claimed.
static Value emitTaskNumber(const KernelContext &context, Value round) {
  DeviceBuilder &b = context.b;
  if (context.kernel.hasFixedTasks) {
    Value clusters = emitClusterCount(context);
    Value before = arith::MulIOp::create(b, b.add(round, 1), clusters);
    return b.add(emitClusterNumber(context), before);
  }
  Value ticket =
      emitStateIncrement(b, getState(context), kernelabi::kTicketWord);
  // Clusters have begun with the task of their own number.
  return context.kernel.startsWithoutTicket
             ? b.add(emitClusterCount(context), ticket)
             : ticket;
}

/// Claims the task of `round`, or kNoBody. Returns it, and whether it is one.
static std::pair<Value, Value> emitClaim(const KernelContext &context,
                                         Value round) {
  DeviceBuilder &b = context.b;
  Value number = emitTaskNumber(context, round);
  Value isTask =
      b.isBelow(number, context.getParam(context.kernel.taskCountParam));
  auto choice = scf::IfOp::create(b, getTaskType(b), isTask,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  scf::YieldOp::create(b, emitTask(context, number));
  b.setInsertionPointToStart(choice.elseBlock());
  Value none = arith::ConstantOp::create(
      b, DenseElementsAttr::get(cast<ShapedType>(getTaskType(b)),
                                b.getI32IntegerAttr(kNoBody)));
  scf::YieldOp::create(b, none);
  return {choice.getResult(0), isTask};
}

/// The task that was published.
static Value emitLoadTask(const KernelContext &context) {
  DeviceBuilder &b = context.b;
  return LLVM::LoadOp::create(
      b, getTaskType(b), b.sharedPointer(context.getTaskAddress()), kTaskBytes);
}

/// Says, for one thread, that its role needs the task's slot no more.
static void emitTaskArrival(const KernelContext &context) {
  DeviceBuilder &b = context.b;
  if (context.hasCluster())
    b.arriveRemote(b.remotePointer(context.getTaskEmptyBarrier(), b.i32(0)));
  else
    b.arrive(context.getTaskEmptyBarrier());
}

static Value getParity(DeviceBuilder &b, Value round) {
  return b.bitAnd(round, 1);
}

/// Waits until a task may be published in `round`: everyone has read the one
/// before. Before round 0 there is none unless the first needed no ticket; the
/// empty barrier is a phase ahead then, and the first is its phase 0.
static void emitTaskWait(const KernelContext &context, Value round) {
  DeviceBuilder &b = context.b;
  bool hasOneBefore = context.kernel.startsWithoutTicket;
  Value parity = getParity(b, round);
  b.waitParity(context.getTaskEmptyBarrier(),
               hasOneBefore ? parity : b.bitXor(parity, 1));
}

/// Claims a task for a block on its own, and publishes it in `round`. Returns
/// whether there was one.
static Value emitPublish(const KernelContext &context, Value round) {
  DeviceBuilder &b = context.b;
  emitTaskWait(context, round);
  auto [task, isTask] = emitClaim(context, round);
  LLVM::StoreOp::create(b, task, b.sharedPointer(context.getTaskAddress()),
                        kTaskBytes);
  b.arrive(context.getTaskFullBarrier());
  return isTask;
}

/// The same for a cluster: its first block claims the task and stores it to all
/// of them.
static Value emitClusterPublish(const KernelContext &context, Value round) {
  DeviceBuilder &b = context.b;
  b.arriveExpecting(context.getTaskFullBarrier(), kTaskBytes);
  b.ifThen(b.isEqual(context.blockRank, 0), [&] {
    emitTaskWait(context, round);
    Value task = emitClaim(context, round).first;
    SmallVector<Value> words;
    for (int64_t i = 0; i != 4; ++i)
      words.push_back(LLVM::ExtractElementOp::create(b, task, b.i32(i)));
    for (int64_t rank = 0; rank != context.kernel.clusterSize; ++rank)
      b.storeRemote(b.remotePointer(context.getTaskAddress(), b.i32(rank)),
                    words,
                    b.remotePointer(context.getTaskFullBarrier(), b.i32(rank)));
  });
  b.waitParity(context.getTaskFullBarrier(), getParity(b, round),
               NVVM::MemScopeKind::CLUSTER);
  Value body =
      LLVM::ExtractElementOp::create(b, emitLoadTask(context), b.i32(0));
  emitTaskArrival(context);
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, body,
                               b.i32(kNoBody));
}

void hopper::emitTileScheduler(const KernelContext &context) {
  DeviceBuilder &b = context.b;
  // In a cluster schedulers count as readers, but this one needs no first task.
  if (context.hasCluster() && context.kernel.startsWithoutTicket)
    emitTaskArrival(context);
  auto loop =
      scf::WhileOp::create(b, TypeRange{b.getI32Type()}, ValueRange{b.i32(0)});
  {
    OpBuilder::InsertionGuard guard(b);
    Block *before =
        b.createBlock(&loop.getBefore(), {}, {b.getI32Type()}, {b.getLoc()});
    Value round = before->getArgument(0);
    auto publish = context.hasCluster() ? emitClusterPublish : emitPublish;
    Value isTask = publish(context, round);
    scf::ConditionOp::create(b, isTask, ValueRange{round});

    Block *after =
        b.createBlock(&loop.getAfter(), {}, {b.getI32Type()}, {b.getLoc()});
    scf::YieldOp::create(b, b.add(after->getArgument(0), 1));
  }
  // All of the block's claims are behind it, and so are its reads of the epoch:
  // who waits for semaphores has read it before its first task arrival.
  // Who has fixed tasks draws no tickets, and waits for no semaphores.
  if (!context.kernel.hasFixedTasks)
    emitBlockFinished(b, getState(context));
  // The first block stays until all others have told it that they read the
  // last round, as if there were another to publish.
  if (context.hasCluster())
    b.ifThen(b.isEqual(context.blockRank, 0),
             [&] { emitTaskWait(context, b.add(loop.getResult(0), 1)); });
}

//===----------------------------------------------------------------------===//
// Everyone else
//===----------------------------------------------------------------------===//

/// Says, for a role, that it needs the task's slot no more.
static void emitRelease(const KernelContext &context, TaskReader reader) {
  DeviceBuilder &b = context.b;
  if (reader != TaskReader::wholeWarp) {
    emitTaskArrival(context);
    return;
  }
  b.syncWarp();
  b.ifThen(b.isEqual(context.lane, 0), [&] { emitTaskArrival(context); });
}

/// Splits a task into its words, for `reader`.
static SmallVector<Value> emitTaskWords(const KernelContext &context,
                                        TaskReader reader, Value task) {
  DeviceBuilder &b = context.b;
  SmallVector<Value> words;
  for (int64_t i = 0; i != 4; ++i) {
    Value word = LLVM::ExtractElementOp::create(b, task, b.i32(i));
    words.push_back(reader == TaskReader::wholeWarp ? b.uniform(word) : word);
  }
  return words;
}

/// Waits for the task of the round of `parity`, and reads it.
static SmallVector<Value> emitReadTask(const KernelContext &context,
                                       TaskReader reader, Value parity) {
  context.b.waitParity(context.getTaskFullBarrier(), parity,
                       context.hasCluster() ? NVVM::MemScopeKind::CLUSTER
                                            : NVVM::MemScopeKind::CTA);
  return emitTaskWords(context, reader, emitLoadTask(context));
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
  // Of the loop: the parity of the next round, the task, and carried values.
  bool hasFirst = context.kernel.startsWithoutTicket;
  SmallVector<Value> loopInits = {b.i32(hasFirst ? 0 : 1)};
  loopInits.append(hasFirst ? emitTaskWords(context, reader, context.firstTask)
                            : emitReadTask(context, reader, b.i32(0)));
  loopInits.append(inits.begin(), inits.end());
  SmallVector<Type> types = llvm::to_vector(ValueRange(loopInits).getTypes());
  SmallVector<Location> locs(types.size(), b.getLoc());
  auto loop = scf::WhileOp::create(b, types, loopInits);

  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&loop.getBefore(), {}, types, locs);
  Value isTask = arith::CmpIOp::create(b, arith::CmpIPredicate::ne,
                                       before->getArgument(1), b.i32(kNoBody));
  scf::ConditionOp::create(b, isTask, before->getArguments());

  Block *after = b.createBlock(&loop.getAfter(), {}, types, locs);
  ValueRange arguments = after->getArguments();
  Value parity = arguments[0];
  ValueRange words = arguments.slice(1, 4);
  // The next task is claimed once the last loads of this one are issued. A
  // block that still waits for its first must not claim a second: another block
  // would be idle when both could start. Fixed tasks are nobody else's.
  bool releasesLate =
      reader == TaskReader::loader && !context.kernel.hasFixedTasks;
  if (!releasesLate)
    emitRelease(context, reader);
  SmallVector<Value> carried =
      emitBodySwitch(context, {words[0], words[1], words[2], words[3]},
                     arguments.drop_front(5), build);
  if (releasesLate)
    emitRelease(context, reader);
  SmallVector<Value> results = {b.bitXor(parity, 1)};
  results.append(emitReadTask(context, reader, parity));
  results.append(carried);
  scf::YieldOp::create(b, results);

  // A cluster's first block waits for everyone to have read that there is no
  // more.
  b.setInsertionPointAfter(loop);
  if (context.hasCluster())
    emitRelease(context, reader);
  return llvm::to_vector_of<Value>(loop.getResults().drop_front(5));
}
