//===- KernelEmitter.cpp - The code of a kernel for a GPU -----------------===//
//
// Part of Grout. A thread goes through the phases in order. The values that it
// has read and computed at a point stay in registers for later phases. A
// reduction first combines the values of each thread, and then those of all
// threads. All of these threads get the result.
//
// All threads of a block run all code, so that they can meet at barriers.
// Threads beyond the last point repeat that point, but do not store or count
// it.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

#include "GPUStatementEmitter.h"
#include "SlotMasks.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// The number of rounds in one iteration of a loop over rounds.
static constexpr int64_t kRoundsPerIteration = 4;

namespace {

/// Emits the code of one kernel.
class KernelEmitter {
public:
  KernelEmitter(EmitContext &ctx)
      : ctx(ctx), shape(ctx.shape), mapping(ctx.mapping), b(ctx.b), tile(ctx),
        statements(ctx, tile) {}

  LogicalResult emit();

private:
  void emitThreadNumbers();
  /// Emits the coordinates and the first point of the block's tile.
  void emitBlockTile();
  /// Emit the outer point of the thread: in the block's tile, or among all
  /// points, numbered consecutively.
  void emitTilePoint();
  void emitConsecutivePoint();
  /// Returns point `number` of the thread in the block's tile.
  Point emitRepeatedPoint(int64_t number);
  /// Emits all phases for each of the thread's points.
  LogicalResult emitRepeats();
  /// Splits `number` into the values of loops [first, last). `getCount` returns
  /// how many values a loop has, or how many vectors of them.
  void emitLoops(Value number, function_ref<int64_t(unsigned loop)> getCount,
                 unsigned first, unsigned last, SmallVectorImpl<Value> &loops);
  /// Returns the point in round `round`, an i32, of the inner loops. If
  /// `isLast`, some threads may have no point in it. `like` is the number of a
  /// round with the same masks.
  Point emitInnerPoint(Value round, int64_t number, bool isLast, int64_t like);
  /// Whether vectors of round `round` may begin before the loop along which
  /// they are masked, and whether they may end behind it.
  bool canBeginBefore(int64_t round) const;
  bool canEndBehind(int64_t round) const;

  LogicalResult emitPhase(Phase &phase);
  /// Returns the writes that every round changes, after their initial values
  /// have been loaded.
  FailureOr<SmallVector<StridedAccess>> startCarried(Phase &phase);
  /// Emits rounds of a phase from `first` on in a loop. The last rounds are not
  /// in it.
  LogicalResult emitLoopOfRounds(Phase &phase, int64_t first,
                                 int64_t iterations,
                                 ArrayRef<StridedAccess> carried);
  /// Returns the outer point for stores of values that all threads have: only
  /// one thread stores.
  Point getStorePoint();

  EmitContext &ctx;
  KernelShape &shape;
  const ThreadMapping &mapping;
  ImplicitLocOpBuilder &b;
  TileReads tile;
  StatementEmitter statements;

  /// The coordinates of the block's tile, if blocks have tiles, and its first
  /// point.
  SmallVector<Value> blockTile;
  Point tileStart;
  Value outerThread, innerThread;
  /// The point of the outer loops, and whether the thread has one.
  Point outerPoint;
};

} // namespace

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

void KernelEmitter::emitLoops(Value number,
                              function_ref<int64_t(unsigned loop)> getCount,
                              unsigned first, unsigned last,
                              SmallVectorImpl<Value> &loops) {
  loops.resize(std::max<size_t>(loops.size(), last));
  for (unsigned loop = last; loop-- > first;) {
    int64_t count = getCount(loop);
    Value value = number;
    if (loop != first) {
      value = arith::RemUIOp::create(b, number, ctx.i32(count));
      number = arith::DivUIOp::create(b, number, ctx.i32(count));
    }
    if (loop == ctx.getVectorLoop() && mapping.width != 1)
      value = arith::MulIOp::create(b, value, ctx.i32(mapping.width));
    loops[loop] = value;
  }
}

void KernelEmitter::emitThreadNumbers() {
  Value thread = NVVM::ThreadIdXOp::create(b, b.getI32Type());
  auto split = [&](int64_t fast) -> std::pair<Value, Value> {
    Value low = arith::AndIOp::create(b, thread, ctx.i32(fast - 1));
    Value high =
        arith::ShRUIOp::create(b, thread, ctx.i32(llvm::Log2_64(fast)));
    return {low, high};
  };
  if (mapping.isInnerFastest)
    std::tie(innerThread, outerThread) = split(mapping.innerThreads);
  else
    std::tie(outerThread, innerThread) = split(mapping.outerThreads);
}

