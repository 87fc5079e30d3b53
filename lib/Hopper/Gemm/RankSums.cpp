//===- RankSums.cpp - Tiles that are summed over ranks --------------------===//
//
// Part of Grout. All ranks run the same tasks in the same order, and exchange
// data about each tile. For example, with four ranks and two shots:
//
//   send:  row r of the tile goes to rank r mod 4
//   sum:   this rank sums its rows, and gives the sums to the other ranks
//   take:  the other rows come as sums; after all tiles have been sent
//
// With one shot, all rows go to all ranks, and each rank sums all of them. Data
// is sent in words that are never 0 (PeerWords.h), 16 bytes at a time.
//
// A block waits only for the same tile on other ranks, after it has sent its
// own. All blocks of the launch run at once, and each goes through its tiles in
// the order of their numbers. So of the tiles that have not been summed
// everywhere, the one with the lowest number waits for nothing that waits.
//
//===----------------------------------------------------------------------===//

#include "RankSums.h"

#include "GemmRoles.h"
#include "TileScheduler.h"
#include "TileStores.h"
#include "grout/Conversion/Common/PeerWords.h"
#include "grout/Conversion/Common/SyncState.h"
#include "grout/Hopper/Kit/Staging.h"
#include "grout/Target/IR/Grout.h"
#include "llvm/Support/MathExtras.h"
#include <string>

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

/// Bytes that a thread sends and receives at once.
static constexpr int64_t kVectorBytes = 16;
/// The vectors that a thread has under way at once.
static constexpr int64_t kVectorsAhead = 8;
/// While tiles are computed, blocks send faster than the link by this factor:
/// it is not always busy.
static constexpr double kPace = 1.43;

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

LogicalResult hopper::planRankSum(KernelParams &params, BodyPlan &body,
                                  const TargetSpec &target) {
  tgemm::ProductOpInterface op = body.op;
  std::optional<int64_t> ranks = op.getSumRanks();
  if (!ranks)
    return success();
  int64_t rowBytes = op.getN() * op.getResultElementType().getWidth() / 8;
  if (rowBytes % kVectorBytes != 0 || body.result.offset % kVectorBytes != 0 ||
      body.result.rowStride % kVectorBytes != 0)
    return emitTargetError(op) << "its result is summed over ranks, and its "
                                  "rows do not start and end at multiples of "
                               << kVectorBytes << " bytes";
  assert(body.posts.empty() && "it is in a chain of its own");
  RankSumPlan sum;
  sum.ranks = *ranks;
  sum.sets = launch::getPlaceSets(op->getParentOfType<launch::PlanOp>());
  int64_t bytes = op.getM() * rowBytes;
  // Each rank has to get something from all other ranks in each run, or it
  // could be two runs ahead.
  sum.isTwoShot =
      op.getM() >= *ranks && target.getRankSumPath(*ranks, bytes).isTwoShot;
  int64_t rows =
      sum.isTwoShot ? llvm::divideCeil(op.getM(), *ranks) : op.getM();
  sum.placeBytes = kernelabi::getExchangeBytes(rows * rowBytes);
  sum.sumBytes = sum.isTwoShot ? kernelabi::getExchangeBytes(bytes) : 0;
  int64_t tiles = 1;
  for (int64_t extent : body.grid)
    tiles *= extent;
  int64_t size = body.tiling.getClusterSize();
  int64_t atOnce = std::min(tiles, target.getResidentClusters(size));
  if (tiles > atOnce)
    sum.pausePerByte =
        static_cast<double>(atOnce * size) * 1e9 / (kPace * target.linkRate);
  MLIRContext *context = op.getContext();
  sum.rankParam = params.add(launch::ArgKind::rank, context);
  sum.firstPeerParam = params.addPeer(0, context);
  for (int64_t rank = 1; rank != *ranks; ++rank)
    params.addPeer(rank, context);
  body.rankSum = sum;
  return success();
}

//===----------------------------------------------------------------------===//
// One tile
//===----------------------------------------------------------------------===//

namespace {

/// 16 bytes of the result: their row and column, i32, and whether there are
/// such.
struct Part {
  Value row, column, isThere;
};

/// What all tiles of a run have in common.
struct Run {
  /// The number of this rank, an i32, and the symmetric memory of all ranks and
  /// of this one.
  Value rank;
  SmallVector<Value> peers;
  Value own;
  /// The launch's synchronisation state.
  Value state;
  /// The byte of the symmetric memory at which the places begin, an i64.
  Value set;
};

/// Sums one tile.
class TileSum {
public:
  /// If `isPaced`, an i1, holds, the other warpgroups have another tile.
  TileSum(const GemmContext &context, const BodyPlan &body,
          const TaskValues &task, const Run &run, Value isPaced);

