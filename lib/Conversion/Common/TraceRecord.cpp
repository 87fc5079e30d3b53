//===- TraceRecord.cpp - Kernels that record their times ------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Common/TraceRecord.h"

#include "grout/Target/IR/Grout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace grout;
using kernelabi::TraceRecord;
using kernelabi::TraceVariable;

static std::string getVariableName(LLVM::LLVMFuncOp kernel) {
  return kernelabi::kTracePrefix + kernel.getName().str();
}

bool grout::isTraced(gpu::GPUModuleOp module) {
  return module->getParentOfType<ModuleOp>()->hasAttr(
      GroutDialect::getTraceAttrName());
}

bool grout::hasTrace(LLVM::LLVMFuncOp kernel) {
  return kernel->getParentOfType<gpu::GPUModuleOp>().lookupSymbol(
             getVariableName(kernel)) != nullptr;
}

//===----------------------------------------------------------------------===//
// The variable of a kernel
//===----------------------------------------------------------------------===//

static Type getPointerType(OpBuilder &b) {
  return LLVM::LLVMPointerType::get(
      b.getContext(), static_cast<unsigned>(NVVM::NVVMMemorySpace::Global));
}

/// Returns the address of the variable of the kernel that `b` builds. Declares
/// the variable if it is not there yet.
static Value emitVariable(ImplicitLocOpBuilder &b) {
  Operation *parent = b.getInsertionBlock()->getParentOp();
  auto kernel = dyn_cast<LLVM::LLVMFuncOp>(parent);
  if (!kernel)
    kernel = parent->getParentOfType<LLVM::LLVMFuncOp>();
  std::string name = getVariableName(kernel);
  if (!hasTrace(kernel)) {
    auto module = kernel->getParentOfType<gpu::GPUModuleOp>();
    auto atStart = OpBuilder::atBlockBegin(module.getBody());
    auto type =
        LLVM::LLVMArrayType::get(b.getI64Type(), sizeof(TraceVariable) / 8);
    auto zero = DenseElementsAttr::get(
        RankedTensorType::get({sizeof(TraceVariable) / 8}, b.getI64Type()),
        APInt(64, 0));
    LLVM::GlobalOp::create(
        atStart, kernel.getLoc(), type, /*isConstant=*/false,
        LLVM::Linkage::External, name, zero, alignof(TraceVariable),
        static_cast<unsigned>(NVVM::NVVMMemorySpace::Global));
  }
  return LLVM::AddressOfOp::create(b, getPointerType(b), name);
}

