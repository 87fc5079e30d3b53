//===- Epilogue.cpp - From accumulators to the result ---------------------===//
//
// Part of Grout. A staging buffer holds 64 rows (with `swap_ab`, 8 to 64) of up
// to 128 bytes. The length of a row is a power of two, and the row is swizzled
// as the TMA store expects (`getSwizzle`); or the length is an odd multiple of
// 16. Both keep the eight rows that are written together in different banks.
//
//===----------------------------------------------------------------------===//

#include "Epilogue.h"

#include "DirectStores.h"
#include "EpilogueInputs.h"
#include "EpilogueMath.h"
#include "grout/Conversion/Common/DeviceMath.h"
#include "grout/Hopper/Kit/Accumulators.h"
#include "grout/Hopper/Kit/KernelFunction.h"
#include "grout/Hopper/Kit/Staging.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

//===----------------------------------------------------------------------===//
// Consumers
//===----------------------------------------------------------------------===//

void hopper::emitEpilogueWaits(
    const GemmContext &context, const BodyPlan &body, const TaskValues &task,
    Value warpgroup, function_ref<bool(const SemaphoreWait &)> isMeant) {
  DeviceBuilder &b = context.b;
  auto isWaitedFor = [&](const SemaphoreWait &wait) {
    return wait.afterSteps && isMeant(wait);
  };
  if (llvm::none_of(body.waits, isWaitedFor))
    return;
  SmallVector<Value> tile = task.getTile(b, body.grid.size());
  Value thread = context.getThreadInGroup();
  b.ifThen(b.isEqual(thread, 0), [&] {
    for (const SemaphoreWait &wait : body.waits) {
      if (!isWaitedFor(wait))
        continue;
      auto emit = [&](Value step) {
        emitSemaphoreWaits(b, b.getLoc(), wait, tile, step, context.semaphores,
                           tsync::Scope::device, tsync::Proxy::generic,
                           task.getWords());
      };
      Value zero = arith::ConstantIndexOp::create(b, 0);
      if (!wait.dependsOnStep) {
        emit(zero);
        continue;
      }
      auto loop = scf::ForOp::create(
          b, zero, arith::ConstantIndexOp::create(b, body.steps),
          arith::ConstantIndexOp::create(b, 1));
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      emit(loop.getInductionVar());
    }
  });
  b.syncWarpgroup(warpgroup);
}

namespace {

/// The epilogue of one 64-row block of a tile, in one thread.
class BlockEpilogue {
  using Pair = EpilogueInputs::Pair;
  using Pairs = SmallVector<Pair>;
  /// Returns the pairs that are in registers, in MMA row `half` (0 or 1: row r
  /// or r + 8) and column group `group` of a staging buffer: of each
  /// accumulator, and of each early matrix.
  using GetRegisters = function_ref<Pairs(int64_t half, int64_t group)>;
  /// Stores pairs: of each of some MMA column groups, those in MMA row r and
  /// those in MMA row r + 8. The first group is `group`, an i32, in the buffer.
  using StorePairs = function_ref<void(Value group, ArrayRef<Value> pairs)>;

public:
  /// `block` is the number of the 64-row block, an i32.
  BlockEpilogue(const GemmContext &context, const BodyPlan &body,
                const TaskValues &task, Value warpgroup,
                const TileProducts &products, const EarlyInputs &early,
                Value block);

