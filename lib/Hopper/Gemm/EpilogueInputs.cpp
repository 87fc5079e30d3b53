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

EpilogueInputs::Pair EpilogueInputs::read(unsigned index, unsigned row,
                                          int64_t group) {
  const InputPlan &input = body.inputs[index];
  if (input.isEarly)
    return early.get(index, row, group, isSecond);
  if (!input.mmaColumnStride) {
    Value value = reader.readElement(index, row);
    return {value, value};
  }
  Value pair = reader.readPair(index, row, b.add(firstColumn, 8 * group));
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
