//===- EpilogueInputs.cpp - Epilogue inputs of a block of rows ------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "EpilogueInputs.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

EpilogueInputs::EpilogueInputs(const GemmContext &context, const BodyPlan &body,
                               const TaskValues &task, ArrayRef<Value> rows,
                               Value firstColumn, const EarlyInputs &early,
                               Value isSecond)
    : b(context.b), body(body), reader(context, body, task, rows),
      firstColumn(firstColumn), early(early), isSecond(isSecond) {}

void EpilogueInputs::prepareLoop() {
  for (auto [index, input] : llvm::enumerate(body.inputs))
    for (unsigned row = 0; row != 2; ++row) {
      if (!input.mmaColumnStride)
        get(index, row, /*group=*/0);
      else if (!input.isEarly)
        reader.prepareRow(index, row);
    }
}

void EpilogueInputs::beginBuffer(Value first) {
  this->first = first;
  columnValues.clear();
}

EpilogueInputs::Pair EpilogueInputs::getShared(unsigned index, Value group) {
  return early.getColumn(index, b.add(first, group));
}

EpilogueInputs::Pair EpilogueInputs::read(unsigned index, unsigned row,
                                          int64_t group) {
  const InputPlan &input = body.inputs[index];
  if (input.isEarly && input.dependsOnColumnAlone())
    return getShared(index, b.i32(group));
  if (!input.mmaColumnStride) {
    if (input.isEarly)
      return getEarly(index, row, group);
    Value value = reader.readElement(index, row);
    return {value, value};
  }
  assert(!input.isEarly && "see getEarly");
  Value column = b.mul(b.add(first, group), 8);
  Value pair = reader.readPair(index, row, b.add(firstColumn, column));
  return {LLVM::ExtractElementOp::create(b, pair, b.i32(0)),
          LLVM::ExtractElementOp::create(b, pair, b.i32(1))};
}

EpilogueInputs::Pair EpilogueInputs::get(unsigned index, unsigned row,
                                         int64_t group) {
  const InputPlan &input = body.inputs[index];
  if (!input.mmaRowStride)
    row = 0;
  Pair &values = input.mmaColumnStride ? columnValues[{index, {row, group}}]
                                       : rowValues[{index, row}];
  if (!values[0])
    values = read(index, row, group);
  return values;
}
