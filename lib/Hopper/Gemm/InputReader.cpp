//===- InputReader.cpp - Loads of epilogue inputs -------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "InputReader.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

/// Returns `value`, but at most `limit`.
static Value clamp(DeviceBuilder &b, Value value, int64_t limit) {
  return arith::MinUIOp::create(b, value, b.i32(limit));
}

/// Returns the extents of the result and of a tile along MMA rows.
static std::pair<int64_t, int64_t> getMmaRows(const BodyPlan &body) {
  tgemm::ProductOpInterface op = body.op;
  if (body.isSwapped())
    return {op.getN(), body.tiling.getN()};
  return {op.getM(), body.tiling.getM()};
}

/// Returns the extents of the result and of a tile along MMA columns.
static std::pair<int64_t, int64_t> getMmaColumns(const BodyPlan &body) {
  tgemm::ProductOpInterface op = body.op;
  if (body.isSwapped())
    return {op.getM(), body.tiling.getM()};
  return {op.getN(), body.tiling.getN()};
}

static Value emitLoad(DeviceBuilder &b, Type type, Value address,
                      int64_t bytes) {
  return LLVM::LoadOp::create(b, type, address, /*alignment=*/bytes);
}

InputReader::InputReader(const GemmContext &context, const BodyPlan &body,
                         const TaskValues &task, ArrayRef<Value> rows)
    : context(context), b(context.b), body(body), task(task),
      rows(llvm::to_vector(rows)) {
  // The rows stay the same during a tile, so each is clamped once.
  auto [extent, tile] = getMmaRows(body);
  if (extent % tile != 0 || body.groups)
    for (Value &row : this->rows)
      row = clamp(b, row, extent - 1);
}

Value InputReader::getRowAddress(unsigned index, unsigned row) {
  const InputPlan &input = body.inputs[index];
  // If the input does not depend on the row, all rows have the same address.
  Value &address = rowAddresses[{index, input.mmaRowStride ? row : 0}];
  if (address)
    return address;
  address = b.globalPointer(context.getParam(input.param));
  if (input.offset)
    address = b.offsetPointer(address, input.offset);
  if (input.batchStride)
    address = b.advancePointer(address, context.getBatch(body, task),
                               input.batchStride);
  if (input.mmaRowStride)
    address = b.advancePointer(address, rows[row], input.mmaRowStride);
  return address;
}

Value InputReader::readElement(unsigned index, unsigned row) {
  const InputPlan &input = body.inputs[index];
  return emitLoad(b, input.elementType, getRowAddress(index, row),
                  input.getElementBytes());
}

Value InputReader::readPair(unsigned index, unsigned row, Value column,
                            bool canLeaveTile) {
  const InputPlan &input = body.inputs[index];
  Value rowAddress = getRowAddress(index, row);
  auto [extent, tile] = getMmaColumns(body);
  bool isClamped = canLeaveTile || extent % tile != 0 || body.groups;
  auto pairType = VectorType::get({2}, input.elementType);
  if (input.readsPairs) {
    if (isClamped)
      column = clamp(b, column, extent - 2);
    return emitLoad(b, pairType,
                    b.advancePointer(rowAddress, column, input.mmaColumnStride),
                    2 * input.getElementBytes());
  }
  SmallVector<Value> pair;
  for (int64_t i = 0; i != 2; ++i) {
    Value own = b.add(column, i);
    if (isClamped)
      own = clamp(b, own, extent - 1);
    pair.push_back(
        emitLoad(b, input.elementType,
                 b.advancePointer(rowAddress, own, input.mmaColumnStride),
                 input.getElementBytes()));
  }
  return b.createVector(pair);
}
