//===- ComputedPlaces.cpp - Elements at computed places --===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ComputedPlaces.h"

#include "GlobalMemory.h"
#include "MemoryTypes.h"
#include "grout/Conversion/Common/DeviceAssertion.h"
#include "grout/Target/GPU.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// Returns the number of the element of `view` at `indices`. `adjust` adjusts
/// each index, given its dimension and the value of its operand.
static Value
emitElementNumber(EmitContext &ctx, const BufferView &view,
                  OperandRange indices, const IRMapping &values,
                  llvm::function_ref<Value(unsigned dim, Value index)> adjust) {
  ImplicitLocOpBuilder &b = ctx.b;
  Type i64 = b.getI64Type();
  Value element = arith::ConstantIntOp::create(b, i64, view.offset);
  for (auto [dim, operand, stride] : llvm::enumerate(indices, view.strides)) {
    Value index =
        adjust(dim, arith::IndexCastOp::create(b, i64, values.lookup(operand)));
    Value distance = arith::ConstantIntOp::create(b, i64, stride);
    element = arith::AddIOp::create(b, element,
                                    arith::MulIOp::create(b, index, distance));
  }
  return element;
}

Value scop::emitGather(EmitContext &ctx, GatherOp gather,
                       const IRMapping &values) {
  ImplicitLocOpBuilder &b = ctx.b;
  BufferView view = ctx.getPlace(gather.getArray()).source;
  Value element = emitElementNumber(
      ctx, view, gather.getIndices(), values,
      [&](unsigned dim, Value index) -> Value {
        if (gather.isInside(dim))
          return index;
        Type i64 = b.getI64Type();
        int64_t extent = gather.getArray().getType().getDimSize(dim);
        Value first = arith::ConstantIntOp::create(b, i64, 0);
        Value last = arith::ConstantIntOp::create(b, i64, extent - 1);
        index = arith::MaxSIOp::create(b, index, first);
        return arith::MinSIOp::create(b, index, last);
      });
  Type type = gather.getValue().getType();
  Value value = LLVM::LoadOp::create(
      b, getMemoryType(type), emitElementAddress(ctx, type, view, element));
  return fromMemory(b, value, type);
}

ScatterPlace scop::emitScatterPlace(EmitContext &ctx, ScatterOp scatter,
                                    const IRMapping &values) {
  ImplicitLocOpBuilder &b = ctx.b;
  ScatterPlace place;
  place.element = emitElementNumber(
      ctx, ctx.getPlace(scatter.getArray()).target, scatter.getIndices(),
      values, [&](unsigned dim, Value index) -> Value {
        if (scatter.isInside(dim))
          return index;
        // As an unsigned number, a negative index is too large.
        Value extent = arith::ConstantIntOp::create(
            b, b.getI64Type(), scatter.getArray().getType().getDimSize(dim));
        Value inside =
            arith::CmpIOp::create(b, arith::CmpIPredicate::ult, index, extent);
        place.isInside = place.isInside
                             ? arith::AndIOp::create(b, place.isInside, inside)
                             : inside;
        return index;
      });
  return place;
}

/// Whether `value`, in the region of `statement`, may differ between the points
/// that a thread has at once.
static bool dependsOnPoint(EmitContext &ctx, const PhaseStatement &statement,
                           Value value) {
  // Scalar arguments of the kernel are the same for all points.
  Block *body = value.getParentBlock();
  llvm::SetVector<Value> needed;
  needed.insert(value);
  for (size_t i = 0; i != needed.size(); ++i) {
    Value next = needed[i];
    if (next.getParentBlock() != body)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(next)) {
      if (ctx.isVector(statement.reads[argument.getArgNumber()]))
        return true;
      continue;
    }
    Operation *op = next.getDefiningOp();
    if (auto index = dyn_cast<IndexOp>(op);
        index && statement.loops[index.getIterator()] == ctx.getVectorLoop())
      return true;
    needed.insert_range(op->getOperands());
  }
  return false;
}

int64_t scop::getScatterWidth(EmitContext &ctx, const PhaseStatement &statement,
                              ScatterOp scatter) {
  if (ctx.mapping.width == 1 || ctx.mapping.slots)
    return 1;
  MLIRContext *context = scatter.getContext();
  SmallVector<AffineExpr> loops =
      llvm::map_to_vector(statement.loops, [&](std::optional<unsigned> loop) {
        return loop ? getAffineDimExpr(*loop, context)
                    : getAffineConstantExpr(0, context);
      });
  int64_t width =
      std::min(ctx.mapping.width,
               kMaxAccessBytes / getBytes(scatter.getValue().getType()));
  BufferView view = ctx.getPlace(scatter.getArray()).target;
  AffineExpr element = getAffineConstantExpr(view.offset, context);
  for (auto [dim, index, stride] :
       llvm::enumerate(scatter.getIndices(), view.strides)) {
    if (scatter.isInside(dim)) {
      element = element + getIteratorExpr(index).replaceDims(loops) * stride;
      continue;
    }
    // Values of the region are only computed for the first point.
    if (dependsOnPoint(ctx, statement, index))
      return 1;
    while (stride % width != 0)
      width /= 2;
  }
  StridedAccess access;
  setElement(access, element, ctx.shape.extents);
  while (width > 1 && !access.isVector(ctx.getVectorLoop(), width))
    width /= 2;
  return width;
}

void scop::emitScatterStore(EmitContext &ctx, ScatterOp scatter,
                            const ScatterPlace &place, Value isOwn,
                            ArrayRef<Value> lanes) {
  ImplicitLocOpBuilder &b = ctx.b;
  OpBuilder::InsertionGuard saved(b);
  auto enter = [&](Value condition, bool withElseRegion) {
    auto guard = scf::IfOp::create(b, condition, withElseRegion);
    b.setInsertionPointToStart(guard.thenBlock());
    return guard;
  };
  if (isOwn)
    enter(isOwn, /*withElseRegion=*/false);
  if (place.isInside) {
    std::optional<StringRef> message = scatter.getMessage();
    scf::IfOp guard = enter(place.isInside, message.has_value());
    if (message) {
      OpBuilder::InsertionGuard then(b);
      b.setInsertionPointToStart(guard.elseBlock());
      emitAssertionFailure(b, *message);
    }
  }
  BufferView view = ctx.getPlace(scatter.getArray()).target;
  emitVectorStore(ctx, lanes,
                  emitElementAddress(ctx, scatter.getValue().getType(), view,
                                     place.element));
}
