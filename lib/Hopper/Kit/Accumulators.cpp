//===- Accumulators.cpp - Sums in registers -------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Hopper/Kit/Accumulators.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Type hopper::getAccumulatorType(DeviceBuilder &b, int64_t count) {
  SmallVector<Type> types(count, b.getF32Type());
  return LLVM::LLVMStructType::getLiteral(b.getContext(), types);
}

int64_t hopper::getNumAccumulators(Value accumulators) {
  return cast<LLVM::LLVMStructType>(accumulators.getType()).getBody().size();
}

Value hopper::emitZeroAccumulators(DeviceBuilder &b, int64_t count) {
  return LLVM::ZeroOp::create(b, getAccumulatorType(b, count));
}

Value hopper::emitAddAccumulators(DeviceBuilder &b, Value lhs, Value rhs) {
  Value sums = lhs;
  for (int64_t i = 0, e = getNumAccumulators(lhs); i != e; ++i) {
    Value sum = arith::AddFOp::create(b, emitAccumulator(b, lhs, i),
                                      emitAccumulator(b, rhs, i));
    sums = LLVM::InsertValueOp::create(b, sums, sum, i);
  }
  return sums;
}

Value hopper::emitAccumulator(DeviceBuilder &b, Value accumulators,
                              int64_t index) {
  return LLVM::ExtractValueOp::create(b, accumulators,
                                      ArrayRef<int64_t>{index});
}

SmallVector<Value> hopper::unpackAccumulators(DeviceBuilder &b,
                                              Value accumulators) {
  SmallVector<Value> values;
  for (int64_t i = 0, e = getNumAccumulators(accumulators); i != e; ++i)
    values.push_back(emitAccumulator(b, accumulators, i));
  return values;
}

Value hopper::packAccumulators(DeviceBuilder &b, ArrayRef<Value> values) {
  Value all = LLVM::UndefOp::create(
      b, getAccumulatorType(b, static_cast<int64_t>(values.size())));
  for (auto [i, value] : llvm::enumerate(values))
    all = LLVM::InsertValueOp::create(b, all, value, static_cast<int64_t>(i));
  return all;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

Value hopper::getWarpRow(const KernelContext &context) {
  return context.b.mul(context.getWarpInGroup(), kWarpRows);
}

Value hopper::getLaneRow(const KernelContext &context) {
  return context.b.shiftRight(context.lane, 2);
}

Value hopper::getLaneColumn(const KernelContext &context) {
  DeviceBuilder &b = context.b;
  return b.mul(b.bitAnd(context.lane, 3), 2);
}
