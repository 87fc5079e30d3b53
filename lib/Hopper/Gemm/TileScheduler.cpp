//===- TileScheduler.cpp - The tiles that a block works on ----------------===//
//
// Part of Grout. Tasks go through one slot in shared memory, in rounds, as
// through a ring with one buffer. In a cluster, the first block claims a task
// for all blocks, when all of them have read the task before. If the first task
// needs no ticket, every thread knows it from the start, and round 0 is the
// second task's round. If no task needs a ticket, "to claim" means to compute
// the number of the task.
//
//===----------------------------------------------------------------------===//

#include "TileScheduler.h"

#include "GroupTasks.h"
#include "grout/Conversion/Common/SyncState.h"
#include "grout/Conversion/Common/TraceRecord.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

/// The body in the task that says that there are no more tasks.
static constexpr int64_t kNoBody = -1;

static constexpr int64_t kTaskBytes = kernelabi::kTaskBytes;

static Type getTaskType(DeviceBuilder &b) {
  return VectorType::get({4}, b.getI32Type());
}

//===----------------------------------------------------------------------===//
// The scheduler
//===----------------------------------------------------------------------===//

/// Returns the launch's synchronisation state.
static Value getState(const GemmContext &context) {
  return context.getParam(*context.kernel.syncStateParam);
}

/// Reads task `index` from the launch's list.
static Value emitListedTask(const GemmContext &context, Value index) {
  DeviceBuilder &b = context.b;
  Value list = b.globalPointer(context.getParam(context.kernel.taskListParam));
  Value wide = arith::ExtUIOp::create(b, b.getI64Type(), index);
  Value bytes = arith::MulIOp::create(
      b, wide, arith::ConstantIntOp::create(b, b.getI64Type(), kTaskBytes));
  return LLVM::LoadOp::create(b, getTaskType(b), b.offsetPointer(list, bytes),
                              kTaskBytes);
}

/// Computes task `index` of a grid whose tiles are in the order of `taskDims`.
static Value emitOrderedTask(const GemmContext &context, Value index) {
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
    // The body is the first word. There is only one body.
    task = LLVM::InsertElementOp::create(b, task, coordinate, b.i32(1 + dim));
  }
  return task;
}

static Value emitTask(const GemmContext &context, Value index) {
  if (context.kernel.getGroups())
    return emitGroupTask(context, index);
  return context.kernel.taskDims.empty() ? emitListedTask(context, index)
                                         : emitOrderedTask(context, index);
}

/// Returns the number of the block's cluster.
static Value emitClusterNumber(const GemmContext &context) {
  DeviceBuilder &b = context.b;
  Value block = NVVM::BlockIdXOp::create(b, b.getI32Type());
  return b.shiftRight(block, llvm::Log2_64(context.kernel.clusterSize));
}

/// Returns the number of clusters.
static Value emitClusterCount(const GemmContext &context) {
  DeviceBuilder &b = context.b;
  Value blocks = NVVM::GridDimXOp::create(b, b.getI32Type());
  return b.shiftRight(blocks, llvm::Log2_64(context.kernel.clusterSize));
}

Value hopper::emitFirstTask(const GemmContext &context) {
  return context.kernel.startsWithoutTicket
             ? emitTask(context, emitClusterNumber(context))
             : Value();
}

