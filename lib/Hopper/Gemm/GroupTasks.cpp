//===- GroupTasks.cpp - The tiles of groups of rows -----------------------===//
//
// Part of Grout. Entry g of the table has two words: how many tiles along the
// rows the groups before g have, and the end of the group before g, which is
// where g begins. The last entry, behind the groups, has their sum, and the end
// of the last group.
//
//===----------------------------------------------------------------------===//

#include "GroupTasks.h"

#include "grout/Conversion/Common/ProgrammaticLaunch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

static constexpr int64_t kEntryBytes = 8;
/// So many tiles along the rows of a group follow one another.
static constexpr int64_t kBandTiles = 16;
/// A lane has the ends of so many groups in flight.
static constexpr int64_t kLoadsAtOnce = 4;

int64_t hopper::getGroupTableBytes(const GemmPlan &kernel) {
  const GroupsPlan *groups = kernel.getGroups();
  // The search may read up to the next power of two.
  return groups ? (llvm::PowerOf2Ceil(groups->count) + 1) * kEntryBytes : 0;
}

static int64_t getNumColumns(const GemmContext &context) {
  return context.kernel.bodies.front().grid.back();
}

static Type getEntryType(DeviceBuilder &b) {
  return VectorType::get({2}, b.getI32Type());
}

/// Returns a pointer to entry `index`, an i32.
static Value getEntry(const GemmContext &context, Value index) {
  DeviceBuilder &b = context.b;
  Value table = b.add(context.shared, context.kernel.groupsOffset);
  return b.sharedPointer(b.add(table, b.mul(index, kEntryBytes)));
}

namespace {

/// An entry of the table.
struct Entry {
  Value tiles, begin;
};

} // namespace

static Entry emitReadEntry(const GemmContext &context, Value index) {
  DeviceBuilder &b = context.b;
  Value entry = LLVM::LoadOp::create(b, getEntryType(b),
                                     getEntry(context, index), kEntryBytes);
  return {LLVM::ExtractElementOp::create(b, entry, b.i32(0)),
          LLVM::ExtractElementOp::create(b, entry, b.i32(1))};
}