  RingPosition emit(RingPosition position);

private:
  /// Returns accumulator `index` of GEMM `product`.
  Value getAccumulator(unsigned product, int64_t index);
  bool isEarlyMatrix(unsigned input) const {
    return body.inputs[input].isEarly && body.inputs[input].isMatrix();
  }
  /// Whether lanes get the input's columns from each other.
  bool isShared(unsigned input) const {
    return body.inputs[input].isEarly &&
           body.inputs[input].dependsOnColumnAlone();
  }
  /// Returns the pairs that are in registers, in column group `group` of the
  /// tile.
  Pairs readRegisters(int64_t half, int64_t group);
  /// Returns the element type of each of these pairs.
  SmallVector<FloatType> getRegisterTypes() const;
  /// Returns two elements of the result, packed. `registers` are the pairs at
  /// their place, and `getInput` returns that of an input that is no early
  /// matrix.
  Value emitPair(ArrayRef<Pair> registers,
                 function_ref<Pair(unsigned input)> getInput);
  /// Applies the epilogue to `values`: an accumulator of each GEMM, and an
  /// element of each input. With `isOpen`, leaves out the final rounding from
  /// f32.
  Value emitElement(ValueRange values, bool isOpen);
  /// Computes and stores `count` column groups of a buffer, `step` at a time.
  void emitGroups(int64_t count, int64_t step, GetRegisters getRegisters,
                  StorePairs store);
  /// Does the same in a loop. `step` divides `count`.
  void emitLoop(int64_t count, int64_t step, GetRegisters getRegisters,
                StorePairs store);
  /// Write the `count` column groups of a buffer at address `buffer`.
  void emitHalves(Value buffer, int64_t count, GetRegisters getRegisters);
  void emitSwappedHalves(Value buffer, int64_t count,
                         GetRegisters getRegisters);
  void emitFloats(Value buffer, int64_t count, GetRegisters getRegisters);
  /// Fills the buffer at `position` with the column groups from `first`, an
  /// i32, and returns the next position.
  RingPosition emitBuffer(RingPosition position, Value first,
                          GetRegisters getRegisters);
  /// Fills the buffers of `groups` column groups in a loop.
  RingPosition emitBufferLoop(RingPosition position, int64_t groups);

  const GemmContext &context;
  DeviceBuilder &b;
  const BodyPlan &body;
  const TaskValues &task;
  Value warpgroup;
  const TileProducts &products;
  /// The place of the block's first element in the result.
  GemmContext::MmaPlace place;
  /// Whether the block is the second of two, an i1.
  Value isSecond;
  Block *region = nullptr;
  /// The region's last op, if it rounds an f32 to the result's type; else null.
  arith::TruncFOp finalRounding;
  /// The first MMA row of the thread's warp in a block.
  Value warpRow;
  std::optional<EpilogueInputs> inputs;
};

} // namespace

BlockEpilogue::BlockEpilogue(const GemmContext &context, const BodyPlan &body,
                             const TaskValues &task, Value warpgroup,
                             const TileProducts &products,
                             const EarlyInputs &early, Value block)
    : context(context), b(context.b), body(body), task(task),
      warpgroup(warpgroup), products(products),
      place(context.getResultPlace(body, task)) {
  tgemm::ProductOpInterface op = body.op;
  if (!op.getEpilogue().empty()) {
    region = &op.getEpilogue().front();
    auto rounding =
        region->getTerminator()->getOperand(0).getDefiningOp<arith::TruncFOp>();
    if (rounding && rounding.getIn().getType().isF32() &&
        !rounding.getRoundingmode())
      finalRounding = rounding;
  }
  isSecond = b.isEqual(block, 1);
  warpRow = getWarpRow(context);
  place.row = b.add(place.row, b.mul(warpgroup, body.getMmaRowsPerWarpgroup()));
  place.row = b.add(place.row, b.mul(block, kMmaRows));
  if (body.inputs.empty())
    return;
  Value row = b.add(b.add(place.row, warpRow), getLaneRow(context));
  SmallVector<Value> rows = {row, b.add(row, kHalfRows)};
  Value column = b.add(place.column, getLaneColumn(context));
  inputs.emplace(context, body, task, rows, column, early, isSecond);
}

Value BlockEpilogue::getAccumulator(unsigned product, int64_t index) {
  unsigned numProducts = body.getNumProducts();
  Value first = emitAccumulator(b, products.accumulators[product], index);
  if (body.rowBlocks == 1)
    return first;
  Value second =
      emitAccumulator(b, products.accumulators[numProducts + product], index);
  return arith::SelectOp::create(b, isSecond, second, first);
}

