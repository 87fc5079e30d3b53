//===- EpilogueInputs.cpp - Reads of epilogue inputs ----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "EpilogueInputs.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

/// `value`, at most `limit`.
static Value clamp(DeviceBuilder &b, Value value, int64_t limit) {
  return arith::MinUIOp::create(b, value, b.i32(limit));
}

/// The extent of the result and of a tile.
static std::pair<int64_t, int64_t> getRows(const BodyPlan &body) {
  return {tgemm::ProductOpInterface(body.op).getM(), body.tiling.getM()};
}
static std::pair<int64_t, int64_t> getColumns(const BodyPlan &body) {
  return {tgemm::ProductOpInterface(body.op).getN(), body.tiling.getN()};
}

EpilogueInputs::EpilogueInputs(const KernelContext &context,
                               const BodyPlan &body, const TileTask &task,
                               ArrayRef<Value> rows, Value firstColumn)
    : context(context), b(context.b), body(body), task(task),
      rows(llvm::to_vector(rows)), firstColumn(firstColumn) {
  // Rows do not move while a tile is under way, so one clamp each is enough.
  auto [extent, tile] = body.isSwapped() ? getColumns(body) : getRows(body);
  if (extent % tile != 0)
    for (Value &row : this->rows)
      row = clamp(b, row, extent - 1);
}

Value EpilogueInputs::load(const InputPlan &input, Type type, Value address) {
  int64_t width = 1;
  if (auto vector = dyn_cast<VectorType>(type))
    width = vector.getNumElements();
  return LLVM::LoadOp::create(
      b, type, address,
      /*alignment=*/width * input.elementType.getIntOrFloatBitWidth() / 8);
}

Value EpilogueInputs::getRowAddress(unsigned index, unsigned row) {
  const InputPlan &input = body.inputs[index];
  // All rows are one where the input does not depend on the row.
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

std::array<Value, 2> EpilogueInputs::get(unsigned index, unsigned row,
                                         int64_t group) {
  const InputPlan &input = body.inputs[index];
  if (!input.mmaRowStride)
    row = 0;
  Value rowAddress = getRowAddress(index, row);
  if (!input.mmaColumnStride) {
    Value &value = rowValues[{index, row}];
    if (!value)
      value = load(input, input.elementType, rowAddress);
    return {value, value};
  }

  std::array<Value, 2> &values = columnValues[{index, {row, group}}];
  if (values[0])
    return values;
  auto [extent, tile] = body.isSwapped() ? getRows(body) : getColumns(body);
  bool isRagged = extent % tile != 0;
  Value column = b.add(firstColumn, 8 * group);
  if (input.readsPairs) {
    if (isRagged)
      column = clamp(b, column, extent - 2);
    Value address = b.advancePointer(rowAddress, column, input.mmaColumnStride);
    Value pair = load(input, VectorType::get({2}, input.elementType), address);
    for (int64_t i = 0; i != 2; ++i)
      values[i] = LLVM::ExtractElementOp::create(b, pair, b.i32(i));
    return values;
  }
  for (int64_t i = 0; i != 2; ++i) {
    Value own = b.add(column, i);
    if (isRagged)
      own = clamp(b, own, extent - 1);
    values[i] = load(input, input.elementType,
                     b.advancePointer(rowAddress, own, input.mmaColumnStride));
  }
  return values;
}
