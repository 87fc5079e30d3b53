//===- KernelEmitter.cpp - The code of a kernel for a GPU -----------------===//
//
// Part of Grout. A thread goes through the phases in order; what it has read
// and computed at a point stays in registers for later phases. A reduction
// first combines what each thread has, then what the threads have; all of them
// get the result.
//
// A block's threads run all code together, so that they can meet: those beyond
// the last point repeat it, and neither store nor count.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

#include "SharedMemory.h"
#include "ThreadReduction.h"
#include "grout/Conversion/Common/DeviceMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// Rounds in one iteration of a loop of rounds.
static constexpr int64_t kRoundsPerIteration = 4;
/// Bytes of memory of its own that a thread may have. The driver sets it aside
/// for every thread that a GPU can run.
static constexpr int64_t kMaxKeptBytes = 4096;

namespace {

/// The value of an element for each of the points that a thread has at once;
/// one if it is the same for all.
using Lanes = SmallVector<Value>;

/// A point of the loops, or `width` of them.
struct Point {
  /// The value of each loop, i32; of the vectorised one its first.
  SmallVector<Value> loops;
  /// The number of the round if values are kept by rounds; else -1.
  int64_t round = -1;
  /// The same, an i32, in a loop of rounds, too.
  Value roundIndex;
  /// An i1: whether this thread is to store and count it; null: yes.
  Value isOwn;
  /// The place in the block's tile, if there is one, i32.
  Value tileRow, tileColumn;
};

/// Emits one kernel.
class KernelEmitter {
public:
  KernelEmitter(KernelShape &shape, const ThreadMapping &mapping,
                LLVM::LLVMFuncOp func, LaunchBuffers &buffers,
                function_ref<ArrayPlace(Value array)> getPlace)
      : shape(shape), mapping(mapping), func(func), buffers(buffers),
        getPlace(getPlace), b(func.getLoc(), func.getContext()) {}

  LogicalResult emit();

private:
  /// A value that is known: an element of an array at a point.
  struct KnownValue {
    StridedAccess access;
    int64_t round;
    Lanes lanes;
  };

  /// Memory of the thread's own, for values of all rounds that later phases
  /// need, where they are too many for registers.
  struct KeptValues {
    StridedAccess access;
    Value memory;
    int64_t numLanes;
  };

  Value i32(int64_t value) {
    return arith::ConstantIntOp::create(b, b.getI32Type(), value);
  }
  /// The loop of which a thread has several points at once.
  unsigned getVectorLoop() const {
    return mapping.isInnerFastest ? shape.getNumLoops() - 1
                                  : shape.numOuter - 1;
  }
  /// Whether the access is to different elements at the points that a thread
  /// has at once.
  bool isVector(const StridedAccess &access) const {
    return mapping.width != 1 && access.strides[getVectorLoop()] != 0;
  }

  void emitThreadNumbers();
  /// The loops of `number`, the last of which is vectorised or not.
  void emitLoops(Value number, unsigned first, unsigned last, int64_t width,
                 SmallVectorImpl<Value> &loops);
  /// The point of round `round`, an i32, of the inner loops. If `isLast`, some
  /// threads may have none.
  Point emitInnerPoint(Value round, int64_t number, bool isLast);

  /// The address at `lane` points further along `loop`.
  Value emitAddress(const StridedAccess &access, const BufferView &view,
                    const Point &point, unsigned loop, int64_t lane);
  /// Loads `width` elements along `loop`, or one if the access does not change
  /// with it.
  Lanes emitLoad(const StridedAccess &access, const Point &point, unsigned loop,
                 int64_t width);
  void emitStore(const StridedAccess &access, const Point &point,
                 const Lanes &lanes);

  KnownValue *findKnown(const StridedAccess &access, const Point &point);
  void setKnown(const StridedAccess &access, const Point &point, Lanes lanes);
  /// The same for what a statement writes: elements of the array that are known
  /// by other accesses may be others now.
  void setWritten(const StridedAccess &access, const Point &point, Lanes lanes);
  int64_t getRound(const StridedAccess &access, const Point &point) const {
    return shape.dependsOnInner(access) ? point.round : -1;
  }
  /// Keeps what `statement` has written for later phases.
  LogicalResult emitKeep(const PhaseStatement &statement,
                         const StridedAccess &access, const Point &point,
                         const Lanes &lanes);
  Lanes emitKeptLoad(const KeptValues &kept, const Point &point);
  Value emitKeptAddress(const KeptValues &kept, const Point &point,
                        int64_t lane);
  FailureOr<Lanes> emitRead(StmtOp op, const StridedAccess &access,
                            const Point &point);
  /// The region's results for one of the points.
  SmallVector<Value> emitBody(const PhaseStatement &statement,
                              ValueRange elements, const Point &point,
                              int64_t lane);

