//===- GPUStatementEmitter.cpp - The code of statements at a point --------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "GPUStatementEmitter.h"

#include "GlobalMemory.h"
#include "ThreadReduction.h"
#include "grout/Conversion/Common/DeviceMath.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// Whether `statement` of the kernel writes `array`.
static bool writes(const PhaseStatement &statement, Value array) {
  return llvm::any_of(statement.writes, [&](const StridedAccess &access) {
    return access.array == array;
  });
}

bool StatementEmitter::isOutside(StmtOp op, const StridedAccess &access) const {
  if (!isa<BlockArgument>(access.array))
    return false;
  for (const Phase &phase : ctx.shape.phases)
    for (const PhaseStatement &statement : phase.statements)
      if (statement.op->isBeforeInBlock(op) && writes(statement, access.array))
        return false;
      else if (statement.op == op)
        // The statement itself may replace the element, but write no others.
        for (const StridedAccess &write : statement.writes)
          if (write.array == access.array && !write.isSameAs(access))
            return false;
  return true;
}

/// For an array that is read from another buffer than it is written to: emits
/// whether no round of the inner loops has written yet the element that `op`
/// reads by `access` at `point`, and changes in each round. Returns null if
/// `op` does not change it, or the array has only one buffer.
static Value emitIsUnwritten(EmitContext &ctx, StmtOp op,
                             const StridedAccess &access, const Point &point) {
  ArrayPlace place = ctx.getPlace(access.array);
  bool isInRound = point.loops.size() == ctx.shape.getNumLoops();
  if (place.source.buffer == place.target.buffer || !op.writes(access.array) ||
      !isInRound || !ctx.shape.dependsOnInner(access))
    return {};
  ImplicitLocOpBuilder &b = ctx.b;
  Value isUnwritten;
  for (unsigned loop = ctx.shape.numOuter; loop != ctx.shape.getNumLoops();
       ++loop) {
    if (access.dependsOn(loop))
      continue;
    Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                          point.loops[loop], ctx.i32(0));
    isUnwritten =
        isUnwritten ? arith::AndIOp::create(b, isUnwritten, isFirst) : isFirst;
  }
  return isUnwritten;
}

FailureOr<Lanes> StatementEmitter::emitRead(StmtOp op,
                                            const StridedAccess &access,
                                            const Point &point) {
  if (Lanes *value = known.find(access, point))
    return *value;
  if (std::optional<Lanes> kept = known.loadKept(op, access, point))
    return std::move(*kept);
  if (!isOutside(op, access))
    return op.emitOpError("cannot be compiled for a GPU: it reads elements "
                          "that another thread computes");
  auto load = [&](const BufferView &view) {
    return emitLoad(ctx, access, view, point, ctx.getVectorLoop(),
                    ctx.mapping.width);
  };
  ArrayPlace place = ctx.getPlace(access.array);
  Lanes lanes = isStaged(ctx.mapping, ctx.shape, access)
                    ? tile.emitLoad(access, point)
                    : load(place.source);
  if (Value isUnwritten = emitIsUnwritten(ctx, op, access, point))
    for (auto [lane, written] : llvm::zip_equal(lanes, load(place.target)))
      lane = arith::SelectOp::create(ctx.b, isUnwritten, lane, written);
  // Remember the value where the next reader is in the same part of the code.
  if (ctx.mapping.keepsRounds || !ctx.shape.dependsOnInner(access))
    known.set(access, point, lanes);
  return lanes;
}

/// Whether all results of the statement are rounded to 16 bits.
static bool roundsTo16Bits(StmtOp op) {
  return llvm::all_of(op.getWrites().getTypes(), [](Type array) {
    return getElementTypeOrSelf(array).getIntOrFloatBitWidth() <= 16;
  });
}

/// Returns the value of loop `loop` at lane `lane` of `point`, an i32. If
/// `isAddress`, a lane outside of the loop gets the value of the nearest
/// iteration, since the load at that address is not masked.
static Value emitLoopIndex(EmitContext &ctx, const Point &point, unsigned loop,
                           int64_t lane, bool isAddress) {
  ImplicitLocOpBuilder &b = ctx.b;
  Value value = point.loops[loop];
  if (loop != ctx.getVectorLoop())
    return value;
  if (lane != 0)
    value = arith::AddIOp::create(b, value, ctx.i32(lane));
  if (!isAddress || !point.masks)
    return value;
  if (point.masks->canBegin)
    value = arith::MaxSIOp::create(b, value, ctx.i32(0));
  if (point.masks->canEnd)
    value =
        arith::MinSIOp::create(b, value, ctx.i32(ctx.shape.extents[loop] - 1));
  return value;
}