Value BlockEpilogue::emitElement(ValueRange values, bool isOpen) {
  if (!region)
    return values.front();
  IRMapping mapping;
  mapping.map(region->getArguments(), values);
  for (Operation &op : region->without_terminator())
    if (&op != finalRounding || !isOpen)
      emitDeviceOp(b, op, mapping,
                   /*roundsTo16Bits=*/!body.result.elementType.isF32());
  return mapping.lookup(isOpen ? finalRounding.getIn()
                               : region->getTerminator()->getOperand(0));
}

BlockEpilogue::Pairs BlockEpilogue::readRegisters(int64_t half, int64_t group) {
  Pairs pairs;
  int64_t index = 4 * group + 2 * half;
  for (unsigned product = 0; product != body.getNumProducts(); ++product)
    pairs.push_back(
        {getAccumulator(product, index), getAccumulator(product, index + 1)});
  for (unsigned input = 0; input != body.inputs.size(); ++input)
    if (isEarlyMatrix(input))
      pairs.push_back(inputs->getEarly(input, half, group));
  return pairs;
}

Value BlockEpilogue::emitPair(ArrayRef<Pair> registers,
                              function_ref<Pair(unsigned input)> getInput) {
  unsigned numProducts = body.getNumProducts();
  Pairs values = llvm::to_vector(registers.take_front(numProducts));
  ArrayRef<Pair> matrices = registers.drop_front(numProducts);
  for (unsigned input = 0; input != body.inputs.size(); ++input) {
    if (!isEarlyMatrix(input)) {
      values.push_back(getInput(input));
      continue;
    }
    values.push_back(matrices.front());
    matrices = matrices.drop_front();
  }

  FloatType type = body.result.elementType;
  bool roundsHere = type != b.getF32Type() && (!region || finalRounding);
  SmallVector<Value> elements;
  for (int64_t e = 0; e != 2; ++e) {
    auto ofElement = llvm::map_to_vector(
        values, [&](const Pair &pair) -> Value { return pair[e]; });
    elements.push_back(emitElement(ofElement, roundsHere));
  }
  Value pair = b.createVector(elements);
  // Rounding two elements at once takes one instruction.
  if (roundsHere)
    pair = arith::TruncFOp::create(b, VectorType::get({2}, type), pair);
  return pair;
}

void BlockEpilogue::emitGroups(int64_t count, int64_t step,
                               GetRegisters getRegisters, StorePairs store) {
  int64_t group = 0;
  if (body.rollsEpilogue && count >= 2 * step) {
    group = count / step * step;
    emitLoop(group, step, getRegisters, store);
  }
  for (; group < count; group += step) {
    SmallVector<Value> pairs;
    for (int64_t next = group; next < std::min(group + step, count); ++next)
      for (int64_t half = 0; half != 2; ++half)
        pairs.push_back(emitPair(getRegisters(half, next), [&](unsigned input) {
          return inputs->get(input, half, next);
        }));
    store(b.i32(group), pairs);
  }
}

/// Adds `pair` to the values that a loop moves. Elements of 16 bits are packed.
static void appendMoved(DeviceBuilder &b, SmallVectorImpl<Value> &values,
                        std::array<Value, 2> pair) {
  if (pair[0].getType().isF32())
    llvm::append_range(values, pair);
  else
    values.push_back(packPair(b, b.createVector(pair)));
}

/// Takes a pair from the start of the values that a loop moves.
static std::array<Value, 2> takeMoved(DeviceBuilder &b, ValueRange &values,
                                      FloatType type) {
  if (!type.isF32()) {
    Value pair = values.front();
    values = values.drop_front();
    return unpackPair(b, pair, type);
  }
  std::array<Value, 2> pair = {values[0], values[1]};
  values = values.drop_front(2);
  return pair;
}

SmallVector<FloatType> BlockEpilogue::getRegisterTypes() const {
  SmallVector<FloatType> types(body.getNumProducts(), b.getF32Type());
  for (auto [index, input] : llvm::enumerate(body.inputs))
    if (isEarlyMatrix(index))
      types.push_back(input.elementType);
  return types;
}