  /// The parts of a kernel with a tile: each read that is staged comes into
  /// shared memory, then the threads go through the tile in rounds.
  LogicalResult emitTile();
  void emitStaging(const StridedAccess &access, const Point &tile,
                   Value thread);
  Lanes emitStagedLoad(const StridedAccess &access, const Point &point);
  /// From a column of the tile to the next in shared memory, in elements.
  int64_t getTilePitch(const StridedAccess &access) const;

  LogicalResult emitPhase(Phase &phase);
  /// All but the last rounds of a phase, in a loop.
  LogicalResult emitLoopOfRounds(Phase &phase, int64_t iterations);
  LogicalResult emitPoint(Phase &phase, const Point &point);
  LogicalResult emitStatement(PhaseStatement &statement, const Point &point);
  LogicalResult emitAccumulation(PhaseStatement &statement, const Point &point);
  /// The state of a phase's reductions before its first point, and what follows
  /// its last.
  LogicalResult startReductions(Phase &phase);
  LogicalResult finishReductions(Phase &phase);
  /// Checks that all of each output is written, and by whom it is known.
  LogicalResult checkOutputs();
  /// Whether nothing overwrites what `statement` writes by its write `index`.
  bool isFinal(const PhaseStatement &statement, unsigned index);
  void storeAtEnd(const StridedAccess &access) {
    if (llvm::none_of(pending, [&](const StridedAccess &other) {
          return other.isSameAs(access);
        }))
      pending.push_back(access);
  }
  void emitFinalStores();

  KernelShape &shape;
  const ThreadMapping &mapping;
  LLVM::LLVMFuncOp func;
  LaunchBuffers &buffers;
  function_ref<ArrayPlace(Value array)> getPlace;
  ImplicitLocOpBuilder b;

  Value outerThread, innerThread;
  /// The point of the outer loops, and whether it is one.
  Point outerPoint;
  std::vector<KnownValue> known;
  std::vector<KeptValues> kept;
  int64_t keptBytes = 0;
  /// What a thread has so far, for each write of the phase's reductions.
  std::map<std::pair<Operation *, unsigned>, Lanes> accumulators;
  /// Elements that are stored at the end, by one of the threads that have them.
  std::vector<StridedAccess> pending;
  /// Where staged reads are in shared memory.
  std::vector<std::pair<StridedAccess, Value>> staged;
};

} // namespace

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

void KernelEmitter::emitLoops(Value number, unsigned first, unsigned last,
                              int64_t width, SmallVectorImpl<Value> &loops) {
  loops.resize(std::max<size_t>(loops.size(), last));
  for (unsigned loop = last; loop-- > first;) {
    int64_t extent = shape.extents[loop];
    int64_t count = loop + 1 == last ? extent / width : extent;
    Value value = number;
    if (loop != first) {
      value = arith::RemUIOp::create(b, number, i32(count));
      number = arith::DivUIOp::create(b, number, i32(count));
    }
    if (loop + 1 == last && width != 1)
      value = arith::MulIOp::create(b, value, i32(width));
    loops[loop] = value;
  }
}

void KernelEmitter::emitThreadNumbers() {
  Value thread = NVVM::ThreadIdXOp::create(b, b.getI32Type());
  auto split = [&](int64_t fast) -> std::pair<Value, Value> {
    Value low = arith::AndIOp::create(b, thread, i32(fast - 1));
    Value high = arith::ShRUIOp::create(b, thread, i32(llvm::Log2_64(fast)));
    return {low, high};
  };
  if (mapping.isInnerFastest)
    std::tie(innerThread, outerThread) = split(mapping.innerThreads);
  else
    std::tie(outerThread, innerThread) = split(mapping.outerThreads);

  int64_t width = mapping.getOuterWidth();
  int64_t count = shape.getOuterSize() / width;
  Value block = NVVM::BlockIdXOp::create(b, b.getI32Type());
  Value number = arith::AddIOp::create(
      b, arith::MulIOp::create(b, block, i32(mapping.outerThreads)),
      outerThread);
  if (count % mapping.outerThreads != 0) {
    outerPoint.isOwn =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ult, number, i32(count));
    number = arith::MinUIOp::create(b, number, i32(count - 1));
  }
  emitLoops(number, 0, shape.numOuter, width, outerPoint.loops);
}