SmallVector<Value> StatementEmitter::emitBody(const PhaseStatement &statement,
                                              ValueRange elements,
                                              const Point &point,
                                              int64_t lane) {
  ImplicitLocOpBuilder &b = ctx.b;
  IRMapping values;
  StmtOp op = statement.op;
  Block &block = op.getBody().front();
  values.map(block.getArguments(), elements);
  bool hasGathers = !block.getOps<GatherOp>().empty();
  for (Operation &inner : block.without_terminator()) {
    if (auto gather = dyn_cast<GatherOp>(inner)) {
      values.map(gather.getValue(), emitGather(ctx, gather, values));
      continue;
    }
    if (auto scatter = dyn_cast<ScatterOp>(inner)) {
      addScattered(statement, scatter, values);
      continue;
    }
    auto index = dyn_cast<IndexOp>(inner);
    if (!index) {
      emitDeviceOp(b, inner, values, roundsTo16Bits(op));
      continue;
    }
    std::optional<unsigned> loop = statement.loops[index.getIterator()];
    Value value =
        loop ? emitLoopIndex(ctx, point, *loop, lane, hasGathers) : ctx.i32(0);
    values.map(index.getResult(),
               arith::IndexCastUIOp::create(b, b.getIndexType(), value));
  }
  return llvm::map_to_vector(
      block.getTerminator()->getOperands(),
      [&](Value value) { return values.lookupOrDefault(value); });
}

void StatementEmitter::addScattered(const PhaseStatement &statement,
                                    ScatterOp scatter,
                                    const IRMapping &values) {
  auto [it, isNew] = scattered.try_emplace(scatter);
  Scattered &all = it->second;
  if (isNew)
    all.width = getScatterWidth(ctx, statement, scatter);
  if (all.lanes.size() % all.width == 0)
    all.places.push_back(emitScatterPlace(ctx, scatter, values));
  all.lanes.push_back(values.lookup(scatter.getValue()));
}

void StatementEmitter::storeScattered(const Point &point) {
  for (auto &[op, all] : scattered) {
    assert((!point.masks || all.width == 1) && "each point has its own mask");
    for (auto [number, place] : llvm::enumerate(all.places)) {
      int64_t first = int64_t(number) * all.width;
      emitScatterStore(ctx, cast<ScatterOp>(op), place,
                       point.masks ? point.masks->lanes[first] : point.isOwn,
                       ArrayRef(all.lanes).slice(first, all.width));
    }
  }
  scattered.clear();
}

bool StatementEmitter::isFinal(const PhaseStatement &statement,
                               unsigned index) {
  Value array = statement.writes[index].array;
  for (Phase &phase : ctx.shape.phases)
    for (PhaseStatement &other : phase.statements)
      if (statement.op->isBeforeInBlock(other.op) && writes(other, array))
        return false;
  return true;
}

void StatementEmitter::storeAtEnd(const StridedAccess &access) {
  if (llvm::none_of(pending, [&](const StridedAccess &other) {
        return other.isSameAs(access);
      }))
    pending.push_back(access);
}

Point StatementEmitter::getStorePoint(const StridedAccess &access,
                                      Point point) {
  for (unsigned loop = 0; loop != ctx.shape.numOuter; ++loop)
    if (!access.dependsOn(loop)) {
      // The first slot of a loop may begin before the loop.
      bool hasSlots = ctx.mapping.slots && ctx.mapping.slots->loop == loop;
      point.require(ctx.b,
                    arith::CmpIOp::create(ctx.b,
                                          hasSlots ? arith::CmpIPredicate::sle
                                                   : arith::CmpIPredicate::eq,
                                          point.loops[loop], ctx.i32(0)));
    }
  return point;
}

