//===- GlobalMemory.cpp - Loads and stores of a kernel --------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "GlobalMemory.h"

#include "MemoryTypes.h"
#include "ShiftedVector.h"
#include "SlotMasks.h"
#include "grout/Dialect/Scop/IR/IndexSum.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// Emits the value of `expr`, a function of the loops, at `lane` points further
/// along `loop`. Computes with 32 bits if all parts of `expr` fit.
static Value emitValue(EmitContext &ctx, AffineExpr expr, const Point &point,
                       unsigned loop, int64_t lane, Type type) {
  ImplicitLocOpBuilder &b = ctx.b;
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, type, value);
  };
  if (auto number = dyn_cast<AffineConstantExpr>(expr))
    return constant(number.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    Value value = point.loops[dim.getPosition()];
    if (!type.isInteger(32))
      value = arith::ExtUIOp::create(b, type, value);
    if (lane != 0 && dim.getPosition() == loop)
      value = arith::AddIOp::create(b, value, constant(lane));
    return value;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value left = emitValue(ctx, binary.getLHS(), point, loop, lane, type);
  Value right = emitValue(ctx, binary.getRHS(), point, loop, lane, type);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return arith::AddIOp::create(b, left, right);
  case AffineExprKind::Mul:
    return arith::MulIOp::create(b, left, right);
  default:
    break;
  }
  // Quotients are rounded down, and computed of numbers that are not negative.
  // So a dividend that may be negative is shifted by a multiple of the divisor.
  int64_t divisor = cast<AffineConstantExpr>(binary.getRHS()).getValue();
  bool isCeiling = expr.getKind() == AffineExprKind::CeilDiv;
  int64_t low = scop::getRange(binary.getLHS(), ctx.shape.extents).low;
  int64_t shift = low < 0 ? llvm::divideCeil(-low, divisor) : 0;
  int64_t added = shift * divisor + (isCeiling ? divisor - 1 : 0);
  if (added != 0)
    left = arith::AddIOp::create(b, left, constant(added));
  if (expr.getKind() == AffineExprKind::Mod)
    return arith::RemUIOp::create(b, left, right);
  Value quotient = arith::DivUIOp::create(b, left, right);
  return shift == 0
             ? quotient
             : arith::SubIOp::create(b, quotient, constant(shift)).getResult();
}