/// Returns the address of the byte `offset` behind `pointer`.
static Value emitOffset(ImplicitLocOpBuilder &b, Value pointer, size_t offset) {
  return LLVM::GEPOp::create(
      b, pointer.getType(), b.getI8Type(), pointer,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
}

/// Returns the address of the record at `place`, an i32.
static Value emitRecord(ImplicitLocOpBuilder &b, Value variable, Value place) {
  Value address = LLVM::LoadOp::create(
      b, getPointerType(b),
      emitOffset(b, variable, offsetof(TraceVariable, records)));
  Value wide = arith::ExtUIOp::create(b, b.getI64Type(), place);
  Value bytes = arith::MulIOp::create(
      b, wide,
      arith::ConstantIntOp::create(b, b.getI64Type(), sizeof(TraceRecord)));
  return LLVM::GEPOp::create(b, address.getType(), b.getI8Type(), address,
                             ArrayRef<LLVM::GEPArg>{bytes});
}

/// Returns whether the trace has `place`.
static Value emitHasPlace(ImplicitLocOpBuilder &b, Value variable,
                          Value place) {
  Value capacity = LLVM::LoadOp::create(
      b, b.getI32Type(),
      emitOffset(b, variable, offsetof(TraceVariable, capacity)));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, place, capacity);
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

static Value emitNumber(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIntOp::create(b, b.getI32Type(), value);
}

static Value emitTime(ImplicitLocOpBuilder &b) {
  return NVVM::GlobalTimerOp::create(b, b.getI64Type());
}

/// Returns the number of the block in the grid.
static Value emitBlockNumber(ImplicitLocOpBuilder &b) {
  Type i32 = b.getI32Type();
  Value x = NVVM::BlockIdXOp::create(b, i32);
  Value y = NVVM::BlockIdYOp::create(b, i32);
  Value z = NVVM::BlockIdZOp::create(b, i32);
  Value plane = arith::AddIOp::create(
      b, y, arith::MulIOp::create(b, z, NVVM::GridDimYOp::create(b, i32)));
  return arith::AddIOp::create(
      b, x, arith::MulIOp::create(b, plane, NVVM::GridDimXOp::create(b, i32)));
}

/// Writes all of a record but its end.
static void emitFields(ImplicitLocOpBuilder &b, Value record, Value start,
                       kernelabi::TraceRole role, ValueRange task) {
  auto store = [&](Value value, size_t offset) {
    LLVM::StoreOp::create(b, value, emitOffset(b, record, offset));
  };
  store(start, offsetof(TraceRecord, start));
  store(emitNumber(b, static_cast<int64_t>(role)), offsetof(TraceRecord, role));
  store(NVVM::SmIdOp::create(b, b.getI32Type()),
        offsetof(TraceRecord, processor));
  store(emitBlockNumber(b), offsetof(TraceRecord, block));
  for (auto [word, value] : llvm::enumerate(task))
    store(value, offsetof(TraceRecord, body) + 4 * word);
}

TraceStart grout::emitTraceStart(ImplicitLocOpBuilder &b) {
  Value taken = emitOffset(b, emitVariable(b), offsetof(TraceVariable, taken));
  Value place = LLVM::AtomicRMWOp::create(
      b, LLVM::AtomicBinOp::add, taken, emitNumber(b, 1),
      LLVM::AtomicOrdering::monotonic, "device");
  return {emitTime(b), place};
}

void grout::emitTraceEnd(ImplicitLocOpBuilder &b, const TraceStart &start,
                         kernelabi::TraceRole role, ValueRange task) {
  Value end = emitTime(b);
  Value variable = emitVariable(b);
  auto write = scf::IfOp::create(b, emitHasPlace(b, variable, start.place));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(write.thenYield());
  Value record = emitRecord(b, variable, start.place);
  emitFields(b, record, start.time, role, task);
  LLVM::StoreOp::create(b, end,
                        emitOffset(b, record, offsetof(TraceRecord, end)));
}

void grout::traceBlocks(LLVM::LLVMFuncOp kernel) {
  ImplicitLocOpBuilder b(kernel.getLoc(), kernel.getContext());
  b.setInsertionPointToStart(&kernel.getBody().front());
  Value start = emitTime(b);
  for (auto end : llvm::to_vector(kernel.getOps<LLVM::ReturnOp>())) {
    b.setInsertionPoint(end);
    Value variable = emitVariable(b);
    Value place = emitBlockNumber(b);
    // Blocks have one dimension.
    Value thread = NVVM::ThreadIdXOp::create(b, b.getI32Type());
    Value lane = arith::AndIOp::create(
        b, thread, emitNumber(b, kernelabi::kWarpThreads - 1));
    auto isZero = [&](Value value) -> Value {
      return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, value,
                                   emitNumber(b, 0));
    };
    Value ends = arith::AndIOp::create(b, isZero(lane),
                                       emitHasPlace(b, variable, place));
    auto write = scf::IfOp::create(b, ends);
    b.setInsertionPoint(write.thenYield());
    Value record = emitRecord(b, variable, place);
    LLVM::AtomicRMWOp::create(b, LLVM::AtomicBinOp::umax,
                              emitOffset(b, record, offsetof(TraceRecord, end)),
                              emitTime(b), LLVM::AtomicOrdering::monotonic,
                              "device");
    auto first = scf::IfOp::create(b, isZero(thread));
    b.setInsertionPoint(first.thenYield());
    SmallVector<Value> noTask(4, emitNumber(b, 0));
    emitFields(b, record, start, kernelabi::TraceRole::Block, noTask);
  }
}