LogicalResult StatementEmitter::checkOutputs() {
  for (Phase &phase : ctx.shape.phases)
    for (PhaseStatement &statement : phase.statements)
      for (const StridedAccess &access : statement.writes) {
        StmtOp op = statement.op;
        if (!isa<BlockArgument>(access.array))
          continue;
        // If several statements write the output, the elements of the last one
        // are stored. So the last one must write all elements.
        auto type = cast<MemRefType>(access.array.getType());
        int64_t offset = ctx.getPlace(access.array).target.offset;
        if (llvm::any_of(access.strides, [](int64_t s) { return s < 0; }))
          return op.emitOpError("cannot be compiled for a GPU: it writes an "
                                "output backwards");
        if (access.offset != offset ||
            !ctx.shape.covers(access, type.getNumElements()))
          return op.emitOpError("cannot be compiled for a GPU: it writes only "
                                "a part of an output");
        // All blocks may write an element if its statement has no outer loops.
        // But different iterations of an outer loop must not write one element.
        for (std::optional<unsigned> loop : statement.loops)
          if (loop && *loop < ctx.shape.numOuter && !access.dependsOn(*loop))
            return op.emitOpError("cannot be compiled for a GPU: blocks would "
                                  "write the same elements");
      }
  return success();
}

LogicalResult StatementEmitter::emitStatement(PhaseStatement &statement,
                                              const Point &point) {
  StmtOp op = statement.op;
  std::vector<Lanes> elements;
  size_t numLanes = 1;
  for (const StridedAccess &access : statement.reads) {
    FailureOr<Lanes> lanes = emitRead(op, access, point);
    if (failed(lanes))
      return failure();
    numLanes = std::max(numLanes, lanes->size());
    elements.push_back(*lanes);
  }
  bool usesIndex = false;
  op.getBody().walk([&](IndexOp) { usesIndex = true; });
  if (usesIndex)
    numLanes = ctx.mapping.width;

  std::vector<Lanes> results(statement.writes.size());
  for (size_t lane = 0; lane != numLanes; ++lane) {
    SmallVector<Value> ofLane;
    for (const Lanes &lanes : elements)
      ofLane.push_back(lanes.size() == 1 ? lanes.front() : lanes[lane]);
    for (auto [result, value] :
         llvm::zip_equal(results, emitBody(statement, ofLane, point, lane)))
      result.push_back(value);
  }
  storeScattered(point);

  for (auto [index, access] : llvm::enumerate(statement.writes)) {
    const Lanes &lanes = results[index];
    known.setWritten(access, point, lanes);
    if (failed(known.keep(statement, access, point, lanes)))
      return failure();
    bool isInner = point.loops.size() > ctx.shape.numOuter;
    bool isSame = isInner && !ctx.shape.dependsOnInner(access);
    if (isSame && ctx.shape.sharesInnerLoops())
      return op.emitOpError("cannot be compiled for a GPU: threads would "
                            "write the same elements");
    if (!isa<BlockArgument>(access.array) || !isFinal(statement, index))
      continue;
    if (isSame || (!isInner && ctx.mapping.innerThreads != 1))
      storeAtEnd(access);
    else
      emitStore(ctx, access, getStorePoint(access, point), lanes);
  }
  return success();
}

LogicalResult StatementEmitter::startReductions(Phase &phase,
                                                const Point &outerPoint) {
  accumulators.clear();
  for (PhaseStatement &statement : phase.statements) {
    if (!statement.isReduction)
      continue;
    for (auto [index, access] : llvm::enumerate(statement.writes)) {
      Operation *combiner = statement.op.getCombiner(index);
      TypedAttr neutral = getNeutralElement(combiner);
      assert(neutral && "every combiner has one");
      Value value = arith::ConstantOp::create(ctx.b, neutral);
      accumulators[{statement.op, index}] = Lanes(ctx.mapping.width, value);
      // Load the initial value now, so that it arrives while threads combine.
      if (isOutside(statement.op, access) &&
          failed(emitRead(statement.op, access, outerPoint)))
        return failure();
    }
  }
  return success();
}