Point KernelEmitter::emitInnerPoint(Value round, int64_t number, bool isLast) {
  Point point = outerPoint;
  point.round = number;
  point.roundIndex = round;
  int64_t width = mapping.getInnerWidth();
  int64_t count = shape.getInnerSize() / width;
  Value index = arith::AddIOp::create(
      b, arith::MulIOp::create(b, round, i32(mapping.innerThreads)),
      innerThread);
  if (isLast && count % mapping.innerThreads != 0) {
    Value inside =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ult, index, i32(count));
    point.isOwn =
        point.isOwn ? arith::AndIOp::create(b, point.isOwn, inside) : inside;
    index = arith::MinUIOp::create(b, index, i32(count - 1));
  }
  emitLoops(index, shape.numOuter, shape.getNumLoops(), width, point.loops);
  return point;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value KernelEmitter::emitAddress(const StridedAccess &access,
                                 const BufferView &view, const Point &point,
                                 unsigned loop, int64_t lane) {
  Type i64 = b.getI64Type();
  int64_t offset = access.offset;
  if (lane != 0)
    offset += lane * access.strides[loop];
  Value index = arith::ConstantIntOp::create(b, i64, offset);
  for (auto [value, stride] : llvm::zip(point.loops, access.strides)) {
    if (stride == 0)
      continue;
    Value wide = arith::ExtUIOp::create(b, i64, value);
    index = arith::AddIOp::create(
        b, index,
        arith::MulIOp::create(b, wide,
                              arith::ConstantIntOp::create(b, i64, stride)));
  }
  Value base = func.getArgument(buffers.getIndex(view.buffer));
  auto global = LLVM::LLVMPointerType::get(
      b.getContext(), static_cast<unsigned>(NVVM::NVVMMemorySpace::Global));
  Value pointer = LLVM::AddrSpaceCastOp::create(b, global, base);
  return LLVM::GEPOp::create(b, global, access.elementType, pointer,
                             ArrayRef<LLVM::GEPArg>{index});
}

Lanes KernelEmitter::emitLoad(const StridedAccess &access, const Point &point,
                              unsigned loop, int64_t width) {
  BufferView view = getPlace(access.array).source;
  Type type = access.elementType;
  if (width == 1 || access.strides[loop] == 0)
    return {LLVM::LoadOp::create(b, type,
                                 emitAddress(access, view, point, loop, 0))};
  int64_t bytes = type.getIntOrFloatBitWidth() / 8;
  int64_t part = getAccessWidth(shape, access, loop, width);
  Lanes lanes;
  for (int64_t first = 0; first != width; first += part) {
    Value address = emitAddress(access, view, point, loop, first);
    if (part == 1) {
      lanes.push_back(LLVM::LoadOp::create(b, type, address));
      continue;
    }
    Value vector = LLVM::LoadOp::create(b, VectorType::get({part}, type),
                                        address, part * bytes);
    for (int64_t lane = 0; lane != part; ++lane)
      lanes.push_back(LLVM::ExtractElementOp::create(b, vector, i32(lane)));
  }
  return lanes;
}