/// Whether all parts of `expr` fit into 31 bits, including shifts of dividends.
static bool isSmall(AffineExpr expr, ArrayRef<int64_t> extents) {
  return !expr.walk([&](AffineExpr part) {
                auto [low, high] = scop::getRange(part, extents);
                bool fits =
                    low > -(INT64_C(1) << 29) && high < (INT64_C(1) << 29);
                return fits ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// Emits the number of the element at `lane` points further along `loop`, an
/// i64.
static Value emitElement(EmitContext &ctx, const StridedAccess &access,
                         const Point &point, unsigned loop, int64_t lane) {
  ImplicitLocOpBuilder &b = ctx.b;
  Type i64 = b.getI64Type();
  int64_t offset = access.offset;
  if (lane != 0)
    offset += lane * access.strides[loop];
  Value index = arith::ConstantIntOp::create(b, i64, offset);
  for (auto [number, value, stride] :
       llvm::enumerate(point.loops, access.strides)) {
    if (stride == 0)
      continue;
    // A slot may begin before its loop does.
    bool canBeNegative = ctx.mapping.slots && ctx.mapping.slots->loop == number;
    Value wide = canBeNegative
                     ? arith::ExtSIOp::create(b, i64, value).getResult()
                     : arith::ExtUIOp::create(b, i64, value);
    index = arith::AddIOp::create(
        b, index,
        arith::MulIOp::create(b, wide,
                              arith::ConstantIntOp::create(b, i64, stride)));
  }
  if (access.rest) {
    bool fits = isSmall(access.rest, ctx.shape.extents);
    Value rest = emitValue(ctx, access.rest, point, loop, lane,
                           fits ? b.getI32Type() : i64);
    if (fits)
      rest = arith::ExtSIOp::create(b, i64, rest);
    index = arith::AddIOp::create(b, index, rest);
  }
  return index;
}

Value scop::emitElementAddress(EmitContext &ctx, Type elementType,
                               const BufferView &view, Value index) {
  ImplicitLocOpBuilder &b = ctx.b;
  Value base = ctx.func.getArgument(ctx.buffers.getIndex(view.buffer));
  auto global = LLVM::LLVMPointerType::get(
      b.getContext(), static_cast<unsigned>(NVVM::NVVMMemorySpace::Global));
  Value pointer = LLVM::AddrSpaceCastOp::create(b, global, base);
  return LLVM::GEPOp::create(b, global, getMemoryType(elementType), pointer,
                             ArrayRef<LLVM::GEPArg>{index});
}

/// Emits the address at `lane` points further along `loop`.
static Value emitAddress(EmitContext &ctx, const StridedAccess &access,
                         const BufferView &view, const Point &point,
                         unsigned loop, int64_t lane) {
  return emitElementAddress(ctx, access.elementType, view,
                            emitElement(ctx, access, point, loop, lane));
}

static int64_t getNumElements(const BufferView &view) {
  return cast<MemRefType>(view.buffer.getType()).getNumElements();
}

/// Returns a register type for `size` elements of `type`, as in memory.
/// Elements of a byte are loaded as words: LLVM would load a vector of bytes
/// one by one.
static VectorType getLoadedType(Type type, int64_t size) {
  if (!type.isInteger(8))
    return VectorType::get({size}, type);
  int64_t perWord = std::min<int64_t>(size, 4);
  return VectorType::get({size / perWord},
                         IntegerType::get(type.getContext(), perWord * 8));
}

/// Loads `size` neighbouring elements of the array of `access`. Their address
/// is aligned to their size.
static Value emitVectorLoad(EmitContext &ctx, const StridedAccess &access,
                            int64_t size, Value address) {
  Type type = getMemoryType(access.elementType);
  VectorType loaded = getLoadedType(type, size);
  int64_t bytes = size * getBytes(type);
  if (bytes >= 4 && llvm::is_contained(ctx.streamed, access.array))
    return emitStreamedLoad(ctx.b, loaded, address);
  return LLVM::LoadOp::create(ctx.b, loaded, address, bytes);
}

static Lanes emitElements(EmitContext &ctx, Value vector) {
  Lanes elements;
  int64_t size = cast<VectorType>(vector.getType()).getNumElements();
  for (int64_t i = 0; i != size; ++i)
    elements.push_back(
        LLVM::ExtractElementOp::create(ctx.b, vector, ctx.i32(i)));
  return elements;
}

/// Returns the elements of `type` of a vector that was loaded.
static Lanes emitLanes(EmitContext &ctx, Type type, Value vector) {
  Lanes elements = emitElements(ctx, vector);
  Type elementType = elements.front().getType();
  if (elementType == type)
    return elements;
  ImplicitLocOpBuilder &b = ctx.b;
  Lanes lanes;
  for (Value word : elements)
    for (unsigned bit = 0; bit != elementType.getIntOrFloatBitWidth(); bit += 8)
      lanes.push_back(arith::TruncIOp::create(
          b, type,
          arith::ShRUIOp::create(
              b, word, arith::ConstantIntOp::create(b, elementType, bit))));
  return lanes;
}

/// Loads `size` neighbouring elements, or a single one.
static Lanes emitPartLoad(EmitContext &ctx, const StridedAccess &access,
                          int64_t size, Value address) {
  Type type = getMemoryType(access.elementType);
  if (size == 1)
    return {LLVM::LoadOp::create(ctx.b, type, address)};
  return emitLanes(ctx, type, emitVectorLoad(ctx, access, size, address));
}

/// Loads the elements of a buffer from `end` on, which are fewer than `size`,
/// as the first elements of a vector of that size. All threads load the same
/// ones.
static Value emitTail(EmitContext &ctx, const StridedAccess &access,
                      const BufferView &view, int64_t end, int64_t size) {
  ImplicitLocOpBuilder &b = ctx.b;
  Type type = getMemoryType(access.elementType);
  Value vector = LLVM::UndefOp::create(b, VectorType::get({size}, type));
  int64_t count = getNumElements(view) - end, first = 0;
  for (int64_t part = size / 2; part != 0; part /= 2) {
    if ((count & part) == 0)
      continue;
    Value index = arith::ConstantIntOp::create(b, b.getI64Type(), end + first);
    for (Value lane :
         emitPartLoad(ctx, access, part,
                      emitElementAddress(ctx, access.elementType, view, index)))
      vector = LLVM::InsertElementOp::create(b, vector, lane, ctx.i32(first++));
  }
  return LLVM::BitcastOp::create(b, getLoadedType(type, size), vector);
}

/// Loads the vector of `size` elements that begins at `element`, an i64 that is
/// a multiple of the size. Elements outside of the buffer have any values.
static Value emitLoadInBuffer(EmitContext &ctx, const StridedAccess &access,
                              const BufferView &view, Value element,
                              int64_t size) {
  ImplicitLocOpBuilder &b = ctx.b;
  auto i64 = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, b.getI64Type(), value);
  };
  int64_t elements = getNumElements(view), end = elements / size * size;
  // First loads a vector that is not the tail, whether it is needed or not.
  Value safe = arith::MinSIOp::create(b, element, i64(end - size));
  Value whole =
      emitVectorLoad(ctx, access, size,
                     emitElementAddress(ctx, access.elementType, view, safe));
  if (end == elements)
    return whole;
  Value isTail =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, element, i64(end));
  auto branch =
      scf::IfOp::create(b, whole.getType(), isTail, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard saved(b);
  b.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(b, emitTail(ctx, access, view, end, size));
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, whole);
  return branch.getResult(0);
}