LogicalResult StatementEmitter::emitAccumulation(PhaseStatement &statement,
                                                 const Point &point) {
  StmtOp op = statement.op;
  SmallVector<std::optional<unsigned>> writeOfRead(statement.reads.size());
  for (unsigned write = 0, e = statement.writes.size(); write != e; ++write)
    writeOfRead[*op.getReadOfWrite(write)] = write;
  std::vector<Lanes> elements(statement.reads.size());
  for (auto [index, access] : llvm::enumerate(statement.reads)) {
    if (writeOfRead[index])
      continue;
    FailureOr<Lanes> lanes = emitRead(op, access, point);
    if (failed(lanes))
      return failure();
    elements[index] = *lanes;
  }
  for (int64_t lane = 0; lane != ctx.mapping.width; ++lane) {
    SmallVector<Value> ofLane;
    for (auto [index, lanes] : llvm::enumerate(elements)) {
      if (std::optional<unsigned> write = writeOfRead[index])
        ofLane.push_back(accumulators[{op, *write}][lane]);
      else
        ofLane.push_back(lanes.size() == 1 ? lanes.front() : lanes[lane]);
    }
    SmallVector<Value> results = emitBody(statement, ofLane, point, lane);
    for (auto [write, value] : llvm::enumerate(results)) {
      Value &accumulator = accumulators[{op, write}][lane];
      // If lanes are elements of their own, those outside of the loop need no
      // mask: they are not stored.
      Value isOwn = point.masks && ctx.mapping.isInnerFastest
                        ? point.masks->lanes[lane]
                        : point.isOwn;
      accumulator =
          isOwn ? arith::SelectOp::create(ctx.b, isOwn, value, accumulator)
                : value;
    }
  }
  return success();
}

LogicalResult StatementEmitter::finishReductions(Phase &phase,
                                                 const Point &outerPoint,
                                                 Value outerThread,
                                                 Value innerThread) {
  ImplicitLocOpBuilder &b = ctx.b;
  for (PhaseStatement &statement : phase.statements) {
    if (!statement.isReduction)
      continue;
    StmtOp op = statement.op;
    for (auto [index, access] : llvm::enumerate(statement.writes)) {
      if (ctx.shape.dependsOnInner(access))
        return op.emitOpError("cannot be compiled for a GPU: it combines over "
                              "some of its own loops only");
      Operation *combiner = op.getCombiner(index);
      Lanes lanes = accumulators[{op, index}];
      // The points that a thread has at once are either different elements, or
      // parts of one element.
      if (ctx.mapping.isInnerFastest || !ctx.isVector(access)) {
        if (!ctx.mapping.isInnerFastest && ctx.mapping.width != 1)
          return op.emitOpError("cannot be compiled for a GPU: it does not "
                                "iterate over the loop that has vectors");
        Value sum = lanes.front();
        for (Value lane : ArrayRef(lanes).drop_front())
          sum = emitCombination(b, combiner, sum, lane);
        lanes = {sum};
      }
      FailureOr<Lanes> whole =
          emitThreadReduction(b, op, combiner, lanes, ctx.mapping, outerThread,
                              innerThread, ctx.shared);
      if (failed(whole))
        return failure();
      FailureOr<Lanes> start = emitRead(op, access, outerPoint);
      if (failed(start))
        return failure();
      for (auto [lane, value] : llvm::enumerate(*whole))
        value = emitCombination(
            b, combiner, start->size() == 1 ? start->front() : (*start)[lane],
            value);
      known.setWritten(access, outerPoint, *whole);
      if (isa<BlockArgument>(access.array) && isFinal(statement, index))
        storeAtEnd(access);
    }
  }
  return success();
}

LogicalResult StatementEmitter::loadScattered(const Point &outerPoint) {
  for (Phase &phase : ctx.shape.phases) {
    if (phase.hasInnerLoops)
      continue;
    for (PhaseStatement &statement : phase.statements) {
      StmtOp op = statement.op;
      if (op.getBody().getOps<ScatterOp>().empty())
        continue;
      for (const StridedAccess &access : statement.reads)
        if (isOutside(op, access) && failed(emitRead(op, access, outerPoint)))
          return failure();
    }
  }
  return success();
}

LogicalResult StatementEmitter::loadInputs(const Point &point) {
  for (Phase &phase : ctx.shape.phases)
    for (PhaseStatement &statement : phase.statements)
      for (const StridedAccess &access : statement.reads)
        if (isOutside(statement.op, access) &&
            !statement.op.writes(access.array) &&
            failed(emitRead(statement.op, access, point)))
          return failure();
  return success();
}

LogicalResult StatementEmitter::emitPoint(Phase &phase, const Point &point) {
  for (PhaseStatement &statement : phase.statements)
    if (failed(statement.isReduction ? emitAccumulation(statement, point)
                                     : emitStatement(statement, point)))
      return failure();
  return success();
}

void StatementEmitter::emitFinalStores(const Point &point) {
  for (const StridedAccess &access : pending)
    emitStore(ctx, access, getStorePoint(access, point),
              *known.find(access, point));
}