/// Ends an iteration of a loop that carries `carried`, and the registers
/// `moved`. A loop cannot index registers. So each iteration takes the first
/// registers, and for the next one moves the others, `rest`, to their place.
static void yieldMoved(DeviceBuilder &b, ValueRange carried, ValueRange rest,
                       ValueRange moved) {
  SmallVector<Value> next = llvm::to_vector(carried);
  llvm::append_range(next, rest);
  llvm::append_range(next, moved.drop_back(rest.size()));
  scf::YieldOp::create(b, next);
}

void BlockEpilogue::emitLoop(int64_t count, int64_t step,
                             GetRegisters getRegisters, StorePairs store) {
  auto isMoved = [&](unsigned input) {
    return body.inputs[input].mmaColumnStride && !isEarlyMatrix(input) &&
           !isShared(input);
  };
  SmallVector<Value> moved;
  for (int64_t group = 0; group != count; ++group)
    for (int64_t half = 0; half != 2; ++half) {
      for (const Pair &pair : getRegisters(half, group))
        appendMoved(b, moved, pair);
      for (unsigned input = 0; input != body.inputs.size(); ++input)
        if (isMoved(input))
          appendMoved(b, moved, inputs->get(input, half, group));
    }
  if (inputs)
    inputs->prepareLoop();

  auto loop = scf::ForOp::create(b, b.i32(0), b.i32(count), b.i32(step), moved);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  ValueRange rest = loop.getRegionIterArgs();
  SmallVector<Value> pairs;
  for (int64_t next = 0; next != step; ++next)
    for (int64_t half = 0; half != 2; ++half) {
      Pairs registers;
      for (FloatType type : getRegisterTypes())
        registers.push_back(takeMoved(b, rest, type));
      pairs.push_back(emitPair(registers, [&](unsigned input) -> Pair {
        if (isMoved(input))
          return takeMoved(b, rest, body.inputs[input].elementType);
        if (isShared(input))
          return inputs->getShared(input, b.add(loop.getInductionVar(), next));
        return inputs->get(input, half, next);
      }));
    }
  store(loop.getInductionVar(), pairs);
  yieldMoved(b, {}, rest, loop.getRegionIterArgs());
}

/// Writes pairs of one or two groups. Each group is two matrices of 8 x 8
/// elements. The lane's `address` is the start of a row of one of them.
static void emitMatrices(DeviceBuilder &b, Value address, ArrayRef<Value> pairs,
                         NVVM::MMALayout layout) {
  auto sources = llvm::map_to_vector(pairs, [&](Value pair) -> Value {
    return LLVM::BitcastOp::create(b, b.getI32Type(), pair);
  });
  emitStoreMatrices(b, address, sources, layout);
}

void BlockEpilogue::emitHalves(Value buffer, int64_t count,
                               GetRegisters getRegisters) {
  // Lane l addresses row l % 16 of the warp, in column group l / 16 of two.
  Value row = b.add(warpRow, b.bitAnd(context.lane, 15));
  Value part = b.shiftLeft(b.shiftRight(context.lane, 4), 4);
  Value address =
      b.add(b.add(buffer, b.mul(row, body.result.rowBytes)),
            b.bitXor(part, getSwizzle(b, body.result.rowBytes, row)));
  auto store = [&](Value group, ArrayRef<Value> pairs) {
    // Swizzled rows start at multiples of their size, so the bits of the
    // 16-byte part are separate from the bits of the row.
    Value offset = b.mul(group, 16);
    Value place = body.result.isSwizzled() ? b.bitXor(address, offset)
                                           : b.add(address, offset);
    emitMatrices(b, place, pairs, NVVM::MMALayout::row);
  };
  emitGroups(count, /*step=*/2, getRegisters, store);
}