/// Returns the number of the task of `round`. If tasks are not fixed, draws a
/// ticket.
static Value emitTaskNumber(const GemmContext &context, Value round) {
  DeviceBuilder &b = context.b;
  if (context.kernel.hasFixedTasks) {
    Value clusters = emitClusterCount(context);
    Value before = arith::MulIOp::create(b, b.add(round, 1), clusters);
    return b.add(emitClusterNumber(context), before);
  }
  if (context.kernel.getGroups()) {
    // No tile waits, so the first task needs no ticket, which takes time.
    auto choice = scf::IfOp::create(b, b.getI32Type(), b.isEqual(round, 0),
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(choice.thenBlock());
    scf::YieldOp::create(b, emitClusterNumber(context));
    b.setInsertionPointToStart(choice.elseBlock());
    Value later =
        emitStateIncrement(b, getState(context), kernelabi::kTicketWord);
    scf::YieldOp::create(b, b.add(emitClusterCount(context), later));
    return choice.getResult(0);
  }
  Value ticket =
      emitStateIncrement(b, getState(context), kernelabi::kTicketWord);
  // Clusters have begun with the tasks of their own numbers.
  return context.kernel.startsWithoutTicket
             ? b.add(emitClusterCount(context), ticket)
             : ticket;
}

/// Claims the task of `round`. Returns the task, with body kNoBody if there is
/// none, and whether there is one.
static std::pair<Value, Value> emitClaim(const GemmContext &context,
                                         Value round) {
  DeviceBuilder &b = context.b;
  Value number = emitTaskNumber(context, round);
  Value count = context.kernel.getGroups()
                    ? emitGroupTaskCount(context)
                    : context.getParam(context.kernel.taskCountParam);
  Value isTask = b.isBelow(number, count);
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

/// Reads the published task.
static Value emitLoadTask(const GemmContext &context) {
  DeviceBuilder &b = context.b;
  return LLVM::LoadOp::create(
      b, getTaskType(b),
      b.sharedPointer(context.kernel.taskRing.getAddress(context)), kTaskBytes);
}

/// Arrives, for one thread, at the barrier which says that the task's slot may
/// be overwritten.
static void emitTaskArrival(const GemmContext &context) {
  DeviceBuilder &b = context.b;
  if (context.hasCluster())
    b.arriveRemote(
        b.remotePointer(context.kernel.taskRing.getEmpty(context), b.i32(0)));
  else
    b.arrive(context.kernel.taskRing.getEmpty(context));
}

static Value getParity(DeviceBuilder &b, Value round) {
  return b.bitAnd(round, 1);
}

/// Waits until a task may be published in `round`, because all roles have read
/// the task before. Before round 0 there is no such task, unless the first task
/// needed no ticket. In that case the empty barrier is a phase ahead: its phase
/// 0 belongs to the first task.
static void emitTaskWait(const GemmContext &context, Value round) {
  DeviceBuilder &b = context.b;
  bool hasOneBefore = context.kernel.startsWithoutTicket;
  Value parity = getParity(b, round);
  b.waitParity(context.kernel.taskRing.getEmpty(context),
               hasOneBefore ? parity : b.bitXor(parity, 1));
}

/// Claims a task for a single block, and publishes it in `round`. Returns
/// whether there was a task.
static Value emitPublish(const GemmContext &context, Value round) {
  DeviceBuilder &b = context.b;
  emitTaskWait(context, round);
  auto [task, isTask] = emitClaim(context, round);
  LLVM::StoreOp::create(
      b, task, b.sharedPointer(context.kernel.taskRing.getAddress(context)),
      kTaskBytes);
  b.arrive(context.kernel.taskRing.getFull(context));
  return isTask;
}

/// Does the same for a cluster: its first block claims the task and stores it
/// to all blocks.
static Value emitClusterPublish(const GemmContext &context, Value round) {
  DeviceBuilder &b = context.b;
  b.arriveExpecting(context.kernel.taskRing.getFull(context), kTaskBytes);
  b.ifThen(b.isEqual(context.blockRank, 0), [&] {
    emitTaskWait(context, round);
    Value task = emitClaim(context, round).first;
    SmallVector<Value> words;
    for (int64_t i = 0; i != 4; ++i)
      words.push_back(LLVM::ExtractElementOp::create(b, task, b.i32(i)));
    for (int64_t rank = 0; rank != context.kernel.clusterSize; ++rank)
      b.storeRemote(b.remotePointer(context.kernel.taskRing.getAddress(context),
                                    b.i32(rank)),
                    words,
                    b.remotePointer(context.kernel.taskRing.getFull(context),
                                    b.i32(rank)));
  });
  b.waitParity(context.kernel.taskRing.getFull(context), getParity(b, round),
               NVVM::MemScopeKind::CLUSTER);
  Value body =
      LLVM::ExtractElementOp::create(b, emitLoadTask(context), b.i32(0));
  emitTaskArrival(context);
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, body,
                               b.i32(kNoBody));
}

void hopper::emitTileScheduler(const GemmContext &context) {
  DeviceBuilder &b = context.b;
  // In a cluster, schedulers count as readers, but this scheduler does not need
  // the first task.
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
  // The block has made all its claims by now, and all its reads of the epoch: a
  // role that waits for semaphores reads the epoch before its first task
  // arrival. With fixed tasks, a block draws no tickets and waits for no
  // semaphores.
  if (!context.kernel.hasFixedTasks)
    emitBlockFinished(b, getState(context));
  // The first block stays until all others have arrived for the last round, as
  // if it had another task to publish.
  if (context.hasCluster())
    b.ifThen(b.isEqual(context.blockRank, 0),
             [&] { emitTaskWait(context, b.add(loop.getResult(0), 1)); });
}

//===----------------------------------------------------------------------===//
// Everyone else
//===----------------------------------------------------------------------===//

/// Emits the arrival of a whole role: it does not need the task's slot any
/// more.
static void emitRelease(const GemmContext &context, TaskReader reader) {
  DeviceBuilder &b = context.b;
  if (reader != TaskReader::wholeWarp) {
    emitTaskArrival(context);
    return;
  }
  b.syncWarp();
  b.ifThen(b.isEqual(context.lane, 0), [&] { emitTaskArrival(context); });
}

/// Splits a task into its words, for `reader`.
static SmallVector<Value> emitTaskWords(const GemmContext &context,
                                        TaskReader reader, Value task) {
  DeviceBuilder &b = context.b;
  SmallVector<Value> words;
  for (int64_t i = 0; i != 4; ++i) {
    Value word = LLVM::ExtractElementOp::create(b, task, b.i32(i));
    words.push_back(reader == TaskReader::wholeWarp ? b.uniform(word) : word);
  }
  return words;
}

/// Waits for the task of the round with `parity`, and reads it.
static SmallVector<Value> emitReadTask(const GemmContext &context,
                                       TaskReader reader, Value parity) {
  context.b.waitParity(context.kernel.taskRing.getFull(context), parity,
                       context.hasCluster() ? NVVM::MemScopeKind::CLUSTER
                                            : NVVM::MemScopeKind::CTA);
  return emitTaskWords(context, reader, emitLoadTask(context));
}

/// Emits the work on `task`, for each body that it may have.
static SmallVector<Value> emitBodySwitch(const GemmContext &context,
                                         const TaskValues &task,
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

/// Emits the work of `reader` on a task. If the kernel is traced, records its
/// time.
static void emitTraced(const GemmContext &context, TaskReader reader,
                       kernelabi::TraceRole role, const TaskValues &task,
                       function_ref<void()> work) {
  DeviceBuilder &b = context.b;
  auto module =
      b.getInsertionBlock()->getParentOp()->getParentOfType<gpu::GPUModuleOp>();
  if (!isTraced(module))
    return work();
  // One thread of each warpgroup records, or the one thread.
  Value isRecorder;
  TraceStart start;
  if (reader == TaskReader::wholeWarp) {
    Value first = b.bitAnd(context.thread, kWarpgroupThreads - 1);
    isRecorder = b.isEqual(first, 0);
    auto choice =
        scf::IfOp::create(b, TypeRange{b.getI64Type(), b.getI32Type()},
                          isRecorder, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(choice.thenBlock());
    start = emitTraceStart(b);
    scf::YieldOp::create(b, ValueRange{start.time, start.place});
    b.setInsertionPointToStart(choice.elseBlock());
    Value noTime = arith::ConstantIntOp::create(b, b.getI64Type(), 0);
    scf::YieldOp::create(b, ValueRange{noTime, b.i32(0)});
    start = {choice.getResult(0), choice.getResult(1)};
  } else {
    start = emitTraceStart(b);
  }
  work();
  auto end = [&] { emitTraceEnd(b, start, role, task.getWords()); };
  if (isRecorder)
    b.ifThen(isRecorder, end);
  else
    end();
}

SmallVector<Value> hopper::emitTaskLoop(const GemmContext &context,
                                        TaskReader reader,
                                        kernelabi::TraceRole role,
                                        ValueRange inits, TaskBuilder build) {
  DeviceBuilder &b = context.b;
  // The loop carries the parity of the next round, the task, and `inits`.
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
  // The next task is claimed when the last loads of this task have been issued.
  // A block that still waits for its first loads must not claim a second task:
  // another block would then be idle while both tasks could start. Fixed tasks
  // belong to one block anyway.
  bool releasesLate =
      reader == TaskReader::loader && !context.kernel.hasFixedTasks;
  if (!releasesLate)
    emitRelease(context, reader);
  TaskValues task = {words[0], words[1], words[2], words[3]};
  SmallVector<Value> carried;
  emitTraced(context, reader, role, task, [&] {
    carried = emitBodySwitch(context, task, arguments.drop_front(5), build);
  });
  if (releasesLate)
    emitRelease(context, reader);
  SmallVector<Value> results = {b.bitXor(parity, 1)};
  results.append(emitReadTask(context, reader, parity));
  results.append(carried);
  scf::YieldOp::create(b, results);

  // The first block of a cluster waits until all readers have read that there
  // are no more tasks.
  b.setInsertionPointAfter(loop);
  if (context.hasCluster())
    emitRelease(context, reader);
  return llvm::to_vector_of<Value>(loop.getResults().drop_front(5));
}

Value hopper::emitHasMoreTasks(const GemmContext &context, Value count) {
  DeviceBuilder &b = context.b;
  assert(context.kernel.hasFixedTasks && "others come from the scheduler");
  Value before = arith::MulIOp::create(b, count, emitClusterCount(context));
  return b.isBelow(b.add(emitClusterNumber(context), before),
                   context.getParam(context.kernel.taskCountParam));
}

void hopper::emitFixedTaskLoop(
    const GemmContext &context, kernelabi::TraceRole role,
    function_ref<void(const BodyPlan &body, const TaskValues &task)> build) {
  DeviceBuilder &b = context.b;
  assert(context.kernel.hasFixedTasks && "others come from the scheduler");
  auto loop =
      scf::ForOp::create(b, emitClusterNumber(context),
                         context.getParam(context.kernel.taskCountParam),
                         emitClusterCount(context));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> words =
      emitTaskWords(context, TaskReader::wholeWarp,
                    emitTask(context, loop.getInductionVar()));
  TaskValues task = {words[0], words[1], words[2], words[3]};
  emitTraced(context, TaskReader::wholeWarp, role, task,
             [&] { build(context.kernel.bodies.front(), task); });
}