  /// Sends the tile from the staging buffers at `positions`, one for each
  /// consumer warpgroup, and moves these past the tile.
  void emitSend(Value lastStage, MutableArrayRef<RingPosition> positions);
  /// Receives what other ranks send, and sums it: in two shots, only the rows
  /// of this rank.
  void emitSums();
  /// In two shots, receives the sums of the other rows.
  void emitOtherRows();

private:
  void emitSendBuffer(Value buffer, GemmContext::MmaPlace place, Value copy);
  void emitOwnRows();
  void emitAllRows();

  void emitLoop(int64_t count, int64_t vectors,
                function_ref<void(ArrayRef<Value>)> body);
  Part getPart(Value index, Value firstRow, int64_t step, Value endRow);
  Value getOwner(Value row) { return b.remainder(row, plan.ranks); }
  /// Whether there is something at `row` and `column`.
  Value isInResult(Value row, Value column);
  Value emitAnd(Value a, Value other) {
    return arith::AndIOp::create(b, a, other);
  }

  /// Return the address of `part` in the memory `memory` of a rank: in the
  /// place of rank `of`, and among the sums.
  Value getPlaceAddress(Value memory, Value of, const Part &part);
  Value getSumAddress(Value memory, const Part &part);
  Value getAddress(Value memory, Value byte, Value row, Value column);
  PeerVector getPeerVector(const Part &part, Value of,
                           function_ref<Value(const Part &)> getAddress);
  SmallVector<Value> emitReceivedSums(ArrayRef<Part> parts);
  void emitPause(int64_t vectors);
  void emitStore(Value value, const Part &part);

  const GemmContext &context;
  DeviceBuilder &b;
  const BodyPlan &body;
  const TaskValues &task;
  const RankSumPlan &plan;
  const Run &run;
  Value isPaced;
  tgemm::ProductOpInterface op;
  int64_t elementBytes, elements;
  VectorType type;
  Value thread;
  /// The first row and column of the block's part of the tile, and its extents.
  Value firstRow, firstColumn;
  int64_t rows, partsOfRow;
};

} // namespace

TileSum::TileSum(const GemmContext &context, const BodyPlan &body,
                 const TaskValues &task, const Run &run, Value isPaced)
    : context(context), b(context.b), body(body), task(task),
      plan(*body.rankSum), run(run), isPaced(isPaced), op(body.op),
      elementBytes(body.result.elementType.getIntOrFloatBitWidth() / 8),
      elements(kVectorBytes / elementBytes),
      type(VectorType::get(elements, body.result.elementType)),
      thread(context.getThreadInGroup()) {
  GemmContext::MmaPlace place = context.getResultPlace(body, task);
  int64_t mmaRows = body.warpgroups * body.getMmaRowsPerWarpgroup();
  int64_t mmaColumns = body.tiling.getResultMmaN();
  rows = body.isSwapped() ? mmaColumns : mmaRows;
  partsOfRow = (body.isSwapped() ? mmaRows : mmaColumns) / elements;
  firstRow = body.isSwapped() ? place.column : place.row;
  firstColumn = body.isSwapped() ? place.row : place.column;
}

/// Waits as long as NVLink takes for `vectors` vectors of each thread of all
/// blocks, if the other warpgroups compute a tile. Stores that NVLink cannot
/// take would hold up the loads of that tile.
void TileSum::emitPause(int64_t vectors) {
  if (plan.pausePerByte == 0)
    return;
  int64_t bytes = vectors * kVectorBytes * kWarpgroupThreads;
  auto nanoseconds =
      static_cast<int64_t>(plan.pausePerByte * static_cast<double>(bytes));
  b.ifThen(isPaced, [&] {
    b.assembly(Type(), ValueRange(),
               "nanosleep.u32 " + std::to_string(nanoseconds) + ";", "",
               /*touchesMemory=*/true);
  });
}

/// Emits a loop in which the threads of the warpgroup go through `count`
/// numbers, neighbours at once. `body` gets as many numbers as a thread has
/// under way, if it has `vectors` for each. A number may be `count` or more.
void TileSum::emitLoop(int64_t count, int64_t vectors,
                       function_ref<void(ArrayRef<Value>)> body) {
  int64_t ahead = std::clamp<int64_t>(
      kVectorsAhead / vectors, 1, llvm::divideCeil(count, kWarpgroupThreads));
  auto loop = scf::ForOp::create(b, b.i32(0), b.i32(count),
                                 b.i32(ahead * kWarpgroupThreads));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> numbers;
  Value first = b.add(loop.getInductionVar(), thread);
  for (int64_t i = 0; i != ahead; ++i)
    numbers.push_back(b.add(first, i * kWarpgroupThreads));
  body(numbers);
}

