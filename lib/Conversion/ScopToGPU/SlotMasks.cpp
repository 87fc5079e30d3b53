//===- SlotMasks.cpp - Vectors with masked parts --------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "SlotMasks.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// Emits the position of the loop's first iteration within its slot.
static Value emitBefore(EmitContext &ctx, const Point &point) {
  ImplicitLocOpBuilder &b = ctx.b;
  const VectorSlots &slots = *ctx.mapping.slots;
  Value before = ctx.i32(slots.origin.offset);
  for (auto [loop, stride] : llvm::enumerate(slots.origin.strides))
    if (stride != 0)
      before = arith::AddIOp::create(
          b, before,
          arith::MulIOp::create(b, point.loops[loop], ctx.i32(stride)));
  return arith::AndIOp::create(b, before, ctx.i32(slots.width - 1));
}

void scop::emitSlot(EmitContext &ctx, Point &point, bool canBegin,
                    bool canEnd) {
  ImplicitLocOpBuilder &b = ctx.b;
  const VectorSlots &slots = *ctx.mapping.slots;
  PointMasks masks;
  masks.before = emitBefore(ctx, point);
  Value &first = point.loops[slots.loop];
  first = arith::SubIOp::create(b, first, masks.before);
  if (!canBegin && !canEnd)
    return;
  masks.canBegin = canBegin;
  masks.canEnd = canEnd;
  int64_t extent = ctx.shape.extents[slots.loop];
  // As an unsigned number, a negative one is large.
  auto isBelow = [&](Value value, int64_t end) -> Value {
    Value below = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, value,
                                        ctx.i32(end));
    return point.isOwn ? arith::AndIOp::create(b, below, point.isOwn) : below;
  };
  for (int64_t lane = 0; lane != slots.width; ++lane)
    masks.lanes.push_back(
        isBelow(arith::AddIOp::create(b, first, ctx.i32(lane)), extent));
  masks.isWhole =
      isBelow(first, std::max<int64_t>(0, extent - slots.width + 1));
  point.masks = std::move(masks);
}

Value scop::emitPlaceInRow(EmitContext &ctx, const Point &point, Value lane,
                           int64_t size) {
  ImplicitLocOpBuilder &b = ctx.b;
  const VectorSlots &slots = *ctx.mapping.slots;
  const PointMasks &masks = *point.masks;
  Value before = ctx.i32(0);
  if (size != 1)
    before = arith::AndIOp::create(b, masks.before, ctx.i32(size - 1));
  Value place = arith::AddIOp::create(b, point.loops[slots.loop], lane);
  // A whole slot contains a point of the loop, unless it is behind the last
  // one.
  if (masks.canBegin && size != slots.width)
    place = arith::MaxSIOp::create(
        b, place, arith::SubIOp::create(b, ctx.i32(0), before));
  if (masks.canEnd) {
    Value last = arith::AddIOp::create(
        b, before, ctx.i32(ctx.shape.extents[slots.loop] - 1));
    last = arith::AndIOp::create(b, last, ctx.i32(-size));
    place = arith::MinSIOp::create(b, place,
                                   arith::SubIOp::create(b, last, before));
  }
  return place;
}