void KernelEmitter::emitBlockTile() {
  SmallVector<int64_t> grid = getTileGrid(shape, mapping.tileSizes);
  // Neighbouring blocks have neighbouring tiles. If tiles extend along two
  // loops, these two vary fastest.
  SmallVector<unsigned> order = llvm::to_vector(llvm::seq(shape.numOuter));
  if (mapping.tile && !ctx.sync.usesSemaphores()) {
    llvm::erase(order, mapping.tile->loop);
    order.insert(std::prev(order.end()), mapping.tile->loop);
  }
  Value block = ctx.emitBlockNumber();
  blockTile.resize(shape.numOuter);
  tileStart.loops.resize(shape.numOuter);
  for (unsigned loop : llvm::reverse(order)) {
    blockTile[loop] = block;
    if (loop != order.front()) {
      Value count = ctx.i32(grid[loop]);
      blockTile[loop] = arith::RemUIOp::create(b, block, count);
      block = arith::DivUIOp::create(b, block, count);
    }
    tileStart.loops[loop] = arith::MulIOp::create(
        b, blockTile[loop], ctx.i32(mapping.tileSizes[loop]));
  }
}

void KernelEmitter::emitTilePoint() {
  ArrayRef<int64_t> sizes = mapping.tileSizes;
  int64_t width = mapping.getOuterWidth();
  auto isRepeated = [&](unsigned loop) {
    return mapping.repeats != 1 && loop == mapping.repeatedLoop;
  };
  auto getLocalCount = [&](unsigned loop) -> int64_t {
    if (isRepeated(loop))
      return mapping.repeatedRows;
    return loop + 1 == shape.numOuter ? sizes[loop] / width : sizes[loop];
  };
  int64_t count = 1;
  for (unsigned loop = 0; loop != shape.numOuter; ++loop)
    count *= getLocalCount(loop);
  Value number = outerThread;
  if (count < mapping.outerThreads) {
    outerPoint.isOwn = arith::CmpIOp::create(b, arith::CmpIPredicate::ult,
                                             number, ctx.i32(count));
    number = arith::MinUIOp::create(b, number, ctx.i32(count - 1));
  }
  emitLoops(number, getLocalCount, 0, shape.numOuter, outerPoint.loops);
  for (unsigned loop = 0; loop != shape.numOuter; ++loop) {
    Value &index = outerPoint.loops[loop];
    index = arith::AddIOp::create(b, tileStart.loops[loop], index);
    int64_t extent = shape.extents[loop];
    if (extent % sizes[loop] == 0 || isRepeated(loop))
      continue;
    outerPoint.require(b, arith::CmpIOp::create(b, arith::CmpIPredicate::ult,
                                                index, ctx.i32(extent)));
    bool hasVectors = loop + 1 == shape.numOuter;
    index = arith::MinUIOp::create(b, index,
                                   ctx.i32(extent - (hasVectors ? width : 1)));
  }
}

Point KernelEmitter::emitRepeatedPoint(int64_t number) {
  Point point = outerPoint;
  point.round = number;
  unsigned loop = mapping.repeatedLoop;
  int64_t rows = mapping.repeatedRows, size = mapping.tileSizes[loop];
  int64_t extent = shape.extents[loop];
  Value &index = point.loops[loop];
  index = arith::AddIOp::create(b, index, ctx.i32(number * rows));
  if ((number + 1) * rows <= size && extent % size == 0)
    return point;
  Value end = arith::AddIOp::create(b, tileStart.loops[loop], ctx.i32(size));
  end = arith::MinUIOp::create(b, end, ctx.i32(extent));
  point.require(
      b, arith::CmpIOp::create(b, arith::CmpIPredicate::ult, index, end));
  index = arith::MinUIOp::create(b, index, ctx.i32(extent - 1));
  return point;
}

LogicalResult KernelEmitter::emitRepeats() {
  SmallVector<Point> points;
  for (int64_t number = 0; number != mapping.repeats; ++number)
    points.push_back(emitRepeatedPoint(number));
  for (const Point &point : points)
    if (failed(statements.loadInputs(point)))
      return failure();
  for (const Point &point : points)
    for (Phase &phase : shape.phases)
      if (failed(statements.emitPoint(phase, point)))
        return failure();
  return success();
}

