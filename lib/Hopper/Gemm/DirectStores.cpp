//===- DirectStores.cpp - Results that TMA cannot store -------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "DirectStores.h"

#include "grout/Hopper/Kit/Staging.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

/// A thread copies parts of so many rows at once; of fewer, if this number does
/// not divide the rows that it has.
static constexpr int64_t kRowsAtOnce = 4;
/// The bytes of the longest part of a row that a thread copies at a time.
static constexpr int64_t kLongestPart = 16;

/// Returns how many threads copy a row together, in parts of `partBytes`.
static int64_t getLanes(const ResultPlan &result, int64_t partBytes) {
  return std::min<int64_t>(result.rowBytes / partBytes, kWarpSize);
}

/// Returns the bytes of a part of a row: as many as all addresses and lengths
/// of rows are multiples of. A warpgroup divides the `rows` of a buffer evenly.
static int64_t getPartBytes(const BodyPlan &body, int64_t rows) {
  const ResultPlan &result = body.result;
  int64_t element = result.elementType.getIntOrFloatBitWidth() / 8;
  int64_t row = tgemm::ProductOpInterface(body.op).getN() * element;
  for (int64_t part = kLongestPart; part > element; part /= 2)
    if (row % part == 0 && result.offset % part == 0 &&
        result.rowStride % part == 0 && result.batchStride % part == 0 &&
        rows % (kWarpgroupThreads / getLanes(result, part)) == 0)
      return part;
  return element;
}

Value hopper::emitIsWhole(const GemmContext &context, const BodyPlan &body,
                          const TaskValues &task, GemmContext::MmaPlace place) {
  DeviceBuilder &b = context.b;
  Value row = body.isSwapped() ? place.column : place.row;
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ule,
                               b.add(row, body.getStagedRows()),
                               context.getRowEnd(body, task));
}

void hopper::emitDirectStores(const GemmContext &context, const BodyPlan &body,
                              const TaskValues &task, Value buffer,
                              GemmContext::MmaPlace place) {
  DeviceBuilder &b = context.b;
  const ResultPlan &result = body.result;
  tgemm::ProductOpInterface op = body.op;
  int64_t elementBytes = result.elementType.getIntOrFloatBitWidth() / 8;
  int64_t rows = body.getStagedRows();
  int64_t bytes = getPartBytes(body, rows);
  int64_t parts = result.rowBytes / bytes;
  Type type = result.elementType;
  if (bytes != elementBytes)
    type = VectorType::get({bytes / elementBytes}, type);
  if (body.isSwapped()) {
    // MMA columns are rows of the buffer, and of the result.
    std::swap(place.row, place.column);
  }
  int64_t lanes = getLanes(result, bytes);
  Value thread = context.getThreadInGroup();
  Value lane = b.bitAnd(thread, lanes - 1);
  Value firstRow = b.shiftRight(thread, llvm::Log2_64(lanes));

  Value address = b.offsetPointer(
      b.globalPointer(context.getParam(result.addressParam)), result.offset);
  if (result.isBatched)
    address = b.advancePointer(address, context.getBatch(body, task),
                               result.batchStride);
  SmallVector<Value> columns, isInside;
  for (int64_t first = 0; first != parts; first += lanes) {
    columns.push_back(b.mul(b.add(lane, first), bytes / elementBytes));
    isInside.push_back(
        b.isBelow(b.add(place.column, columns.back()), b.i32(op.getN())));
  }
  address = b.advancePointer(address, place.column, elementBytes);

  // Copies some rows at once, so that their loads are in flight together.
  int64_t rowsOfAll = kWarpgroupThreads / lanes;
  int64_t atOnce = std::gcd(rows / rowsOfAll, kRowsAtOnce);
  auto loop =
      scf::ForOp::create(b, b.i32(0), b.i32(rows), b.i32(atOnce * rowsOfAll));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  struct Store {
    Value part, to, isInside;
  };
  SmallVector<Store> stores;
  for (int64_t i = 0; i != atOnce; ++i) {
    Value rowInBuffer =
        b.add(b.add(loop.getInductionVar(), firstRow), i * rowsOfAll);
    Value row = b.add(place.row, rowInBuffer);
    Value isRow = b.isBelow(row, context.getRowEnd(body, task));
    Value inBuffer = b.add(buffer, b.mul(rowInBuffer, result.rowBytes));
    Value swizzle = getSwizzle(b, result.rowBytes, rowInBuffer);
    Value inResult = b.advancePointer(address, row, result.rowStride);
    for (auto [column, isColumn] : llvm::zip_equal(columns, isInside)) {
      Value from =
          b.add(inBuffer, b.bitXor(b.mul(column, elementBytes), swizzle));
      Value part = LLVM::LoadOp::create(b, type, b.sharedPointer(from), bytes);
      stores.push_back({part, b.advancePointer(inResult, column, elementBytes),
                        arith::AndIOp::create(b, isRow, isColumn)});
    }
  }
  for (const Store &store : stores)
    b.ifThen(store.isInside,
             [&] { LLVM::StoreOp::create(b, store.part, store.to, bytes); });
}
