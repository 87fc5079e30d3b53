//===- KnownValues.cpp - Array elements known to a thread -----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "KnownValues.h"

#include "MemoryTypes.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// The most bytes of local memory of a thread. The driver reserves them for
/// every thread that a GPU can run.
static constexpr int64_t kMaxKeptBytes = 4096;

Lanes *KnownValues::find(const StridedAccess &access, const Point &point) {
  int64_t round = getRound(access, point);
  for (KnownValue &value : known)
    if (value.round == round && value.access.isSameAs(access))
      return &value.lanes;
  return nullptr;
}

void KnownValues::set(const StridedAccess &access, const Point &point,
                      Lanes lanes) {
  if (Lanes *value = find(access, point))
    *value = std::move(lanes);
  else
    known.push_back(
        {access, getRound(access, point), std::move(lanes), nextNumber++});
}

void KnownValues::setWritten(const StridedAccess &access, const Point &point,
                             Lanes lanes) {
  llvm::erase_if(known, [&](const KnownValue &value) {
    return value.access.array == access.array && !value.access.isSameAs(access);
  });
  llvm::erase_if(kept, [&](const KeptValues &values) {
    return values.access.array == access.array &&
           !values.access.isSameAs(access);
  });
  set(access, point, std::move(lanes));
}

/// Whether a phase after the phase of `statement` reads `array`.
static bool isReadLater(const KernelShape &shape,
                        const PhaseStatement &statement, Value array) {
  bool isLater = false;
  for (const Phase &phase : shape.phases) {
    for (const PhaseStatement &other : phase.statements)
      if (isLater && StmtOp(other.op).reads(array))
        return true;
    isLater |= llvm::any_of(phase.statements, [&](const PhaseStatement &other) {
      return other.op == statement.op;
    });
  }
  return false;
}

Value KnownValues::emitKeptAddress(const KeptValues &kept, const Point &point,
                                   int64_t lane) {
  ImplicitLocOpBuilder &b = ctx.b;
  Value slot = arith::AddIOp::create(
      b, arith::MulIOp::create(b, point.roundIndex, ctx.i32(kept.numLanes)),
      ctx.i32(lane));
  return LLVM::GEPOp::create(b, kept.memory.getType(),
                             getMemoryType(kept.access.elementType),
                             kept.memory, ArrayRef<LLVM::GEPArg>{slot});
}

LogicalResult KnownValues::keep(const PhaseStatement &statement,
                                const StridedAccess &access, const Point &point,
                                const Lanes &lanes) {
  ImplicitLocOpBuilder &b = ctx.b;
  if (ctx.mapping.keepsRounds || !ctx.shape.dependsOnInner(access) ||
      !isReadLater(ctx.shape, statement, access.array))
    return success();
  auto place = llvm::find_if(kept, [&](const KeptValues &values) {
    return values.access.isSameAs(access);
  });
  if (place == kept.end()) {
    int64_t numLanes = ctx.isVector(access) ? ctx.mapping.width : 1;
    int64_t count = ctx.mapping.rounds * numLanes;
    keptBytes += count * getBytes(access.elementType);
    if (keptBytes > kMaxKeptBytes)
      return StmtOp(statement.op).emitOpError()
             << "cannot be compiled for a GPU: threads would keep more than "
             << kMaxKeptBytes << " bytes for later phases";
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&ctx.func.getBody().front());
    Value memory = LLVM::AllocaOp::create(
        b, LLVM::LLVMPointerType::get(b.getContext()),
        getMemoryType(access.elementType), ctx.i32(count));
    place = kept.insert(kept.end(), {access, memory, numLanes, statement.op});
  }
  for (int64_t lane = 0; lane != place->numLanes; ++lane)
    LLVM::StoreOp::create(
        b, toMemory(b, lanes.size() == 1 ? lanes.front() : lanes[lane]),
        emitKeptAddress(*place, point, lane));
  return success();
}

std::optional<Lanes> KnownValues::loadKept(StmtOp op,
                                           const StridedAccess &access,
                                           const Point &point) {
  auto place = llvm::find_if(kept, [&](const KeptValues &values) {
    return values.access.isSameAs(access);
  });
  // In a round, an element that the writing statement itself reads is not kept
  // yet.
  if (!point.roundIndex || place == kept.end() ||
      !place->writer->isBeforeInBlock(op))
    return std::nullopt;
  Lanes lanes;
  for (int64_t lane = 0; lane != place->numLanes; ++lane) {
    Value element =
        LLVM::LoadOp::create(ctx.b, getMemoryType(access.elementType),
                             emitKeptAddress(*place, point, lane));
    lanes.push_back(fromMemory(ctx.b, element, access.elementType));
  }
  return lanes;
}