void BlockEpilogue::emitSwappedHalves(Value buffer, int64_t count,
                                      GetRegisters getRegisters) {
  // MMA columns are rows of the buffer. Lane l addresses row l % 8 of column
  // group l / 16 of two, and the 16-byte part with MMA rows 8 (l / 8 % 2) to 8
  // (l / 8 % 2) + 7 of the warp.
  Value row = b.bitOr(b.bitAnd(context.lane, 7),
                      b.shiftLeft(b.shiftRight(context.lane, 4), 3));
  Value part =
      b.bitOr(b.shiftLeft(warpRow, 1),
              b.shiftLeft(b.bitAnd(b.shiftRight(context.lane, 3), 1), 4));
  Value address =
      b.add(b.add(buffer, b.mul(row, body.result.rowBytes)),
            b.bitXor(part, getSwizzle(b, body.result.rowBytes, row)));
  auto store = [&](Value group, ArrayRef<Value> pairs) {
    Value offset = b.mul(group, 8 * body.result.rowBytes);
    emitMatrices(b, b.add(address, offset), pairs, NVVM::MMALayout::col);
  };
  emitGroups(count, /*step=*/2, getRegisters, store);
}

void BlockEpilogue::emitFloats(Value buffer, int64_t count,
                               GetRegisters getRegisters) {
  assert(body.result.isSwizzled() &&
         "an odd number of parts is no whole group");
  // Lane l has columns 2 (l % 4) and 2 (l % 4) + 1 of a group of 32 bytes.
  Value row = b.add(warpRow, getLaneRow(context));
  Value part = b.shiftLeft(b.bitAnd(b.shiftRight(context.lane, 1), 1), 4);
  Value inPart = b.shiftLeft(b.bitAnd(context.lane, 1), 3);
  Value address =
      b.add(b.add(buffer, b.mul(row, body.result.rowBytes)),
            b.bitOr(b.bitXor(part, getSwizzle(b, body.result.rowBytes, row)),
                    inPart));
  auto store = [&](Value group, ArrayRef<Value> pairs) {
    Value place = b.bitXor(address, b.mul(group, 32));
    // Eight rows further down, the swizzle is the same.
    for (auto [half, pair] : llvm::enumerate(pairs))
      LLVM::StoreOp::create(
          b, pair,
          b.sharedPointer(b.add(place, half * 8 * body.result.rowBytes)),
          /*alignment=*/8);
  };
  emitGroups(count, /*step=*/1, getRegisters, store);
}

RingPosition BlockEpilogue::emitBuffer(RingPosition position, Value first,
                                       GetRegisters getRegisters) {
  const Ring &ring = context.kernel.stagingRing;
  int64_t count = body.result.mmaColumns / 8;
  if (inputs)
    inputs->beginBuffer(first);
  for (unsigned input = 0, e = body.inputs.size(); input != e; ++input)
    if (body.readsAhead && !body.inputs[input].isEarly)
      for (int64_t group = 0; group != count; ++group)
        for (int64_t half = 0; half != 2; ++half)
          inputs->get(input, half, group);
  ring.waitUntilEmpty(context, position, warpgroup);
  Value buffer = context.getStagingAddress(body, products.lastStage, warpgroup,
                                           position.buffer);
  if (body.isSwapped())
    emitSwappedHalves(buffer, count, getRegisters);
  else if (body.result.elementType.isF32())
    emitFloats(buffer, count, getRegisters);
  else
    emitHalves(buffer, count, getRegisters);
  GemmContext::MmaPlace bufferPlace = {place.row,
                                       b.add(place.column, b.mul(first, 8))};
  auto storeDirectly = [&] {
    b.syncWarpgroup(warpgroup);
    emitDirectStores(context, body, task, buffer, bufferPlace);
  };
  if (body.result.way == StoreWay::direct)
    storeDirectly();
  else if (body.result.way == StoreWay::tmaIfWhole)
    b.ifThen(b.isNot(emitIsWhole(context, body, task, bufferPlace)),
             storeDirectly);
  // The storer reads this thread's writes through the async proxy. If the
  // buffer is in the ring, TMA loads overwrite it later.
  emitSharedProxyFence(b);
  b.syncWarp();
  ring.emitFilled(context, Role::consumers(1), position.buffer, warpgroup);
  return ring.advance(b, position);
}

