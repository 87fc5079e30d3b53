//===- EarlyInputs.cpp - Epilogue inputs read before the steps ------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "EarlyInputs.h"

#include "InputReader.h"
#include "grout/Conversion/Common/ProgrammaticLaunch.h"
#include "grout/Hopper/Kit/Accumulators.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

Value hopper::packPair(DeviceBuilder &b, Value pair) {
  if (cast<VectorType>(pair.getType()).getElementTypeBitWidth() != 16)
    return pair;
  return LLVM::BitcastOp::create(b, b.getI32Type(), pair);
}

std::array<Value, 2> hopper::unpackPair(DeviceBuilder &b, Value pair,
                                        FloatType elementType) {
  if (pair.getType().isInteger())
    pair = LLVM::BitcastOp::create(b, VectorType::get({2}, elementType), pair);
  return {LLVM::ExtractElementOp::create(b, pair, b.i32(0)),
          LLVM::ExtractElementOp::create(b, pair, b.i32(1))};
}

EarlyInputs::EarlyInputs(const GemmContext &context, const BodyPlan &body,
                         const TaskValues &task, Value warpgroup)
    : context(context), b(context.b), body(body), task(task),
      warpgroup(warpgroup), values(body.inputs.size()) {
  read([](const InputPlan &input) { return !input.isMatrix(); });
}

void EarlyInputs::readMatrices() {
  read([](const InputPlan &input) { return input.isMatrix(); });
}

bool EarlyInputs::hasMatrices() const {
  return llvm::any_of(body.inputs, [](const InputPlan &input) {
    return input.isEarly && input.isMatrix();
  });
}

void EarlyInputs::read(function_ref<bool(const InputPlan &)> isMeant) {
  auto isRead = [&](const InputPlan &input) {
    return input.isEarly && isMeant(input);
  };
  if (llvm::none_of(body.inputs, isRead))
    return;
  if (llvm::any_of(body.inputs, [&](const InputPlan &input) {
        return isRead(input) && input.needsLaunches;
      }))
    emitLaunchWait(b, b.getLoc());
  GemmContext::MmaPlace place = context.getResultPlace(body, task);
  Value warpRow = getWarpRow(context);
  Value row = b.add(place.row, b.mul(warpgroup, body.getMmaRowsPerWarpgroup()));
  row = b.add(b.add(row, warpRow), getLaneRow(context));
  SmallVector<Value> rows;
  for (int64_t block = 0; block != body.rowBlocks; ++block)
    for (int64_t half = 0; half != 2; ++half)
      rows.push_back(b.add(row, block * kMmaRows + half * kHalfRows));
  InputReader reader(context, body, task, rows);

  int64_t columns = body.tiling.getResultMmaN();
  Value ownColumn = b.add(place.column, getLaneColumn(context));
  Value sharedColumn = b.add(place.column, b.mul(context.lane, 2));
  for (auto [index, input] : llvm::enumerate(body.inputs)) {
    SmallVector<Value> &read = values[index];
    if (!isRead(input))
      continue;
    if (input.dependsOnColumnAlone()) {
      for (int64_t column = 0; column < columns; column += kSharedColumns)
        read.push_back(packPair(
            b,
            reader.readPair(index, /*row=*/0, b.add(sharedColumn, column),
                            /*canLeaveTile=*/columns % kSharedColumns != 0)));
      continue;
    }
    for (unsigned row = 0; row != rows.size(); ++row) {
      if (!input.mmaColumnStride) {
        read.push_back(reader.readElement(index, row));
        continue;
      }
      for (int64_t column = 0; column != columns; column += 8)
        read.push_back(
            packPair(b, reader.readPair(index, row, b.add(ownColumn, column))));
    }
  }
}

Value EarlyInputs::select(unsigned input, int64_t number,
                          Value isSecond) const {
  ArrayRef<Value> read = values[input];
  if (body.rowBlocks == 1)
    return read[number];
  return arith::SelectOp::create(b, isSecond, read[read.size() / 2 + number],
                                 read[number]);
}

std::array<Value, 2> EarlyInputs::getColumn(unsigned input, Value group) const {
  constexpr int64_t groups = kSharedColumns / 8;
  Value pair = values[input].front();
  for (auto [index, next] : llvm::enumerate(ArrayRef(values[input])))
    if (index != 0)
      pair = arith::SelectOp::create(b, b.isBelow(group, b.i32(index * groups)),
                                     pair, next);
  // Four lanes have read a group of 8 columns, two columns each.
  Value from = b.bitOr(b.bitAnd(context.lane, 3),
                       b.shiftLeft(b.bitAnd(group, groups - 1), 2));
  auto shuffle = [&](Value value) {
    return NVVM::ShflOp::create(b, value.getType(), b.i32(-1), value, from,
                                b.i32(kWarpSize - 1), NVVM::ShflKind::idx,
                                UnitAttr());
  };
  FloatType type = body.inputs[input].elementType;
  if (pair.getType().isInteger())
    return unpackPair(b, shuffle(pair), type);
  std::array<Value, 2> elements = unpackPair(b, pair, type);
  return {shuffle(elements[0]), shuffle(elements[1])};
}

std::array<Value, 2> EarlyInputs::get(unsigned input, unsigned half,
                                      int64_t group, Value isSecond) const {
  const InputPlan &plan = body.inputs[input];
  assert(!plan.dependsOnColumnAlone() && "see getColumn");
  if (!plan.mmaColumnStride) {
    Value value = select(input, half, isSecond);
    return {value, value};
  }
  int64_t groups = body.tiling.getResultMmaN() / 8;
  return unpackPair(b, select(input, half * groups + group, isSecond),
                    plan.elementType);
}
