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
  /// Returns two elements of the result, packed: those in MMA row `half` (0 or
  /// 1: row r or r + 8) and MMA column group `group`.
  Value emitPair(int64_t half, int64_t group);
  /// Applies the epilogue to `values`: an accumulator of each GEMM, and an
  /// element of each input. With `isOpen`, leaves out the final rounding from
  /// f32.
  Value emitElement(ValueRange values, bool isOpen);
  /// Writes MMA column groups [first, first + count) to `buffer`.
  void emitHalves(Value buffer, int64_t first, int64_t count);
  void emitSwappedHalves(Value buffer, int64_t first, int64_t count);
  void emitFloats(Value buffer, int64_t first, int64_t count);
  /// Writes `count` groups, one or two. Each group is two matrices of 8 x 8
  /// elements. The lane's `address` is the start of a row of one of them.
  void emitMatrices(Value address, int64_t first, int64_t count,
                    NVVM::MMALayout layout);
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

Value BlockEpilogue::emitPair(int64_t half, int64_t group) {
  unsigned numProducts = body.getNumProducts();
  SmallVector<std::array<Value, 2>> inputValues;
  for (unsigned input = 0, e = body.inputs.size(); input != e; ++input)
    inputValues.push_back(inputs->get(input, half, group));

  FloatType type = body.result.elementType;
  bool roundsHere = type != b.getF32Type() && (!region || finalRounding);
  SmallVector<Value> elements;
  for (int64_t e = 0; e != 2; ++e) {
    SmallVector<Value> values;
    for (unsigned product = 0; product != numProducts; ++product)
      values.push_back(getAccumulator(product, 4 * group + 2 * half + e));
    for (const std::array<Value, 2> &input : inputValues)
      values.push_back(input[e]);
    elements.push_back(emitElement(values, roundsHere));
  }
  Value pair = b.createVector(elements);
  // Rounding two elements at once takes one instruction.
  if (roundsHere)
    pair = arith::TruncFOp::create(b, VectorType::get({2}, type), pair);
  return pair;
}

void BlockEpilogue::emitHalves(Value buffer, int64_t first, int64_t count) {
  // Lane l addresses row l % 16 of the warp, in column group l / 16 of two.
  Value row = b.add(warpRow, b.bitAnd(context.lane, 15));
  Value part = b.shiftLeft(b.shiftRight(context.lane, 4), 4);
  Value address =
      b.add(b.add(buffer, b.mul(row, body.result.rowBytes)),
            b.bitXor(part, getSwizzle(b, body.result.rowBytes, row)));
  for (int64_t group = 0; group < count; group += 2) {
    // Swizzled rows start at multiples of their size, so the bits of the
    // 16-byte part are separate from the bits of the row.
    Value place = body.result.isSwizzled() ? b.bitXor(address, group * 16)
                                           : b.add(address, group * 16);
    emitMatrices(place, first + group, std::min<int64_t>(count - group, 2),
                 NVVM::MMALayout::row);
  }
}

void BlockEpilogue::emitSwappedHalves(Value buffer, int64_t first,
                                      int64_t count) {
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
  for (int64_t group = 0; group < count; group += 2)
    emitMatrices(b.add(address, group * 8 * body.result.rowBytes),
                 first + group, std::min<int64_t>(count - group, 2),
                 NVVM::MMALayout::col);
}

void BlockEpilogue::emitMatrices(Value address, int64_t first, int64_t count,
                                 NVVM::MMALayout layout) {
  SmallVector<Value> sources;
  for (int64_t group = first; group != first + count; ++group)
    for (int64_t half = 0; half != 2; ++half)
      sources.push_back(
          LLVM::BitcastOp::create(b, b.getI32Type(), emitPair(half, group)));
  emitStoreMatrices(b, address, sources, layout);
}

void BlockEpilogue::emitFloats(Value buffer, int64_t first, int64_t count) {
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
  for (int64_t group = 0; group != count; ++group)
    for (int64_t half = 0; half != 2; ++half) {
      // Eight rows further down, the swizzle is the same.
      Value place =
          b.add(b.bitXor(address, group * 32), half * 8 * body.result.rowBytes);
      LLVM::StoreOp::create(b, emitPair(half, first + group),
                            b.sharedPointer(place), /*alignment=*/8);
    }
}

RingPosition BlockEpilogue::emit(RingPosition position) {
  const Ring &ring = context.kernel.stagingRing;
  int64_t groups = body.tiling.getResultMmaN() / 8;
  int64_t groupsPerBuffer = body.result.mmaColumns / 8;
  for (int64_t next = 0; next < groups; next += groupsPerBuffer) {
    int64_t first = std::min(next, groups - groupsPerBuffer);
    if (inputs)
      inputs->beginColumns();
    for (unsigned input = 0, e = body.inputs.size(); input != e; ++input)
      if (body.readsAhead && !body.inputs[input].isEarly)
        for (int64_t group = 0; group != groupsPerBuffer; ++group)
          for (int64_t half = 0; half != 2; ++half)
            inputs->get(input, half, first + group);
    ring.waitUntilEmpty(context, position, warpgroup);
    Value buffer = context.getStagingAddress(body, products.lastStage,
                                             warpgroup, position.buffer);
    if (body.isSwapped())
      emitSwappedHalves(buffer, first, groupsPerBuffer);
    else if (body.result.elementType.isF32())
      emitFloats(buffer, first, groupsPerBuffer);
    else
      emitHalves(buffer, first, groupsPerBuffer);
    GemmContext::MmaPlace bufferPlace = {place.row,
                                         b.add(place.column, first * 8)};
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
    position = ring.advance(b, position);
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
