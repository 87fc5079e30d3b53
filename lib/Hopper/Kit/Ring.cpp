//===- Ring.cpp - Buffers that go from role to role -----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Hopper/Kit/Ring.h"

#include "grout/Hopper/Kit/KernelContext.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

SmallVector<Value> hopper::packPositions(ArrayRef<RingPosition> positions) {
  SmallVector<Value> values;
  for (const RingPosition &position : positions)
    values.append({position.buffer, position.parity});
  return values;
}

SmallVector<RingPosition> hopper::unpackPositions(ValueRange values) {
  SmallVector<RingPosition> positions;
  for (size_t i = 0, e = values.size(); i != e; i += 2)
    positions.push_back({values[i], values[i + 1]});
  return positions;
}

RingPosition Ring::advance(DeviceBuilder &b, const RingPosition &position,
                           int64_t count) const {
  int64_t rounds = count / size;
  Value moved = b.add(position.buffer, count % size);
  Value wraps =
      arith::CmpIOp::create(b, arith::CmpIPredicate::uge, moved, b.i32(size));
  Value carry = arith::ExtUIOp::create(b, b.getI32Type(), wraps);
  RingPosition result;
  result.buffer = arith::SelectOp::create(b, wraps, b.add(moved, -size), moved);
  result.parity = b.bitXor(b.bitXor(position.parity, rounds & 1), carry);
  return result;
}

RingPosition Ring::emitLoop(
    DeviceBuilder &b, Value first, Value end, const RingPosition &start,
    function_ref<void(Value number, const RingPosition &position)> body) const {
  auto loop = scf::ForOp::create(b, first, end, b.i32(1),
                                 ValueRange{start.buffer, start.parity});
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  RingPosition here = {loop.getRegionIterArg(0), loop.getRegionIterArg(1)};
  body(loop.getInductionVar(), here);
  RingPosition next = advance(b, here);
  scf::YieldOp::create(b, ValueRange{next.buffer, next.parity});
  return {loop.getResult(0), loop.getResult(1)};
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

Value Ring::getIndex(DeviceBuilder &b, Value buffer, Value owner) const {
  if (!owner)
    return buffer;
  return buffer ? b.add(b.mul(owner, size), buffer) : owner;
}

Value Ring::getAddress(const KernelContext &context, Value buffer,
                       Value owner) const {
  DeviceBuilder &b = context.b;
  Value first = b.add(context.shared, offset);
  Value index = getIndex(b, buffer, owner);
  return index ? b.add(first, b.mul(index, bytes)) : first;
}

Value Ring::getFull(const KernelContext &context, Value buffer,
                    Value owner) const {
  return full.get(context, getIndex(context.b, buffer, owner));
}

Value Ring::getEmpty(const KernelContext &context, Value buffer,
                     Value owner) const {
  return empty.get(context, getIndex(context.b, buffer, owner));
}

void Ring::waitUntilFull(const KernelContext &context,
                         const RingPosition &position, Value owner) const {
  context.b.waitParity(getFull(context, position.buffer, owner),
                       position.getReaderParity());
}

void Ring::waitUntilEmpty(const KernelContext &context,
                          const RingPosition &position, Value owner) const {
  Value barrier = getEmpty(context, position.buffer, owner);
  context.b.waitParity(barrier, position.getWriterParity(context.b));
}

void Ring::emitFilled(const KernelContext &context, const Role &writer,
                      Value buffer, Value owner) const {
  full.emitArrival(context, writer, getFull(context, buffer, owner));
}

void Ring::emitRead(const KernelContext &context, const Role &reader,
                    Value buffer, Value owner) const {
  empty.emitArrival(context, reader, getEmpty(context, buffer, owner));
}

void hopper::emitBarrierInits(const KernelContext &context,
                              ArrayRef<Ring> rings) {
  DeviceBuilder &b = context.b;
  auto emitRing = [&](const Ring &ring, Value owner) {
    for (int64_t buffer = 0; buffer != ring.size; ++buffer) {
      Value index = ring.getIndex(b, b.i32(buffer), owner);
      ring.full.emitInit(context, index);
      ring.empty.emitInit(context, index);
    }
  };
  int64_t owners = 1;
  for (const Ring &ring : rings) {
    owners = std::max(owners, ring.owners);
    if (ring.owners == 1)
      emitRing(ring, /*owner=*/Value());
  }
  for (int64_t owner = 0; owner != owners; ++owner)
    for (const Ring &ring : rings)
      if (ring.owners != 1)
        emitRing(ring, b.i32(owner));
}