/// Loads the elements of a masked point. Elements outside of the loop may be
/// any elements of the buffer.
static Lanes emitMaskedLoad(EmitContext &ctx, const StridedAccess &access,
                            const BufferView &view, const Point &point) {
  unsigned loop = ctx.mapping.slots->loop;
  Type type = getMemoryType(access.elementType);
  int64_t part = getAccessWidth(ctx.mapping, ctx.shape, access);
  while (part > getNumElements(view))
    part /= 2;
  Lanes lanes;
  for (int64_t first = 0; first != ctx.mapping.width; first += part) {
    Point place = point;
    place.loops[loop] = emitPlaceInRow(ctx, point, ctx.i32(first), part);
    Value element = emitElement(ctx, access, place, loop, 0);
    if (point.masks->canEnd && part != 1)
      llvm::append_range(
          lanes, emitLanes(ctx, type,
                           emitLoadInBuffer(ctx, access, view, element, part)));
    else
      llvm::append_range(
          lanes, emitPartLoad(ctx, access, part,
                              emitElementAddress(ctx, access.elementType, view,
                                                 element)));
  }
  return lanes;
}

/// Loads the elements of a slot that may begin anywhere. For each `size` of
/// them, loads two vectors of `size` elements, and joins these.
static Lanes emitJoinedLoad(EmitContext &ctx, const StridedAccess &access,
                            const BufferView &view, const Point &point,
                            int64_t size) {
  ImplicitLocOpBuilder &b = ctx.b;
  unsigned loop = ctx.mapping.slots->loop;
  Type type = getMemoryType(access.elementType);
  unsigned unitBits = getUnitBits(type);
  auto vectorType = VectorType::get({size * getBytes(type) * 8 / unitBits},
                                    b.getIntegerType(unitBits));
  auto i64 = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, b.getI64Type(), value);
  };
  int64_t step = getAccessWidth(ctx.mapping, ctx.shape, access);
  Lanes lanes;
  for (int64_t first = 0; first != ctx.mapping.width; first += size) {
    Value element = emitElement(ctx, access, point, loop, first);
    Value shift = arith::TruncIOp::create(
        b, b.getI32Type(), arith::AndIOp::create(b, element, i64(size - 1)));
    Lanes units;
    for (int64_t number : {0, 1}) {
      // A vector may be outside of the buffer if none of its elements are
      // needed.
      Value begin = arith::AndIOp::create(b, element, i64(-size));
      begin = arith::AddIOp::create(b, begin, i64(number * size));
      begin = arith::MaxSIOp::create(b, begin, i64(0));
      Value vector = emitLoadInBuffer(ctx, access, view, begin, size);
      llvm::append_range(units, emitElements(ctx, LLVM::BitcastOp::create(
                                                      b, vectorType, vector)));
    }
    llvm::append_range(lanes,
                       emitShiftedVector(ctx, units, type, size, shift, step));
  }
  return lanes;
}