Value TileSum::isInResult(Value row, Value column) {
  return emitAnd(b.isBelow(row, b.i32(op.getM())),
                 b.isBelow(column, b.i32(op.getN())));
}

/// Returns part `index` of rows `firstRow`, `firstRow + step` and so on, below
/// `endRow`.
Part TileSum::getPart(Value index, Value firstRow, int64_t step, Value endRow) {
  Value number = b.divide(index, partsOfRow);
  Value inRow = b.sub(index, b.mul(number, partsOfRow));
  Value row = b.add(firstRow, b.mul(number, step));
  Value column = b.add(firstColumn, b.mul(inRow, elements));
  return {row, column,
          emitAnd(b.isBelow(row, endRow), isInResult(row, column))};
}

Value TileSum::getAddress(Value memory, Value byte, Value row, Value column) {
  Value address = b.offsetPointer(memory, byte);
  address = b.advancePointer(address, row, op.getN() * elementBytes);
  return b.advancePointer(address, column, elementBytes);
}

Value TileSum::getPlaceAddress(Value memory, Value of, const Part &part) {
  Value before = arith::MulIOp::create(
      b, arith::ExtUIOp::create(b, b.getI64Type(), of),
      arith::ConstantIntOp::create(b, b.getI64Type(), plan.placeBytes));
  Value row = plan.isTwoShot ? b.divide(part.row, plan.ranks) : part.row;
  return getAddress(memory, arith::AddIOp::create(b, run.set, before), row,
                    part.column);
}

Value TileSum::getSumAddress(Value memory, const Part &part) {
  Value before = arith::ConstantIntOp::create(b, b.getI64Type(),
                                              plan.ranks * plan.placeBytes);
  return getAddress(memory, arith::AddIOp::create(b, run.set, before), part.row,
                    part.column);
}

void TileSum::emitStore(Value value, const Part &part) {
  Value address = b.offsetPointer(
      b.globalPointer(context.getParam(body.result.addressParam)),
      body.result.offset);
  address = b.advancePointer(address, part.row, body.result.rowStride);
  address = b.advancePointer(address, part.column, elementBytes);
  LLVM::StoreOp::create(b, value, address, kVectorBytes);
}

/// Sends a staging buffer whose first element is at `place`. `copy` is the
/// number of the buffer in the tile.
void TileSum::emitSendBuffer(Value buffer, GemmContext::MmaPlace place,
                             Value copy) {
  int64_t rowBytes = body.result.rowBytes;
  int64_t parts = rowBytes / kVectorBytes;
  int64_t count = body.getStagedRows() * parts;
  if (body.isSwapped())
    std::swap(place.row, place.column);
  // With `swap_ab`, the last buffer may begin with rows of the buffer before,
  // which have been sent.
  Value firstNew = place.row;
  if (body.isSwapped()) {
    Value buffer = b.remainder(copy, body.getNumStaged() / body.rowBlocks);
    firstNew = b.add(firstRow, b.mul(buffer, body.result.mmaColumns));
  }
  emitLoop(count, /*vectors=*/1, [&](ArrayRef<Value> numbers) {
    SmallVector<Part> sent;
    SmallVector<Value> words;
    for (Value number : numbers) {
      Value isNumber = b.isBelow(number, b.i32(count));
      Value index = arith::SelectOp::create(b, isNumber, number, b.i32(0));
      Value row = b.divide(index, parts);
      Value part = b.sub(index, b.mul(row, parts));
      Value from = b.add(
          b.add(buffer, b.mul(row, rowBytes)),
          b.bitXor(b.mul(part, kVectorBytes), getSwizzle(b, rowBytes, row)));
      words.push_back(
          emitWords(b, LLVM::LoadOp::create(b, type, b.sharedPointer(from),
                                            kVectorBytes)));
      row = b.add(place.row, row);
      Value column = b.add(place.column, b.mul(part, elements));
      Value isNew =
          arith::CmpIOp::create(b, arith::CmpIPredicate::uge, row, firstNew);
      sent.push_back(
          {row, column,
           emitAnd(emitAnd(isNumber, isNew), isInResult(row, column))});
    }
    for (auto [part, data] : llvm::zip_equal(sent, words))
      b.ifThen(part.isThere, [&, &part = part, data = data] {
        if (plan.isTwoShot) {
          Value owner = emitSelectedPeer(b, run.peers, getOwner(part.row));
          grout::emitSend(b, data, getPlaceAddress(owner, run.rank, part));
          return;
        }
        for (Value peer : run.peers)
          grout::emitSend(b, data, getPlaceAddress(peer, run.rank, part));
      });
    emitPause(static_cast<int64_t>(numbers.size()) * (plan.ranks - 1) /
              (plan.isTwoShot ? plan.ranks : 1));
  });
}