void KernelEmitter::emitStore(const StridedAccess &access, const Point &point,
                              const Lanes &lanes) {
  BufferView view = getPlace(access.array).target;
  Type type = access.elementType;
  auto store = [&] {
    if (!isVector(access)) {
      LLVM::StoreOp::create(b, lanes.front(),
                            emitAddress(access, view, point, 0, 0));
      return;
    }
    auto getLane = [&](int64_t lane) {
      return lanes.size() == 1 ? lanes.front() : lanes[lane];
    };
    int64_t bytes = type.getIntOrFloatBitWidth() / 8;
    int64_t part =
        getAccessWidth(shape, access, getVectorLoop(), mapping.width);
    for (int64_t first = 0; first != mapping.width; first += part) {
      Value address = emitAddress(access, view, point, getVectorLoop(), first);
      if (part == 1) {
        LLVM::StoreOp::create(b, getLane(first), address);
        continue;
      }
      Value vector = LLVM::UndefOp::create(b, VectorType::get({part}, type));
      for (int64_t lane = 0; lane != part; ++lane)
        vector = LLVM::InsertElementOp::create(b, vector, getLane(first + lane),
                                               i32(lane));
      LLVM::StoreOp::create(b, vector, address, part * bytes);
    }
  };
  if (!point.isOwn) {
    store();
    return;
  }
  auto guard = scf::IfOp::create(b, point.isOwn, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard saved(b);
  b.setInsertionPointToStart(guard.thenBlock());
  store();
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

KernelEmitter::KnownValue *KernelEmitter::findKnown(const StridedAccess &access,
                                                    const Point &point) {
  int64_t round = getRound(access, point);
  for (KnownValue &value : known)
    if (value.round == round && value.access.isSameAs(access))
      return &value;
  return nullptr;
}

void KernelEmitter::setKnown(const StridedAccess &access, const Point &point,
                             Lanes lanes) {
  if (KnownValue *value = findKnown(access, point)) {
    value->lanes = std::move(lanes);
    return;
  }
  known.push_back({access, getRound(access, point), std::move(lanes)});
}

void KernelEmitter::setWritten(const StridedAccess &access, const Point &point,
                               Lanes lanes) {
  llvm::erase_if(known, [&](const KnownValue &value) {
    return value.access.array == access.array && !value.access.isSameAs(access);
  });
  llvm::erase_if(kept, [&](const KeptValues &values) {
    return values.access.array == access.array &&
           !values.access.isSameAs(access);
  });
  setKnown(access, point, std::move(lanes));
}

/// Whether `statement` of the kernel writes `array`.
static bool writes(const PhaseStatement &statement, Value array) {
  return llvm::any_of(statement.writes, [&](const StridedAccess &access) {
    return access.array == array;
  });
}

/// Whether a phase after that of `statement` reads `array`.
static bool isReadLater(const KernelShape &shape,
                        const PhaseStatement &statement, Value array) {
  bool isLater = false;
  for (const Phase &phase : shape.phases) {
    for (const PhaseStatement &other : phase.statements)
      if (isLater && llvm::is_contained(StmtOp(other.op).getReads(), array))
        return true;
    isLater |= llvm::any_of(phase.statements, [&](const PhaseStatement &other) {
      return other.op == statement.op;
    });
  }
  return false;
}

Value KernelEmitter::emitKeptAddress(const KeptValues &kept, const Point &point,
                                     int64_t lane) {
  Value slot = arith::AddIOp::create(
      b, arith::MulIOp::create(b, point.roundIndex, i32(kept.numLanes)),
      i32(lane));
  return LLVM::GEPOp::create(b, kept.memory.getType(), kept.access.elementType,
                             kept.memory, ArrayRef<LLVM::GEPArg>{slot});
}

LogicalResult KernelEmitter::emitKeep(const PhaseStatement &statement,
                                      const StridedAccess &access,
                                      const Point &point, const Lanes &lanes) {
  if (mapping.keepsRounds || !shape.dependsOnInner(access) ||
      !isReadLater(shape, statement, access.array))
    return success();
  auto place = llvm::find_if(kept, [&](const KeptValues &values) {
    return values.access.isSameAs(access);
  });
  if (place == kept.end()) {
    int64_t numLanes = isVector(access) ? mapping.width : 1;
    int64_t count = mapping.rounds * numLanes;
    keptBytes +=
        count * llvm::divideCeil(access.elementType.getIntOrFloatBitWidth(), 8);
    if (keptBytes > kMaxKeptBytes)
      return StmtOp(statement.op).emitOpError()
             << "cannot be compiled for a GPU: threads would keep more than "
             << kMaxKeptBytes << " bytes for later phases";
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&func.getBody().front());
    Value memory =
        LLVM::AllocaOp::create(b, LLVM::LLVMPointerType::get(b.getContext()),
                               access.elementType, i32(count));
    place = kept.insert(kept.end(), {access, memory, numLanes});
  }
  for (int64_t lane = 0; lane != place->numLanes; ++lane)
    LLVM::StoreOp::create(b, lanes.size() == 1 ? lanes.front() : lanes[lane],
                          emitKeptAddress(*place, point, lane));
  return success();
}

Lanes KernelEmitter::emitKeptLoad(const KeptValues &kept, const Point &point) {
  Lanes lanes;
  for (int64_t lane = 0; lane != kept.numLanes; ++lane)
    lanes.push_back(LLVM::LoadOp::create(b, kept.access.elementType,
                                         emitKeptAddress(kept, point, lane)));
  return lanes;
}

FailureOr<Lanes> KernelEmitter::emitRead(StmtOp op, const StridedAccess &access,
                                         const Point &point) {
  if (KnownValue *value = findKnown(access, point))
    return value->lanes;
  for (const KeptValues &values : kept)
    if (point.roundIndex && values.access.isSameAs(access))
      return emitKeptLoad(values, point);
  bool isOutside = isa<BlockArgument>(access.array);
  // What statements before this one wrote is in registers or nowhere.
  for (Phase &phase : shape.phases)
    for (PhaseStatement &statement : phase.statements)
      if (statement.op->isBeforeInBlock(op) && writes(statement, access.array))
        isOutside = false;
      else if (statement.op == op)
        // What it writes itself it may only replace.
        for (const StridedAccess &write : statement.writes)
          if (write.array == access.array && !write.isSameAs(access))
            isOutside = false;
  if (!isOutside)
    return op.emitOpError("cannot be compiled for a GPU: it reads elements "
                          "that another thread computes");
  Lanes lanes = isStaged(mapping, shape, access)
                    ? emitStagedLoad(access, point)
                    : emitLoad(access, point, getVectorLoop(), mapping.width);
  // Kept where the next reader is in the same place of the code.
  if (mapping.keepsRounds || !shape.dependsOnInner(access))
    setKnown(access, point, lanes);
  return lanes;
}

/// Whether all that the statement writes is rounded to 16 bits.
static bool roundsTo16Bits(StmtOp op) {
  return llvm::all_of(op.getWrites().getTypes(), [](Type array) {
    return getElementTypeOrSelf(array).getIntOrFloatBitWidth() <= 16;
  });
}

SmallVector<Value> KernelEmitter::emitBody(const PhaseStatement &statement,
                                           ValueRange elements,
                                           const Point &point, int64_t lane) {
  IRMapping mapping;
  StmtOp op = statement.op;
  Block &block = op.getBody().front();
  mapping.map(block.getArguments(), elements);
  for (Operation &inner : block.without_terminator()) {
    auto index = dyn_cast<IndexOp>(inner);
    if (!index) {
      emitDeviceOp(b, inner, mapping, roundsTo16Bits(op));
      continue;
    }
    Value value = i32(0);
    if (std::optional<unsigned> loop = statement.loops[index.getIterator()]) {
      value = point.loops[*loop];
      if (lane != 0 && *loop == getVectorLoop())
        value = arith::AddIOp::create(b, value, i32(lane));
    }
    mapping.map(index.getResult(),
                arith::IndexCastUIOp::create(b, b.getIndexType(), value));
  }
  return llvm::map_to_vector(
      block.getTerminator()->getOperands(),
      [&](Value value) { return mapping.lookupOrDefault(value); });
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

bool KernelEmitter::isFinal(const PhaseStatement &statement, unsigned index) {
  Value array = statement.writes[index].array;
  for (Phase &phase : shape.phases)
    for (PhaseStatement &other : phase.statements)
      if (statement.op->isBeforeInBlock(other.op) && writes(other, array))
        return false;
  return true;
}

LogicalResult KernelEmitter::checkOutputs() {
  for (Phase &phase : shape.phases)
    for (PhaseStatement &statement : phase.statements)
      for (const StridedAccess &access : statement.writes) {
        StmtOp op = statement.op;
        if (!isa<BlockArgument>(access.array))
          continue;
        // Of several statements the last one's elements are stored, so it must
        // write those of the others.
        auto type = cast<MemRefType>(access.array.getType());
        int64_t offset = getPlace(access.array).target.offset;
        if (access.offset != offset ||
            !shape.covers(access, type.getNumElements()))
          return op.emitOpError("cannot be compiled for a GPU: it writes only "
                                "a part of an output");
      }
  return success();
}

LogicalResult KernelEmitter::emitStatement(PhaseStatement &statement,
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
    numLanes = mapping.width;

  std::vector<Lanes> results(statement.writes.size());
  for (size_t lane = 0; lane != numLanes; ++lane) {
    SmallVector<Value> ofLane;
    for (const Lanes &lanes : elements)
      ofLane.push_back(lanes.size() == 1 ? lanes.front() : lanes[lane]);
    for (auto [result, value] :
         llvm::zip_equal(results, emitBody(statement, ofLane, point, lane)))
      result.push_back(value);
  }

  for (auto [index, access] : llvm::enumerate(statement.writes)) {
    const Lanes &lanes = results[index];
    setWritten(access, point, lanes);
    if (failed(emitKeep(statement, access, point, lanes)))
      return failure();
    bool isInner = point.loops.size() > shape.numOuter;
    bool isSame = isInner && !shape.dependsOnInner(access);
    if (isSame && shape.sharesInnerLoops())
      return op.emitOpError("cannot be compiled for a GPU: threads would "
                            "write the same elements");
    if (!isa<BlockArgument>(access.array) || !isFinal(statement, index))
      continue;
    for (unsigned loop = 0; loop != shape.numOuter; ++loop)
      if (access.strides[loop] == 0)
        return op.emitOpError("cannot be compiled for a GPU: blocks would "
                              "write the same elements");
    if (isSame || (!isInner && mapping.innerThreads != 1))
      storeAtEnd(access);
    else
      emitStore(access, point, lanes);
  }
  return success();
}

LogicalResult KernelEmitter::startReductions(Phase &phase) {
  accumulators.clear();
  for (PhaseStatement &statement : phase.statements) {
    if (!statement.isReduction)
      continue;
    for (auto [index, access] : llvm::enumerate(statement.writes)) {
      Operation *combiner = statement.op.getCombiner(index);
      TypedAttr neutral = getNeutralElement(combiner);
      if (!neutral)
        return statement.op.emitOpError()
               << "cannot be compiled for a GPU: '" << combiner->getName()
               << "' has no neutral element";
      Value value = arith::ConstantOp::create(b, neutral);
      accumulators[{statement.op, index}] = Lanes(mapping.width, value);
    }
  }
  return success();
}

LogicalResult KernelEmitter::emitAccumulation(PhaseStatement &statement,
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
  for (int64_t lane = 0; lane != mapping.width; ++lane) {
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
      accumulator = point.isOwn ? arith::SelectOp::create(b, point.isOwn, value,
                                                          accumulator)
                                : value;
    }
  }
  return success();
}

LogicalResult KernelEmitter::finishReductions(Phase &phase) {
  for (PhaseStatement &statement : phase.statements) {
    if (!statement.isReduction)
      continue;
    StmtOp op = statement.op;
    for (auto [index, access] : llvm::enumerate(statement.writes)) {
      if (shape.dependsOnInner(access))
        return op.emitOpError("cannot be compiled for a GPU: it combines over "
                              "some of its own loops only");
      Operation *combiner = op.getCombiner(index);
      Lanes lanes = accumulators[{op, index}];
      // Points that a thread has at once are different elements, or parts of
      // one.
      if (mapping.isInnerFastest || !isVector(access)) {
        if (!mapping.isInnerFastest && mapping.width != 1)
          return op.emitOpError("cannot be compiled for a GPU: it combines "
                                "over a parallel loop");
        Value sum = lanes.front();
        for (Value lane : ArrayRef(lanes).drop_front())
          sum = emitCombination(b, combiner, sum, lane);
        lanes = {sum};
      }
      FailureOr<Lanes> whole = emitThreadReduction(
          b, op, combiner, lanes, mapping, outerThread, innerThread, func);
      if (failed(whole))
        return failure();
      FailureOr<Lanes> start = emitRead(op, access, outerPoint);
      if (failed(start))
        return failure();
      for (auto [lane, value] : llvm::enumerate(*whole))
        value = emitCombination(
            b, combiner, start->size() == 1 ? start->front() : (*start)[lane],
            value);
      setWritten(access, outerPoint, *whole);
      if (isa<BlockArgument>(access.array) && isFinal(statement, index))
        storeAtEnd(access);
    }
  }
  return success();
}

LogicalResult KernelEmitter::emitPoint(Phase &phase, const Point &point) {
  for (PhaseStatement &statement : phase.statements)
    if (failed(statement.isReduction ? emitAccumulation(statement, point)
                                     : emitStatement(statement, point)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

LogicalResult KernelEmitter::emitLoopOfRounds(Phase &phase,
                                              int64_t iterations) {
  // What every iteration changes; other values of a round are forgotten.
  SmallVector<StridedAccess> carried;
  for (PhaseStatement &statement : phase.statements)
    for (const StridedAccess &access : statement.writes)
      if (!statement.isReduction && !shape.dependsOnInner(access)) {
        FailureOr<Lanes> start = emitRead(statement.op, access, outerPoint);
        if (failed(start))
          return failure();
        setKnown(access, outerPoint, *start);
        carried.push_back(access);
      }
  auto getLanes = [&](const StridedAccess &access) -> Lanes & {
    Lanes &lanes = findKnown(access, outerPoint)->lanes;
    if (isVector(access) && lanes.size() == 1)
      lanes.assign(mapping.width, Value(lanes.front()));
    return lanes;
  };
  auto collect = [&] {
    SmallVector<Value> values;
    for (auto &entry : accumulators)
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
    for (auto &entry : accumulators)
      takeLanes(entry.second);
    for (const StridedAccess &access : carried)
      takeLanes(getLanes(access));
  };

  SmallVector<Value> inits = collect();
  auto loop = scf::ForOp::create(b, i32(0), i32(iterations), i32(1), inits);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  take(loop.getRegionIterArgs());
  size_t numKnown = known.size();
  for (int64_t i = 0; i != kRoundsPerIteration; ++i) {
    Value round =
        arith::AddIOp::create(b,
                              arith::MulIOp::create(b, loop.getInductionVar(),
                                                    i32(kRoundsPerIteration)),
                              i32(i));
    if (failed(emitPoint(phase, emitInnerPoint(round, i, /*isLast=*/false))))
      return failure();
    known.resize(numKnown);
  }
  SmallVector<Value> results = collect();
  if (!inits.empty())
    scf::YieldOp::create(b, results);
  take(loop.getResults());
  return success();
}

LogicalResult KernelEmitter::emitPhase(Phase &phase) {
  if (!phase.hasInnerLoops)
    return emitPoint(phase, outerPoint);
  if (failed(startReductions(phase)))
    return failure();

  int64_t rounds = mapping.rounds;
  int64_t iterations =
      mapping.keepsRounds ? 0 : (rounds - 1) / kRoundsPerIteration;
  if (iterations != 0 && failed(emitLoopOfRounds(phase, iterations)))
    return failure();
  size_t numKnown = known.size();
  for (int64_t round = iterations * kRoundsPerIteration; round != rounds;
       ++round) {
    if (failed(emitPoint(
            phase, emitInnerPoint(i32(round), round, round + 1 == rounds))))
      return failure();
    if (!mapping.keepsRounds)
      known.resize(numKnown);
  }
  return finishReductions(phase);
}

void KernelEmitter::emitFinalStores() {
  Point point = outerPoint;
  // All inner threads have the value.
  if (mapping.innerThreads != 1) {
    Value isFirst =
        arith::CmpIOp::create(b, arith::CmpIPredicate::eq, innerThread, i32(0));
    point.isOwn =
        point.isOwn ? arith::AndIOp::create(b, point.isOwn, isFirst) : isFirst;
  }
  for (const StridedAccess &access : pending)
    emitStore(access, point, findKnown(access, outerPoint)->lanes);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

int64_t KernelEmitter::getTilePitch(const StridedAccess &access) const {
  // An odd number of words, so that columns are in different banks.
  int64_t bytes = access.elementType.getIntOrFloatBitWidth() / 8;
  int64_t perWord = std::max<int64_t>(1, 4 / bytes);
  return (llvm::divideCeil(mapping.tile->extent, perWord) | 1) * perWord;
}

void KernelEmitter::emitStaging(const StridedAccess &access, const Point &tile,
                                Value thread) {
  const Tile &shapeOfTile = *mapping.tile;
  int64_t width = getAccessWidth(shape, access, shapeOfTile.loop,
                                 shapeOfTile.extent & -shapeOfTile.extent);
  int64_t perColumn = shapeOfTile.extent / width;
  int64_t total = perColumn * shapeOfTile.width;
  int64_t threads = mapping.outerThreads;
  unsigned vectorLoop = getVectorLoop();
  struct Part {
    Value slot;
    Lanes lanes;
  };
  // All loads first, so that they are under way together.
  std::vector<Part> parts;
  int64_t pitch = getTilePitch(access);
  for (int64_t first = 0; first < total; first += threads) {
    Value number = arith::AddIOp::create(b, thread, i32(first));
    if (first + threads > total)
      number = arith::MinUIOp::create(b, number, i32(total - 1));
    Value row = arith::MulIOp::create(
        b, arith::RemUIOp::create(b, number, i32(perColumn)), i32(width));
    Value column = arith::DivUIOp::create(b, number, i32(perColumn));
    Point point = tile;
    auto place = [&](unsigned loop, Value local, int64_t extent,
                     int64_t accessWidth) {
      Value index = arith::AddIOp::create(b, tile.loops[loop], local);
      if (shape.extents[loop] % extent != 0)
        index = arith::MinUIOp::create(b, index,
                                       i32(shape.extents[loop] - accessWidth));
      point.loops[loop] = index;
    };
    place(shapeOfTile.loop, row, shapeOfTile.extent, width);
    place(vectorLoop, column, shapeOfTile.width, 1);
    Value slot = arith::AddIOp::create(
        b, arith::MulIOp::create(b, column, i32(pitch)), row);
    parts.push_back({slot, emitLoad(access, point, shapeOfTile.loop, width)});
  }
  int64_t bytes = access.elementType.getIntOrFloatBitWidth() / 8;
  Value memory = createSharedMemory(b, func, pitch * shapeOfTile.width * bytes);
  for (const Part &part : parts)
    for (auto [lane, value] : llvm::enumerate(part.lanes)) {
      Value slot = arith::AddIOp::create(b, part.slot, i32(lane));
      LLVM::StoreOp::create(b, value,
                            LLVM::GEPOp::create(b, memory.getType(),
                                                access.elementType, memory,
                                                ArrayRef<LLVM::GEPArg>{slot}));
    }
  staged.emplace_back(access, memory);
}

Lanes KernelEmitter::emitStagedLoad(const StridedAccess &access,
                                    const Point &point) {
  auto place = llvm::find_if(
      staged, [&](auto &entry) { return entry.first.isSameAs(access); });
  Value memory = place->second;
  int64_t pitch = getTilePitch(access);
  Value slot = arith::AddIOp::create(
      b, arith::MulIOp::create(b, point.tileColumn, i32(pitch)), point.tileRow);
  Lanes lanes;
  for (int64_t lane = 0; lane != mapping.width; ++lane) {
    Value ofLane = arith::AddIOp::create(b, slot, i32(lane * pitch));
    lanes.push_back(LLVM::LoadOp::create(
        b, access.elementType,
        LLVM::GEPOp::create(b, memory.getType(), access.elementType, memory,
                            ArrayRef<LLVM::GEPArg>{ofLane})));
  }
  return lanes;
}

LogicalResult KernelEmitter::emitTile() {
  const Tile &tile = *mapping.tile;
  unsigned vectorLoop = getVectorLoop();
  Value thread = NVVM::ThreadIdXOp::create(b, b.getI32Type());
  Value block = NVVM::BlockIdXOp::create(b, b.getI32Type());
  auto take = [&](int64_t count) {
    Value value = arith::RemUIOp::create(b, block, i32(count));
    block = arith::DivUIOp::create(b, block, i32(count));
    return value;
  };
  // Where the tile begins.
  Point start;
  start.loops.resize(shape.numOuter);
  int64_t rows = shape.extents[tile.loop], columns = shape.extents[vectorLoop];
  start.loops[vectorLoop] = arith::MulIOp::create(
      b, take(llvm::divideCeil(columns, tile.width)), i32(tile.width));
  start.loops[tile.loop] = arith::MulIOp::create(
      b, take(llvm::divideCeil(rows, tile.extent)), i32(tile.extent));
  for (unsigned loop = shape.numOuter; loop-- > 0;)
    if (loop != tile.loop && loop != vectorLoop)
      start.loops[loop] = take(shape.extents[loop]);

  for (Phase &phase : shape.phases)
    for (PhaseStatement &statement : phase.statements)
      for (const StridedAccess &access : statement.reads)
        if (isStaged(mapping, shape, access) &&
            llvm::none_of(staged, [&](auto &entry) {
              return entry.first.isSameAs(access);
            }))
          emitStaging(access, start, thread);
  NVVM::Barrier0Op::create(b);

  int64_t perRow = tile.width / mapping.width;
  int64_t total = perRow * tile.extent;
  for (int64_t first = 0; first < total; first += mapping.outerThreads) {
    known.clear();
    Point point = start;
    Value number = arith::AddIOp::create(b, thread, i32(first));
    auto require = [&](Value value, int64_t end) {
      Value inside =
          arith::CmpIOp::create(b, arith::CmpIPredicate::ult, value, i32(end));
      point.isOwn =
          point.isOwn ? arith::AndIOp::create(b, point.isOwn, inside) : inside;
    };
    if (first + mapping.outerThreads > total) {
      require(number, total);
      number = arith::MinUIOp::create(b, number, i32(total - 1));
    }
    point.tileColumn = arith::MulIOp::create(
        b, arith::RemUIOp::create(b, number, i32(perRow)), i32(mapping.width));
    point.tileRow = arith::DivUIOp::create(b, number, i32(perRow));
    auto place = [&](unsigned loop, Value local, int64_t extent,
                     int64_t width) {
      Value index = arith::AddIOp::create(b, start.loops[loop], local);
      if (shape.extents[loop] % extent != 0) {
        require(index, shape.extents[loop]);
        index =
            arith::MinUIOp::create(b, index, i32(shape.extents[loop] - width));
      }
      point.loops[loop] = index;
    };
    place(tile.loop, point.tileRow, tile.extent, 1);
    place(vectorLoop, point.tileColumn, tile.width, mapping.width);
    for (Phase &phase : shape.phases)
      if (failed(emitPoint(phase, point)))
        return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

LogicalResult KernelEmitter::emit() {
  b.setInsertionPointToStart(&func.getBody().front());
  if (failed(checkOutputs()))
    return failure();
  if (mapping.tile) {
    if (failed(emitTile()))
      return failure();
  } else {
    emitThreadNumbers();
    for (Phase &phase : shape.phases)
      if (failed(emitPhase(phase)))
        return failure();
    emitFinalStores();
  }
  LLVM::ReturnOp::create(b, ValueRange());
  return success();
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

FailureOr<ThreadMapping>
scop::emitKernel(KernelOp kernel, StringRef name, gpu::GPUModuleOp module,
                 LaunchBuffers &buffers, int64_t processors,
                 function_ref<ArrayPlace(Value array)> getPlace) {
  FailureOr<KernelShape> shape = getKernelShape(
      kernel, [&](Value array) { return getPlace(array).target; });
  if (failed(shape))
    return failure();
  // 32 bits number the points.
  if (shape->getOuterSize() > INT32_MAX || shape->getInnerSize() > INT32_MAX)
    return kernel.emitOpError(
        "cannot be compiled for a GPU: it has more than 2^31 points");
  shape->forEachGlobalAccess([&](const StridedAccess &access) {
    ArrayPlace place = getPlace(access.array);
    buffers.getIndex(place.source.buffer);
    buffers.getIndex(place.target.buffer);
  });
  ThreadMapping mapping = chooseThreadMapping(*shape, processors);

  MLIRContext *context = module.getContext();
  auto builder = OpBuilder::atBlockEnd(module.getBody());
  auto pointer = LLVM::LLVMPointerType::get(context);
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(context),
      SmallVector<Type>(buffers.getBuffers().size(), pointer));
  auto func = LLVM::LLVMFuncOp::create(builder, kernel.getLoc(), name, type);
  func->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                builder.getUnitAttr());
  func->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                builder.getDenseI32ArrayAttr(
                    {static_cast<int32_t>(mapping.getThreads()), 1, 1}));
  func.addEntryBlock(builder);
  if (failed(KernelEmitter(*shape, mapping, func, buffers, getPlace).emit()))
    return failure();
  return mapping;
}