static void emitWriteEntry(const GemmContext &context, Value index,
                           const Entry &entry) {
  DeviceBuilder &b = context.b;
  LLVM::StoreOp::create(b, b.createVector({entry.tiles, entry.begin}),
                        getEntry(context, index), kEntryBytes);
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

/// Returns the value that the lane `distance` before this one has; in the first
/// lanes, their own.
static Value emitShiftUp(DeviceBuilder &b, Value value, int64_t distance) {
  return NVVM::ShflOp::create(b, b.getI32Type(), b.i32(-1), value,
                              b.i32(distance), b.i32(0), NVVM::ShflKind::up,
                              UnitAttr());
}

static Value emitLastLane(DeviceBuilder &b, Value value) {
  return NVVM::ShflOp::create(b, b.getI32Type(), b.i32(-1), value,
                              b.i32(kWarpSize - 1), b.i32(kWarpSize - 1),
                              NVVM::ShflKind::idx, UnitAttr());
}

/// Returns, in each lane, the largest value of this lane and those before it.
static Value emitMaxima(DeviceBuilder &b, Value value) {
  for (int64_t distance = 1; distance != kWarpSize; distance *= 2)
    value = arith::MaxSIOp::create(b, value, emitShiftUp(b, value, distance));
  return value;
}

/// Returns, in each lane, the sum of the values of this lane and those before
/// it.
static Value emitSums(const GemmContext &context, Value value) {
  DeviceBuilder &b = context.b;
  for (int64_t distance = 1; distance != kWarpSize; distance *= 2) {
    Value isFirst = b.isBelow(context.lane, b.i32(distance));
    Value before = emitShiftUp(b, value, distance);
    value = b.add(value, arith::SelectOp::create(b, isFirst, b.i32(0), before));
  }
  return value;
}

/// Loads the end of `group`, from 0 to the number of rows; 0 if there is no
/// such group.
static Value emitLoadEnd(const GemmContext &context, Value group) {
  DeviceBuilder &b = context.b;
  const GroupsPlan &groups = *context.kernel.getGroups();
  tgemm::ProductOpInterface op = context.kernel.bodies.front().op;
  Value last = b.i32(groups.count - 1);
  Value inside = arith::MinUIOp::create(b, group, last);
  Value address = b.offsetPointer(
      b.globalPointer(context.getParam(groups.param)), groups.offset);
  Value end = LLVM::LoadOp::create(
      b, b.getI32Type(), b.advancePointer(address, inside, groups.stride),
      sizeof(int32_t));
  end = arith::MaxSIOp::create(b, end, b.i32(0));
  end = arith::MinSIOp::create(b, end, b.i32(op.getM()));
  Value isGroup = b.isBelow(group, b.i32(groups.count));
  return arith::SelectOp::create(b, isGroup, end, b.i32(0));
}

/// Emits the entries of 32 groups from `first` on, whose ends are `end`.
/// `before` is the entry that comes before them, and becomes that behind them.
static void emitEntries(const GemmContext &context, Value first, Value end,
                        Entry &before) {
  DeviceBuilder &b = context.b;
  int64_t m = context.kernel.bodies.front().tiling.getM();
  end = arith::MaxSIOp::create(b, emitMaxima(b, end), before.begin);
  Value begin =
      arith::SelectOp::create(b, b.isEqual(context.lane, 0), before.begin,
                              emitShiftUp(b, end, /*distance=*/1));
  Value own = b.divide(b.add(b.sub(end, begin), m - 1), m);
  Value sums = b.add(emitSums(context, own), before.tiles);
  Value group = b.add(first, context.lane);
  b.ifThen(b.isBelow(group, b.i32(context.kernel.getGroups()->count)),
           [&] { emitWriteEntry(context, group, {b.sub(sums, own), begin}); });
  before = {emitLastLane(b, sums), emitLastLane(b, end)};
}

void hopper::emitGroupTable(const GemmContext &context) {
  DeviceBuilder &b = context.b;
  const GroupsPlan &groups = *context.kernel.getGroups();
  if (groups.needsLaunches)
    emitLaunchWait(b, b.getLoc());
  int64_t rounds = llvm::divideCeil(groups.count, kLoadsAtOnce * kWarpSize);
  auto loop = scf::ForOp::create(b, b.i32(0), b.i32(rounds), b.i32(1),
                                 ValueRange{b.i32(0), b.i32(0)});
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value first = b.mul(loop.getInductionVar(), kLoadsAtOnce * kWarpSize);
    SmallVector<Value> ends;
    for (int64_t i = 0; i != kLoadsAtOnce; ++i)
      ends.push_back(emitLoadEnd(
          context, b.add(b.add(first, context.lane), i * kWarpSize)));
    Entry before = {loop.getRegionIterArg(0), loop.getRegionIterArg(1)};
    for (auto [i, end] : llvm::enumerate(ends))
      emitEntries(context, b.add(first, i * kWarpSize), end, before);
    scf::YieldOp::create(b, ValueRange{before.tiles, before.begin});
  }
  b.ifThen(b.isEqual(context.lane, 0), [&] {
    emitWriteEntry(context, b.i32(groups.count),
                   {loop.getResult(0), loop.getResult(1)});
  });
  b.syncWarp();
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

Value hopper::emitGroupTaskCount(const GemmContext &context) {
  DeviceBuilder &b = context.b;
  Value last = b.i32(context.kernel.getGroups()->count);
  return b.mul(emitReadEntry(context, last).tiles, getNumColumns(context));
}

/// Returns the last group before which there are at most `tiles` tiles. If
/// there are more tiles in all, it has rows.
static Value emitFindGroup(const GemmContext &context, Value tiles) {
  DeviceBuilder &b = context.b;
  int64_t count = context.kernel.getGroups()->count;
  Value group = b.i32(0);
  for (int64_t step = llvm::PowerOf2Ceil(count) / 2; step != 0; step /= 2) {
    Value later = b.add(group, step);
    Entry entry = emitReadEntry(context, later);
    Value isGroup = b.isBelow(later, b.i32(count));
    Value isBefore =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ule, entry.tiles, tiles);
    group = arith::SelectOp::create(
        b, arith::AndIOp::create(b, isGroup, isBefore), later, group);
  }
  return group;
}

Value hopper::emitGroupTask(const GemmContext &context, Value index) {
  DeviceBuilder &b = context.b;
  int64_t columns = getNumColumns(context);
  int64_t m = context.kernel.bodies.front().tiling.getM();
  Value group = emitFindGroup(context, b.divide(index, columns));
  Entry own = emitReadEntry(context, group);
  Entry next = emitReadEntry(context, b.add(group, 1));

  // The place in the group, and in a band of its tiles.
  Value place = b.sub(index, b.mul(own.tiles, columns));
  Value band = b.divide(place, kBandTiles * columns);
  Value firstOfBand = b.mul(band, kBandTiles);
  Value inBand = b.sub(place, b.mul(firstOfBand, columns));
  Value left = b.sub(b.sub(next.tiles, own.tiles), firstOfBand);
  Value tiles = arith::MinUIOp::create(b, left, b.i32(kBandTiles));
  Value column = arith::DivUIOp::create(b, inBand, tiles);
  Value tile =
      b.add(firstOfBand, Value(arith::RemUIOp::create(b, inBand, tiles)));

  Value row = b.add(own.begin, b.mul(tile, m));
  Value rows = arith::MinUIOp::create(b, b.sub(next.begin, row), b.i32(m));
  Value groupAndRows =
      b.bitOr(group, b.shiftLeft(rows, llvm::Log2_64(kMaxGroups)));
  return b.createVector({b.i32(0), row, column, groupAndRows});
}