void TileSum::emitSend(Value lastStage,
                       MutableArrayRef<RingPosition> positions) {
  const Ring &ring = context.kernel.stagingRing;
  GemmContext::MmaPlace tile = context.getResultPlace(body, task);
  auto loop = scf::ForOp::create(b, b.i32(0), b.i32(body.getNumStaged()),
                                 b.i32(1), packPositions(positions));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value copy = loop.getInductionVar();
    GemmContext::MmaPlace place = getCopyPlace(context, body, tile, copy);
    SmallVector<RingPosition> here = unpackPositions(loop.getRegionIterArgs());
    for (auto [index, position] : llvm::enumerate(here)) {
      Value warpgroup = b.i32(static_cast<int64_t>(index));
      ring.waitUntilFull(context, position, warpgroup);
      emitSendBuffer(context.getStagingAddress(body, lastStage, warpgroup,
                                               position.buffer),
                     {b.add(place.row, index * body.getMmaRowsPerWarpgroup()),
                      place.column},
                     copy);
      b.syncWarp();
      ring.emitRead(context, context.kernel.getStorer(), position.buffer,
                    warpgroup);
      position = ring.advance(b, position);
    }
    scf::YieldOp::create(b, packPositions(here));
  }
  llvm::copy(unpackPositions(loop.getResults()), positions.begin());
  if (!context.kernel.isStagedInRing())
    return;
  // One thread frees the stages for all, when all have read the buffers.
  b.syncWarpgroup(context.getWarpgroup());
  b.ifThen(b.isEqual(thread, 0),
           [&] { context.emitStagedRelease(body, lastStage); });
}

/// Returns `part` of rank `of` at its address. If it is not there, that is the
/// address of the first part.
PeerVector
TileSum::getPeerVector(const Part &part, Value of,
                       function_ref<Value(const Part &)> getAddress) {
  Value zero = b.i32(0);
  Part at = {arith::SelectOp::create(b, part.isThere, part.row, zero),
             arith::SelectOp::create(b, part.isThere, part.column, zero),
             part.isThere};
  return {getAddress(at), of, part.isThere};
}

/// Waits for `parts` of all ranks, and returns their sums.
SmallVector<Value> TileSum::emitReceivedSums(ArrayRef<Part> parts) {
  SmallVector<PeerVector> vectors;
  for (const Part &part : parts)
    for (int64_t number = 0; number != plan.ranks; ++number) {
      Value of = b.i32(number);
      vectors.push_back(getPeerVector(part, of, [&](const Part &at) {
        return getPlaceAddress(run.own, of, at);
      }));
    }
  return grout::emitReceivedSums(b, vectors, plan.ranks, type, run.state);
}

void TileSum::emitAllRows() {
  Value end = b.add(firstRow, rows);
  emitLoop(rows * partsOfRow, plan.ranks, [&](ArrayRef<Value> numbers) {
    SmallVector<Part> parts = llvm::map_to_vector(numbers, [&](Value number) {
      return getPart(number, firstRow, /*step=*/1, end);
    });
    for (auto [part, sum] : llvm::zip_equal(parts, emitReceivedSums(parts)))
      b.ifThen(part.isThere,
               [&, &part = part, sum = sum] { emitStore(sum, part); });
  });
}

void TileSum::emitOwnRows() {
  // The first of the tile's rows that this rank sums.
  Value ahead = b.sub(b.add(run.rank, plan.ranks), getOwner(firstRow));
  Value first = b.add(firstRow, b.remainder(ahead, plan.ranks));
  Value end = b.add(firstRow, rows);
  int64_t count = llvm::divideCeil(rows, plan.ranks) * partsOfRow;
  emitLoop(count, plan.ranks, [&](ArrayRef<Value> numbers) {
    SmallVector<Part> parts = llvm::map_to_vector(numbers, [&](Value number) {
      return getPart(number, first, plan.ranks, end);
    });
    for (auto [part, sum] : llvm::zip_equal(parts, emitReceivedSums(parts)))
      b.ifThen(part.isThere, [&, &part = part, sum = sum] {
        Value words = emitWords(b, sum);
        for (auto [number, peer] : llvm::enumerate(run.peers)) {
          Value isOther = b.isNot(b.isEqual(run.rank, number));
          b.ifThen(isOther, [&, peer = peer] {
            grout::emitSend(b, words, getSumAddress(peer, part));
          });
        }
        emitStore(sum, part);
      });
    emitPause(static_cast<int64_t>(numbers.size()) * (plan.ranks - 1));
  });
}