void KernelEmitter::emitConsecutivePoint() {
  int64_t count = mapping.getCount(shape, 0, shape.numOuter);
  Value block = ctx.emitBlockNumber();
  Value number = arith::AddIOp::create(
      b, arith::MulIOp::create(b, block, ctx.i32(mapping.outerThreads)),
      outerThread);
  if (count % mapping.outerThreads != 0) {
    outerPoint.isOwn = arith::CmpIOp::create(b, arith::CmpIPredicate::ult,
                                             number, ctx.i32(count));
    number = arith::MinUIOp::create(b, number, ctx.i32(count - 1));
  }
  auto ofShape = [&](unsigned loop) { return mapping.getCount(shape, loop); };
  emitLoops(number, ofShape, 0, shape.numOuter, outerPoint.loops);
  if (mapping.slots && !mapping.isInnerFastest)
    emitSlot(ctx, outerPoint, /*canBegin=*/true, /*canEnd=*/true);
}

bool KernelEmitter::canBeginBefore(int64_t round) const {
  if (!mapping.slots || !mapping.isInnerFastest)
    return false;
  // If there are several inner loops, a round may contain several rows.
  return shape.getNumLoops() - shape.numOuter != 1 || round == 0;
}

bool KernelEmitter::canEndBehind(int64_t round) const {
  if (!mapping.slots || !mapping.isInnerFastest)
    return false;
  return shape.getNumLoops() - shape.numOuter != 1 ||
         (round + 1) * mapping.innerThreads * mapping.width >
             shape.extents.back();
}

Point KernelEmitter::emitInnerPoint(Value round, int64_t number, bool isLast,
                                    int64_t like) {
  Point point = outerPoint;
  point.round = number;
  point.roundIndex = round;
  int64_t count = mapping.getCount(shape, shape.numOuter, shape.getNumLoops());
  Value index = arith::AddIOp::create(
      b, arith::MulIOp::create(b, round, ctx.i32(mapping.innerThreads)),
      innerThread);
  if (isLast && count % mapping.innerThreads != 0) {
    Value inside = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, index,
                                         ctx.i32(count));
    point.require(b, inside);
    index = arith::MinUIOp::create(b, index, ctx.i32(count - 1));
  }
  auto ofShape = [&](unsigned loop) { return mapping.getCount(shape, loop); };
  emitLoops(index, ofShape, shape.numOuter, shape.getNumLoops(), point.loops);
  if (mapping.slots && mapping.isInnerFastest)
    emitSlot(ctx, point, canBeginBefore(like), canEndBehind(like));
  return point;
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<StridedAccess>>
KernelEmitter::startCarried(Phase &phase) {
  SmallVector<StridedAccess> carried;
  for (PhaseStatement &statement : phase.statements)
    for (const StridedAccess &access : statement.writes)
      if (!statement.isReduction && !shape.dependsOnInner(access)) {
        FailureOr<Lanes> start =
            statements.emitRead(statement.op, access, outerPoint);
        if (failed(start))
          return failure();
        statements.getKnown().set(access, outerPoint, *start);
        carried.push_back(access);
      }
  // Another write would invalidate all known values of the array.
  for (PhaseStatement &statement : phase.statements)
    for (const StridedAccess &access : statement.writes)
      for (const StridedAccess &other : carried)
        if (access.array == other.array && !access.isSameAs(other))
          return statement.op.emitOpError(
              "cannot be compiled for a GPU: it writes other elements of an "
              "array of which each round of its loop changes some");
  return carried;
}

LogicalResult KernelEmitter::emitLoopOfRounds(Phase &phase, int64_t first,
                                              int64_t iterations,
                                              ArrayRef<StridedAccess> carried) {
  KnownValues &known = statements.getKnown();
  auto getLanes = [&](const StridedAccess &access) -> Lanes & {
    Lanes &lanes = *known.find(access, outerPoint);
    if (ctx.isVector(access) && lanes.size() == 1)
      lanes.assign(mapping.width, Value(lanes.front()));
    return lanes;
  };
  auto collect = [&] {
    SmallVector<Value> values;
    for (auto &entry : statements.getAccumulators())
      llvm::append_range(values, entry.second);
    for (const StridedAccess &access : carried)
      llvm::append_range(values, getLanes(access));
    return values;
  };
  auto take = [&](ValueRange values) {
    auto takeLanes = [&](Lanes &lanes) {
      for (Value &lane : lanes) {
        lane = values.front();
        values = values.drop_front();
      }
    };
    for (auto &entry : statements.getAccumulators())
      takeLanes(entry.second);
    for (const StridedAccess &access : carried)
      takeLanes(getLanes(access));
  };

  SmallVector<Value> inits = collect();
  auto loop =
      scf::ForOp::create(b, ctx.i32(0), ctx.i32(iterations), ctx.i32(1), inits);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  take(loop.getRegionIterArgs());
  size_t mark = known.getMark();
  for (int64_t i = 0; i != kRoundsPerIteration; ++i) {
    Value round = arith::AddIOp::create(
        b,
        arith::MulIOp::create(b, loop.getInductionVar(),
                              ctx.i32(kRoundsPerIteration)),
        ctx.i32(first + i));
    if (failed(statements.emitPoint(
            phase, emitInnerPoint(round, i, /*isLast=*/false, first))))
      return failure();
    known.forget(mark);
  }
  SmallVector<Value> results = collect();
  if (!inits.empty())
    scf::YieldOp::create(b, results);
  take(loop.getResults());
  return success();
}

