//===- ShiftedVector.cpp - Vectors out of neighbours ----------------------===//
//
// Part of Grout. Registers cannot be addressed by a value, so a shift is one
// selection for each of its bits.
//
//===----------------------------------------------------------------------===//

#include "ShiftedVector.h"

#include "MemoryTypes.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

unsigned scop::getUnitBits(Type type) {
  return std::max<unsigned>(32, type.getIntOrFloatBitWidth());
}

Lanes scop::emitShiftedVector(EmitContext &ctx, Lanes units, Type type,
                              int64_t size, Value shift, int64_t step) {
  ImplicitLocOpBuilder &b = ctx.b;
  unsigned bits = type.getIntOrFloatBitWidth(), unitBits = getUnitBits(type);
  int64_t perUnit = unitBits / bits;
  for (int64_t bit = size / 2; bit >= std::max(perUnit, step); bit /= 2) {
    Value isSet = arith::CmpIOp::create(
        b, arith::CmpIPredicate::ne,
        arith::AndIOp::create(b, shift, ctx.i32(bit)), ctx.i32(0));
    size_t distance = bit / perUnit;
    for (size_t i = 0; i + distance != units.size(); ++i)
      units[i] =
          arith::SelectOp::create(b, isSet, units[i + distance], units[i]);
    units.truncate(units.size() - distance);
  }
  size_t numUnits = size / perUnit;
  if (step < perUnit) {
    Value amount = arith::MulIOp::create(
        b, arith::AndIOp::create(b, shift, ctx.i32(perUnit - 1)),
        ctx.i32(bits));
    for (size_t i = 0; i != numUnits; ++i)
      units[i] = LLVM::FshrOp::create(b, units[i + 1], units[i], amount);
  }
  Type elementBits = b.getIntegerType(bits);
  Lanes lanes;
  for (int64_t lane = 0; lane != size; ++lane) {
    Value value = units[lane / perUnit];
    if (perUnit != 1) {
      Value place = arith::ConstantIntOp::create(b, value.getType(),
                                                 lane % perUnit * bits);
      value = arith::TruncIOp::create(b, elementBits,
                                      arith::ShRUIOp::create(b, value, place));
    }
    if (type != elementBits)
      value = arith::BitcastOp::create(b, type, value);
    lanes.push_back(value);
  }
  return lanes;
}