/// Loads the elements in their memory type.
static Lanes emitMemoryLoad(EmitContext &ctx, const StridedAccess &access,
                            const BufferView &view, const Point &point,
                            unsigned loop, int64_t width) {
  if (width == 1 || !access.dependsOn(loop))
    return emitPartLoad(ctx, access, 1,
                        emitAddress(ctx, access, view, point, loop, 0));
  std::optional<int64_t> joined = getJoinedWidth(ctx.mapping, access);
  if (joined && *joined <= getNumElements(view))
    return emitJoinedLoad(ctx, access, view, point, *joined);
  if (point.masks)
    return emitMaskedLoad(ctx, access, view, point);
  int64_t part = ctx.mapping.slots
                     ? getAccessWidth(ctx.mapping, ctx.shape, access)
                     : getAccessWidth(ctx.shape, access, loop, width);
  Lanes lanes;
  for (int64_t first = 0; first != width; first += part)
    llvm::append_range(lanes, emitPartLoad(ctx, access, part,
                                           emitAddress(ctx, access, view, point,
                                                       loop, first)));
  return lanes;
}

Lanes scop::emitLoad(EmitContext &ctx, const StridedAccess &access,
                     const BufferView &view, const Point &point, unsigned loop,
                     int64_t width) {
  Lanes lanes = emitMemoryLoad(ctx, access, view, point, loop, width);
  for (Value &lane : lanes)
    lane = fromMemory(ctx.b, lane, access.elementType);
  return lanes;
}

void scop::emitVectorStore(EmitContext &ctx, ArrayRef<Value> lanes,
                           Value address) {
  ImplicitLocOpBuilder &b = ctx.b;
  if (lanes.size() == 1) {
    LLVM::StoreOp::create(b, toMemory(b, lanes.front()), address);
    return;
  }
  Type type = getMemoryType(lanes.front().getType());
  int64_t size = lanes.size();
  Value vector = LLVM::UndefOp::create(b, VectorType::get({size}, type));
  for (auto [number, lane] : llvm::enumerate(lanes))
    vector = LLVM::InsertElementOp::create(b, vector, toMemory(b, lane),
                                           ctx.i32(int64_t(number)));
  LLVM::StoreOp::create(b, vector, address, size * getBytes(type));
}

void scop::emitStore(EmitContext &ctx, const StridedAccess &access,
                     const Point &point, const Lanes &lanes) {
  ImplicitLocOpBuilder &b = ctx.b;
  BufferView view = ctx.getPlace(access.array).target;
  bool isVector = ctx.isVector(access);
  auto store = [&] {
    if (!isVector) {
      LLVM::StoreOp::create(b, toMemory(b, lanes.front()),
                            emitAddress(ctx, access, view, point, 0, 0));
      return;
    }
    Lanes all(lanes);
    if (all.size() == 1)
      all.assign(ctx.mapping.width, Value(lanes.front()));
    int64_t part = getAccessWidth(ctx.mapping, ctx.shape, access);
    for (int64_t first = 0; first != ctx.mapping.width; first += part)
      emitVectorStore(
          ctx, ArrayRef(all).slice(first, part),
          emitAddress(ctx, access, view, point, ctx.getVectorLoop(), first));
  };
  bool isMasked = point.masks && isVector;
  Value condition = isMasked ? point.masks->isWhole : point.isOwn;
  if (!condition) {
    store();
    return;
  }
  auto guard = scf::IfOp::create(b, condition, /*withElseRegion=*/isMasked);
  OpBuilder::InsertionGuard saved(b);
  b.setInsertionPointToStart(guard.thenBlock());
  store();
  if (!isMasked)
    return;
  for (auto [lane, isOwn] : llvm::enumerate(point.masks->lanes)) {
    b.setInsertionPoint(guard.elseBlock()->getTerminator());
    auto ofLane = scf::IfOp::create(b, isOwn, /*withElseRegion=*/false);
    b.setInsertionPointToStart(ofLane.thenBlock());
    LLVM::StoreOp::create(
        b, toMemory(b, lanes.size() == 1 ? lanes.front() : lanes[lane]),
        emitAddress(ctx, access, view, point, ctx.getVectorLoop(), lane));
  }
}