LogicalResult KernelEmitter::emitPhase(Phase &phase) {
  if (!phase.hasInnerLoops)
    return statements.emitPoint(phase, outerPoint);
  if (failed(statements.startReductions(phase, outerPoint)))
    return failure();

  int64_t rounds = mapping.rounds;
  KnownValues &known = statements.getKnown();
  size_t mark = known.getMark();
  auto emitRounds = [&](int64_t first, int64_t end) -> LogicalResult {
    for (int64_t round = first; round < end; ++round) {
      if (failed(statements.emitPoint(
              phase, emitInnerPoint(ctx.i32(round), round, round + 1 == rounds,
                                    round))))
        return failure();
      if (!mapping.keepsRounds)
        known.forget(mark);
    }
    return success();
  };
  if (mapping.keepsRounds) {
    if (failed(emitRounds(0, rounds)))
      return failure();
  } else {
    // Values of a round that are not carried are forgotten.
    FailureOr<SmallVector<StridedAccess>> carried = startCarried(phase);
    if (failed(carried))
      return failure();
    mark = known.getMark();
    // The rounds [first, end) have the same masks, or none.
    int64_t first = canBeginBefore(0) && !canBeginBefore(1) ? 1 : 0,
            end = first;
    while (end < rounds - 1 && canEndBehind(end) == canEndBehind(first))
      ++end;
    bool isUnrolled =
        mapping.innerThreads == 1 && rounds <= kMostUnrolledRounds;
    int64_t iterations = isUnrolled ? 0 : (end - first) / kRoundsPerIteration;
    if (failed(emitRounds(0, first)) ||
        (iterations != 0 &&
         failed(emitLoopOfRounds(phase, first, iterations, *carried))) ||
        failed(emitRounds(first + iterations * kRoundsPerIteration, rounds)))
      return failure();
  }
  return statements.finishReductions(phase, outerPoint, outerThread,
                                     innerThread);
}

Point KernelEmitter::getStorePoint() {
  Point point = outerPoint;
  // All inner threads have the same value.
  if (mapping.innerThreads != 1)
    point.require(b, arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                           innerThread, ctx.i32(0)));
  return point;
}

LogicalResult KernelEmitter::emit() {
  if (failed(statements.checkOutputs()))
    return failure();
  if (!mapping.tileSizes.empty()) {
    emitBlockTile();
    if (failed(emitTileWaits(b, ctx.sync, ctx.getStates(),
                             getTileGrid(shape, mapping.tileSizes), blockTile)))
      return failure();
  }
  if (mapping.tile) {
    auto emitAll = [&](const Point &point) -> LogicalResult {
      statements.getKnown().forget(0);
      for (Phase &phase : shape.phases)
        if (failed(statements.emitPoint(phase, point)))
          return failure();
      return success();
    };
    if (failed(tile.emit(tileStart, emitAll)))
      return failure();
  } else {
    emitThreadNumbers();
    if (mapping.tileSizes.empty())
      emitConsecutivePoint();
    else
      emitTilePoint();
    if (mapping.repeats != 1) {
      if (failed(emitRepeats()))
        return failure();
      return emitEnd(b, ctx.sync, ctx.getStates(), blockTile);
    }
    if (failed(statements.loadScattered(outerPoint)))
      return failure();
    for (Phase &phase : shape.phases)
      if (failed(emitPhase(phase)))
        return failure();
    statements.emitFinalStores(getStorePoint());
  }
  return emitEnd(b, ctx.sync, ctx.getStates(), blockTile);
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

LogicalResult scop::emitKernel(EmitContext &ctx) {
  return KernelEmitter(ctx).emit();
}
