//===- GlobalMemory.cpp - Loads and stores of a kernel --------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "GlobalMemory.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// The address at `lane` points further along `loop`.
static Value emitAddress(EmitContext &ctx, const StridedAccess &access,
                         const BufferView &view, const Point &point,
                         unsigned loop, int64_t lane) {
  ImplicitLocOpBuilder &b = ctx.b;
  Type i64 = b.getI64Type();
  int64_t offset = access.offset;
  if (lane != 0)
    offset += lane * access.strides[loop];
  Value index = arith::ConstantIntOp::create(b, i64, offset);
  for (auto [value, stride] : llvm::zip(point.loops, access.strides)) {
    if (stride == 0)
      continue;
    Value wide = arith::ExtUIOp::create(b, i64, value);
    index = arith::AddIOp::create(
        b, index,
        arith::MulIOp::create(b, wide,
                              arith::ConstantIntOp::create(b, i64, stride)));
  }
  Value base = ctx.func.getArgument(ctx.buffers.getIndex(view.buffer));
  auto global = LLVM::LLVMPointerType::get(
      b.getContext(), static_cast<unsigned>(NVVM::NVVMMemorySpace::Global));
  Value pointer = LLVM::AddrSpaceCastOp::create(b, global, base);
  return LLVM::GEPOp::create(b, global, access.elementType, pointer,
                             ArrayRef<LLVM::GEPArg>{index});
}

Lanes scop::emitLoad(EmitContext &ctx, const StridedAccess &access,
                     const Point &point, unsigned loop, int64_t width) {
  ImplicitLocOpBuilder &b = ctx.b;
  BufferView view = ctx.getPlace(access.array).source;
  Type type = access.elementType;
  if (width == 1 || access.strides[loop] == 0)
    return {LLVM::LoadOp::create(
        b, type, emitAddress(ctx, access, view, point, loop, 0))};
  int64_t bytes = type.getIntOrFloatBitWidth() / 8;
  int64_t part = getAccessWidth(ctx.shape, access, loop, width);
  Lanes lanes;
  for (int64_t first = 0; first != width; first += part) {
    Value address = emitAddress(ctx, access, view, point, loop, first);
    if (part == 1) {
      lanes.push_back(LLVM::LoadOp::create(b, type, address));
      continue;
    }
    Value vector = LLVM::LoadOp::create(b, VectorType::get({part}, type),
                                        address, part * bytes);
    for (int64_t lane = 0; lane != part; ++lane)
      lanes.push_back(LLVM::ExtractElementOp::create(b, vector, ctx.i32(lane)));
  }
  return lanes;
}

void scop::emitStore(EmitContext &ctx, const StridedAccess &access,
                     const Point &point, const Lanes &lanes) {
  ImplicitLocOpBuilder &b = ctx.b;
  BufferView view = ctx.getPlace(access.array).target;
  Type type = access.elementType;
  auto store = [&] {
    if (!ctx.isVector(access)) {
      LLVM::StoreOp::create(b, lanes.front(),
                            emitAddress(ctx, access, view, point, 0, 0));
      return;
    }
    auto getLane = [&](int64_t lane) {
      return lanes.size() == 1 ? lanes.front() : lanes[lane];
    };
    int64_t bytes = type.getIntOrFloatBitWidth() / 8;
    int64_t part = getAccessWidth(ctx.shape, access, ctx.getVectorLoop(),
                                  ctx.mapping.width);
    for (int64_t first = 0; first != ctx.mapping.width; first += part) {
      Value address =
          emitAddress(ctx, access, view, point, ctx.getVectorLoop(), first);
      if (part == 1) {
        LLVM::StoreOp::create(b, getLane(first), address);
        continue;
      }
      Value vector = LLVM::UndefOp::create(b, VectorType::get({part}, type));
      for (int64_t lane = 0; lane != part; ++lane)
        vector = LLVM::InsertElementOp::create(b, vector, getLane(first + lane),
                                               ctx.i32(lane));
      LLVM::StoreOp::create(b, vector, address, part * bytes);
    }
  };
  if (!point.isOwn) {
    store();
    return;
  }
  auto guard = scf::IfOp::create(b, point.isOwn, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard saved(b);
  b.setInsertionPointToStart(guard.thenBlock());
  store();
}
