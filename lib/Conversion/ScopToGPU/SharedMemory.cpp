//===- SharedMemory.cpp - Shared memory of a kernel -----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "SharedMemory.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

static constexpr int64_t kAlignment = 16;

static int64_t getGlobalBytes(LLVM::GlobalOp global) {
  return cast<LLVM::LLVMArrayType>(global.getGlobalType()).getNumElements();
}

static Value emitAddress(ImplicitLocOpBuilder &b, LLVM::GlobalOp global) {
  return LLVM::AddressOfOp::create(b, global);
}

LLVM::GlobalOp SharedMemory::createGlobal(ImplicitLocOpBuilder &b,
                                          int64_t bytes) {
  auto module = func->getParentOfType<gpu::GPUModuleOp>();
  std::string name;
  unsigned number = globals.size();
  do
    name = (func.getSymName() + "_shared" + Twine(number++)).str();
  while (module.lookupSymbol(name));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(func);
  globals.push_back(LLVM::GlobalOp::create(
      b, LLVM::LLVMArrayType::get(b.getI8Type(), bytes),
      /*isConstant=*/false, LLVM::Linkage::Internal, name, Attribute(),
      kAlignment, static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared)));
  return globals.back();
}

Value SharedMemory::emitOwn(ImplicitLocOpBuilder &b, int64_t bytes) {
  return emitAddress(b, createGlobal(b, bytes));
}

Value SharedMemory::emitForExchange(ImplicitLocOpBuilder &b, int64_t bytes) {
  if (!next)
    next = createGlobal(b, bytes);
  else if (getGlobalBytes(next) < bytes)
    next.setGlobalType(LLVM::LLVMArrayType::get(b.getI8Type(), bytes));
  Value address = emitAddress(b, next);
  std::swap(next, other);
  return address;
}

void SharedMemory::emitBarrier(ImplicitLocOpBuilder &b) {
  if (!threads) {
    NVVM::Barrier0Op::create(b);
    return;
  }
  auto i32 = [&](int64_t value) -> Value {
    return LLVM::ConstantOp::create(b, b.getI32IntegerAttr(value));
  };
  NVVM::BarrierOp::create(b, TypeRange(), i32(0), i32(*threads),
                          NVVM::BarrierReductionAttr(), Value());
}

void SharedMemory::overlay(LLVM::LLVMFuncOp func,
                           MutableArrayRef<SharedMemory> kernels) {
  int64_t bytes = 0;
  for (const SharedMemory &kernel : kernels)
    bytes = std::max(bytes, kernel.getBytes());
  if (bytes == 0)
    return;
  ImplicitLocOpBuilder b(func.getLoc(), func.getContext());
  LLVM::GlobalOp all = SharedMemory(func).createGlobal(b, bytes);
  llvm::StringMap<int64_t> offsets;
  for (SharedMemory &kernel : kernels) {
    int64_t offset = 0;
    for (LLVM::GlobalOp global : kernel.globals) {
      offsets[global.getSymName()] = offset;
      offset += llvm::alignTo(getGlobalBytes(global), kAlignment);
      global.erase();
    }
    kernel.globals.clear();
    kernel.next = kernel.other = {};
  }
  func.walk([&](LLVM::AddressOfOp address) {
    auto it = offsets.find(address.getGlobalName());
    if (it == offsets.end())
      return;
    b.setInsertionPointAfter(address);
    address.setGlobalName(all.getSymName());
    if (it->second == 0)
      return;
    auto moved = LLVM::GEPOp::create(
        b, address.getType(), b.getI8Type(), address,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(it->second)});
    address.getResult().replaceAllUsesExcept(moved, moved);
  });
}

int64_t SharedMemory::getBytes() const {
  int64_t bytes = 0;
  for (LLVM::GlobalOp global : globals)
    bytes += llvm::alignTo(getGlobalBytes(global), kAlignment);
  return bytes;
}
