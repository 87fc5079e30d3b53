//===- TileReads.cpp - A block's tile, and reads through shared memory ----===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TileReads.h"

#include "GlobalMemory.h"
#include "MemoryTypes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

int64_t TileReads::getPitch(const StridedAccess &access) const {
  // An odd number of words, so that columns are in different banks.
  int64_t bytes = getBytes(access.elementType);
  int64_t perWord = std::max<int64_t>(1, 4 / bytes);
  return (llvm::divideCeil(ctx.mapping.tile->extent, perWord) | 1) * perWord;
}

Value TileReads::emitSlotAddress(const StridedAccess &access, Value memory,
                                 Value slot) {
  return LLVM::GEPOp::create(ctx.b, memory.getType(),
                             getMemoryType(access.elementType), memory,
                             ArrayRef<LLVM::GEPArg>{slot});
}

void TileReads::emitStaging(const StridedAccess &access, const Point &tile,
                            Value thread) {
  ImplicitLocOpBuilder &b = ctx.b;
  const Tile &shapeOfTile = *ctx.mapping.tile;
  int64_t width = getStagedWidth(ctx.mapping, ctx.shape, access);
  int64_t perColumn = shapeOfTile.extent / width;
  int64_t total = perColumn * shapeOfTile.width;
  int64_t threads = ctx.mapping.outerThreads;
  unsigned vectorLoop = ctx.getVectorLoop();
  struct Part {
    Value slot;
    Lanes lanes;
  };
  // All loads come first, so that they are in flight together.
  std::vector<Part> parts;
  int64_t pitch = getPitch(access);
  for (int64_t first = 0; first < total; first += threads) {
    Value number = arith::AddIOp::create(b, thread, ctx.i32(first));
    if (first + threads > total)
      number = arith::MinUIOp::create(b, number, ctx.i32(total - 1));
    Value row = arith::MulIOp::create(
        b, arith::RemUIOp::create(b, number, ctx.i32(perColumn)),
        ctx.i32(width));
    Value column = arith::DivUIOp::create(b, number, ctx.i32(perColumn));
    Point point = tile;
    auto place = [&](unsigned loop, Value local, int64_t extent,
                     int64_t accessWidth) {
      Value index = arith::AddIOp::create(b, tile.loops[loop], local);
      if (ctx.shape.extents[loop] % extent != 0)
        index = arith::MinUIOp::create(
            b, index, ctx.i32(ctx.shape.extents[loop] - accessWidth));
      point.loops[loop] = index;
    };
    place(shapeOfTile.loop, row, shapeOfTile.extent, width);
    place(vectorLoop, column, shapeOfTile.width, 1);
    Value slot = arith::AddIOp::create(
        b, arith::MulIOp::create(b, column, ctx.i32(pitch)), row);
    parts.push_back(
        {slot, scop::emitLoad(ctx, access, ctx.getPlace(access.array).source,
                              point, shapeOfTile.loop, width)});
  }
  int64_t bytes = getBytes(access.elementType);
  Value memory = ctx.shared.emitOwn(b, pitch * shapeOfTile.width * bytes);
  for (const Part &part : parts)
    for (auto [lane, value] : llvm::enumerate(part.lanes)) {
      Value slot = arith::AddIOp::create(b, part.slot, ctx.i32(lane));
      LLVM::StoreOp::create(b, toMemory(b, value),
                            emitSlotAddress(access, memory, slot));
    }
  staged.emplace_back(access, memory);
}

Lanes TileReads::emitLoad(const StridedAccess &access, const Point &point) {
  ImplicitLocOpBuilder &b = ctx.b;
  auto place = llvm::find_if(
      staged, [&](auto &entry) { return entry.first.isSameAs(access); });
  Value memory = place->second;
  int64_t pitch = getPitch(access);
  Value slot = arith::AddIOp::create(
      b, arith::MulIOp::create(b, point.tileColumn, ctx.i32(pitch)),
      point.tileRow);
  Lanes lanes;
  for (int64_t lane = 0; lane != ctx.mapping.width; ++lane) {
    Value ofLane = arith::AddIOp::create(b, slot, ctx.i32(lane * pitch));
    lanes.push_back(fromMemory(
        b,
        LLVM::LoadOp::create(b, getMemoryType(access.elementType),
                             emitSlotAddress(access, memory, ofLane)),
        access.elementType));
  }
  return lanes;
}

LogicalResult
TileReads::emit(const Point &start,
                function_ref<LogicalResult(const Point &)> visit) {
  ImplicitLocOpBuilder &b = ctx.b;
  const Tile &tile = *ctx.mapping.tile;
  unsigned vectorLoop = ctx.getVectorLoop();
  Value thread = NVVM::ThreadIdXOp::create(b, b.getI32Type());
  for (Phase &phase : ctx.shape.phases)
    for (PhaseStatement &statement : phase.statements)
      for (const StridedAccess &access : statement.reads)
        if (isStaged(ctx.mapping, ctx.shape, access) &&
            llvm::none_of(staged, [&](auto &entry) {
              return entry.first.isSameAs(access);
            }))
          emitStaging(access, start, thread);
  ctx.shared.emitBarrier(b);

  int64_t perRow = tile.width / ctx.mapping.width;
  int64_t total = perRow * tile.extent;
  for (int64_t first = 0; first < total; first += ctx.mapping.outerThreads) {
    Point point = start;
    Value number = arith::AddIOp::create(b, thread, ctx.i32(first));
    auto require = [&](Value value, int64_t end) {
      point.require(b, arith::CmpIOp::create(b, arith::CmpIPredicate::ult,
                                             value, ctx.i32(end)));
    };
    if (first + ctx.mapping.outerThreads > total) {
      require(number, total);
      number = arith::MinUIOp::create(b, number, ctx.i32(total - 1));
    }
    point.tileColumn = arith::MulIOp::create(
        b, arith::RemUIOp::create(b, number, ctx.i32(perRow)),
        ctx.i32(ctx.mapping.width));
    point.tileRow = arith::DivUIOp::create(b, number, ctx.i32(perRow));
    auto place = [&](unsigned loop, Value local, int64_t extent,
                     int64_t width) {
      Value index = arith::AddIOp::create(b, start.loops[loop], local);
      if (ctx.shape.extents[loop] % extent != 0) {
        require(index, ctx.shape.extents[loop]);
        index = arith::MinUIOp::create(
            b, index, ctx.i32(ctx.shape.extents[loop] - width));
      }
      point.loops[loop] = index;
    };
    place(tile.loop, point.tileRow, tile.extent, 1);
    place(vectorLoop, point.tileColumn, tile.width, ctx.mapping.width);
    if (failed(visit(point)))
      return failure();
  }
  return success();
}
