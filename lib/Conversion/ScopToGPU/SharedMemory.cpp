//===- SharedMemory.cpp - Shared memory of a kernel -----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "SharedMemory.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace grout;

Value scop::createSharedMemory(ImplicitLocOpBuilder &b, LLVM::LLVMFuncOp func,
                               int64_t bytes) {
  auto module = func->getParentOfType<gpu::GPUModuleOp>();
  std::string name;
  unsigned number = 0;
  do
    name = (func.getSymName() + "_shared" + Twine(number++)).str();
  while (module.lookupSymbol(name));
  auto space = static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(func);
    LLVM::GlobalOp::create(b, LLVM::LLVMArrayType::get(b.getI8Type(), bytes),
                           /*isConstant=*/false, LLVM::Linkage::Internal, name,
                           Attribute(), /*alignment=*/16, space);
  }
  return LLVM::AddressOfOp::create(
      b, LLVM::LLVMPointerType::get(b.getContext(), space), name);
}