void TileSum::emitOtherRows() {
  Value end = b.add(firstRow, rows);
  emitLoop(rows * partsOfRow, /*vectors=*/1, [&](ArrayRef<Value> numbers) {
    SmallVector<Part> parts;
    SmallVector<PeerVector> vectors;
    for (Value number : numbers) {
      Part part = getPart(number, firstRow, /*step=*/1, end);
      Value owner = getOwner(part.row);
      Value isOther =
          arith::CmpIOp::create(b, arith::CmpIPredicate::ne, owner, run.rank);
      part.isThere = emitAnd(part.isThere, isOther);
      parts.push_back(part);
      vectors.push_back(getPeerVector(part, owner, [&](const Part &at) {
        return getSumAddress(run.own, at);
      }));
    }
    SmallVector<Value> sums = grout::emitReceive(b, vectors, type, run.state);
    for (auto [part, sum] : llvm::zip_equal(parts, sums))
      b.ifThen(part.isThere,
               [&, &part = part, sum = sum] { emitStore(sum, part); });
  });
}

void TileSum::emitSums() {
  if (plan.isTwoShot)
    emitOwnRows();
  else
    emitAllRows();
}

//===----------------------------------------------------------------------===//
// All tiles
//===----------------------------------------------------------------------===//

/// Emits what is known before the first tile, and the end of the block's run
/// for the synchronisation state. That takes a few microseconds, for which the
/// first tile is computed.
static Run emitRun(const GemmContext &context) {
  DeviceBuilder &b = context.b;
  const RankSumPlan &plan = *context.kernel.getRankSum();
  // What this run sends tells other ranks that the runs before have ended here.
  if (!context.kernel.programmatic.waitsAtEntry)
    emitLaunchWait(b, b.getLoc());
  Run run;
  run.rank = context.getParam(plan.rankParam);
  for (int64_t rank = 0; rank != plan.ranks; ++rank)
    run.peers.push_back(context.getParam(plan.firstPeerParam + rank));
  run.own = emitSelectedPeer(b, run.peers, run.rank);
  run.state = context.getParam(*context.kernel.syncStateParam);
  run.set = emitPlaceSet(b, run.state, plan.sets, plan.getSetBytes());
  // All threads have read the epoch then. Tasks are fixed, so nothing else
  // does.
  b.syncWarpgroup(context.getWarpgroup());
  b.ifThen(b.isEqual(context.getThreadInGroup(), 0),
           [&] { emitBlockFinished(b, run.state); });
  return run;
}

void hopper::emitRankSums(const GemmContext &context) {
  DeviceBuilder &b = context.b;
  Run run = emitRun(context);
  // Positions in the ring of stages, and in each warpgroup's staging buffers.
  SmallVector<RingPosition> first(1 + context.kernel.warpgroups,
                                  RingPosition::first(b));
  auto work = [&](const BodyPlan &body, const TaskValues &task,
                  ValueRange carried) {
    SmallVector<RingPosition> positions = unpackPositions(carried.drop_back());
    Value count = b.add(carried.back(), 1);
    RingPosition last =
        context.skipSteps(body, task, positions[0], /*butLast=*/1);
    TileSum sum(context, body, task, run, emitHasMoreTasks(context, count));
    sum.emitSend(last.buffer, MutableArrayRef(positions).drop_front());
    sum.emitSums();
    positions[0] = context.kernel.stageRing.advance(b, last);
    SmallVector<Value> after = packPositions(positions);
    after.push_back(count);
    return after;
  };
  // And the number of tasks that have been summed.
  SmallVector<Value> inits = packPositions(first);
  inits.push_back(b.i32(0));
  emitTaskLoop(context, TaskReader::wholeWarp, kernelabi::TraceRole::SumRanks,
               inits, work);
  // These sums come last, so that no tile waits for them.
  if (context.kernel.getRankSum()->isTwoShot)
    emitFixedTaskLoop(context, kernelabi::TraceRole::SumRanks,
                      [&](const BodyPlan &body, const TaskValues &task) {
                        TileSum(context, body, task, run, /*isPaced=*/Value())
                            .emitOtherRows();
                      });
}
