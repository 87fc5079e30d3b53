//===- WaitWatchdog.cpp - Waits that give up ------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "WaitWatchdog.h"

#include "grout/Runtime/DeviceABI.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <cstddef>

using namespace mlir;
using namespace grout;

static Value i32(ImplicitLocOpBuilder &b, int32_t value) {
  return arith::ConstantIntOp::create(b, b.getI32Type(), value);
}

static Value isZero(ImplicitLocOpBuilder &b, Value value) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, value, i32(b, 0));
}

static void emitField(ImplicitLocOpBuilder &b, const WatchedWait &wait,
                      WatchedWait::Field field) {
  auto [offset, value] = field;
  Value address =
      LLVM::GEPOp::create(b, wait.record.getType(), b.getI32Type(), wait.record,
                          ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(
                              offset / kernelabi::kWordBytes)});
  LLVM::StoreOp::create(b, value, address);
}

/// Writes the record, unless another wait has begun to write it. The host reads
/// it after the launch has ended, so the words need no order.
static void emitRecord(ImplicitLocOpBuilder &b, const WatchedWait &wait) {
  Value before = LLVM::AtomicRMWOp::create(
      b, LLVM::AtomicBinOp::xchg, wait.record, i32(b, 1),
      LLVM::AtomicOrdering::monotonic, "device");
  auto isFirst =
      scf::IfOp::create(b, isZero(b, before), /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(isFirst.thenYield());
  Value block = NVVM::BlockIdXOp::create(b, b.getI32Type());
  SmallVector<WatchedWait::Field> fields = wait.fields;
  fields.push_back({offsetof(kernelabi::WatchdogRecord, block), block});
  llvm::sort(fields, llvm::less_first());
  for (WatchedWait::Field field : fields)
    emitField(b, wait, field);
}

Value grout::emitTime(ImplicitLocOpBuilder &b) {
  return NVVM::GlobalTimerOp::create(b, b.getI64Type());
}

Value grout::emitKeepsWaiting(ImplicitLocOpBuilder &b, const WatchedWait &wait,
                              Value start, Value isMissing) {
  auto choice = scf::IfOp::create(b, b.getI1Type(), isMissing,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  Value given = LLVM::LoadOp::create(
      b, b.getI32Type(), wait.record, /*alignment=*/4, /*isVolatile=*/false,
      /*isNonTemporal=*/false, /*isInvariant=*/false,
      /*isInvariantGroup=*/false, LLVM::AtomicOrdering::monotonic, "device");
  Value limit = arith::ConstantIntOp::create(
      b, b.getI64Type(), static_cast<int64_t>(wait.milliseconds) * 1000000);
  Value elapsed = arith::SubIOp::create(b, emitTime(b), start);
  Value inTime =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, elapsed, limit);
  Value nobodyGaveUp = isZero(b, given);
  Value keepsWaiting = arith::AndIOp::create(b, inTime, nobodyGaveUp);
  Value one = arith::ConstantIntOp::create(b, b.getI1Type(), 1);
  Value isLate = arith::XOrIOp::create(b, inTime, one);
  auto report = scf::IfOp::create(
      b, arith::AndIOp::create(b, isLate, nobodyGaveUp).getResult(),
      /*withElseRegion=*/false);
  scf::YieldOp::create(b, keepsWaiting);
  b.setInsertionPoint(report.thenYield());
  emitRecord(b, wait);

  b.setInsertionPointToStart(choice.elseBlock());
  Value no = arith::ConstantIntOp::create(b, b.getI1Type(), 0);
  scf::YieldOp::create(b, no);
  return choice.getResult(0);
}