RingPosition BlockEpilogue::emitBufferLoop(RingPosition position,
                                           int64_t groups) {
  int64_t groupsPerBuffer = body.result.mmaColumns / 8;
  SmallVector<Value> carried = {position.buffer, position.parity};
  for (int64_t group = 0; group != groups; ++group)
    for (int64_t half = 0; half != 2; ++half)
      for (const Pair &pair : readRegisters(half, group))
        appendMoved(b, carried, pair);
  if (inputs)
    inputs->prepareLoop();

  auto loop = scf::ForOp::create(b, b.i32(0), b.i32(groups),
                                 b.i32(groupsPerBuffer), carried);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  ValueRange moved = loop.getRegionIterArgs().drop_front(2);
  ValueRange rest = moved;
  SmallVector<Pairs> ofBuffer(2 * groupsPerBuffer);
  for (Pairs &pairs : ofBuffer)
    for (FloatType type : getRegisterTypes())
      pairs.push_back(takeMoved(b, rest, type));
  position =
      emitBuffer({loop.getRegionIterArg(0), loop.getRegionIterArg(1)},
                 loop.getInductionVar(), [&](int64_t half, int64_t group) {
                   return ofBuffer[2 * group + half];
                 });
  yieldMoved(b, {position.buffer, position.parity}, rest, moved);
  return {loop.getResult(0), loop.getResult(1)};
}

RingPosition BlockEpilogue::emit(RingPosition position) {
  int64_t groups = body.tiling.getResultMmaN() / 8;
  int64_t groupsPerBuffer = body.result.mmaColumns / 8;
  if (body.rollsEpilogue && groups != groupsPerBuffer &&
      groups % groupsPerBuffer == 0)
    return emitBufferLoop(position, groups);
  for (int64_t next = 0; next < groups; next += groupsPerBuffer) {
    // The last buffer may repeat groups of the one before.
    int64_t first = std::min(next, groups - groupsPerBuffer);
    position =
        emitBuffer(position, b.i32(first), [&](int64_t half, int64_t group) {
          return readRegisters(half, first + group);
        });
  }
  return position;
}

RingPosition hopper::emitTileEpilogue(const GemmContext &context,
                                      const BodyPlan &body,
                                      const TaskValues &task, Value warpgroup,
                                      const TileProducts &products,
                                      const EarlyInputs &early,
                                      RingPosition position) {
  DeviceBuilder &b = context.b;
  emitEpilogueWaits(context, body, task, warpgroup,
                    [&](const SemaphoreWait &wait) {
                      return !body.parts || wait.operand != body.sumsOperand;
                    });
  if (body.inputsNeedLaunches ||
      (body.result.mayBeDirect() && context.kernel.programmatic.loadsEarly))
    emitLaunchWait(b, b.getLoc());
  // MMAs of another warp may still read the rows of A that this warp is about
  // to overwrite.
  if (context.kernel.isStagedInRing())
    b.syncWarpgroup(warpgroup);
  auto emitBlock = [&](Value block, RingPosition start) {
    return BlockEpilogue(context, body, task, warpgroup, products, early, block)
        .emit(start);
  };
  if (body.rowBlocks == 1)
    return emitBlock(b.i32(0), position);

  // A loop takes half the code, although it has to select accumulators. The
  // epilogue is most of a kernel's code.
  assert(body.rowBlocks == 2 && "more blocks need more than one selection");
  auto loop = scf::ForOp::create(b, b.i32(0), b.i32(body.rowBlocks), b.i32(1),
                                 ValueRange{position.buffer, position.parity});
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  RingPosition end =
      emitBlock(loop.getInductionVar(),
                {loop.getRegionIterArg(0), loop.getRegionIterArg(1)});
  scf::YieldOp::create(b, ValueRange{end.buffer, end.parity});
  return {loop.getResult(0), loop.getResult(1)};
}
